/**
 * The clock port: the only way the round learns of time. Live it is the system's; in tests it is stepped.
 */

/** A clock with an alarm. */
export interface Clock {
  /** Unix time in ms. May step; the round never lets time go back. */
  nowMs(): number;
  /** Calls once at or after an instant; gives what calls it off. */
  wakeAt(atMs: number, call: () => void): () => void;
}
