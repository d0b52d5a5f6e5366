/**
 * Selection: which waiting streams start now.
 *
 * Streams are tested in groups by weight, the heaviest first, within a group first come, first served; after
 * each acceptance the others are tested against what is left, so that a lighter stream may start where a
 * heavier one does not fit. Weights age. A stream that has waited long reserves: it takes eligible processors
 * as they become free and sets its bandwidth and storage aside until it can start or its reservation expires.
 * Source: [STREAM] 3.2; the terms of the reservation are ours. Cost: O(n log n + n · classes).
 */
import {
  admit,
  freeResources,
  type HeldResources,
  heldBy,
  hold,
  type ProcsByClass,
  release,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
  takeProcs,
} from "./admission.ts";
import type { StreamRules } from "./rules.ts";
import { type AgeingWeight, groupOf, nextGrowthMs, weightAt } from "./weight.ts";

/** A stream that waits. */
export interface WaitingStream extends StreamNeed, AgeingWeight {
  /** Instant at which its last reservation expired; absent where none did. */
  readonly expiredMs?: number;
}

/** Reserved resources of a stream. */
export interface StreamReservation {
  readonly id: string;
  readonly sinceMs: number;
  /** Processors that it holds already. */
  readonly procs: ProcsByClass;
}

/** A pool at an instant. */
export interface SelectionQuestion {
  readonly pool: StreamPool;
  /** Streams that run, halted ones included, with their minima; other holders of the pool too. */
  readonly running: readonly HeldResources[];
  readonly waiting: readonly WaitingStream[];
  readonly reservations: readonly StreamReservation[];
  readonly nowMs: number;
  readonly rules: Pick<StreamRules, "groupWidth" | "reservation">;
}

/** Decision on a stream. */
export interface Selection {
  /** Streams that start, in the order of their selection, with their processors. */
  readonly selected: readonly { readonly id: string; readonly procs: ProcsByClass }[];
  /** Streams that wait on, in the order of their tests, with what is short. */
  readonly waits: readonly { readonly id: string; readonly shortages: readonly StreamShortage[] }[];
  readonly reservations: readonly StreamReservation[];
  /** Ids whose reservation expired now. */
  readonly expired: readonly string[];
  /** Instant at which the decision can change without an event; `Infinity` where nobody waits. */
  readonly wakeAtMs: number;
}

/** Ids in the order of their tests: by group, then submission, then id. */
export function testOrder(
  waiting: readonly WaitingStream[],
  nowMs: number,
  groupWidth: number,
): readonly WaitingStream[] {
  const groups = new Map(waiting.map((it) => [it, groupOf(weightAt(it, nowMs), groupWidth)] as const));
  const group = (stream: WaitingStream) => groups.get(stream) ?? 0;
  return [...waiting].sort(
    (one, other) =>
      group(other) - group(one) || one.submittedMs - other.submittedMs || (one.id < other.id ? -1 : 1),
  );
}

