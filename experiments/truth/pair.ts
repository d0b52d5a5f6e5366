/**
 * One seed on three clusters at once: without the slot, without it again, and with it; and what differs.
 *
 * The second play without is the control: what differs between the two is chance, and no reservation.
 */
import type { Discipline } from "../../src/model/index.ts";
import type { BoughtSlot } from "./buy-slot.ts";
import { type Delay, delayOf, meanDelay } from "./compare.ts";
import { planOf, priceOf, type SeenQueue } from "./plan.ts";
import type { Played } from "./play.ts";
import { simulatedDelay } from "./simulate.ts";
import { QUOTE_AT_MS, type TruthWorkload } from "./workload.ts";

/** The plays of a seed. */
export interface PlayedPair {
  readonly workload: TruthWorkload;
  readonly without: Played;
  readonly again: Played;
  readonly with: Played;
  readonly bought: BoughtSlot;
  readonly beginsAtMs: number;
}

/** What came of a seed. Amounts in processor-milliseconds. */
export interface MeasuredPair {
  readonly seed: number;
  readonly use: TruthWorkload["use"];
  readonly slotProcs: number;
  readonly slotMs: number;
  /** From the question to the slot's start. */
  readonly slotAfterMs: number;
  readonly waiting: number;
  /** f as it was bought, and the jobs that it says are delayed. */
  readonly pricedProcMs: number;
  readonly delaysJobs: number;
  /** Slots that could not be had before this one. */
  readonly refusals: readonly string[];
  /** What the same look would have cost under each discipline; null where the slot was not possible. */
  readonly planned: Readonly<Record<Discipline, number | null>>;
  /** What the slot does to the same work in our own site machine with the real run times; null likewise. */
  readonly simulated: Readonly<Record<Discipline, number | null>>;
  /** The price as bought by the looks at the two queues without the slot, which should have been the same. */
  readonly elsewhere: readonly number[];
  /** Of the jobs that waited at the question, against the mean of both plays without. */
  readonly measured: Delay;
  /** Between the two plays without, each way. */
  readonly control: Delay;
  /** Of the jobs that came after the question: nobody priced them. */
  readonly afterwards: Delay;
  /** Mean over the waiting jobs: start − planned start, in ms, by the discipline of the price. */
  readonly lateWithoutMs: number;
  readonly lateWithMs: number;
}

/** The discipline by which slots are bought: what a Slurm site is taken to follow by default. */
export const BOUGHT_BY: Discipline = "easy";

/** Compares the plays. */
export function measurePair(pair: PlayedPair): MeasuredPair {
  const { workload, without, again, bought, beginsAtMs } = pair;
  const { slot } = bought;
  const { seen } = pair.with;
  const bases = [without.starts, again.starts];
  const later = workload.jobs.filter(({ atMs }) => atMs > QUOTE_AT_MS);
  const against = (jobs: Parameters<typeof delayOf>[0]): Delay =>
    meanDelay(bases.map((base) => delayOf(jobs, base, pair.with.starts)));
  const priceIn = (queue: SeenQueue, discipline: Discipline): number | null => {
    const plan = planOf(queue, slot, discipline);
    return plan === undefined ? null : priceOf(plan);
  };
  const sinceBegin = { ...slot, startMs: slot.startMs - beginsAtMs };
  const control = bases.map((base, at) => delayOf(seen.waiting, base, bases[1 - at]));
  return {
    ...{ seed: workload.seed, use: workload.use, slotProcs: slot.procs, slotMs: slot.durationMs },
    slotAfterMs: slot.startMs - seen.atMs,
    waiting: seen.waiting.length,
    ...{ pricedProcMs: bought.fixedProcMs, delaysJobs: bought.delaysJobs, refusals: bought.refusals },
    planned: byDiscipline((it) => priceIn(seen, it)),
    simulated: byDiscipline((it) => simulatedDelay(workload, sinceBegin, it)?.laterProcMs ?? null),
    elsewhere: [without, again].flatMap((other) => priceIn(other.seen, BOUGHT_BY) ?? []),
    measured: against(seen.waiting),
    control: { ...meanDelay(control), netProcMs: control[0].netProcMs },
    afterwards: against(later),
    ...lateness(pair, beginsAtMs),
  };
}

/** A value for each. */
export function byDiscipline<Value>(
  of: (discipline: Discipline) => Value,
): Readonly<Record<Discipline, Value>> {
  return { fcfs: of("fcfs"), easy: of("easy"), conservative: of("conservative"), repack: of("repack") };
}

/** How late starts are, measured by the plan that the price is made of. */
function lateness(
  { with: withSlot, without, again, bought }: PlayedPair,
  beginsAtMs: number,
): Pick<MeasuredPair, "lateWithoutMs" | "lateWithMs"> {
  const plan = planOf(withSlot.seen, bought.slot, BOUGHT_BY) ?? [];
  const meanLate = (starts: Played["starts"], of: (job: (typeof plan)[number]) => number): number => {
    const late = plan.flatMap((job) => {
      const startMs = starts.get(job.name);
      return startMs === undefined ? [] : [startMs + beginsAtMs - of(job)];
    });
    return late.length === 0 ? 0 : late.reduce((sum, one) => sum + one, 0) / late.length;
  };
  const bases = [without, again].map(({ starts }) => meanLate(starts, ({ withoutMs }) => withoutMs));
  return {
    lateWithoutMs: (bases[0] + bases[1]) / 2,
    lateWithMs: meanLate(withSlot.starts, ({ withMs }) => withMs),
  };
}
