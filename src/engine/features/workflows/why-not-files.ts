/** Checks the files of a workflow against its tasks: each has one writer, and its readers wait for it. */
import { type Command, isInnerPath, type OfKind } from "../../../model/index.ts";

/** Error in a field of a request. */
export interface Wrong {
  readonly field: string;
  readonly why: string;
}

/** First error in the files of a workflow; undefined if there is none. */
export function whyNotFiles({
  tasks,
  files = [],
  directory,
}: OfKind<Command, "startWorkflow">): Wrong | undefined {
  if (files.length > 0 && directory !== null) {
    return {
      field: "directory",
      why: "it cannot be used if tasks have files, because each task then runs in its own directory",
    };
  }
  const writers = new Map<number, number>();
  for (const [task, { id, writes = [] }] of tasks.entries()) {
    for (const at of writes) {
      if (files[at]?.writer !== task)
        return { field: `tasks[${task}]`, why: whyNotWriter(id, { at, files, tasks }) };
      writers.set(at, task);
    }
  }
  const names = new Set<string>();
  for (const [at, { name, path = name, writer }] of files.entries()) {
    const field = `files[${at}]`;
    if (!isInnerPath(path) || !isPlain(path))
      return { field, why: `"${path}" is not a path within a directory` };
    if (!isInnerPath(name) || !isPlain(name))
      return { field, why: `"${name}" is not a path within a directory` };
    if (names.has(name)) return { field, why: `two files have the name ${name}` };
    names.add(name);
    if (writer !== null && writers.get(at) !== writer) return { field, why: `no task writes ${name}` };
  }
  for (const [task, { id, reads = [], parents }] of tasks.entries()) {
    for (const at of reads) {
      const field = `tasks[${task}]`;
      const file = files[at];
      if (file === undefined) return { field, why: `${id} reads file ${at}, which does not exist` };
      if (file.writer !== null && !parents.includes(file.writer)) {
        return {
          field,
          why: `${id} reads ${file.name} but does not wait for ${tasks[file.writer].id}, which writes it`,
        };
      }
    }
  }
  return undefined;
}

/** Reason why a file in the outputs of a task has another writer, or none. */
function whyNotWriter(
  id: string,
  {
    at,
    files = [],
    tasks,
  }: { readonly at: number } & Pick<OfKind<Command, "startWorkflow">, "files" | "tasks">,
): string {
  const { name, writer } = files[at] ?? {};
  if (name === undefined || writer === undefined) return `${id} writes file ${at}, which does not exist`;
  if (writer === null) return `${name} is written by ${id}, and it is also one of the user's files`;
  return `${name} is written by both ${tasks[writer]?.id ?? `task ${writer}`} and ${id}`;
}

/** Names are words in lists of a shell: without control characters, and without blanks at their ends. */
function isPlain(name: string): boolean {
  return !/\p{Cc}/u.test(name) && name.trim() === name && !name.startsWith("-");
}
