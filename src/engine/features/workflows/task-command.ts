/** Command of a task that is a job of its own, which first creates the directories of its outputs. */
import { foldersOf } from "../../../model/index.ts";

/** Creates the directories before `--`, makes a program that is an input executable, then runs the rest. */
const SCRIPT =
  'until [ "$1" = -- ]; do mkdir -p -- "$1" || exit; shift; done; shift; ' +
  'case $1 in ./*) chmod u+x -- "$1" ;; esac; exec "$@"';

interface TaskCommand {
  readonly executable: string;
  readonly arguments: readonly string[];
}

/** The command itself if no output is in a directory. Names are arguments: no shell expands them. */
export function taskCommand(
  { executable, arguments: words }: TaskCommand,
  { reads, writes }: { readonly reads: readonly string[]; readonly writes: readonly string[] },
): TaskCommand {
  const folders = new Set(writes.flatMap((path) => foldersOf(path).slice(-1)));
  if (folders.size === 0) return { executable, arguments: words };
  const program = reads.includes(executable) ? `./${executable}` : executable;
  return { executable: "/bin/sh", arguments: ["-c", SCRIPT, "sh", ...folders, "--", program, ...words] };
}
