/**
 * What there is and what happens at the nodes that `plain-nodes.ts` plays, and what comes of it.
 */

/** Equal tasks. */
interface PlainTasks {
  readonly tasks: number;
  readonly perTask: readonly number[];
  readonly mostPerNode: number;
}

/** A job of so many equal tasks. */
export interface PlainNodeJob extends PlainTasks {
  readonly submitMs: number;
  readonly runtimeMs: number;
  readonly estimateMs: number;
  /** When it is taken away, wherever it is then. */
  readonly cancelMs?: number;
}

/** A node that is down for a time. */
export interface PlainOutage {
  readonly atMs: number;
  readonly untilMs: number;
  readonly node: number;
}

/** A reservation, known from the beginning. */
export interface PlainReservation extends PlainTasks {
  readonly startMs: number;
  readonly endMs: number;
}

/** What an outage did to the tasks of a reservation that lay on its node. */
export interface PlainChange {
  readonly reservation: number;
  readonly node: number;
  readonly atMs: number;
  /** Moved, by node. */
  readonly moved: readonly number[];
  readonly missing: number;
  readonly missingFromMs: number;
  readonly missingUntilMs: number;
}

/** The site and its rule. */
export interface PlainNodes {
  readonly nodes: number;
  readonly perNode: readonly number[];
  readonly discipline: "fcfs" | "easy" | "conservative" | "repack";
}

/** Of a job: its last start (−1 where it never ended), and what it was promised when it came, else −1. */
export interface PlainOutcome {
  readonly startMs: number;
  readonly promisedMs: number;
}

/** What came of a workload. */
export interface PlainSeries {
  /** By job. */
  readonly outcomes: readonly PlainOutcome[];
  readonly changes: readonly PlainChange[];
}

/** What may happen at a site beside its jobs. */
export interface PlainSiteEvents {
  readonly outages: readonly PlainOutage[];
  readonly reservations?: readonly PlainReservation[];
}
