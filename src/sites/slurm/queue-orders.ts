/**
 * Orders that change where a job of ours stands in the queue: back into it, and before or behind others.
 *
 * Jobs are submitted so that Slurm never runs one twice by itself, since after a node has failed the first
 * processes may live on. So a requeue is made possible for its one moment only, and its second run finds a
 * permission in the attempt's directory, made for this job and used up by being found: without one the
 * wrapper begins nothing (rules SU-9, SU-13).
 */
import { Fault } from "../../base/index.ts";
import type { ClusterJob } from "../../model/index.ts";
import type { PlacedAttempt } from "../../runtime/index.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import type { RunCommand } from "./run-command.ts";
import type { AttemptFiles } from "./site-files.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** It came too late, or does not apply. */
const PASSED: ReadonlySet<Trouble> = new Set(["unknownJob", "jobOver", "notApplicable"]);

/**
 * Puts a job that runs back into the queue.
 *
 * @throws Fault where it was refused (nothing has changed), or where it is not known whether it was done:
 *   asked again, it is done once
 */
export async function requeueJob(
  run: RunCommand,
  files: AttemptFiles,
  { token, siteJob }: PlacedAttempt,
): Promise<void> {
  const give = (words: readonly string[]) => order(run, `cannot requeue ${token}`, words);
  const mayBeRequeued = (value: 0 | 1) =>
    give(["scontrol", "update", `JobId=${siteJob}`, `Requeue=${value}`]);
  await files.permitAgain(token, siteJob);
  try {
    const isTaken = (await mayBeRequeued(1)) && (await give(["scontrol", "requeue", siteJob]));
    if (!isTaken) await files.forbidAgain(token, siteJob);
    await mayBeRequeued(0);
  } catch (error) {
    const isCertain = error instanceof Fault && error.kind !== "unreachable";
    if (isCertain) await files.forbidAgain(token, siteJob);
    throw error;
  }
}

/**
 * Gives a job that waits a priority: by its nice value where it is to become less, which its owner may do
 * and which leaves it growing with age; outright, for which one has to be an operator, where more.
 *
 * @throws Fault `siteNotAllowed`
 */
export async function giveRank(
  run: RunCommand,
  { siteJob, priority, nice }: ClusterJob,
  wanted: number,
): Promise<void> {
  const withoutNice = (priority ?? 0) + nice;
  const change = wanted <= withoutNice ? `Nice=${withoutNice - wanted}` : `Priority=${wanted}`;
  const words = ["scontrol", "update", `JobId=${siteJob}`, change];
  await order(run, `cannot set the priority of job ${siteJob} to ${wanted}`, words);
}

/** Whether it was taken. */
async function order(run: RunCommand, what: string, words: readonly string[]): Promise<boolean> {
  const result = await run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  if (trouble === undefined) return true;
  if (PASSED.has(trouble)) return false;
  throw slurmFault(what, result);
}
