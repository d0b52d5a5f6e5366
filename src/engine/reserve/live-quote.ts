/**
 * What a slot costs at a site as it is now, and whether somebody may have it (rule EN-33).
 *
 * On a copy of the site's queue that is settled at the instant; nothing at the site changes. The price is
 * that of `market`, by the site's own rule.
 * Cost: a copy of the queue and a price list; with the words, one trial for each start that is told.
 */
import { mulDiv } from "../../base/index.ts";
import {
  type DeclaredCosts,
  delaysBy,
  type HeldSlot,
  type PricedStart,
  priceList,
  priceTogether,
  type Tariff,
  whyNotReserve,
} from "../../market/index.ts";
import {
  type DelayedByOffer,
  type DelayFacts,
  type JobRecord,
  type LivePrice,
  type PriceTogether,
  type ReservationHindrance,
  type ReservationRecord,
  reservationRulesOf,
  type WantedWhen,
} from "../../model/index.ts";
import { copyQueue, type NamedQueue, type TriedMachine, takeUp } from "../../queue/index.ts";
import { policyRefusal } from "../enforce/admit-slot.ts";
import type { SiteState } from "../site-state.ts";
import { wastedBy } from "./apply-reservation.ts";
import { declaredIn } from "./declared-costs.ts";
import { basePrice, ownTariff, siteTariff } from "./price-terms.ts";
import { endOf, heldAt, queueNow, type ReservedState } from "./reserved.ts";

/** A slot that somebody asks the price of. */
export interface AskedSlot {
  readonly consumer: string;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly durationMs: number;
  readonly when: WantedWhen;
  /** By what it is priced; the site's rules for a reservation of this consumer where absent. */
  readonly tariff?: Tariff;
}

/** A longer list is told without the words of whom it delays. */
const MOST_WITH_WORDS = 64;

/** The possible starts with their prices, in order of start. */
export function livePrices(
  state: ReservedState,
  site: SiteState,
  asked: AskedSlot,
  nowMs: number,
): readonly LivePrice[] {
  const queue = queueNow(site, state.reserved, copyQueue(site.queue), nowMs);
  const shape = { pool: 0, need: [asked.procs, asked.memoryBytes], durationMs: asked.durationMs };
  if (shape.need.some((amount, column) => amount > queue.machine.pools[0].capacity[column])) return [];
  const { consumer, tariff = siteTariff(site, consumer, "reservation") } = asked;
  const tried = takeUp(queue.machine);
  const declared = declaredIn(state.jobs, queue);
  const list = priceList(tried, shape, asked.when, { tariff, declared });
  const hasWords = list.length <= MOST_WITH_WORDS;
  return list.map((priced) => {
    const { startMs, fixedProcMs, delayedJobs, delayProcMs } = priced;
    const words = (): DelayFacts =>
      delayFacts(state, { queue, tried, declared, consumer }, { ...shape, startMs });
    return {
      startMs,
      ...basePrice(tariff, { ...asked, startMs }),
      fixedProcMs,
      delaysJobs: delayedJobs,
      delayProcMs,
      delays: hasWords ? words() : null,
      hindrance: hindranceOf(state, site, { ...asked, startMs }, nowMs) ?? null,
    };
  });
}

/** The rule of the site that keeps a consumer from reserving a slot. */
export function hindranceOf(
  state: ReservedState,
  site: SiteState,
  wish: Pick<AskedSlot, "consumer" | "procs" | "memoryBytes" | "durationMs"> & { readonly startMs: number },
  nowMs: number,
): ReservationHindrance | undefined {
  const held = heldAt(state.reserved, site.name).map(
    ({ consumer, procs, startMs, durationMs, state: at }): HeldSlot => ({
      consumer,
      procs,
      startMs,
      durationMs,
      isOffer: at === "OFFERED",
    }),
  );
  const { consumer, ...slot } = wish;
  const wasted = wastedBy(state, { site: site.name, consumer }, nowMs);
  const book = { poolProcs: site.spec.procs, held, wasted };
  const hindrance = whyNotReserve(reservationRulesOf(site.spec), { consumer, slot, nowMs }, book);
  if (hindrance !== undefined) return hindrance;
  const refusal = policyRefusal(state, site, wish, nowMs);
  return refusal === undefined ? undefined : ({ kind: "overPolicy", refusal } as const);
}

