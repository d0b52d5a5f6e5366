/**
 * A scenario from its tasks to its directory of results.
 *
 * Only finished replicates count: after a stop their results are written as if no others had been requested,
 * and the summary has the number planned.
 */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault, messageOf } from "../../base/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { Scenario, ScenarioHooks, ScenarioOrder, ScenarioSummary } from "../../model/index.ts";
import { differencesOf, estimatesOf } from "./intervals.ts";
import { type Task, tasksOf } from "./protocol.ts";
import { classesCsv, consumersCsv, runsCsv, usersCsv } from "./runs-csv.ts";
import { type DoneTask, workInThreads } from "./work-in-threads.ts";

/**
 * Simulates and writes `summary.json`, `runs.csv`, `classes.csv`, `users.csv`, `report.html` and the files of
 * jobs.
 *
 * @param work does the tasks
 * @throws Fault `directoryNotEmpty`, those of the workloads, and those of writing
 */
export async function runScenario(
  { scenario, directory, isOverwriting, workers }: ScenarioOrder,
  version: string,
  { onProgress, stop }: ScenarioHooks = {},
  work = workInThreads,
): Promise<ScenarioSummary> {
  await openDirectory(directory, isOverwriting);
  const tasks = tasksOf(scenario);
  const simulationsPlanned = tasks.length;
  const done = await work(tasks, {
    order: { scenario, version, directory },
    workers,
    ...(stop === undefined ? {} : { stop }),
    onDone: (simulationsDone) => onProgress?.({ simulationsDone, simulationsPlanned }),
  });
  const ordered = done.toSorted((one, other) => byRun(one.task, other.task));
  const summary = summaryOf(scenario, version, ordered);
  await writeSafeFile(join(directory, "summary.json"), `${JSON.stringify(summary, undefined, 2)}\n`);
  await writeSafeFile(join(directory, "runs.csv"), runsCsv(scenario, summary.rows));
  const consumers = consumersCsv(summary.rows);
  if (consumers !== "") await writeSafeFile(join(directory, "consumers.csv"), consumers);
  const outcomes = ordered.flatMap(({ sites }) => sites);
  await writeSafeFile(join(directory, "classes.csv"), classesCsv(summary.rows));
  await writeSafeFile(join(directory, "users.csv"), usersCsv(outcomes));
  const { scenarioReport } = await import("../report/scenario-report.ts");
  await writeSafeFile(join(directory, "report.html"), scenarioReport(scenario, summary, outcomes));
  return summary;
}

function byRun(one: Task, other: Task): number {
  return one.run - other.run || one.replicate - other.replicate;
}

function summaryOf(scenario: Scenario, version: string, done: readonly DoneTask[]): ScenarioSummary {
  const { name, seed, replicates, warmUp, coolDown, baseline, compare, runs } = scenario;
  const rows = done.flatMap(({ sites }) => sites.map(({ row }) => row));
  return {
    version,
    scenario: name,
    ...{ seed, replicates, warmUp, coolDown, baseline, compare },
    simulationsPlanned: runs.length * replicates,
    simulationsDone: done.length,
    estimates: estimatesOf(scenario, rows),
    differences: differencesOf(scenario, rows),
    rows,
  };
}

async function openDirectory(directory: string, isOverwriting: boolean): Promise<void> {
  let there: readonly string[];
  try {
    await mkdir(directory, { recursive: true });
    there = await readdir(directory);
  } catch (cause) {
    throw cannotMake(directory, cause);
  }
  if (there.length === 0 || isOverwriting) return;
  throw new Fault({
    kind: "refused",
    code: "directoryNotEmpty",
    what: `${directory}: this directory is not empty`,
    why: "results of two scenarios in the same directory cannot be distinguished",
    remedy: "name another one with --out DIR, or overwrite it with --force",
  });
}

function cannotMake(directory: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "directoryNotMade",
    what: `${directory}: this directory cannot be used for results`,
    why: messageOf(cause),
    remedy: "name another one with --out DIR",
    cause,
  });
}
