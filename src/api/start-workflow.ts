/** A request to execute a workflow, as a command. */
import { MS_PER_SECOND } from "../base/index.ts";
import type { WorkflowRequest } from "../contract/index.ts";
import {
  besideProcs,
  type Command,
  type NodeRules,
  type OfKind,
  type PlacedPlan,
  type PlannedFile,
  sandboxName,
} from "../model/index.ts";
import { instantGiven } from "./instant-given.ts";
import { refusalProblem } from "./problem.ts";
import { procMsOf } from "./reservation-view.ts";

/** Submitter of the workflow, and its id. */
interface Whose {
  readonly workflow: string;
  readonly owner: string;
  readonly consumer: string;
  readonly isByToken: boolean;
}

/** The command of a request. @throws ProblemError where the plan has no beginning, or has passed */
export function workflowCommand(
  { name, tasks, reservations = [], beginAt, mostSu, ...rest }: WorkflowRequest,
  whose: Whose,
  nowMs: number,
): OfKind<Command, "startWorkflow"> {
  const { bestEffort = false, retries = 0, directory = null, files: sources = [], results = [] } = rest;
  const { maxRunning, maxRunningOf, userTags } = rest;
  const limits = {
    ...(maxRunning === undefined ? {} : { maxRunning }),
    ...(maxRunningOf === undefined ? {} : { maxRunningOf }),
  };
  const files = filesOf(tasks, sources, results);
  const numbers = new Map(files.map(({ name: its }, at) => [its, at]));
  const beginMs = beginAt === undefined ? nowMs : instantGiven(beginAt, { pointer: "/beginAt" });
  if (reservations.length > 0 && beginAt === undefined) {
    throw wrong("beginAt", "it is required with reservations");
  }
  if (beginMs < nowMs - MOST_LATE_MS) throw refusalProblem({ kind: "planLapsed", beginAtMs: beginMs });
  const at = (sec: number): number => beginMs + Math.round(sec * MS_PER_SECOND);
  const { workflow } = whose;
  const pilots = reservations.map(({ startSec, endSec, ...slot }, number): PlacedPlan["pilots"][number] => ({
    ...{ job: `${workflow}-p${number}`, reservation: `${workflow}-r${number}` },
    ...{ site: slot.site, procs: slot.procs, ...besideProcs(slot) },
    ...{ startMs: at(startSec), endMs: at(endSec) },
  }));
  const places = tasks.flatMap(({ startSec, endSec, reservation }, task): PlacedPlan["places"][number][] =>
    startSec === undefined || endSec === undefined || reservation === undefined
      ? []
      : [{ task, pilot: reservation, startMs: at(startSec), endMs: at(endSec) }],
  );
  return {
    ...{ kind: "startWorkflow", ...whose, name, retries, directory, isBestEffort: bestEffort },
    ...(files.length === 0 ? {} : { files, sources }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(userTags === undefined ? {} : { userTags }),
    tasks: tasks.map(({ id, procs = 1, runtimeSec, parents = [], executable, ...words }, task) => ({
      ...besideProcs(words),
      ...{ id, procs, parents, runtimeMs: Math.round(runtimeSec * MS_PER_SECOND) },
      ...rulesOf(words),
      ...named("reads", words.inputs, { numbers, task }),
      ...named(
        "writes",
        words.outputs?.map((one) => outputOf(one).name),
        { numbers, task },
      ),
      program: { executable, arguments: words.arguments ?? [], environment: words.environment ?? {} },
    })),
    ...{ pilots, places, mostProcMs: mostSu === undefined ? null : procMsOf(mostSu) },
  };
}

type RequestedTask = WorkflowRequest["tasks"][number];

/** All files by name: those of the user, then the outputs of tasks. @throws ProblemError */
function filesOf(
  tasks: readonly RequestedTask[],
  sources: readonly string[],
  results: readonly string[],
): readonly PlannedFile[] {
  const read = new Set(tasks.flatMap(({ inputs = [] }) => inputs));
  const kept = new Set(results);
  const unknown = { bytes: null, checksum: null };
  const given = sources.map((source) => ({
    ...{ name: sandboxName(source), writer: null, isResult: false, ...unknown },
  }));
  const written = tasks.flatMap(({ outputs = [] }, writer) =>
    outputs.map(outputOf).map((file) => {
      return { ...file, writer, isResult: kept.has(file.name) || !read.has(file.name), ...unknown };
    }),
  );
  for (const name of results) {
    if (!written.some((one) => one.name === name)) throw wrong("results", `no task writes ${name}`);
  }
  return [...given, ...written];
}

function rulesOf(task: NodeRules): NodeRules {
  const { retries, unlessExit, abortOn, priority, category, isFinal } = task;
  return {
    ...(retries === undefined ? {} : { retries }),
    ...(unlessExit === undefined ? {} : { unlessExit }),
    ...(abortOn === undefined ? {} : { abortOn }),
    ...(priority === undefined ? {} : { priority }),
    ...(category === undefined ? {} : { category }),
    ...(isFinal === undefined ? {} : { isFinal }),
  };
}

type Output = NonNullable<RequestedTask["outputs"]>[number];

function outputOf(output: Output): Pick<PlannedFile, "name" | "path"> {
  return typeof output === "string" ? { name: output } : output;
}

/** Numbers of files by their names. @throws ProblemError for a name that is not known */
function named(
  field: "reads" | "writes",
  names: readonly string[] | undefined,
  { numbers, task }: { readonly numbers: ReadonlyMap<string, number>; readonly task: number },
) {
  if (names === undefined || names.length === 0) return {};
  const found = [...new Set(names)].map((name) => {
    const at = numbers.get(name);
    if (at === undefined) throw wrong(`tasks[${task}]`, `no task writes ${name}, and it is not in files`);
    return at;
  });
  return { [field]: found };
}

/** A plan that begins a moment ago is still confirmed. */
const MOST_LATE_MS = 2000;

function wrong(field: string, why: string) {
  return refusalProblem({ kind: "workflowInvalid", field, why });
}
