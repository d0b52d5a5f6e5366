/** Request to the broker to execute a planned workflow. */
import { basename, isAbsolute } from "node:path";

import { Fault, some } from "../base/index.ts";
import type { WorkflowRequest } from "../contract/index.ts";
import { besideProcs } from "../model/index.ts";
import type { PlannerName, StatedPlan, Workflow } from "../plan/index.ts";
import type { RequestedWorkflow } from "./requested-workflow.ts";

/** A workflow whose tasks sleep for their runtimes, scaled. */
export function sleeping(workflow: Workflow, factor: number): Workflow {
  const scaled = (ms: number): number => Math.max(1, Math.round(ms * factor));
  return {
    ...workflow,
    tasks: workflow.tasks.map(({ runtimeMs, runtimesMs = {}, spreadMs: _, quantilesMs: __, ...task }) => {
      const ms = scaled(runtimeMs ?? Math.min(...Object.values(runtimesMs)));
      const words = { executable: "sleep", arguments: [String(ms / 1000)], environment: {} };
      const { files: ___, inputs: ____, ...same } = task;
      return { ...same, runtimeMs: ms, program: words };
    }),
  };
}

/** @throws Fault where a task has nothing to run */
export function demandPrograms(file: string, { workflow: { tasks } }: RequestedWorkflow): void {
  const without = tasks.filter(({ program }) => program === undefined);
  if (without.length === 0) return;
  const unsupported = without.filter((task) => task.unsupported !== undefined);
  throw new Fault({
    kind: "badInput",
    code: "noPrograms",
    what: `${file} cannot be executed`,
    ...(unsupported.length > 0
      ? {
          why:
            "tasks of a plan cannot have these attributes of jobs: " +
            some(unsupported.map(({ id, unsupported: names = [] }) => `${some(names)} of node ${id}`)),
          remedy:
            "remove them; or run the DAG as jobs: stint submit FILE; or run sleeps instead: --as-sleeps",
        }
      : {
          why: `${without.length} of its ${tasks.length} tasks have no program, such as ${without[0].id}`,
          remedy: "give each an executable (stint plan --help); or run sleeps in their place: --as-sleeps",
        }),
  });
}

interface Wishes {
  readonly planner: PlannerName;
  readonly beginAt: string;
  readonly budgetSu?: number;
}

/** The request for a plan on the sites of the broker; undefined where a task has nothing to run. */
export function executionOf(
  workflow: Workflow,
  plan: StatedPlan,
  { planner, beginAt, budgetSu }: Wishes,
): WorkflowRequest | undefined {
  const placeOf = new Map(plan.tasks.map((task) => [task.id, task]));
  const numbers = new Map(workflow.tasks.map(({ id }, at) => [id, at]));
  const { parentStart, parentOf } = workflow;
  const tasks: WorkflowRequest["tasks"][number][] = [];
  for (const { id, procs, memoryBytes, gpus, runtimeMs, runtimesMs = {}, ...own } of workflow.tasks) {
    const { program, files, rules } = own;
    if (program === undefined) return undefined;
    const at = numbers.get(id) ?? 0;
    const place = placeOf.get(id);
    const ownMs = runtimesMs[place?.site ?? ""] ?? runtimeMs ?? Math.min(...Object.values(runtimesMs));
    const reserved =
      place?.reservation === undefined
        ? {}
        : { startSec: place.startSec, endSec: place.endSec, reservation: place.reservation };
    tasks.push({
      ...namesOf(files),
      ...rules,
      ...{ id, procs: Math.max(1, procs), runtimeSec: ownMs / 1000, ...reserved },
      ...besideProcs({ memoryBytes, gpus }),
      parents: [...parentOf.subarray(parentStart[at], parentStart[at + 1])],
      ...{ executable: program.executable, arguments: program.arguments, environment: program.environment },
    });
  }
  const { limits, ...execution } = workflow.execution ?? {};
  const given = userFiles(workflow);
  return {
    ...{ name: workflow.name, tasks },
    ...(planner === "best-effort"
      ? { bestEffort: true }
      : {
          beginAt,
          reservations: plan.reservations.map(({ slot: _, costSu: __, ...rectangle }) => rectangle),
        }),
    ...(budgetSu === undefined ? {} : { mostSu: budgetSu }),
    ...limits,
    ...execution,
    ...(given.length === 0 ? {} : { files: given }),
  };
}

/** Names of the files of a task in its directory. */
function namesOf(files: Workflow["tasks"][number]["files"]) {
  if (files === undefined) return {};
  const inputs = files.reads.map((name) => (isAbsolute(name) ? basename(name) : name));
  const { folder, writes } = files;
  const outputs = writes.map((path) => (folder === undefined ? path : { name: `${folder}/${path}`, path }));
  return { inputs, outputs };
}

/** Paths of the files that the user gives to tasks. @throws Fault where two have one name */
function userFiles({ tasks }: Workflow): readonly string[] {
  const paths = new Set(tasks.flatMap(({ files }) => files?.reads.filter(isAbsolute) ?? []));
  const byName = new Map<string, string>();
  for (const path of paths) {
    const other = byName.get(basename(path));
    if (other !== undefined) throw sameName(path, other);
    byName.set(basename(path), path);
  }
  return [...paths];
}

function sameName(path: string, other: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "inputsNamedAlike",
    what: `${other} and ${path} cannot both be inputs of a workflow`,
    why: "tasks receive the user's files under their base names, which are the same here",
    remedy: "rename one of them",
  });
}
