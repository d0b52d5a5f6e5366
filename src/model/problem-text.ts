/**
 * How every message about something that cannot be is made.
 */

/** Three sentences without a capital and a full stop, as a Fault has them. */
export interface RefusalText {
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}
