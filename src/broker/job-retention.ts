/** Retention of ended jobs. */

/**
 * Times after the end of a job at which its files and its record are removed, in ms; absent: never
 * automatically.
 */
export interface Retention {
  readonly filesMs?: number;
  readonly recordsMs?: number;
}
