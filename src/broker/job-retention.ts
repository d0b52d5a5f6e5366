/** For how long what ended jobs leave is kept. */

/** In ms after their end; absent: until somebody removes it. */
export interface Retention {
  readonly filesMs?: number;
  readonly recordsMs?: number;
}
