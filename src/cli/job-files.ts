/**
 * Which of a job's files are its streams, and which it wants home.
 */
import type { FileView, JobView } from "../api/client/index.ts";

/** The names of its two streams in the job's directory. */
export function streamFiles(job: JobView): { readonly stdout: string; readonly stderr: string } {
  return {
    stdout: job.stdOutput,
    stderr: job.stdError,
  };
}

/** What is brought home of the files that are there, and which names of the sandbox nothing matches. */
export function filesWanted(
  job: JobView,
  files: readonly FileView[],
): { readonly wanted: readonly FileView[]; readonly missing: readonly string[] } {
  const { stdout, stderr } = streamFiles(job);
  const patterns = job.outputSandbox;
  const matchers = patterns.map(matcher);
  const wanted = files.filter(
    ({ name }) => name === stdout || name === stderr || matchers.some((matches) => matches.test(name)),
  );
  const missing = patterns.filter((_, at) => !files.some(({ name }) => matchers[at].test(name)));
  return { wanted, missing };
}

/** `*` is any characters and `?` is one; everything else is itself. */
function matcher(pattern: string): RegExp {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (special) => {
    if (special === "*") return ".*";
    return special === "?" ? "." : `\\${special}`;
  });
  return new RegExp(`^${source}$`, "su");
}
