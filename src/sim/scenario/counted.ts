/**
 * Which jobs of a replicate count, and over which time its site is watched (rule SI-30).
 */
import { Fault } from "../../base/index.ts";
import type { Scenario, ScenarioCut } from "../../model/index.ts";

/** Jobs from `first` to before `end`, in order of submission; the site from `fromMs` to `untilMs`. */
export interface Counted {
  readonly first: number;
  readonly end: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Counted jobs of those submitted at these times, in order; the last of all jobs ends at `lastEndMs`.
 *
 * @throws Fault `nothingCounted`
 */
export function countedOf(
  { warmUp, coolDown }: Pick<Scenario, "warmUp" | "coolDown">,
  submitMs: Float64Array,
  lastEndMs: number,
): Counted {
  const jobs = submitMs.length;
  const lastMs = submitMs[jobs - 1];
  const first = warmUp.kind === "jobs" ? warmUp.count : jobsBefore(submitMs, warmUp.lengthMs);
  const closesMs = coolDown.kind === "time" ? lastMs - coolDown.lengthMs : lastMs;
  const end = coolDown.kind === "jobs" ? jobs - coolDown.count : jobsUntil(submitMs, closesMs);
  if (first >= end) throw nothingCounted(jobs);
  const fromMs = warmUp.kind === "time" ? warmUp.lengthMs : submitMs[isNothing(warmUp) ? 0 : first];
  const cutMs = coolDown.kind === "time" ? closesMs : submitMs[end - 1];
  const untilMs = isNothing(coolDown) ? lastEndMs : cutMs;
  if (untilMs <= fromMs) throw nothingCounted(jobs);
  return { first, end, fromMs, untilMs };
}

function isNothing(cut: ScenarioCut): boolean {
  return cut.kind === "time" ? cut.lengthMs === 0 : cut.count === 0;
}

function jobsBefore(submitMs: Float64Array, atMs: number): number {
  const found = submitMs.findIndex((ms) => ms >= atMs);
  return found === -1 ? submitMs.length : found;
}

function jobsUntil(submitMs: Float64Array, atMs: number): number {
  const found = submitMs.findIndex((ms) => ms > atMs);
  return found === -1 ? submitMs.length : found;
}

function nothingCounted(jobs: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingCounted",
    what: "no jobs remain between warmUp and coolDown",
    why: `the workload has ${jobs} jobs`,
    remedy: "make them shorter, or the workload longer",
  });
}
