/**
 * Carries out one task: all sites of one replicate of one run, one after the other.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { Scenario, ScenarioRun, ScenarioSite } from "../../model/index.ts";
import type { Task, TaskAnswer, WorkerOrder } from "./protocol.ts";
import { workloadSeed } from "./seeds.ts";
import { type SiteOutcome, simulateSite } from "./simulate-site.ts";

/** Thrown where a task was told to stop; what it had done is gone. */
class Stopped extends Error {}

/**
 * What comes of the task; never throws for what can be wrong with files and workloads. A task that is not
 * done leaves no files of any of its sites.
 */
export async function carryOut(task: Task, order: WorkerOrder): Promise<TaskAnswer> {
  const { index } = task;
  const flag = new Int32Array(order.stopped);
  const files: string[] = [];
  const checkStop = (): void => {
    if (Atomics.load(flag, 0) !== 0) throw new Stopped("told to stop");
  };
  try {
    const sites: SiteOutcome[] = [];
    const run = order.scenario.runs[task.run];
    for (const [place, site] of run.sites.entries()) {
      checkStop();
      const one = siteTask({ task, order, run, checkStop }, site, place);
      files.push(...one.jobsOut);
      sites.push(await simulateSite(one));
    }
    return { kind: "done", index, sites };
  } catch (error) {
    for (const file of files) await rm(file, { force: true });
    if (error instanceof Stopped) return { kind: "stopped", index };
    return { kind: "failed", index, fault: factsOf(error) };
  }
}

interface Around {
  readonly task: Task;
  readonly order: WorkerOrder;
  readonly run: ScenarioRun;
  readonly checkStop: () => void;
}

function siteTask({ task, order, run, checkStop }: Around, site: ScenarioSite, place: number) {
  const { scenario, version, directory } = order;
  const seed = workloadSeed(site.workload.seed ?? scenario.seed, task.replicate, place);
  const replicate = task.replicate + 1;
  const names = jobFiles(scenario, { run: run.name, site: site.name, replicate });
  const jobsOut = names.map((name) => join(directory, name));
  return { scenario, run: run.name, site, replicate, seed, version, jobsOut, checkStop };
}

/** The names of the files that get a row per job: none where the scenario does not want them. */
export function jobFiles(
  { jobsOut, replicates, runs }: Scenario,
  { run, site, replicate }: { readonly run: string; readonly site: string; readonly replicate: number },
): readonly string[] {
  if (jobsOut === "none" || (jobsOut === "first" && replicate > 1)) return [];
  // No name has an @ in it, so no two simulations share a file.
  const where = runs[0].sites.length > 1 ? `@${site}` : "";
  const which = replicates > 1 ? `-${replicate}` : "";
  const name = `${run}${where}${which}`.replaceAll(" ", "_");
  return [`jobs-${name}.csv`, `${name}.swf`];
}

function factsOf(error: unknown) {
  if (error instanceof Fault) {
    const { kind, code, what, why, remedy } = error;
    return { kind, code, what, why, remedy };
  }
  return {
    kind: "failed" as const,
    code: "internalError",
    what: "a simulation met an error of its own",
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    remedy: "report it, with the scenario",
  };
}
