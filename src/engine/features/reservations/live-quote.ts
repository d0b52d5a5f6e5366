/**
 * Price of a slot at a site as it is now, and permission to reserve it (rule EN-33).
 *
 * On a copy of the site's queue that is settled at the instant; nothing at the site changes. The price is
 * that of `market`, by the site's own rule.
 * Cost: a copy of the queue and a price list; with the words, one trial for each start that is told.
 */
import {
  candidatesFor,
  countable,
  delayCosts,
  delaysBy,
  type HeldSlot,
  isCounted,
  type PricedStart,
  type PriceTerms,
  priceCoReservation,
  pricesAt,
  pricesOf,
  type Tariff,
  whyNotReserve,
} from "../../../market/index.ts";
import {
  type DelayFacts,
  type JobRecord,
  type LivePrice,
  type PresentedTicket,
  type PriceCoReservation,
  type PricedResource,
  type ReservationHindrance,
  type ReservationRecord,
  reservationRulesOf,
  reservesProcsOnly,
  type SlotResource,
  type WantedWhen,
  wholeResource,
} from "../../../model/index.ts";
import {
  type PlanTask,
  planTask,
  prepareImpact,
  type ReservationShape,
  type TriedMachine,
  type TriedReservations,
  withoutIdleColumns,
} from "../../../queue/index.ts";
import { policyRefusal } from "../../state/admit-slot.ts";
import { basePrice, ownTariff, siteTariff, slotKind } from "../../state/price-terms.ts";
import { endOf, keptAt, needOfSlot, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { noteTried, triedOn, whyNotUnderIt } from "../../state/slot-ticket.ts";
import { wastedBy } from "./apply-reservation.ts";
import { askedQueue } from "./asked-queue.ts";
import { declaredIn } from "./declared-costs.ts";
import { thinnedStarts } from "./thinned-starts.ts";

/** A slot that somebody asks the price of. */
export interface AskedSlot {
  readonly consumer: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly durationMs: number;
  readonly when: WantedWhen;
  /** A part of a store or of a link, instead of processors and memory. */
  readonly resource?: PricedResource;
  /** The ticket that it is wanted under. */
  readonly ticket?: PresentedTicket;
  /** Start of the reservation that the slot would extend; absent for a slot of its own. */
  readonly extendsFromMs?: number;
  /** Tariff of the price; where absent, that of the site's rules for a reservation of this consumer. */
  readonly tariff?: Tariff;
}

/** Longest price list in which the jobs that each slot delays are named. */
const MOST_WITH_WORDS = 64;

/**
 * Number of starts priced before other requests are served again: for processors alone, and for several
 * resources. Each batch replays the beginning of the queue, so smaller batches take longer in total.
 */
const STARTS_AT_ONCE = { alone: 256, several: 32 };

/** The possible starts with their prices, in order of start. */
export function livePrices(
  state: ReservedState,
  site: SiteState,
  asked: AskedSlot,
  nowMs: number,
): readonly LivePrice[] {
  const inParts = livePricesInParts(state, site, asked, nowMs);
  for (;;) {
    const part = inParts.next();
    if (part.done === true) return part.value.starts;
  }
}

/** When the earliest of them starts: of the others no more are priced than are looked at with it. */
export function earliestLive(
  state: ReservedState,
  site: SiteState,
  asked: AskedSlot,
  nowMs: number,
): number | undefined {
  const steps = askedList(state, site, asked, nowMs);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const made = step.value;
  if (made === undefined) return undefined;
  const { tried, shape, candidates } = made;
  for (let from = 0; from < candidates.length; from += FIRST_AT_ONCE) {
    const [first] = pricesAt(tried, shape, candidates.slice(from, from + FIRST_AT_ONCE), made);
    if (first !== undefined) return first.startMs;
  }
  return undefined;
}

const FIRST_AT_ONCE = 8;

/** Inputs of a price list. */
interface AskedList extends Required<PriceTerms> {
  /** Names of the jobs, by handle. */
  readonly names: readonly string[];
  readonly tried: TriedMachine;
  readonly shape: ReservationShape;
  readonly candidates: Float64Array;
}

/**
 * Steps that collect the inputs of a price list, with pauses for other requests; whatever may change in
 * between is read in the first step. One of the steps asks for the queue's plan.
 */
function* askedList(
  state: ReservedState,
  site: SiteState,
  asked: AskedSlot,
  nowMs: number,
): Generator<PlanTask | undefined, AskedList | undefined, Found | undefined> {
  const there = askedQueue(state, site, asked, nowMs);
  if (there === undefined) return undefined;
  const { queue } = there;
  const { consumer, durationMs, tariff = siteTariff(site, consumer, slotKind(asked, false)) } = asked;
  const declared = declaredIn(state, queue);
  const names: string[] = [];
  for (const [handle, name] of queue.jobOf) names[handle] = name;
  yield;
  const { machine, need } = withoutIdleColumns(queue.machine, there.need);
  yield;
  const plan = yield planTask(machine);
  const tried = prepareImpact(machine, plan instanceof Float64Array ? plan : undefined);
  yield;
  const candidates = candidatesFor(tried, asked.when, tariff);
  yield;
  return { names, tried, shape: { pool: 0, need, durationMs }, tariff, declared, candidates };
}

/** The possible starts that were priced, in order of start, and how many candidates were not. */
interface LivePriceList {
  readonly starts: readonly LivePrice[];
  readonly leftOut: number;
}

/** Trial for a price list: the effect of a slot on a queue at each of these starts (rule QU-29). */
export interface SlotTrial {
  readonly tried: TriedMachine;
  readonly shape: ReservationShape;
  readonly startsMs: Float64Array;
  readonly weights: Float64Array;
}

/** Result for the next step of a price list: starts of waiting jobs by handle, or results of a trial. */
type Found = Float64Array | TriedReservations;

/** Steps of a price list; each yielded task is computed here unless the caller passes its result. */
export type PricingSteps = Generator<PlanTask | SlotTrial | undefined, LivePriceList, Found | undefined>;

/**
 * Price list made in steps: the queue is copied at the first step, so later events at the site change no
 * price (rule EN-33). Of a long list a part is priced (`thinned-starts`).
 */
export function* livePricesInParts(
  state: ReservedState,
  site: SiteState,
  asked: AskedSlot,
  nowMs: number,
): PricingSteps {
  const made = yield* askedList(state, site, asked, nowMs);
  if (made === undefined) return { starts: [], leftOut: 0 };
  const { names, tried, shape, tariff, declared } = made;
  const { consumer } = asked;
  const { startsMs, leftOut } = thinnedStarts(made.candidates, tried.present.handles.length);
  const found = yield { tried, shape, startsMs, weights: delayCosts(tried, declared) };
  const outcome = found instanceof Float64Array ? undefined : found;
  const list = outcome ? pricesOf(startsMs, outcome, tariff) : yield* pricedHere(made, startsMs);
  const hasWords = list.length <= MOST_WITH_WORDS && leftOut === 0;
  const prices: LivePrice[] = [];
  for (const priced of list) {
    const { startMs, fixedProcMs, delayedJobs, delayProcMs } = priced;
    const base = basePrice(tariff, { ...asked, startMs });
    const slot = { ...shape, startMs };
    prices.push({
      startMs,
      ...base,
      fixedProcMs,
      delaysJobs: delayedJobs,
      delayProcMs,
      delays: hasWords ? delayFacts(state, { names, tried, declared, consumer }, slot) : null,
      hindrance:
        uncounted(asked, base.baseProcMs + fixedProcMs) ??
        hindranceOf(state, site, { ...asked, startMs }, nowMs) ??
        null,
    });
    if (hasWords) yield;
  }
  return { starts: prices, leftOut };
}

function* pricedHere(
  { tried, shape, tariff, declared }: AskedList,
  startsMs: Float64Array,
): Generator<undefined, readonly PricedStart[]> {
  const list: PricedStart[] = [];
  const atOnce = shape.need.length === 1 ? STARTS_AT_ONCE.alone : STARTS_AT_ONCE.several;
  for (let from = 0; from < startsMs.length; from += atOnce) {
    list.push(...pricesAt(tried, shape, startsMs.slice(from, from + atOnce), { tariff, declared }));
    yield;
  }
  return list;
}

/** Refusal of a slot whose price cannot be counted exactly (rule MK-37). */
function uncounted(
  { procs, durationMs, resource }: Pick<AskedSlot, "procs" | "durationMs" | "resource">,
  priceProcMs: number,
): ReservationHindrance | undefined {
  const of = resource === undefined ? {} : { resource };
  return isCounted(priceProcMs) ? undefined : { kind: "uncounted", procs, durationMs, ...of };
}

/** Reason why a consumer cannot reserve a slot: its ticket, the site's rules, its policies. */
function hindranceOf(
  state: ReservedState,
  site: SiteState,
  request: Omit<AskedSlot, "when" | "tariff"> & { readonly startMs: number },
  nowMs: number,
): ReservationHindrance | undefined {
  const { consumer, resource, ticket, extendsFromMs, ...same } = request;
  const uncovered = ticket && whyNotUnderIt(state, { ...request, ticket, site: site.name }, nowMs);
  if (uncovered !== undefined) return uncovered;
  const beside = keptAt(state.reserved, site.name).filter((it) => it.resource?.name === resource?.name);
  const held = beside.map((it): HeldSlot => {
    const { consumer: whose, startMs, durationMs, state: at, gpus = 0 } = it;
    const [procs] = needOfSlot(site.spec, it);
    return { consumer: whose, procs, gpus, startMs, durationMs, isOffer: at === "OFFERED" };
  });
  const slot = { ...same, procs: needOfSlot(site.spec, request)[0] };
  const { gpus = 0 } = request;
  if (gpus > 0 && reservesProcsOnly(site.spec)) return { kind: "gpusNotReservable", gpus };
  const wasted = wastedBy(state, { site: site.name, consumer }, nowMs);
  const book = { ...allOf(site, resource), held, wasted };
  const longer = extendsFromMs === undefined ? {} : { extendsFromMs };
  const asked = { consumer, slot, nowMs, ...longer };
  const hindrance = whyNotReserve(reservationRulesOf(site.spec), asked, book);
  if (hindrance !== undefined) return hindrance;
  // Under a ticket it is judged as the VO's own (rule EN-94).
  const judged = ticket === undefined ? request : { ...request, consumer: ticket.ticket.vo };
  const refusal = policyRefusal(state, site, judged, nowMs);
  return refusal === undefined ? undefined : ({ kind: "overPolicy", refusal } as const);
}

/** Capacity that a site's limits on shares refer to: its processors and GPUs, or the slot's store or link. */
function allOf({ spec }: SiteState, resource: SlotResource | undefined) {
  if (resource === undefined) return { poolProcs: spec.procs, poolGpus: spec.gpus ?? 0 };
  const { kind, name } = resource;
  return { poolProcs: wholeResource(spec, name)?.amount ?? 0, resource: { kind, name } };
}

/** Price of more time for a reservation: a slot from its end on, at the reservation's own price rule. */
export function extensionPrice(
  state: ReservedState,
  site: SiteState,
  { record, moreMs }: { readonly record: ReservationRecord; readonly moreMs: number },
  nowMs: number,
): LivePrice | undefined {
  const { consumer, procs, memoryBytes, gpus, resource, ticket } = record;
  const when = { kind: "at", startMs: endOf(record) } as const;
  const size = {
    ...{ procs, memoryBytes, ...(gpus === undefined ? {} : { gpus }) },
    ...(resource === undefined ? {} : { resource }),
  };
  const under = ticket === undefined ? {} : { ticket };
  const longer = { durationMs: moreMs, extendsFromMs: record.startMs };
  const slot = { consumer, ...size, ...under, ...longer, when, tariff: ownTariff(record) };
  return livePrices(state, site, slot, nowMs)[0];
}

/** One of several slots that are wanted at the same time. */
export interface AskedPart {
  readonly site: SiteState;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus?: number;
  readonly resource?: PricedResource;
  readonly ticket?: PresentedTicket;
}

/** The starts at which all parts are possible, none of the same queue, with their prices. */
export function livePricesCoReservation(
  state: ReservedState,
  parts: readonly AskedPart[],
  asked: Pick<AskedSlot, "consumer" | "durationMs" | "when">,
  nowMs: number,
): readonly PriceCoReservation[] {
  const { durationMs, when, consumer } = asked;
  const slots = parts.flatMap((part) => {
    const there = askedQueue(state, part.site, part, nowMs);
    if (there === undefined) return [];
    const { queue } = there;
    const { machine, need } = withoutIdleColumns(queue.machine, there.need);
    const tariff = siteTariff(part.site, consumer, slotKind(part, true));
    const terms = { tariff, declared: declaredIn(state, queue) };
    return [{ tried: prepareImpact(machine), shape: { pool: 0, need, durationMs }, terms }];
  });
  if (slots.length < parts.length || slots.length === 0) return [];
  const isUnder = parts.some(({ ticket }) => ticket !== undefined);
  return priceCoReservation(slots, when).map(({ startMs, parts: priced, ...sum }) => {
    // What one part takes of a ticket is not left for the next.
    const inTurn = isUnder ? triedOn(state) : state;
    const told = parts.map(({ site, ...size }, at) => {
      const { tariff } = slots[at].terms;
      const { fixedProcMs, delayedJobs, delayProcMs } = priced[at];
      const slot = { consumer, ...size, durationMs, startMs };
      const base = basePrice(tariff, slot);
      const tooDear = uncounted(slot, base.baseProcMs + fixedProcMs);
      const hindrance = tooDear ?? hindranceOf(inTurn, site, slot, nowMs) ?? null;
      const { ticket } = size;
      if (hindrance === null && ticket !== undefined) {
        noteTried(inTurn, { ...slot, ticket, site: site.name }, nowMs);
      }
      return {
        site: site.name,
        procs: size.procs,
        ...(size.resource === undefined ? {} : { resource: size.resource }),
        ...base,
        fixedProcMs,
        delaysJobs: delayedJobs,
        delayProcMs,
        hindrance,
      };
    });
    return {
      startMs,
      baseProcMs: countable(told.reduce((total, { baseProcMs }) => total + baseProcMs, 0)),
      fixedProcMs: sum.fixedProcMs,
      delaysJobs: sum.delayedJobs,
      delayProcMs: sum.delayProcMs,
      parts: told,
    };
  });
}

type Tried = Pick<AskedList, "names" | "tried" | "declared"> & Pick<AskedSlot, "consumer">;

function delayFacts(
  { jobs }: ReservedState,
  { names, tried, declared, consumer }: Tried,
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
    ownJobs: delayed.filter(({ handle }) => isOwn(jobs.get(names[handle] ?? ""))).length,
  };
}

/** The path without its last part; of a path of one part, itself. */
function departmentOf(consumer: string): string {
  const cut = consumer.lastIndexOf("/");
  return cut < 0 ? consumer : consumer.slice(0, cut);
}
