/**
 * Virtual reservations: a job that is submitted early enough that it probably runs from a given instant on.
 *
 * The job takes its processors when its site starts it, and idles until its time; then its program begins. A
 * program never begins late: one whose job has not started by then is not run.
 */
/** A job's virtual reservation. Times are Unix ms. */
export interface VirtualReservationSlot {
  /** S: its program begins then. A whole second. */
  readonly startMs: number;
  /** D: for how long it is promised its processors then; its limit is longer by what it may idle. */
  readonly durationMs: number;
  /** t: when it goes to its site. */
  readonly submitMs: number;
  /** That it has started by S, as it was predicted when it was made. */
  readonly probability: number;
  /** A priced reservation as the alternative; one of the two is released. */
  readonly besides?: string;
}
