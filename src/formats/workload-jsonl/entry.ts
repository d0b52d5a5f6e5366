/**
 * Entries of a workload file, one record a kind of line.
 *
 * Times are milliseconds on the file's own clock, memory is bytes. Every entry has its line.
 */

/** Amounts of the resources of a site. */
export interface Amounts {
  readonly procs: number;
  /** Bytes; undefined where the field is absent. */
  readonly memoryBytes: number | undefined;
  readonly gpus: number | undefined;
}

/** A pool of the site; with `nodes` its amounts are those of one node. */
export interface PoolEntry extends Amounts {
  readonly kind: "pool";
  readonly line: number;
  readonly name: string;
  readonly nodes: number | undefined;
}

/** A job; its amounts are those of the whole job. */
export interface JobEntry extends Amounts {
  readonly kind: "job";
  readonly line: number;
  readonly id: string;
  /** From when it may start: its submission, or when its begin time, hold or dependency let it. */
  readonly submitMs: number;
  /** Submission, not after `submitMs`; only reported. */
  readonly submittedMs: number | undefined;
  /** Recorded start, not before `submitMs`; simulations are compared with it. */
  readonly recordedStartMs: number | undefined;
  /** Undefined: as long as its limit. */
  readonly runtimeMs: number | undefined;
  /** Undefined: as long as its runtime. */
  readonly limitMs: number | undefined;
  /** On so many different nodes, in equal parts. */
  readonly nodes: number | undefined;
  /** At most so many of its processors on one node; not beside `nodes`. */
  readonly tasksPerNode: number | undefined;
  /** Names of pools; undefined: all. */
  readonly pools: readonly string[] | undefined;
  /** The queue or partition that it was in: a label for comparisons. */
  readonly queue: string | undefined;
  readonly user: string | undefined;
  readonly group: string | undefined;
}

/** A job is taken away, waiting or running. */
export interface CancelEntry {
  readonly kind: "cancel";
  readonly line: number;
  readonly job: string;
  readonly atMs: number;
}

/** Capacity of a pool is down for a time: one node, or amounts. */
export interface DownEntry extends Amounts {
  readonly kind: "down";
  readonly line: number;
  readonly pool: string;
  /** From 0; its amounts are those of the node then, and `procs` is 0 here. */
  readonly node: number | undefined;
  readonly atMs: number;
  /** Later than `atMs`. */
  readonly untilMs: number;
}

/** A fixed rectangle, known from the beginning: a maintenance window, for instance. */
export interface ReservationEntry extends Amounts {
  readonly kind: "reservation";
  readonly line: number;
  readonly id: string;
  /** Undefined: the site's first. */
  readonly pool: string | undefined;
  /** On so many different nodes, in equal parts. */
  readonly nodes: number | undefined;
  readonly startMs: number;
  readonly durationMs: number;
}

/** The time of which the workload is a record; jobs of before are those that were there when it began. */
export interface PeriodEntry {
  readonly kind: "period";
  readonly line: number;
  readonly fromMs: number;
  /** Later than `fromMs`; undefined: until the end of the record. */
  readonly untilMs: number | undefined;
}

/** One line of a workload. */
export type WorkloadEntry = PoolEntry | JobEntry | CancelEntry | DownEntry | ReservationEntry | PeriodEntry;
