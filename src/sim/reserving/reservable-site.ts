/**
 * A driven site with quotes and reservations ([PROV] 5.2, 5.3).
 *
 * Prices are those of `market` on the machine after all else at the instant; an accepted slot has the quoted
 * effect (rule MK-7). A reservation whose job ends early is returned at that instant ("relinquished", rule
 * SI-71), which the machine treats as any early release of capacity. Cost: a price list for each request, a
 * copy of the machine for each reservation with delays.
 */
import { assert, createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import { delaysBy, PLAIN_PRICE, type PricedStart, priceList } from "../../market/index.ts";
import {
  type Actor,
  cancelReservation,
  type DrivenSite,
  prepareImpact,
  type ReplayJob,
  type ReservationShape,
  reserve,
  type TriedMachine,
} from "../../queue/index.ts";

/** Computes a price list; by default the one of `market`. */
export type Lister = (tried: TriedMachine, shape: ReservationShape) => readonly PricedStart[];

/** The possible starts of a slot now, and the machine that they were found on. */
export interface SlotQuote {
  readonly tried: TriedMachine;
  readonly shape: Omit<ReservationShape, "pool">;
  /** Pool after pool. */
  readonly list: readonly PoolStart[];
}

/** A possible start in one of the pools. */
export interface PoolStart extends PricedStart {
  readonly pool: number;
}

/** A job that holds a reservation. */
export interface ReservedJob<Job extends ReplayJob = ReplayJob> {
  readonly job: Job;
  /** Id of the reservation in the machine. */
  readonly reservation: number;
  readonly startMs: number;
  readonly pool: number;
  /** f, in processor-milliseconds. */
  readonly fixedProcMs: number;
  /** The queued jobs that it delayed when it was accepted, and by how much. */
  readonly delayed: readonly { readonly job: Job; readonly delayMs: number }[];
}

/** The site under way; as an actor it gives reservations back. */
export interface ReservableSite<Job extends ReplayJob = ReplayJob> extends Actor {
  /** Quote for a job now; the instant has been settled. */
  quote(job: Job): SlotQuote;
  /**
   * Takes one of the starts of a quote that was given since anything happened at the site; the instant is to
   * be settled once more.
   */
  accept(quote: SlotQuote, start: PoolStart, job: Job): ReservedJob<Job>;
}

/**
 * Slots of a site, in each of its pools that is large enough.
 *
 * @param firstId of its reservations; others have smaller ones
 */
export function reservableSite<Job extends ReplayJob>(
  { machine, jobs }: DrivenSite<Job>,
  { lister = whenever, firstId = 0 }: { readonly lister?: Lister; readonly firstId?: number } = {},
): ReservableSite<Job> {
  let nextId = firstId;
  const givenBack = createHeap();
  return {
    nextMs: () => smallestKey(givenBack),
    changes(atMs) {
      while (smallestKey(givenBack) === atMs) cancelReservation(machine, popHeap(givenBack), atMs);
    },
    quote(job) {
      const tried = prepareImpact(machine);
      const shape = { need: job.need, durationMs: job.estimateMs };
      const pools = job.pools ?? machine.pools.map((_, pool) => pool);
      const list = pools.flatMap((pool) => {
        const { capacity } = machine.pools[pool];
        if (job.need.some((amount, c) => amount > capacity[c])) return [];
        return lister(tried, { ...shape, pool }).map((start): PoolStart => ({ ...start, pool }));
      });
      return { tried, shape, list };
    },
    accept({ tried, shape }, { startMs, fixedProcMs, delayedJobs, pool }, job) {
      const fixed = { ...shape, pool, startMs };
      const delayed = delayedJobs === 0 ? [] : (delaysBy(tried, fixed) ?? []);
      const named = delayed.map(({ handle, delayMs }) => ({ job: jobs[handle], delayMs }));
      const reservation = nextId++;
      const refusal = reserve(machine, reservation, fixed, machine.nowMs);
      assert(refusal === undefined, "a start of the list is possible");
      if (job.runtimeMs < job.estimateMs) pushHeap(givenBack, startMs + job.runtimeMs, reservation);
      return { job, reservation, startMs, pool, fixedProcMs, delayed: named };
    },
  };
}

/** The question of [PROV] (18): every possible start, c = 1 and no price for the transaction. */
const whenever: Lister = (tried, shape) => priceList(tried, shape, { kind: "whenever" }, PLAIN_PRICE);
