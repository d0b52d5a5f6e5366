/**
 * Processors by trial: classes of processors, and how fast a stream runs on each.
 *
 * A stream runs for a short time on one processor of each eligible class that has a free one, and its rate
 * counts for the peers. Results are remembered by executable and class. A class without a free member has the
 * rate that was measured elsewhere times the ratio of benchmarks, marked as estimated. Source: [STREAM] 3.3;
 * what is remembered, and estimates, are ours. Heavier streams choose first because they are selected first.
 */
import type { StreamRules } from "./rules.ts";

/** Processors with the same characteristics; one of them stands for all. */
interface ProcessorClass {
  readonly name: string;
  readonly freeProcs: number;
  /** Speed in a benchmark, relative to any other class. */
  readonly benchmark: number;
}

/** Rate of one executable on one class. */
export interface MeasuredRate {
  readonly executableHash: string;
  readonly className: string;
  readonly bytesPerSec: number;
  /** Per second of processor time. */
  readonly bytesPerCpuSec: number;
  readonly atMs: number;
}

/** Rate on a class, and where it comes from; 0 and `unknown` where nothing is known. */
export interface ClassRate {
  readonly className: string;
  readonly bytesPerSec: number;
  readonly origin: "measured" | "estimated" | "unknown";
}

/** Query about an executable. */
export interface TrialQuestion {
  readonly executableHash: string;
  /** Classes whose ads match, in the order of the pool. */
  readonly eligible: readonly ProcessorClass[];
  readonly remembered: readonly MeasuredRate[];
  readonly nowMs: number;
  readonly rules: Pick<StreamRules, "rememberMs">;
}

/** Classes on which the stream is tried: without a remembered rate, and with a free processor. */
export function trialsDue(question: TrialQuestion): readonly string[] {
  const known = lastRates(question);
  return question.eligible
    .filter(({ name, freeProcs }) => freeProcs > 0 && !known.has(name))
    .map(({ name }) => name);
}

/** Eligible classes with their rates, the fastest first; of equal ones the first in the pool. */
export function rankClasses(question: TrialQuestion): readonly ClassRate[] {
  const known = lastRates(question);
  const measuredOn = question.eligible.filter(({ name }) => known.has(name));
  const rates = question.eligible.map(({ name, benchmark }): ClassRate => {
    const own = known.get(name);
    if (own !== undefined) return { className: name, bytesPerSec: own.bytesPerSec, origin: "measured" };
    if (measuredOn.length === 0) return { className: name, bytesPerSec: 0, origin: "unknown" };
    const sum = measuredOn.reduce(
      (all, it) => all + (known.get(it.name)?.bytesPerSec ?? 0) / it.benchmark,
      0,
    );
    return { className: name, bytesPerSec: (benchmark * sum) / measuredOn.length, origin: "estimated" };
  });
  const benchmarks = new Map(question.eligible.map(({ name, benchmark }) => [name, benchmark]));
  const byRate = (one: ClassRate, other: ClassRate) =>
    other.bytesPerSec - one.bytesPerSec ||
    (benchmarks.get(other.className) ?? 0) - (benchmarks.get(one.className) ?? 0);
  return rates.sort(byRate);
}

/** The last rate on each class that is not forgotten. */
function lastRates({ executableHash, remembered, nowMs, rules }: TrialQuestion): Map<string, MeasuredRate> {
  const last = new Map<string, MeasuredRate>();
  for (const rate of remembered) {
    const isOurs = rate.executableHash === executableHash && nowMs - rate.atMs < rules.rememberMs;
    const before = last.get(rate.className);
    if (isOurs && (before === undefined || rate.atMs >= before.atMs)) last.set(rate.className, rate);
  }
  return last;
}

/** True where a trial ends: after its time, or after so many blocks. */
export function isTrialOver(
  { sinceMs, blocks }: { readonly sinceMs: number; readonly blocks: number },
  { mostMs, mostBlocks }: StreamRules["trial"],
): boolean {
  return sinceMs >= mostMs || blocks >= mostBlocks;
}
