/**
 * The workload and the policies of figures 14 to 21 of [UP], an hour scaled to minutes.
 *
 * The source says (3000,20)(30,60) and (3000,80)(30,90). Everything that is a time is divided by the same
 * number, so that what happens in the hour happens in those minutes.
 */
import type { Policy } from "../../src/model/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { drawJobs, HOUR, MINUTE, type Stretch, tuple } from "../policies/workload.ts";

/** Processors of a cluster. */
export const PROCS = 20;
/** So much faster than the source's hour. */
const FASTER = 7.5;
/** How long a play takes. */
export const PLAY_MS = HOUR / FASTER;
const MEAN_MS = 10 * MINUTE;
const JOBS_EACH = 110;

const STRETCHES: readonly Stretch[] = [
  { consumer: "vo0", jobs: JOBS_EACH, minutes: [0, 40] },
  { consumer: "vo1", jobs: JOBS_EACH, minutes: [20, 60] },
];

/** The jobs of a seed; the same ones for every way of enforcing. */
export function drawPlay(seed: number): readonly OwnedJob[] {
  return drawJobs(STRETCHES, MEAN_MS, seed).map((job) => ({
    ...job,
    submitMs: Math.floor(job.submitMs / FASTER),
    runtimeMs: scaled(job.runtimeMs),
    estimateMs: scaled(job.runtimeMs),
  }));
}

/** Whole seconds, as a program can count them. */
function scaled(ms: number): number {
  return Math.max(1000, Math.round(ms / FASTER / 1000) * 1000);
}

/** The source's two policies at a site. */
export function playPolicies(site: string, rule: Policy["rule"]): readonly Policy[] {
  const seconds = (of: number): number => of / FASTER;
  return [
    tuple("vo0", [seconds(3000), 20], [seconds(30), 60], rule),
    tuple("vo1", [seconds(3000), 80], [seconds(30), 90], rule),
  ].map((policy) => ({ ...policy, provider: site }));
}
