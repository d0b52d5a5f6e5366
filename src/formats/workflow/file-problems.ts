/**
 * Problems of the files of a workflow in our own YAML: everything for which the broker would refuse to
 * execute it (rule FO-135), so that it is known before anything is planned.
 */
import { basename, resolve } from "node:path";
import { clashingName, isTaskPath } from "../../model/index.ts";
import type { TaskDraft, WorkflowDraft } from "../../plan/index.ts";
import { echoText } from "../echo-text.ts";
import { type FileState, fileState, type Remark, UNREADABLE, type Words } from "../yaml/index.ts";

/** Lines of words that belong to no task. */
interface Lines {
  readonly directory: number;
  readonly results: number;
}

/** Problems of the names alone. */
export function nameProblems(draft: WorkflowDraft, lines: Lines): readonly Remark[] {
  const { tasks, execution = {} } = draft;
  const writers = new Map<string, TaskDraft>();
  const written = tasks.flatMap((task) => outputProblems(task, writers));
  const read = tasks.flatMap((task) => readProblems(task, writers));
  const { directory, results = [] } = execution;
  const hasFiles = tasks.some(({ files }) => files !== undefined);
  const whole = [
    ...(directory !== undefined && hasFiles ? [{ ...sharedDirectory, line: lines.directory }] : []),
    ...results
      .filter((name) => !writers.has(name))
      .map((name) => ({ ...unknownResult(name), line: lines.results })),
  ];
  return [...written, ...read, ...whole];
}

/** Problems of the outputs of a task, which is then known as their writer. */
function outputProblems(task: TaskDraft, writers: Map<string, TaskDraft>): readonly Remark[] {
  return (task.files?.writes ?? []).flatMap((name) => {
    const other = writers.get(name);
    if (other === undefined) writers.set(name, task);
    return [
      ...(isTaskPath(name) ? [] : [about(task, notInner(task.id, name))]),
      ...(other === undefined ? [] : [about(task, twoWriters(name, other.id, task.id))]),
    ];
  });
}

function readProblems(task: TaskDraft, writers: ReadonlyMap<string, TaskDraft>): readonly Remark[] {
  const { id, files = { reads: [], writes: [] } } = task;
  const isGiven = (name: string): boolean => !writers.has(name);
  const inputs = files.reads.map((name) => (isGiven(name) ? basename(name) : name));
  const names = [...new Set([...inputs, ...files.writes])];
  const clash = clashingName(names);
  return [
    ...files.reads.flatMap((name): Remark[] => {
      if (writers.get(name) === task) return [about(task, ownOutput(id, name))];
      if (!isGiven(name)) return [];
      const base = basename(name);
      if (!isTaskPath(base)) return [about(task, notFile(id, name))];
      const writer = writers.get(base);
      return writer === undefined ? [] : [about(task, takenName(name, writer.id))];
    }),
    ...(clash === undefined ? [] : [about(task, fileInFile(id, names[clash]))]),
  ];
}

/** Problems of the user's files: each exists, and has a base name of its own. Paths begin at `folder`. */
export function inputProblems({ tasks }: WorkflowDraft, folder: string): readonly Remark[] {
  const written = new Set(tasks.flatMap(({ files }) => files?.writes ?? []));
  const seen = new Set<string>();
  const named = new Map<string, string>();
  return tasks.flatMap((task) =>
    (task.files?.reads ?? []).flatMap((name): Remark[] => {
      const path = resolve(folder, name);
      if (written.has(name) || seen.has(path)) return [];
      seen.add(path);
      const base = basename(path);
      const other = named.get(base);
      named.set(base, name);
      const state = fileState(path);
      return [
        ...(other === undefined ? [] : [about(task, sameBase(other, name))]),
        ...(state === "readable" ? [] : [about(task, noInput(task.id, name, { path, state }))]),
      ];
    }),
  );
}

function about({ line }: TaskDraft, words: Words): Remark {
  return line === undefined ? words : { ...words, line };
}

const notInner = (id: string, name: string): Words => ({
  code: "outputOutside",
  what: `task ${id} cannot write ${echoText(name)}`,
  why: "an output must be a relative path in the directory of its task, without . and ..",
  remedy: "write for instance outputs: [out/hits.dat], and let the program write to that path",
});
const twoWriters = (name: string, one: string, other: string): Words => ({
  code: "twoWriters",
  what:
    one === other
      ? `${echoText(name)} is listed twice among the outputs of ${one}`
      : `${echoText(name)} is written by both ${one} and ${other}`,
  why: "each file of a workflow may be written by only one task",
  remedy: "remove it from the outputs of one task, or give it another name there",
});
const ownOutput = (id: string, name: string): Words => ({
  code: "ownOutput",
  what: `task ${id} reads its own output ${echoText(name)}`,
  why: "an input is complete before its task starts, and is read-only",
  remedy: "remove it from the inputs, or from the outputs",
});
const notFile = (id: string, name: string): Words => ({
  code: "inputUnnamed",
  what: `task ${id} cannot read ${echoText(name)}`,
  why: "it is not the path of a file; no task writes it, and it has no base name of printable characters",
  remedy: "name a file, for instance inputs: [genome.fa]",
});
const takenName = (name: string, writer: string): Words => ({
  code: "inputNamedAsOutput",
  what: `your file ${echoText(name)} has the name of an output of ${writer}`,
  why: `tasks receive your files under their base names, and ${writer} writes a file of that name`,
  remedy: "rename one of them",
});
const fileInFile = (id: string, name: string): Words => ({
  code: "fileIsDirectory",
  what: `in task ${id} another file has the same name as a directory in the path ${echoText(name)}`,
  why: "all inputs and outputs of a task are in one directory",
  remedy: "rename one of them",
});
const sharedDirectory: Words = {
  code: "directoryWithFiles",
  what: "directory cannot be used if tasks have inputs or outputs",
  why: "each task then runs in its own directory",
  remedy: "remove directory; or remove inputs and outputs, if all sites share that directory",
};
const unknownResult = (name: string): Words => ({
  code: "unknownResult",
  what: `${echoText(name)} is a result, and no task writes it`,
  why: "results are outputs that are kept although tasks read them",
  remedy: "correct the name, or add it to the outputs of the task that writes it",
});
const sameBase = (one: string, other: string): Words => ({
  code: "inputsNamedAlike",
  what: `${echoText(one)} and ${echoText(other)} cannot both be inputs of a workflow`,
  why: "tasks receive your files under their base names, which are the same here",
  remedy: "rename one of them",
});
const REMEDIES: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "correct the path, which begins at the workflow file; or add it to the outputs of a task",
  directory: "name the files in it one by one, or pack it with tar",
  notReadable: "ask its owner for read permission, or use a copy of your own",
};
function noInput(
  id: string,
  name: string,
  { path, state }: { readonly path: string; readonly state: Exclude<FileState, "readable"> },
): Words {
  return {
    code: "inputUnreadable",
    what: `task ${id} cannot read ${echoText(name)}`,
    why: `no task writes it, and ${UNREADABLE[state]}: ${path}`,
    remedy: REMEDIES[state],
  };
}