/** Whom of ours a slot would delay, one by one: what is recorded of one that is offered. */
export function delayedByOffer(
  state: ReservedState,
  site: SiteState,
  slot: Pick<AskedSlot, "procs" | "memoryBytes" | "durationMs"> & { readonly startMs: number },
  nowMs: number,
): { readonly delayed?: readonly DelayedByOffer[] } {
  const queue = queueNow(site, state.reserved, copyQueue(site.queue), nowMs);
  const { procs, memoryBytes, startMs, durationMs } = slot;
  const rectangle = { pool: 0, need: [procs, memoryBytes], startMs, durationMs };
  const all = delaysBy(takeUp(queue.machine), rectangle, declaredIn(state.jobs, queue)) ?? [];
  const delayed = all.flatMap(({ handle, plannedMs, costProcMs: procMs }): DelayedByOffer[] => {
    const job = queue.jobOf.get(handle);
    return job !== undefined && state.jobs.has(job) ? [{ job, plannedMs, procMs }] : [];
  });
  return delayed.length === 0 ? {} : { delayed };
}

/** What more time for a reservation costs: a slot like any, from its end on, at its own price. */
export function extensionPrice(
  state: ReservedState,
  site: SiteState,
  { record, moreMs }: { readonly record: ReservationRecord; readonly moreMs: number },
  nowMs: number,
): LivePrice | undefined {
  const { consumer, procs, memoryBytes } = record;
  const when = { kind: "at", startMs: endOf(record) } as const;
  const slot = { consumer, procs, memoryBytes, durationMs: moreMs, when, tariff: ownTariff(record) };
  return livePrices(state, site, slot, nowMs)[0];
}

/** One of several slots that are wanted at the same time. */
export interface AskedPart {
  readonly site: SiteState;
  readonly procs: number;
  readonly memoryBytes: number;
}

/** The starts at which all parts are possible, at different sites, with their prices (rule MK-10). */
export function livePricesTogether(
  state: ReservedState,
  parts: readonly AskedPart[],
  asked: Pick<AskedSlot, "consumer" | "durationMs" | "when">,
  nowMs: number,
): readonly PriceTogether[] {
  const { durationMs, when, consumer } = asked;
  const slots = parts.map(({ site, procs, memoryBytes }) => {
    const queue = queueNow(site, state.reserved, copyQueue(site.queue), nowMs);
    const tariff = siteTariff(site, consumer, "together");
    const shape = { pool: 0, need: [procs, memoryBytes], durationMs };
    const terms = { tariff, declared: declaredIn(state.jobs, queue) };
    return { tried: takeUp(queue.machine), shape, terms };
  });
  return priceTogether(slots, when).map(({ startMs, parts: priced, ...sum }) => {
    const told = parts.map(({ site, procs, memoryBytes }, at) => {
      const { tariff } = slots[at].terms;
      const { fixedProcMs, delayedJobs, delayProcMs } = priced[at];
      const slot = { consumer, procs, memoryBytes, durationMs, startMs };
      return {
        site: site.name,
        procs,
        ...basePrice(tariff, { procs, startMs, durationMs }),
        fixedProcMs,
        delaysJobs: delayedJobs,
        delayProcMs,
        hindrance: hindranceOf(state, site, slot, nowMs) ?? null,
      };
    });
    return {
      startMs,
      baseProcMs: told.reduce((total, { baseProcMs }) => total + baseProcMs, 0),
      fixedProcMs: sum.fixedProcMs,
      delaysJobs: sum.delayedJobs,
      delayProcMs: sum.delayProcMs,
      parts: told,
    };
  });
}

interface Tried {
  readonly queue: NamedQueue;
  readonly tried: TriedMachine;
  readonly declared: DeclaredCosts;
  readonly consumer: string;
}

function delayFacts(
  { jobs }: ReservedState,
  { queue, tried, declared, consumer }: Tried,
  slot: { readonly pool: number; readonly need: readonly number[] } & Pick<PricedStart, "startMs"> & {
      readonly durationMs: number;
    },
): DelayFacts {
  const delayed = delaysBy(tried, slot, declared) ?? [];
  const own = departmentOf(consumer);
  const isOwn = (job: JobRecord | undefined): boolean =>
    job !== undefined && departmentOf(job.consumer) === own;
  return {
    jobs: delayed.length,
    totalMs: delayed.reduce((sum, { delayMs }) => sum + delayMs, 0),
    worstMs: delayed.reduce((most, { delayMs }) => Math.max(most, delayMs), 0),
    ownJobs: delayed.filter(({ handle }) => isOwn(jobs.get(queue.jobOf.get(handle) ?? ""))).length,
  };
}

/** The path without its last part; of a path of one part, itself. */
function departmentOf(consumer: string): string {
  const cut = consumer.lastIndexOf("/");
  return cut < 0 ? consumer : consumer.slice(0, cut);
}

/** Processor-milliseconds of `procs` for so long; exact. */
export function procMsOf(procs: number, durationMs: number): number {
  return mulDiv(procs, durationMs, 1, "down");
}
