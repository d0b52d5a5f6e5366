/**
 * A site in a replay of which slots can be asked for, and taken ([PROV] 5.2, 5.3).
 *
 * Prices are those of `market` on the machine as it stands after everything else at the instant; taking one
 * is what it says it is (rule MK-7). A reservation whose job is done early is given back at that instant
 * ("relinquished", rule SI-72), which the machine treats as any capacity that comes free.
 * Cost: a price list for each question, a copy of the machine for each reservation that delays somebody.
 */
import { assert } from "../../base/index.ts";
import { delaysBy, PLAIN_PRICE, type PricedStart, priceList } from "../../market/index.ts";
import {
  prepareImpact,
  type Replay,
  type ReplayJob,
  type ReplayOperation,
  type ReservationShape,
  reserve,
  type TriedMachine,
} from "../../queue/index.ts";

/** What makes a price list; the one of `market` unless somebody tries another. */
export type Lister = (tried: TriedMachine, shape: ReservationShape) => readonly PricedStart[];

/** The possible starts of a slot now, and the machine that they were found on. */
export interface SlotQuote {
  readonly tried: TriedMachine;
  readonly shape: ReservationShape;
  readonly list: readonly PricedStart[];
}

/** A job that holds a reservation. */
export interface ReservedJob<Job extends ReplayJob = ReplayJob> {
  readonly job: Job;
  readonly startMs: number;
  /** f, in processor-milliseconds. */
  readonly fixedProcMs: number;
  /** The queued jobs that it delayed when it was accepted, and by how much. */
  readonly delayed: readonly { readonly job: Job; readonly delayMs: number }[];
}

/** The site under way. */
export interface ReservableSite<Job extends ReplayJob = ReplayJob> {
  /** Plays everything up to and at this instant; jobs submitted at it must have been offered. */
  playThrough(atMs: number): void;
  /** What a job may have now; only after `playThrough`. */
  quote(job: Job): SlotQuote;
  /** Takes one of the starts of a quote that was given since anything happened at the site. */
  accept(quote: SlotQuote, start: PricedStart, job: Job): ReservedJob<Job>;
}

/** A replay that is to take reservations. */
export interface ReservableReplay<Job extends ReplayJob> {
  readonly replay: Replay<Job>;
  /** The very list that the replay plays: what is given back is put into it, later than now. */
  readonly operations: ReplayOperation[];
  readonly lister?: Lister;
}

/** Slots of a site of one pool of processors. Ids of its reservations follow those of the operations. */
export function reservableSite<Job extends ReplayJob>({
  replay,
  operations,
  lister = whenever,
}: ReservableReplay<Job>): ReservableSite<Job> {
  const { machine, steps } = replay;
  assert(machine.pools.length === 1, "slots are asked for in one pool");
  let nextId = operations.length;
  return {
    playThrough(atMs) {
      for (let next = steps.nextInstantMs(); next < atMs; next = steps.nextInstantMs()) {
        steps.happen(next);
        steps.settle(next);
      }
      steps.happen(atMs);
      steps.settle(atMs);
    },
    quote(job) {
      const tried = prepareImpact(machine);
      const shape = { pool: 0, need: job.need, durationMs: job.estimateMs };
      return { tried, shape, list: lister(tried, shape) };
    },
    accept({ tried, shape }, { startMs, fixedProcMs, delayedJobs }, job) {
      const fixed = { ...shape, startMs };
      const delayed = delayedJobs === 0 ? [] : (delaysBy(tried, fixed) ?? []);
      const named = delayed.map(({ handle, delayMs }) => ({ job: replay.jobAt(handle), delayMs }));
      const reservation = nextId++;
      const refusal = reserve(machine, reservation, fixed, machine.nowMs);
      assert(refusal === undefined, "a start of the list is possible");
      steps.settle(machine.nowMs);
      if (job.runtimeMs < job.estimateMs) {
        insertByTime(operations, {
          kind: "cancelReservation",
          atMs: startMs + job.runtimeMs,
          reservation,
        });
      }
      return { job, startMs, fixedProcMs, delayed: named };
    },
  };
}

/** The question of [PROV] (18): every possible start, c = 1 and no price for the transaction. */
const whenever: Lister = (tried, shape) => priceList(tried, shape, { kind: "whenever" }, PLAIN_PRICE);

/** Behind those of the same instant; the list is nearly always appended to. */
function insertByTime(operations: ReplayOperation[], operation: ReplayOperation): void {
  let at = operations.length;
  while (at > 0 && operations[at - 1].atMs > operation.atMs) at--;
  operations.splice(at, 0, operation);
}
