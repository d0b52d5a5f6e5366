/** Our own YAML of workflows, read by its shape; the file for whom no other format says enough. */
import { workflowShape } from "../../contract/files/index.ts";
import type { ParentDraft, TaskDraft } from "../../plan/index.ts";
import { readDocument } from "../yaml/index.ts";
import { nameProblems } from "./file-problems.ts";
import type { DraftReading } from "./reading.ts";

const EXAMPLE = "{ tasks: [{ id: a, runtime: 10m }, { id: b, runtime: 1h, parents: [a] }] }";

/** The workflow of a text in YAML. */
export function readOwnYaml(text: string): DraftReading {
  const { said, problems, at, notes } = readDocument(text, workflowShape, {
    noun: "a workflow",
    example: EXAMPLE,
  });
  const wrong = problems();
  if (said === undefined || wrong.length > 0) return { draft: undefined, problems: wrong };
  const writers = writersOf(said.tasks);
  const tasks = said.tasks.map(({ parents, resources, quantiles, executable, ...all }, number): TaskDraft => {
    const { arguments: words = [], environment = {}, inputs = [], outputs, ...task } = all;
    const sent = inputs.flatMap((name) => writers.get(name) ?? []);
    const line = notes.lineOf(at(said.tasks, number));
    return {
      ...{ ...task, line, parents: [...parentsOf(parents), ...sent.filter(({ id }) => id !== task.id)] },
      ...filesOf(inputs, outputs),
      ...quantilesOf(quantiles, task.runtimeMs),
      ...(resources === undefined ? {} : { amounts: resources }),
      ...(executable === undefined ? {} : { program: { executable, arguments: words, environment } }),
    };
  });
  const { directory, retries, results } = said;
  const execution = {
    ...(directory === undefined ? {} : { directory }),
    ...(retries === undefined ? {} : { retries }),
    ...(results === undefined ? {} : { results }),
  };
  const draft = { name: said.workflow ?? "workflow", tasks, execution };
  const lineOf = (word: "directory" | "results") => notes.lineOf(at(said, word));
  const lines = { directory: lineOf("directory"), results: lineOf("results") };
  return { draft, problems: nameProblems(draft, lines) };
}

/** Quantiles by rising probability; that next to the median is the runtime where none is stated. */
function quantilesOf(
  quantiles: Readonly<Record<string, number>> | undefined,
  runtimeMs: number | undefined,
): Partial<TaskDraft> {
  if (quantiles === undefined) return {};
  const quantilesMs = Object.entries(quantiles)
    .map(([probability, ms]) => [Number(probability), ms] as const)
    .sort(([one], [other]) => one - other);
  const median = [...quantilesMs].sort(([one], [other]) => Math.abs(one - 0.5) - Math.abs(other - 0.5)).at(0);
  return {
    quantilesMs,
    ...(runtimeMs === undefined && median !== undefined ? { runtimeMs: median[1] } : {}),
  };
}

function parentsOf(
  parents: string | readonly string[] | Readonly<Record<string, number>> | undefined,
): readonly ParentDraft[] {
  if (parents === undefined) return [];
  if (typeof parents === "string") return [{ id: parents, bytes: 0 }];
  if (Array.isArray(parents)) return parents.map((id: string) => ({ id, bytes: 0 }));
  return Object.entries(parents).map(([id, bytes]) => ({ id, bytes: Number(bytes) }));
}

type Outputs = readonly string[] | Readonly<Record<string, number>> | undefined;

/** The task that writes each file, as a parent that sends it. */
function writersOf(
  tasks: readonly { readonly id: string; readonly outputs?: Outputs }[],
): ReadonlyMap<string, ParentDraft> {
  const writers = new Map<string, ParentDraft>();
  for (const { id, outputs } of tasks) {
    for (const [name, bytes] of namedSizes(outputs)) writers.set(name, { id, bytes });
  }
  return writers;
}

function filesOf(inputs: readonly string[], outputs: Outputs): Pick<TaskDraft, "files"> {
  const writes = namedSizes(outputs).map(([name]) => name);
  return inputs.length + writes.length === 0 ? {} : { files: { reads: inputs, writes } };
}

/** Names of files with their sizes, 0 where none is stated. */
function namedSizes(outputs: Outputs = []): readonly (readonly [name: string, bytes: number])[] {
  if (Array.isArray(outputs)) return outputs.map((name: string) => [name, 0]);
  return Object.entries(outputs).map(([name, bytes]) => [name, Number(bytes)]);
}
