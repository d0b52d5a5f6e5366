/**
 * One site in one replicate of one run: its workload through its machine, measured.
 */
import { measuredSite } from "./measured-site.ts";
import { playLines } from "./play-lines.ts";
import { playTrace } from "./play-trace.ts";
import type { SiteOutcome } from "./site-outcome.ts";
import type { SiteTask } from "./site-task.ts";

/**
 * Simulates one site of a scenario task.
 *
 * @throws Fault for everything that can be wrong with the files, and what `checkStop` throws
 */
export async function simulateSite(task: SiteTask): Promise<SiteOutcome> {
  const { workload } = task.site;
  const played =
    workload.kind === "lines" ? await playLines(task, workload) : await playTrace(task, workload);
  return measuredSite(task, played);
}
