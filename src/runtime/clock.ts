/**
 * The clock port: the only way the round learns of time. Live it is the system's; in tests it is stepped.
 */

/** A clock with an alarm. */
export interface Clock {
  /** Unix time in ms. The round never lets it go back. */
  nowMs(): number;
  /** By how much the machine's clock is behind, by which the reports of its programs are dated. */
  aheadMs?(): number;
  /** Calls once at or after an instant; gives what calls it off. */
  wakeAt(atMs: number, call: () => void): () => void;
}
