/** Files of a job: its two streams, and those of its output sandbox. */
import type { FileView, JobView } from "../api/client/index.ts";
import { isPattern, patternExpression } from "../formats/input-files/index.ts";
import { foldersOf } from "../model/index.ts";

/** Names of the two streams in the job's directory. */
export function streamFiles(job: JobView): { readonly stdout: string; readonly stderr: string } {
  return {
    stdout: job.stdOutput,
    stderr: job.stdError,
  };
}

/**
 * Selects the existing files to download, and the entries of the output sandbox that match no file. A
 * directory that an entry names or matches is downloaded with all that it has.
 */
export function filesWanted(
  job: JobView,
  files: readonly FileView[],
): { readonly wanted: readonly FileView[]; readonly missing: readonly string[] } {
  const { stdout, stderr } = streamFiles(job);
  const wanted = new Set<FileView>(files.filter(({ name }) => name === stdout || name === stderr));
  const missing: string[] = [];
  for (const entry of job.outputSandbox) {
    const matches = matcherOf(entry);
    const found = files.filter(({ name }) => matches(name));
    for (const file of found) wanted.add(file);
    if (found.length === 0) missing.push(entry);
  }
  return { wanted: files.filter((file) => wanted.has(file)), missing };
}

/** True if an entry of an output sandbox names this file, or a directory that contains it. */
function matcherOf(entry: string): (name: string) => boolean {
  const path = entry.replace(/\/$/, "");
  const isDirectory = path !== entry;
  if (!isPattern(path)) return (name) => name.startsWith(`${path}/`) || (!isDirectory && name === path);
  const expression = patternExpression(path.split("/"));
  const isMatch = (part: string): boolean => expression.test(part);
  return (name) => foldersOf(name).some(isMatch) || (!isDirectory && isMatch(name));
}
