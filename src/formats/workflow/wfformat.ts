/**
 * WfFormat of WfCommons: executed workflows in JSON, versions 1.0 to 1.5.
 *
 * Up to 1.4 a task has its runtime and its files; in 1.5 `specification` has structure and files,
 * `execution` the runtimes. Parents are named by id or, in older files, by name. Sizes and memory have had
 * several names. Source: the WfCommons schema [WFF].
 */
import { messageOf } from "../../base/index.ts";
import type { TaskDraft } from "../../plan/index.ts";
import { type Json, listOf, mappingOf, numberOf, textOf } from "./plain-json.ts";
import {
  bytesBetween,
  type DraftReading,
  millisecondsOf,
  stagedFiles,
  type TaskFiles,
  unreadable,
} from "./reading.ts";

/** The workflow of a text in JSON. */
export function readWfFormat(text: string): DraftReading {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    return unreadable({
      code: "jsonSyntax",
      what: "this is not JSON",
      why,
      remedy: "check whether it is complete",
    });
  }
  const { workflow, name } = mappingOf(whole);
  const { specification, execution, tasks: older, jobs } = mappingOf(workflow);
  const tasks = listOf(mappingOf(specification).tasks ?? older ?? jobs).map(mappingOf);
  const sizes = sizesOf(mappingOf(specification).files);
  const runs = new Map(
    listOf(mappingOf(execution).tasks)
      .map(mappingOf)
      .map((run) => [textOf(run.id ?? run.name), run]),
  );
  const ids = new Map<string, string>();
  for (const task of tasks) ids.set(textOf(task.name), idOf(task));
  for (const task of tasks) ids.set(idOf(task), idOf(task));
  const files = tasks.map((task) => filesOf(task, sizes));
  const bytes = bytesBetween(files);
  const staged = stagedFiles(files);
  return {
    draft: {
      name: textOf(name),
      tasks: tasks.map((task) => {
        const id = idOf(task);
        const run = { ...task, ...runs.get(id) };
        const runtime = numberOf(run.runtimeInSeconds ?? run.runtime);
        const parents = listOf(task.parents).map((parent) => ids.get(textOf(parent)) ?? textOf(parent));
        return {
          ...{ id, procs: Math.max(1, Math.ceil(numberOf(run.coreCount ?? run.cores) ?? 1)) },
          ...(runtime === undefined ? {} : { runtimeMs: millisecondsOf(runtime) }),
          ...memoryOf(run),
          ...recordOf(run),
          ...staged(id),
          parents: parents.map((parent) => ({ id: parent, bytes: bytes(parent, id) })),
        };
      }),
    },
    problems: [],
  };
}

function idOf(task: Json): string {
  return textOf(task.id ?? task.name);
}

/** Bytes, or in older files KB. */
function memoryOf({ memoryInBytes, memory }: Json): { readonly memoryBytes?: number } {
  const bytes = numberOf(memoryInBytes) ?? (numberOf(memory) ?? 0) * 1000;
  return bytes > 0 ? { memoryBytes: Math.ceil(bytes) } : {};
}

/** The command of a task, under which its jobs are recorded. */
function recordOf({ command }: Json): Pick<TaskDraft, "recordedAs"> {
  const { program, arguments: words } = mappingOf(command);
  const executable = textOf(program);
  if (executable === "") return {};
  return { recordedAs: { executable, arguments: listOf(words).map(textOf) } };
}

function sizesOf(files: unknown): ReadonlyMap<string, number> {
  return new Map(
    listOf(files)
      .map(mappingOf)
      .map((file) => [textOf(file.id), numberOf(file.sizeInBytes ?? file.size) ?? 0]),
  );
}

function filesOf(task: Json, sizes: ReadonlyMap<string, number>): TaskFiles {
  const listed = listOf(task.files).map(mappingOf);
  const named = (link: string) => listed.filter((file) => file.link === link);
  return {
    id: idOf(task),
    reads: [
      ...named("input").map((file) => ({
        name: textOf(file.name ?? file.id),
        bytes: numberOf(file.sizeInBytes ?? file.size),
      })),
      ...listOf(task.inputFiles)
        .map(textOf)
        .map((name) => ({ name, bytes: sizes.get(name) })),
    ],
    writes: [
      ...named("output").map((file) => ({
        name: textOf(file.name ?? file.id),
        bytes: numberOf(file.sizeInBytes ?? file.size) ?? 0,
      })),
      ...listOf(task.outputFiles).map((file) => ({
        name: textOf(file),
        bytes: sizes.get(textOf(file)) ?? 0,
      })),
    ],
  };
}
