/**
 * Commands on slots: offers, acceptance, cancellation, giving up, more time, grants (rules EN-34 … EN-36,
 * EN-39).
 *
 * An offer is made of a queue that has just been settled, which is the first of its events: so what it
 * says of delays is exactly what making it brings about (rule MK-7).
 */
import { accepted, assert, refused } from "../../../base/index.ts";
import { isCounted } from "../../../market/index.ts";
import {
  isConsumerPath,
  isForeign,
  isReadOnly,
  type LivePrice,
  type OfferedPrice,
  type Refusal,
  type ReservationHindrance,
  type ReservationRecord,
  type ReservationState,
  type ReservationVerb,
  reservationRulesOf,
  type StintEvent,
  type WantedSlot,
} from "../../../model/index.ts";
import { startsWhenSettled } from "../../../queue/index.ts";
import type { Answer, Answers, CommandOf } from "../../feature.ts";
import { charge, granting, shortRefusal } from "../../state/accounts.ts";
import { siteTariff, slotKind, soldBy } from "../../state/price-terms.ts";
import { aboutOf, cancelled, relinquished } from "../../state/reservation-ends.ts";
import { endedWith, endOf, partsOf, type ReservedState } from "../../state/reserved.ts";
import { isOpen, type SiteState } from "../../state/site-state.ts";
import { noteTried, slotHoldMs, triedOn, whyNotUnderIt } from "../../state/slot-ticket.ts";
import { pricedResource, type SlotSize, whyNoResource } from "./asked-queue.ts";
import { delayedByOffer } from "./delayed-by-offer.ts";
import { type AskedSlot, earliestLive, extensionPrice, livePrices } from "./live-quote.ts";
import { snapToNow } from "./snap-to-now.ts";

/** States in which each verb applies. */
export const RESERVATION_ALLOWED_IN: Readonly<Record<ReservationVerb, readonly ReservationState[]>> = {
  accept: ["OFFERED"],
  cancel: ["OFFERED", "ACCEPTED"],
  relinquish: ["ACTIVE"],
  extend: ["ACCEPTED", "ACTIVE"],
};

export const reservationAnswers = {
  offerSlot: (state: ReservedState, request: CommandOf<"offerSlot">, nowMs: number) =>
    offerSlot(state, request, null, nowMs),
  offerTogether: offerCoReservation,
  acceptOffer: (state: ReservedState, { reservation, by }: CommandOf<"acceptOffer">, nowMs: number) => {
    const tried = triedOn(state);
    return onAll(state, reservation, "accept", (record, site) =>
      acceptOffer(tried, { record, site }, by, nowMs),
    );
  },
  cancelReservation: (state: ReservedState, request: CommandOf<"cancelReservation">, nowMs: number) =>
    onAll(state, request.reservation, "cancel", (record) => accepted(cancelled(record, request.by, nowMs))),
  relinquish: (state: ReservedState, { reservation, by }: CommandOf<"relinquish">, nowMs: number) =>
    onRecord(state, reservation, "relinquish", (record) =>
      accepted([...endedWith(state, record.id, nowMs), ...relinquished(record, by, nowMs)]),
    ),
  extendReservation: (state: ReservedState, request: CommandOf<"extendReservation">, nowMs: number) =>
    onRecord(state, request.reservation, "extend", (record, site) =>
      extend(state, { record, site }, request, nowMs),
    ),
  grant,
} satisfies Answers;

/** A reservation and its site. */
interface AtSite {
  readonly record: ReservationRecord;
  readonly site: SiteState;
}

function onRecord(
  { reserved, sites }: ReservedState,
  id: string,
  verb: ReservationVerb,
  then: (record: ReservationRecord, site: SiteState) => Answer,
): Answer {
  const record = reserved.records.get(id);
  if (record === undefined) return refused({ kind: "unknownReservation", reservation: id });
  const { state } = record;
  const allowedIn = RESERVATION_ALLOWED_IN[verb];
  if (!allowedIn.includes(state)) {
    return refused({ kind: "wrongReservationState", reservation: id, verb, state, allowedIn });
  }
  const site = sites.get(record.site);
  assert(site !== undefined, "a site with reservations is not removed");
  return then(record, site);
}

