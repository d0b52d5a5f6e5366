/**
 * What a replay is given and what it keeps: jobs, operations, listener, and the jobs at the site.
 */
import { createHeap, type Heap } from "../base/index.ts";
import type { FixedRectangle, Machine } from "./machine.ts";
import type { WrongState } from "./operations.ts";
import type { ReservationRefusal } from "./reservations.ts";

/** A job of a workload. Runtime ≤ estimate: see rule QU-17 for how they are made so. */
export interface ReplayJob {
  /** Unique in the workload where operations name it. */
  readonly id: number;
  readonly submitMs: number;
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly runtimeMs: number;
  readonly pools?: readonly number[];
}

/** Something that happens to a workload beside arrivals and ends. */
export type ReplayOperation = { readonly atMs: number } & (
  | {
      readonly kind: "cancel" | "hold" | "release" | "suspend" | "resume";
      readonly job: number;
    }
  | {
      readonly kind: "reserve";
      readonly reservation: number;
      readonly fixed: FixedRectangle;
    }
  | { readonly kind: "cancelReservation"; readonly reservation: number }
);

/** Why an operation of a workload was not carried out. */
export type OperationRefusal =
  | WrongState
  | ReservationRefusal
  | { readonly kind: "unknownJob"; readonly job: number };

/** A job that has ended. */
export interface FinishedJob<Job extends ReplayJob = ReplayJob> {
  readonly job: Job;
  /** Its first start. */
  readonly startMs: number;
  readonly endMs: number;
  /** The promise it was given on arrival; undefined where the discipline gives none. */
  readonly promisedMs: number | undefined;
  readonly backfilled: boolean;
}

/** What a replay tells while it runs; all but `finished` are optional. */
export interface ReplayListener<Job extends ReplayJob = ReplayJob> {
  finished(finished: FinishedJob<Job>): void;
  started?(job: Job, pool: number, atMs: number, backfilled: boolean): void;
  /** The machine has taken the job; its place is found when the instant is settled. */
  arrived?(job: Job, handle: number): void;
  tooWide?(job: Job): void;
  refused?(operation: ReplayOperation, refusal: OperationRefusal): void;
  /** An operation was carried out. */
  operated?(operation: ReplayOperation): void;
  /** After everything at an instant has happened. */
  settled?(machine: Machine, atMs: number): void;
}

/** A replay under way, from within. */
export interface ReplayRun<Job extends ReplayJob> {
  readonly machine: Machine;
  readonly listener: ReplayListener<Job>;
  readonly operations: readonly ReplayOperation[];
  readonly handleOf: Map<number, number> | undefined;
  nextOperation: number;
  /** Submitted at `arrivingAtMs`, not yet handed to the machine. */
  readonly arriving: Job[];
  arrivingCount: number;
  arrivingAtMs: number;
  /** The handles of the jobs that arrive at this instant. */
  readonly arrived: number[];
  arrivedCount: number;
  /** Real ends; an entry counts while its job runs and is still to end at that time. */
  readonly ends: Heap;
  readonly onSite: OnSite<Job>;
}

/** What only the driver knows of the jobs at the site, by handle. */
export interface OnSite<Job> {
  readonly jobs: Job[];
  restMs: Float64Array;
  /** NaN while the job does not run. */
  endMs: Float64Array;
  firstStartMs: Float64Array;
  /** NaN where nothing was promised. */
  promisedMs: Float64Array;
}

/** A replay that has not begun. */
export function createRun<Job extends ReplayJob>(
  machine: Machine,
  listener: ReplayListener<Job>,
  operations: readonly ReplayOperation[],
): ReplayRun<Job> {
  return {
    machine,
    listener,
    operations,
    handleOf: operations.some((operation) => "job" in operation) ? new Map() : undefined,
    nextOperation: 0,
    arriving: [],
    arrivingCount: 0,
    arrived: [],
    arrivedCount: 0,
    arrivingAtMs: Number.POSITIVE_INFINITY,
    ends: createHeap(),
    onSite: {
      jobs: [],
      restMs: new Float64Array(FIRST_ROWS),
      endMs: new Float64Array(FIRST_ROWS),
      firstStartMs: new Float64Array(FIRST_ROWS),
      promisedMs: new Float64Array(FIRST_ROWS),
    },
  };
}

/** Small, as in the job table. */
const FIRST_ROWS = 8;

/** What is told of a job that ends now, of which the site still has the row. */
export function finishedJob<Job extends ReplayJob>(
  { machine, onSite }: ReplayRun<Job>,
  handle: number,
): FinishedJob<Job> {
  const promisedMs = onSite.promisedMs[handle];
  const finished: { -readonly [Key in keyof FinishedJob<Job>]: FinishedJob<Job>[Key] } = {
    job: onSite.jobs[handle],
    // Kept as doubles from the start, as the machine's clock is.
    startMs: Number.NaN,
    endMs: Number.NaN,
    promisedMs: Number.isNaN(promisedMs) ? undefined : promisedMs,
    backfilled: machine.jobs.backfilled[handle] === 1,
  };
  finished.startMs = onSite.firstStartMs[handle];
  finished.endMs = machine.nowMs;
  return finished;
}

/** Notes a job that has come to the site under a handle, and has not started. */
export function noteOnSite<Job extends ReplayJob>(onSite: OnSite<Job>, handle: number, job: Job): void {
  if (handle >= onSite.restMs.length) growOnSite(onSite, handle);
  onSite.jobs[handle] = job;
  onSite.restMs[handle] = job.runtimeMs;
  onSite.endMs[handle] = Number.NaN;
  onSite.firstStartMs[handle] = Number.NaN;
  onSite.promisedMs[handle] = Number.NaN;
}

function growOnSite<Job>(onSite: OnSite<Job>, handle: number): void {
  const rows = Math.max(handle + 1, onSite.restMs.length * 2);
  onSite.restMs = grown(onSite.restMs, rows);
  onSite.endMs = grown(onSite.endMs, rows);
  onSite.firstStartMs = grown(onSite.firstStartMs, rows);
  onSite.promisedMs = grown(onSite.promisedMs, rows);
}

function grown(column: Float64Array, rows: number): Float64Array {
  const larger = new Float64Array(rows);
  larger.set(column);
  return larger;
}
