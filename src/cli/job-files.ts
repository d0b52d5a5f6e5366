/** Files of a job: its two streams, and those of its output sandbox. */
import type { FileView, JobView } from "../api/client/index.ts";

/** Names of the two streams in the job's directory. */
export function streamFiles(job: JobView): { readonly stdout: string; readonly stderr: string } {
  return {
    stdout: job.stdOutput,
    stderr: job.stdError,
  };
}

/** Selects the existing files to download, and the sandbox names that match no file. */
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

/** A pattern in which `*` is any characters and `?` is one; everything else is literal. */
function matcher(pattern: string): RegExp {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (special) => {
    if (special === "*") return ".*";
    return special === "?" ? "." : `\\${special}`;
  });
  return new RegExp(`^${source}$`, "su");
}