/** Applies a command to all parts of a co-reservation; if one part is refused, nothing changes. */
function onAll(
  state: ReservedState,
  id: string,
  verb: ReservationVerb,
  then: (record: ReservationRecord, site: SiteState) => Answer,
): Answer {
  const parts = partsOf(state.reserved, id);
  return parts.length === 0
    ? onRecord(state, id, verb, then)
    : all(parts.map((part) => onRecord(state, part.id, verb, then)));
}

/** All events, or the first refusal. */
function all(answers: readonly Answer[]): Answer {
  const events: StintEvent[] = [];
  for (const answered of answers) {
    if (!answered.ok) return answered;
    events.push(...answered.value);
  }
  return accepted(events);
}

/**
 * A slot of each of several sites, stores and links at the same time; as each has its own book, none is in
 * another's way.
 */
function offerCoReservation(
  state: ReservedState,
  { together, parts }: CommandOf<"offerTogether">,
  nowMs: number,
): Answer {
  const [first] = parts;
  if (first === undefined) return refused({ kind: "partsUnfit", why: "none" });
  if (new Set(parts.map(({ site, resource }) => `${site}/${resource?.name ?? ""}`)).size < parts.length) {
    return refused({ kind: "partsUnfit", why: "sameSite" });
  }
  const isSameTime = parts.every(
    ({ startMs, durationMs }) => startMs === first.startMs && durationMs === first.durationMs,
  );
  if (!isSameTime) return refused({ kind: "partsUnfit", why: "otherTime" });
  const tried = triedOn(state);
  return all(
    parts.map((part) => {
      const offered = offerSlot(tried, { kind: "offerSlot", ...part }, together, nowMs);
      if (offered.ok && part.ticket !== undefined) noteTried(tried, { ...part, ticket: part.ticket }, nowMs);
      return offered;
    }),
  );
}

function offerSlot(
  state: ReservedState,
  request: CommandOf<"offerSlot">,
  together: string | null,
  nowMs: number,
): Answer {
  const {
    kind: _,
    reservation,
    site: name,
    procs,
    memoryBytes,
    gpus,
    durationMs,
    consumer,
    ticket,
    ...rest
  } = request;
  const site = state.sites.get(name);
  if (site === undefined) return refused({ kind: "unknownSite", site: name, known: [...state.sites.keys()] });
  if (state.reserved.records.has(reservation)) return refused({ kind: "idInUse", id: reservation });
  const wrong = whyNoSlot(request) ?? whyNotHere(site, request);
  if (wrong !== undefined) return refused(wrong);
  // "Now" is when it is heard: a moment that has just gone by is no start in the past.
  const startMs = snapToNow(request.startMs, nowMs);
  const resource = pricedResource(site, rest);
  const of = { ...(resource === undefined ? {} : { resource }), ...(ticket === undefined ? {} : { ticket }) };
  const size = { procs, memoryBytes, ...(gpus === undefined ? {} : { gpus }) };
  const asked = { consumer, ...size, durationMs, ...of };
  const when = { kind: "at", startMs } as const;
  const tariff = siteTariff(site, consumer, slotKind(request, together !== null));
  const price = startMs < nowMs ? undefined : livePrices(state, site, { ...asked, when, tariff }, nowMs)[0];
  if (startMs < nowMs) {
    return refused({
      kind: "mayNotReserveSlot",
      site: name,
      hindrance: { kind: "startsInPast", startMs, nowMs },
    });
  }
  if (price === undefined) return refused(taken(state, site, { ...asked, fromMs: startMs }, nowMs));
  if (price.hindrance !== null) return hindered(name, price.hindrance);
  const slot = { reservation, site: name, ...asked, owner: request.owner };
  const expiresAtMs = nowMs + reservationRulesOf(site.spec).offerMs;
  const delayed = price.delaysJobs === 0 ? {} : delayedByOffer(state, site, { ...slot, startMs }, nowMs);
  const offer = { ...slot, startMs, ...offeredPrice(site, price), ...delayed, expiresAtMs, together };
  return accepted([...settledNow(site, slot, nowMs), { kind: "slotOffered", ...offer, atMs: nowMs }]);
}

