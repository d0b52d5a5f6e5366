/**
 * Looks at single jobs, and orders for them, in company where several are wanted at a time.
 *
 * Twice the same order is as good as one: the second does not apply, which is no mistake.
 */
import { readQueue, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { ClusterJob } from "../../model/index.ts";
import { type Batched, together } from "./command-batch.ts";
import type { RunCommand } from "./run-command.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** What changes something waits for a controller that is busy: whether it was done is then known. */
export const ORDER_TIMEOUT_MS = 60_000;
/** So many ids fit into any command; who waits a quarter of a second waits in company. */
const COMPANY = { most: 100, pauseMs: 250 };

/** Orders that came too late, or do not apply, are no mistakes. */
const PASSED: ReadonlySet<Trouble> = new Set(["unknownJob", "jobOver", "notApplicable"]);

/** What can be asked for single jobs, by their ids (digits). */
export interface JobOrders {
  /** The job as the queue shows it; undefined where it is over or unknown. @throws Fault */
  look(siteJob: string): Promise<ClusterJob | undefined>;
  /** Gives an order whose words end in the job. @throws Fault where it was not taken */
  give(words: readonly string[], siteJob: string): Promise<void>;
}

/** Orders through these commands. */
export function jobOrders(run: RunCommand): JobOrders {
  const look = together(COMPANY, (siteJobs: readonly string[]) => lookAt(run, siteJobs));
  const orders = new Map<string, Batched<string, undefined>>();
  return {
    look,
    async give(words, siteJob) {
      const name = words.join(" ");
      const known = orders.get(name);
      const give = known ?? together(COMPANY, (siteJobs) => order(run, words, siteJobs));
      if (known === undefined) orders.set(name, give);
      await give(siteJob);
    },
  };
}

async function lookAt(
  run: RunCommand,
  siteJobs: readonly string[],
): Promise<readonly (ClusterJob | undefined)[]> {
  const words = [...SQUEUE_COMMAND, `--jobs=${siteJobs.join(",")}`];
  const result = await run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  // It says so only where it is asked for one job.
  if (trouble === "unknownJob") return siteJobs.map(() => undefined);
  const isSilent = result.stdout.length === 0 && result.stderr.trim() !== "";
  if (trouble !== undefined || isSilent) throw slurmFault(`cannot see job ${siteJobs.join(", ")}`, result);
  const { jobs } = readQueue(result.stdout.toString("utf8"));
  return siteJobs.map((id) => jobs.find(({ siteJob }) => siteJob === id));
}

/** Of several it says of each what it did not do, and does the others. */
async function order(
  run: RunCommand,
  words: readonly string[],
  siteJobs: readonly string[],
): Promise<readonly undefined[]> {
  const ids = words[0] === "scontrol" ? [siteJobs.join(",")] : siteJobs;
  const result = await run({ words: [...words, ...ids], timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  const isAlone = siteJobs.length === 1;
  if (trouble === undefined || (isAlone && PASSED.has(trouble))) return siteJobs.map(() => undefined);
  throw slurmFault(`cannot order ${words.slice(-1)} for job ${siteJobs.join(", ")}`, result);
}
