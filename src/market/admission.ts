/**
 * Whether a site's rules let somebody reserve a slot (rules MK-11 … MK-13).
 *
 * Shares are of the pool's processors, or of a store or a link (rule MK-29), counted at every instant of the
 * slot beside everything that is held already; exactly, in whole numbers. Cost: O(held × log held).
 */
import {
  isWithin,
  type ReservationHindrance,
  type ReservationRules,
  type SlotResource,
  type WantedSlot,
} from "../model/index.ts";

/** What is held of the pool: an open offer, or a reservation that is accepted or active. */
export interface HeldSlot extends Pick<WantedSlot, "procs" | "startMs" | "durationMs"> {
  readonly consumer: string;
  readonly isOffer: boolean;
}

/** Who wants what, where. */
export interface ReservationRequest {
  readonly consumer: string;
  readonly slot: WantedSlot;
  readonly nowMs: number;
  /** The start of the reservation that the slot is more time for, which is had at once (rule MK-39). */
  readonly extendsFromMs?: number;
}

/** What there is: of a pool; or of a store or a link, whose amounts then stand where processors would. */
export interface ReservationBook {
  readonly poolProcs: number;
  readonly resource?: Pick<SlotResource, "kind" | "name">;
  readonly held: readonly HeldSlot[];
  /** Reservations of the consumer without a price that were cancelled or never used in the last week. */
  readonly wasted: number;
}

const MILLION = 1_000_000;

/** The first rule that stands against it; undefined where none does. */
export function whyNotReserve(
  rules: ReservationRules,
  request: ReservationRequest,
  book: ReservationBook,
): ReservationHindrance | undefined {
  return whyNotThen(rules, request) ?? whyNotSoMuch(rules, request, book) ?? whyNotAgain(rules, book);
}

function whyNotThen(
  { consumers, aheadMs, longestMs, noticeMs }: ReservationRules,
  { consumer, slot, nowMs, extendsFromMs = slot.startMs }: ReservationRequest,
): ReservationHindrance | undefined {
  const { startMs } = slot;
  const endMs = startMs + slot.durationMs;
  const durationMs = endMs - extendsFromMs;
  if (consumers !== null && !consumers.some((path) => isWithin(consumer, path))) {
    return { kind: "mayNotReserve", consumer, consumers };
  }
  if (startMs < nowMs) return { kind: "startsInPast", startMs, nowMs };
  if (startMs < nowMs + noticeMs) return { kind: "tooSoon", startMs, earliestMs: nowMs + noticeMs };
  if (longestMs !== null && durationMs > longestMs) return { kind: "tooLong", durationMs, longestMs };
  if (endMs > nowMs + aheadMs) return { kind: "tooFarAhead", endMs, latestMs: nowMs + aheadMs };
  return undefined;
}

function whyNotSoMuch(
  rules: ReservationRules,
  { consumer, slot, nowMs, extendsFromMs }: ReservationRequest,
  { poolProcs, held, resource }: ReservationBook,
): ReservationHindrance | undefined {
  const endMs = slot.startMs + slot.durationMs;
  const farFromMs = Math.max(slot.startMs, nowMs + rules.farMs);
  const own = held.filter((it) => it.consumer === consumer);
  const all = { fromMs: slot.startMs, endMs };
  const offered = extendsFromMs === undefined ? own.filter((it) => it.isOffer) : [];
  const shares = [
    { kind: "tooMuchReserved", among: held, ppm: rules.sharePpm, span: all },
    { kind: "consumerTooMuchReserved", among: own, ppm: rules.consumerSharePpm, span: all },
    { kind: "farTooMuchReserved", among: held, ppm: rules.farSharePpm, span: { fromMs: farFromMs, endMs } },
    { kind: "tooMuchOffered", among: offered, ppm: rules.offerSharePpm, span: all },
  ] as const;
  for (const { kind, among, ppm, span } of shares) {
    if (span.fromMs >= span.endMs) continue;
    const peak = peakOf(among, span);
    const procs = peak.procs + slot.procs;
    if (BigInt(procs) * BigInt(MILLION) > BigInt(poolProcs) * BigInt(ppm)) {
      return {
        kind,
        atMs: peak.atMs,
        procs,
        mostProcs: Number((BigInt(poolProcs) * BigInt(ppm)) / BigInt(MILLION)),
        ...(resource === undefined ? {} : { resource }),
      };
    }
  }
  return undefined;
}

function whyNotAgain(
  { freeWasted }: ReservationRules,
  { wasted }: ReservationBook,
): ReservationHindrance | undefined {
  return wasted > freeWasted ? { kind: "tooManyWasted", wasted, most: freeWasted } : undefined;
}

/** The most that is held at once within a span, and the first instant at which it is. */
function peakOf(
  held: readonly HeldSlot[],
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
): { readonly atMs: number; readonly procs: number } {
  const changes = held.flatMap(({ procs, startMs, durationMs }) => {
    const from = Math.max(fromMs, startMs);
    const end = Math.min(endMs, startMs + durationMs);
    return from < end
      ? [
          { atMs: from, procs },
          { atMs: end, procs: -procs },
        ]
      : [];
  });
  changes.sort((a, b) => a.atMs - b.atMs || a.procs - b.procs);
  let now = 0;
  let peak = { atMs: fromMs, procs: 0 };
  for (const { atMs, procs } of changes) {
    now += procs;
    if (now > peak.procs) peak = { atMs, procs: now };
  }
  return peak;
}
