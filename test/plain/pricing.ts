/**
 * What a slot costs the others, written from the rules alone: for every candidate start the whole queue is
 * scheduled twice. Amounts are exact integers of processor-milliseconds, divided once where SU are shown.
 * The rule of the site is c = 1, f₀ = 0; a job's delay weighs what it has declared, else its processors.
 */
import {
  type PlainAskedSlot,
  type PlainState,
  type PlainVector,
  plainInstants,
  plainIsPossible,
  plainSchedule,
  plainScheduleWith,
} from "./pricing-schedule.ts";

/** Exactly then, from then on, or whenever. */
export type PlainQuestion =
  | { readonly startMs: number }
  | { readonly fromMs: number }
  | { readonly startMs?: undefined; readonly fromMs?: undefined };

/** What a slot does to one queued job. */
export interface PlainDelay {
  readonly id: string | number;
  readonly presentMs: number;
  readonly displacedMs: number;
  /** Never negative. */
  readonly delayMs: number;
}

/** One possible start and its price. */
export interface PlainQuoteRow {
  readonly startMs: number;
  /** c. */
  readonly unitPrice: number;
  /** f, exact. */
  readonly fixedProcMs: bigint;
  /** f in SU. */
  readonly fixedSu: number;
  readonly delaysJobs: number;
  /** The delays' part of f in SU: all of it. */
  readonly delaySu: number;
}

/** What is asked of one of several sites. */
export interface PlainPart {
  readonly state: PlainState;
  readonly need: PlainVector;
  readonly durationMs: number;
}

/** What the slot does to every queued job, in the order of the queue; undefined where it is impossible. */
export function plainDelays(state: PlainState, slot: PlainAskedSlot): readonly PlainDelay[] | undefined {
  if (!plainIsPossible(state, slot)) return undefined;
  const present = plainSchedule(state);
  const displaced = plainScheduleWith(state, slot);
  return state.queued.map(({ id }, i) => ({
    id,
    presentMs: present[i],
    displacedMs: displaced[i],
    delayMs: Math.max(0, displaced[i] - present[i]),
  }));
}

/** Every possible candidate start with its price, by start; empty where there is none. */
export function plainQuote(
  state: PlainState,
  need: PlainVector,
  durationMs: number,
  question: PlainQuestion,
): readonly PlainQuoteRow[] {
  return plainCoAllocation([{ state, need, durationMs }], question);
}

/**
 * One start for all parts, each at a site of its own and all seen at the same instant: candidates of any,
 * possible for all, for the sum of the prices.
 */
export function plainCoAllocation(
  parts: readonly PlainPart[],
  question: PlainQuestion,
): readonly PlainQuoteRow[] {
  if (new Set(parts.map(({ state }) => state.nowMs)).size > 1) {
    throw new Error("parts are seen at one instant");
  }
  const candidates = new Set(parts.flatMap(({ state }) => candidateStarts(state, question)));
  return [...candidates]
    .sort((a, b) => a - b)
    .map((startMs) => priceAt(parts, startMs))
    .filter((row) => row !== undefined);
}

/** f of some delays, in processor-milliseconds. */
export function plainFixedProcMs(
  delays: readonly { readonly delayMs: number; readonly procs: number }[],
): bigint {
  return delays.reduce((sum, { delayMs, procs }) => sum + BigInt(delayMs) * BigInt(procs), 0n);
}

/** Processor-milliseconds in SU; the one division. */
export function plainSu(procMs: bigint): number {
  return Number(procMs) / 3_600_000;
}

function candidateStarts(state: PlainState, question: PlainQuestion): readonly number[] {
  if ("startMs" in question && question.startMs !== undefined) return [question.startMs];
  const instants = plainInstants(state);
  if (!("fromMs" in question) || question.fromMs === undefined) return instants;
  const { fromMs } = question;
  return [fromMs, ...instants].filter((instant) => instant >= fromMs);
}

/** What an hour of its delay costs: as declared, else its processors. */
function weightOf({ delayCost, need }: PlainState["queued"][number]): number {
  return delayCost === undefined ? need[0] : delayCost;
}

function priceAt(parts: readonly PlainPart[], startMs: number): PlainQuoteRow | undefined {
  const all: { readonly delayMs: number; readonly procs: number }[] = [];
  for (const { state, need, durationMs } of parts) {
    const delays = plainDelays(state, { need, startMs, durationMs });
    if (delays === undefined) return undefined;
    all.push(...delays.map(({ delayMs }, i) => ({ delayMs, procs: weightOf(state.queued[i]) })));
  }
  const fixedProcMs = plainFixedProcMs(all);
  const fixedSu = plainSu(fixedProcMs);
  const delaysJobs = all.filter(({ delayMs }) => delayMs > 0).length;
  return { startMs, unitPrice: 1, fixedProcMs, fixedSu, delaysJobs, delaySu: fixedSu };
}