/** Selects the streams that start at an instant. */
export function selectStreams(question: SelectionQuestion): Selection {
  const { pool, running, waiting, nowMs, rules } = question;
  const order = testOrder(waiting, nowMs, rules.groupWidth);
  const needs = new Map(waiting.map((need) => [need.id, need]));
  const { kept, expired } = lasting(question, needs);
  const free = freeResources(pool, running);
  const held = new Map<string, { readonly held: HeldResources; readonly sinceMs: number }>();
  const reserve = (need: StreamNeed, sinceMs: number, already: ProcsByClass): void => {
    hold(free, heldBy(need, already));
    const missing = need.procs - countOf(already);
    const more = takeProcs({ ...need, procs: missing, classes: classesFor(need, already) }, free);
    hold(free, { id: need.id, procs: more, link: need.link, bytesPerSec: 0, storageBytes: 0 });
    held.set(need.id, { sinceMs, held: heldBy(need, plus(already, more)) });
  };
  for (const { need, reservation } of kept) reserve(need, reservation.sinceMs, reservation.procs);
  const selected: { id: string; procs: ProcsByClass }[] = [];
  const waits: { id: string; shortages: readonly StreamShortage[] }[] = [];
  for (const need of order) {
    const own = held.get(need.id);
    if (own !== undefined) release(free, own.held);
    const verdict = admit(need, free);
    if (verdict.kind === "potential") {
      hold(free, heldBy(need, verdict.procs));
      held.delete(need.id);
      selected.push({ id: need.id, procs: verdict.procs });
    } else {
      if (own !== undefined) hold(free, own.held);
      waits.push({ id: need.id, shortages: verdict.shortages });
    }
  }
  const waitsOn = new Set(waits.map(({ id }) => id));
  const left = order.filter(({ id }) => waitsOn.has(id));
  for (const need of candidates(left, { nowMs, rules, expired })) {
    if (held.size >= rules.reservation.atOnce) break;
    if (!held.has(need.id)) reserve(need, nowMs, {});
  }
  const reservations = [...held].map(([id, { sinceMs, held: its }]) => ({ id, sinceMs, procs: its.procs }));
  return { selected, waits, reservations, expired, wakeAtMs: wakeAt(left, reservations, question) };
}

interface Lasting {
  readonly kept: readonly { readonly need: WaitingStream; readonly reservation: StreamReservation }[];
  readonly expired: readonly string[];
}

/** Reservations that go on; those of streams that left are dropped, and those past their life expire. */
function lasting(
  { reservations, nowMs, rules }: SelectionQuestion,
  needs: ReadonlyMap<string, WaitingStream>,
): Lasting {
  const present = reservations.flatMap((reservation) => {
    const need = needs.get(reservation.id);
    return need === undefined ? [] : [{ need, reservation }];
  });
  const isOver = (sinceMs: number) => nowMs >= sinceMs + rules.reservation.lifeMs;
  return {
    kept: present.filter(({ reservation }) => !isOver(reservation.sinceMs)),
    expired: present.flatMap(({ reservation: { id, sinceMs } }) => (isOver(sinceMs) ? [id] : [])),
  };
}

/**
 * Streams that may reserve, in the order of their tests: after so many weight periods since the submission or
 * the last expiry, or at once where no other is in a heavier group. One whose reservation expires now is
 * passed over until the next pass, so that what it held serves others first.
 */
function candidates(
  left: readonly WaitingStream[],
  { nowMs, rules, expired }: Pick<SelectionQuestion, "nowMs" | "rules"> & Pick<Selection, "expired">,
): readonly WaitingStream[] {
  const group = (stream: WaitingStream) => groupOf(weightAt(stream, nowMs), rules.groupWidth);
  const open = left.filter(({ id }) => !expired.includes(id));
  return open.filter((stream) => {
    const sinceMs = Math.max(stream.submittedMs, stream.expiredMs ?? stream.submittedMs);
    const isPatient = nowMs >= sinceMs + rules.reservation.afterPeriods * stream.weightPeriodMs;
    return isPatient || group(stream) === group(open[0]);
  });
}

function wakeAt(
  left: readonly WaitingStream[],
  reservations: readonly StreamReservation[],
  { nowMs, rules }: SelectionQuestion,
): number {
  const growths = left.map((stream) => nextGrowthMs(stream, nowMs));
  const ends = reservations.map(({ sinceMs }) => sinceMs + rules.reservation.lifeMs);
  return Math.min(Number.POSITIVE_INFINITY, ...growths, ...ends.filter((endMs) => endMs > nowMs));
}

/** Classes from which a reserving stream takes further processors. */
function classesFor({ classes, isOneClass = false }: StreamNeed, already: ProcsByClass): readonly string[] {
  const [held] = Object.keys(already).filter((name) => already[name] > 0);
  return isOneClass && held !== undefined ? [held] : classes;
}

function countOf(procs: ProcsByClass): number {
  return Object.values(procs).reduce((sum, count) => sum + count, 0);
}

function plus(one: ProcsByClass, other: ProcsByClass): ProcsByClass {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
