/**
 * The workloads that are played on real clusters: sleeping jobs over a few minutes, and the slot that is
 * bought in the middle of them. Drawn by seed, so that every play of a seed is the same work.
 *
 * Slurm counts time limits in minutes, so these are one, two or three of them. *Exact*: a job ends two
 * seconds before its limit, which leaves Slurm the time that it takes to start and to clear it. *Loose*: it
 * uses 30 to 95 % of its limit, as people's jobs do.
 */
import { createRandom, drawFraction, drawInteger, type Random } from "../../src/base/index.ts";

/** How run times are to their limits; see the header. */
export type LimitUse = "exact" | "loose";

/** Both of them. */
export const LIMIT_USES: readonly LimitUse[] = ["exact", "loose"];

/** A job that sleeps. */
export interface SleepingJob {
  /** Its name at the cluster. */
  readonly name: string;
  /** When it is submitted, in ms since the play began. */
  readonly atMs: number;
  readonly procs: number;
  readonly limitMinutes: number;
  readonly sleepSeconds: number;
}

/** The slot that is wanted when the play has come to `QUOTE_AT_MS`. */
export interface RequestedSlot {
  readonly procs: number;
  /** It begins so long after the question at the soonest. */
  readonly afterMs: number;
  readonly durationMs: number;
}

/** What is played. */
export interface TruthWorkload {
  readonly seed: number;
  readonly use: LimitUse;
  /** In order of submission. */
  readonly jobs: readonly SleepingJob[];
  readonly slot: RequestedSlot;
}

/** Processors of every cluster that it is played on. */
export const CLUSTER_PROCS = 32;
/** The instant of the question, in ms since the play began: all early jobs have come. */
export const QUOTE_AT_MS = 66_000;

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
const EARLY_JOBS = 32;
const EARLY_GAP_MS = 2 * SECOND_MS;
const LATE_JOBS = 6;
const LATE_GAP_MS = 10 * SECOND_MS;
const SPARE_SECONDS = 2;

const WIDTHS = [1, 2, 2, 4, 4, 6, 8] as const;
const MINUTES: Readonly<Record<LimitUse, readonly number[]>> = { exact: [1, 1, 2], loose: [1, 2, 3] };
const LOOSE_FROM = 0.3;
const LOOSE_TO = 0.95;
const SLOT_WIDTHS = [8, 12, 16] as const;
const SLOT_AFTER_SECONDS = [10, 60] as const;

/** The workload of a seed. */
export function drawWorkload(seed: number, use: LimitUse): TruthWorkload {
  const random = createRandom(seed);
  const jobs = Array.from({ length: EARLY_JOBS + LATE_JOBS }, (_, at): SleepingJob => {
    const procs = one(random, WIDTHS);
    const limitMinutes = one(random, MINUTES[use]);
    const sleepSeconds = sleepOf(random, use, limitMinutes * MINUTE_SECONDS);
    return { name: `job${at + 1}`, atMs: submittedAt(at), procs, limitMinutes, sleepSeconds };
  });
  const procs = one(random, SLOT_WIDTHS);
  const afterMs = drawInteger(random, ...SLOT_AFTER_SECONDS) * SECOND_MS;
  const durationMs = drawInteger(random, 1, 3) * MINUTE_SECONDS * SECOND_MS;
  return { seed, use, jobs, slot: { procs, afterMs, durationMs } };
}

function submittedAt(place: number): number {
  if (place < EARLY_JOBS) return place * EARLY_GAP_MS;
  return QUOTE_AT_MS + (place - EARLY_JOBS + 1) * LATE_GAP_MS;
}

function sleepOf(random: Random, use: LimitUse, limitSeconds: number): number {
  if (use === "exact") return limitSeconds - SPARE_SECONDS;
  const part = LOOSE_FROM + (LOOSE_TO - LOOSE_FROM) * drawFraction(random);
  return Math.round(limitSeconds * part);
}

function one(random: Random, values: readonly number[]): number {
  return values[drawInteger(random, 0, values.length - 1)];
}
