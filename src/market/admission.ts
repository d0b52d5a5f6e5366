/**
 * Admission of a reservation under a site's rules (rules MK-11, MK-12): the consumer, the notice, the length,
 * the share of the pool, and wasted reservations.
 *
 * Shares are of the pool's processors and of its GPUs, or of the capacity of a store or link, checked at
 * every instant of the slot beside everything already held; exactly, in whole numbers.
 * Cost: O(held × log held).
 */
import {
  isWithin,
  type ReservationHindrance,
  type ReservationRules,
  type SlotResource,
  type WantedSlot,
} from "../model/index.ts";

/** A held part of the pool: an open offer, or a reservation that is accepted or active. */
export interface HeldSlot extends Pick<WantedSlot, "procs" | "startMs" | "durationMs"> {
  readonly consumer: string;
  /** Absent: none. */
  readonly gpus?: number;
  readonly isOffer: boolean;
}

/** The consumer and the requested slot. */
export interface ReservationRequest {
  readonly consumer: string;
  readonly slot: WantedSlot;
  readonly nowMs: number;
  /**
   * Start of the reservation that the slot extends, for an extension. It is no offer, and its length is that
   * of the reservation with it.
   */
  readonly extendsFromMs?: number;
}

/** Capacity and held slots of a pool; for a store or link, amounts stand in place of processors. */
export interface ReservationBook {
  readonly poolProcs: number;
  /** Absent: none. */
  readonly poolGpus?: number;
  readonly resource?: Pick<SlotResource, "kind" | "name">;
  readonly held: readonly HeldSlot[];
  /** Unpriced reservations of the consumer that were cancelled or never used in the last week. */
  readonly wasted: number;
}

const MILLION = 1_000_000;

type ShareHindrance = Extract<ReservationHindrance, { readonly mostProcs: number }>;

/** The first rule that the request breaks; undefined where it breaks none. */
export function whyNotReserve(
  rules: ReservationRules,
  request: ReservationRequest,
  book: ReservationBook,
): ReservationHindrance | undefined {
  return (
    whyNotThen(rules, request) ??
    whyNotSoMuch(rules, request, book) ??
    whyNotSoManyGpus(rules, request, book) ??
    whyNotAgain(rules, book)
  );
}

/** The rule on shares, of the pool's GPUs. */
function whyNotSoManyGpus(
  rules: ReservationRules,
  request: ReservationRequest,
  { poolGpus = 0, ...book }: ReservationBook,
): ReservationHindrance | undefined {
  const { gpus = 0 } = request.slot;
  if (gpus === 0) return undefined;
  const held = book.held.map((it) => ({ ...it, procs: it.gpus ?? 0 }));
  const slot = { ...request.slot, procs: gpus };
  const hindrance = whyNotSoMuch(rules, { ...request, slot }, { ...book, poolProcs: poolGpus, held });
  return hindrance === undefined ? undefined : { ...hindrance, of: "gpus" };
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
): ShareHindrance | undefined {
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

/** The largest amount held at once within a span, and the first instant at which it is held. */
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
