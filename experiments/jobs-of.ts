/**
 * The jobs of a cluster's workload, as experiments on prices want them: for some days, some of them twice.
 */
import { createRandom, drawFraction, MS_PER_HOUR } from "../src/base/index.ts";
import type { EstimateRule, ScenarioSite } from "../src/model/index.ts";
import { siteWorkload } from "../src/sim/scenario/site-workload.ts";
import type { WorkloadJob } from "../src/sim/workload/workload.ts";

/** What is asked of the reader. */
export interface JobsWanted {
  readonly trace: string;
  readonly procs: number;
  readonly estimates: EstimateRule;
}

/** All jobs in order of submission; the first is submitted at 0. */
export async function jobsOf({ trace, procs, estimates }: JobsWanted): Promise<readonly WorkloadJob[]> {
  const workload = { kind: "recorded", trace, lenient: false, scale: "arrivals" } as const;
  const site: ScenarioSite = {
    name: "site",
    pools: [{ name: "all", procs }],
    discipline: "conservative",
    estimates,
    overrun: "extend",
    workload,
  };
  const making = { seed: 0, version: "experiments", keepsRows: false, checkStop: () => undefined };
  return (await siteWorkload(site, workload, making)).workload.jobs;
}

/** Those submitted before so many days have passed. */
export function withinDays(jobs: readonly WorkloadJob[], days: number): readonly WorkloadJob[] {
  return jobs.filter(({ submitMs }) => submitMs < days * 24 * MS_PER_HOUR);
}

/** With a second copy, submitted at the same time, of a part of the jobs that is drawn by seed. */
export function withDuplicates(
  jobs: readonly WorkloadJob[],
  part: number,
  seed: number,
): readonly WorkloadJob[] {
  const random = createRandom(seed);
  return numbered(jobs.flatMap((job) => (drawFraction(random) < part ? [job, job] : [job])));
}

/** Numbered by their place, as a replay wants them. */
export function numbered(jobs: readonly WorkloadJob[]): readonly WorkloadJob[] {
  return jobs.map((job, id) => ({ ...job, id }));
}