function hindered(site: string, hindrance: ReservationHindrance): Answer {
  if (hindrance.kind === "ticketRefused") return refused(hindrance);
  if (hindrance.kind !== "uncounted") return refused({ kind: "mayNotReserveSlot", site, hindrance });
  const { kind: _, ...facts } = hindrance;
  return refused({ kind: "priceUncounted", site, ...facts });
}

function whyNoSlot(request: CommandOf<"offerSlot">): Refusal | undefined {
  const { procs, memoryBytes, gpus = 0, durationMs, startMs, resource } = request;
  const size = resource === undefined ? { procs } : { amount: resource.amount };
  const wholes = { ...size, durationMs, startMs };
  for (const [field, value] of Object.entries(wholes)) {
    if (!(Number.isSafeInteger(value) && value > 0)) return { kind: "slotInvalid", field, value };
  }
  for (const [field, value] of Object.entries({ memoryBytes, gpus })) {
    if (!(Number.isSafeInteger(value) && value >= 0)) return { kind: "slotInvalid", field, value };
  }
  return undefined;
}

function whyNotHere(site: SiteState, { procs, gpus = 0, resource }: SlotSize): Refusal | undefined {
  const { name, spec, isDraining, observation } = site;
  const without = resource === undefined ? undefined : whyNoResource(site, resource);
  if (without !== undefined) return without;
  if (procs > spec.procs) return { kind: "slotTooWide", site: name, procs, most: spec.procs };
  const { gpus: most = 0 } = spec;
  if (gpus > most) return { kind: "slotGpusTooMany", site: name, gpus, most };
  if (isOpen(site)) return undefined;
  const away = observation.trouble ?? "it has not been seen yet";
  const closed = isDraining ? "it is drained" : away;
  return { kind: "siteReservesNothing", site: name, why: isReadOnly(spec) ? "it is read-only" : closed };
}

function taken(
  state: ReservedState,
  site: SiteState,
  asked: Omit<AskedSlot, "when"> & { readonly fromMs: number },
  nowMs: number,
): Refusal {
  const when = { kind: "from", fromMs: asked.fromMs } as const;
  const earliestMs = earliestLive(state, site, { ...asked, when }, nowMs) ?? null;
  return { kind: "slotTaken", site: site.name, earliestMs };
}

function offeredPrice(site: SiteState, price: LivePrice): OfferedPrice {
  const { penaltyPpm, basePenaltyPpm } = reservationRulesOf(site.spec);
  const { baseProcMs, fixedProcMs, delaysJobs, delayProcMs, rules } = price;
  const { unitPriceThousandths, transactionProcMs } = price;
  const made = { unitPriceThousandths, transactionProcMs, penaltyPpm, basePenaltyPpm };
  return { baseProcMs, fixedProcMs, delaysJobs, delayProcMs, ...made, ...soldBy(site, rules) };
}

/** The queue of a managed site, settled at this instant: what a slot of processors is put into. */
function settledNow(
  site: SiteState,
  { resource }: Pick<WantedSlot, "resource">,
  nowMs: number,
): readonly StintEvent[] {
  if (resource !== undefined || isForeign(site.spec)) return [];
  const starts = startsWhenSettled(site.queue, nowMs);
  return [{ kind: "queueSettled", site: site.name, starts, atMs: nowMs }];
}

/**
 * Answers the acceptance of an offer.
 *
 * @param tried copy of the state that notes what the other parts of a co-reservation will hold
 */
