/**
 * Jobs that a job waits for. Source: squeue(1) and sbatch(1), --dependency.
 * `afterok:1(unfulfilled),afterany:2`: all of them; with `?` between them one is enough; `(failed)` is
 * Slurm's word for never.
 */
import type { AwaitedJobs, JobDependency } from "../../model/index.ts";

/** Parses squeue's dependency of a job. */
export function jobDependency(words: string): JobDependency {
  return {
    words,
    isAnyEnough: words.includes("?"),
    awaited: words.split(/[,?]/).flatMap(awaitedIn),
  };
}

/** `afterok:1_*(unfulfilled):2+10`: one relation with several jobs. */
function awaitedIn(part: string): readonly AwaitedJobs[] {
  const [relation = "", ...ids] = part.trim().split(":");
  if (relation === "") return [];
  if (ids.length === 0) return [awaited(bareOf(relation), relation, null)];
  return ids.map((written) => awaited(relation, written, bareOf(written).replace(/\+\d+$|_\*$/, "")));
}

function awaited(relation: string, written: string, siteJob: string | null): AwaitedJobs {
  const says = /\(([^)]*)\)/.exec(written)?.[1] ?? null;
  return { relation, siteJob, says, isNeverMet: says === "failed" };
}

function bareOf(written: string): string {
  return written.replace(/\(.*/, "");
}
