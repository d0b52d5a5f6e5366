/** Our own YAML of workflows, read by its shape; the file for whom no other format says enough. */
import { workflowShape } from "../../contract/files/index.ts";
import type { ParentDraft, TaskDraft } from "../../plan/index.ts";
import { readDocument } from "../yaml/index.ts";
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
  const tasks = said.tasks.map(({ parents, resources, quantiles, executable, ...all }, number): TaskDraft => {
    const { arguments: words = [], environment = {}, ...task } = all;
    const line = notes.lineOf(at(said.tasks, number));
    return {
      ...{ ...task, line, parents: parentsOf(parents) },
      ...quantilesOf(quantiles, task.runtimeMs),
      ...(resources === undefined ? {} : { amounts: resources }),
      ...(executable === undefined ? {} : { program: { executable, arguments: words, environment } }),
    };
  });
  const { directory, retries } = said;
  const execution = {
    ...(directory === undefined ? {} : { directory }),
    ...(retries === undefined ? {} : { retries }),
  };
  return { draft: { name: said.workflow ?? "workflow", tasks, execution }, problems: [] };
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
