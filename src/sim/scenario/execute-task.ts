/**
 * Carries out one task: all sites of one replicate of one run, one after the other.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { Scenario, ScenarioRun, ScenarioSite } from "../../model/index.ts";
import { simulateSite } from "./play-site.ts";
import type { Task, TaskAnswer, WorkerOrder } from "./protocol.ts";
import { inScenarioWords } from "./scenario-words.ts";
import { workloadSeed } from "./seeds.ts";
import type { SiteOutcome } from "./site-outcome.ts";
import type { SiteTask } from "./site-task.ts";

/** Thrown where a task is stopped; its results are discarded. */
class Stopped extends Error {}

/**
 * Carries out a task; never throws on faults of files and workloads. A failed or stopped task leaves no files
 * of any of its sites.
 */
export async function carryOut(
  task: Task,
  order: WorkerOrder,
  writeError: (text: string) => void = () => {},
): Promise<TaskAnswer> {
  const { index } = task;
  const flag = new Int32Array(order.stopped);
  const files: string[] = [];
  const isStopped = (): boolean => Atomics.load(flag, 0) !== 0;
  const checkStop = (): void => {
    if (isStopped()) throw new Stopped("told to stop");
  };
  try {
    const sites: SiteOutcome[] = [];
    const run = order.scenario.runs[task.run];
    for (const [place, site] of run.sites.entries()) {
      checkStop();
      const one = siteTask({ task, order, run, isStopped, checkStop, writeError }, site, place);
      files.push(...one.jobsOut, ...(one.slotsOut === undefined ? [] : [one.slotsOut]));
      sites.push(await simulateSite(one));
    }
    return { kind: "done", index, sites };
  } catch (error) {
    for (const file of files) await rm(file, { force: true });
    // A program that was ended because of the stop has not failed.
    if (error instanceof Stopped || isStopped()) return { kind: "stopped", index };
    return { kind: "failed", index, fault: factsOf(error) };
  }
}

interface Around extends Pick<SiteTask, "isStopped" | "checkStop" | "writeError"> {
  readonly task: Task;
  readonly order: WorkerOrder;
  readonly run: ScenarioRun;
}

function siteTask({ task, order, run, ...around }: Around, site: ScenarioSite, place: number): SiteTask {
  const { scenario, version, directory } = order;
  const { workload, sampleSlotsMs } = site;
  const ownSeed = workload.kind === "lines" ? undefined : workload.seed;
  const replicate = task.replicate + 1;
  const name = fileName(scenario, { run: run.name, site: site.name, replicate });
  const jobs = workload.kind === "lines" ? [`jobs-${name}.csv`] : [`jobs-${name}.csv`, `${name}.swf`];
  const isWritten = scenario.jobsOut === "all" || (scenario.jobsOut === "first" && replicate === 1);
  const program = new Int32Array(order.program);
  return {
    ...{ scenario, run: run.name, site, replicate, version, ...around },
    seed: workloadSeed(ownSeed ?? scenario.seed, task.replicate, place),
    jobsOut: isWritten ? jobs.map((file) => join(directory, file)) : [],
    ...(isWritten && sampleSlotsMs !== undefined ? { slotsOut: join(directory, `slots-${name}.csv`) } : {}),
    noteGroup: (group) => void Atomics.store(program, 0, group),
  };
}

/** Part of the names of a simulation's files. */
function fileName(
  { replicates, runs }: Scenario,
  { run, site, replicate }: { readonly run: string; readonly site: string; readonly replicate: number },
): string {
  // No name has an @ in it, so no two simulations share a file.
  const where = runs[0].sites.length > 1 ? `@${site}` : "";
  const which = replicates > 1 ? `-${replicate}` : "";
  return `${run}${where}${which}`.replaceAll(" ", "_");
}

function factsOf(error: unknown) {
  if (error instanceof Fault) {
    const { kind, code, what, why, remedy } = error;
    return { kind, code, what, why, remedy: inScenarioWords(remedy) };
  }
  return {
    kind: "failed" as const,
    code: "internalError",
    what: "internal error in a simulation",
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    remedy: "report it, with the scenario",
  };
}