function acceptOffer(tried: ReservedState, { record, site }: AtSite, by: string, nowMs: number): Answer {
  const { id, consumer, baseProcMs, fixedProcMs, expiresAtMs, ticket } = record;
  if (nowMs >= expiresAtMs)
    return refused({ kind: "offerLapsed", reservation: id, expiredAtMs: expiresAtMs });
  const short = shortRefusal(site, consumer, baseProcMs + fixedProcMs);
  if (short !== undefined) return refused(short);
  const under = ticket === undefined ? undefined : { ...record, ticket };
  const uncovered = under && whyNotUnderIt(tried, under, nowMs);
  if (uncovered !== undefined) return refused(uncovered);
  if (under !== undefined) noteTried(tried, under, nowMs);
  const held = under === undefined ? {} : { ticketHeldMs: slotHoldMs(under) };
  return accepted([
    { kind: "offerAccepted", reservation: id, site: record.site, by, ...held, atMs: nowMs },
    ...charge(aboutOf(record, "reservation", nowMs), { base: baseProcMs, delays: fixedProcMs }),
  ]);
}

function extend(
  state: ReservedState,
  { record, site }: AtSite,
  { moreMs, mostFixedProcMs, by }: CommandOf<"extendReservation">,
  nowMs: number,
): Answer {
  if (!(Number.isSafeInteger(moreMs) && moreMs > 0))
    return refused({ kind: "slotInvalid", field: "moreMs", value: moreMs });
  const { id, consumer } = record;
  const endMs = endOf(record);
  const price = extensionPrice(state, site, { record, moreMs }, nowMs);
  if (price === undefined) return refused({ kind: "slotTaken", site: site.name, earliestMs: null });
  if (price.hindrance !== null) return hindered(site.name, price.hindrance);
  const { baseProcMs, fixedProcMs, delaysJobs, delayProcMs, rules } = price;
  // What is given back of it is counted as one amount.
  if (!isCounted(record.baseProcMs + record.fixedProcMs + baseProcMs + fixedProcMs)) {
    const { procs, durationMs, resource } = record;
    const size = { procs, durationMs: durationMs + moreMs, ...(resource === undefined ? {} : { resource }) };
    return refused({ kind: "priceUncounted", site: site.name, ...size });
  }
  if (fixedProcMs > mostFixedProcMs) {
    return refused({ kind: "extensionDearer", fixedProcMs, mostFixedProcMs });
  }
  const short = shortRefusal(site, consumer, baseProcMs + fixedProcMs);
  if (short !== undefined) return refused(short);
  const used = record.rules === undefined ? {} : { rules };
  const tail = { ...record, startMs: endMs, durationMs: moreMs };
  const delayed = delaysJobs === 0 ? {} : delayedByOffer(state, site, tail, nowMs);
  const { ticket } = record;
  const held = ticket === undefined ? {} : { ticketHeldMs: slotHoldMs({ ...tail, ticket }) };
  const more = { moreMs, baseProcMs, fixedProcMs, delaysJobs, delayProcMs, ...delayed, ...used, ...held };
  const about = { ...aboutOf(record, "extension", nowMs), id: `${id} extension ${endMs}` };
  return accepted([
    ...settledNow(site, record, nowMs),
    { kind: "reservationExtended", reservation: id, site: site.name, by, ...more, atMs: nowMs },
    ...charge(about, { base: baseProcMs, delays: fixedProcMs }),
  ]);
}

function grant(state: ReservedState, request: CommandOf<"grant">, nowMs: number): Answer {
  const { grant: id, site, consumer, procMs, by } = request;
  if (!state.sites.has(site)) return refused({ kind: "unknownSite", site, known: [...state.sites.keys()] });
  if (!isConsumerPath(consumer)) return refused({ kind: "consumerInvalid", consumer });
  if (!Number.isSafeInteger(procMs) || procMs === 0) {
    return refused({ kind: "slotInvalid", field: "procMs", value: procMs });
  }
  return accepted(granting({ id, site, consumer, about: by, what: "grant", atMs: nowMs }, procMs));
}
