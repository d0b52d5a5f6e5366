/**
 * Orders that move one of our jobs in the queue: requeue, higher or lower priority.
 *
 * Jobs are submitted so that Slurm never reruns one by itself, since after a node failure the first
 * processes may live on. A requeue is enabled only for its moment, and its second run needs a permission
 * file in the attempt's directory, made for this job and used once: without it the wrapper begins nothing
 * (rule SU-9).
 */
import { Fault } from "../../base/index.ts";
import type { ClusterJob } from "../../model/index.ts";
import type { PlacedAttempt } from "../../runtime/index.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import type { RunCommand } from "./run-command.ts";
import type { AttemptFiles } from "./site-files.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** Failures of orders that came too late or do not apply. */
const NOT_NEEDED: ReadonlySet<Trouble> = new Set(["unknownJob", "jobOver", "notApplicable"]);

/**
 * Requeues a running job.
 *
 * @throws Fault if it was refused (nothing has changed), or if the outcome is unknown; a repetition is
 * carried out once
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
 * Sets the priority of a waiting job: lower by its nice value, which its owner may do and which lets it
 * grow with age; higher directly, which needs an operator.
 *
 * @throws Fault `siteNotAllowed`, and `priorityRaised` without `mayRaise`
 */
export async function giveRank(
  run: RunCommand,
  { siteJob, priority, nice }: ClusterJob,
  { priority: wanted, mayRaise }: { readonly priority: number; readonly mayRaise: boolean },
): Promise<void> {
  const withoutNice = (priority ?? 0) + nice;
  if (wanted > withoutNice && !mayRaise) throw raised(siteJob, wanted, withoutNice);
  const change = wanted <= withoutNice ? `Nice=${withoutNice - wanted}` : `Priority=${wanted}`;
  const words = ["scontrol", "update", `JobId=${siteJob}`, change];
  await order(run, `cannot set the priority of job ${siteJob} to ${wanted}`, words);
}

function raised(siteJob: string, wanted: number, most: number): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "priorityRaised",
    what: `the priority of job ${siteJob} cannot be raised to ${wanted}`,
    why: `its queue gives it ${most}, and only administrators and operators may raise it above that`,
    remedy: `set at most ${most}, for instance to place it behind other jobs of yours`,
  });
}

/** True if the order was carried out. */
async function order(run: RunCommand, what: string, words: readonly string[]): Promise<boolean> {
  const result = await run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  if (trouble === undefined) return true;
  if (NOT_NEEDED.has(trouble)) return false;
  throw slurmFault(what, result);
}
