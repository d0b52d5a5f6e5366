/** Checks the files of a workflow against its tasks: each has one writer, and its readers wait for it. */
import { type Command, isTaskPath, type OfKind } from "../../../model/index.ts";

/** Error in a field of a request. */
export interface Wrong {
  readonly field: string;
  readonly why: string;
}

/** First error in the files of a workflow; undefined if there is none. */
export function whyNotFiles(command: OfKind<Command, "startWorkflow">): Wrong | undefined {
  const { tasks, files = [], directory } = command;
  if (files.length > 0 && directory !== null) {
    return {
      field: "directory",
      why: "it cannot be used if tasks have files, because each task then runs in its own directory",
    };
  }
  const writers = new Map<number, number>();
  for (const [task, { writes = [] }] of tasks.entries()) {
    for (const at of writes) {
      if (files[at]?.writer !== task)
        return { field: `tasks[${task}]`, why: whyNotWriter(command, { task, at }) };
      writers.set(at, task);
    }
  }
  const names = new Set<string>();
  for (const [at, { name, path = name, writer }] of files.entries()) {
    const field = `files[${at}]`;
    if (!isTaskPath(path)) return { field, why: `"${path}" is not a path within a directory` };
    if (!isTaskPath(name)) return { field, why: `"${name}" is not a path within a directory` };
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
  { files = [], tasks }: Pick<OfKind<Command, "startWorkflow">, "files" | "tasks">,
  { task, at }: { readonly task: number; readonly at: number },
): string {
  const { id } = tasks[task];
  const { name, writer } = files[at] ?? {};
  if (name === undefined || writer === undefined) return `${id} writes file ${at}, which does not exist`;
  if (writer === null) return `${name} is written by ${id}, and it is also one of the user's files`;
  const [first, second] = [task, writer].sort((one, other) => one - other);
  return `${name} is written by both ${tasks[first]?.id} and ${tasks[second]?.id}`;
}
