/**
 * Readings of single jobs and orders for them; simultaneous ones share a command.
 *
 * A repeated order does not apply any more, which is no error.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { readQueue, type SlurmJob, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { ClusterJobState } from "../../model/index.ts";
import type { SiteVerb } from "../../runtime/index.ts";
import { arraysOf, taskLists, withOwnTasks } from "./queued-tasks.ts";
import type { RunCommand } from "./run-command.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** Timeout in ms of commands that change something: a busy controller then still gives a certain answer. */
export const ORDER_TIMEOUT_MS = 60_000;
/** Largest number of ids in one command, and the wait for further ones, in ms. */
const BATCH = { most: 500, pauseMs: 250 };

/** Failures of orders that came too late or do not apply, which count as done. */
const NOT_NEEDED: ReadonlySet<Trouble> = new Set(["unknownJob", "jobOver", "notApplicable"]);

/** States of a job in which an order applies, and the words of the order. */
export const VERBS: Readonly<
  Record<SiteVerb, { readonly to: readonly ClusterJobState[]; readonly words: readonly string[] }>
> = {
  // One that ends may do so only in order to be requeued.
  cancel: { to: ["waiting", "held", "running", "suspended", "ending"], words: ["scancel"] },
  hold: { to: ["waiting"], words: ["scontrol", "uhold"] },
  release: { to: ["held"], words: ["scontrol", "release"] },
  suspend: { to: ["running"], words: ["scontrol", "suspend"] },
  resume: { to: ["suspended"], words: ["scontrol", "resume"] },
};

/** Readings and orders for single jobs, by id (digits). */
export interface JobOrders {
  /** Reads a job from the queue; undefined if it has ended or is unknown. @throws Fault */
  look(siteJob: string): Promise<SlurmJob | undefined>;
  /**
   * Gives an order whose last word is the job, or `JobId=` and the job where the order ends with `JobId=`.
   *
   * @throws Fault if it was not carried out
   */
  give(words: readonly string[], siteJob: string): Promise<void>;
}

/** Orders through these commands. */
export function jobOrders(run: RunCommand): JobOrders {
  const look = batch(BATCH, (siteJobs: readonly string[]) => lookAt(run, siteJobs));
  const orders = new Map<string, Batched<string, undefined>>();
  return {
    look,
    async give(words, siteJob) {
      const name = words.join(" ");
      const known = orders.get(name);
      const give = known ?? batch(BATCH, (siteJobs) => order(run, words, siteJobs));
      if (known === undefined) orders.set(name, give);
      await give(siteJob);
    },
  };
}

async function lookAt(
  run: RunCommand,
  siteJobs: readonly string[],
): Promise<readonly (SlurmJob | undefined)[]> {
  const words = [...SQUEUE_COMMAND, `--jobs=${arraysOf(siteJobs).join(",")}`];
  const result = await run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  // It says so only where it is asked for one job.
  if (trouble === "unknownJob") return siteJobs.map(() => undefined);
  const isSilent = result.stdout.length === 0 && result.stderr.trim() !== "";
  if (trouble !== undefined || isSilent) throw slurmFault(`cannot see job ${siteJobs.join(", ")}`, result);
  const jobs = withOwnTasks(readQueue(result.stdout.toString("utf8")).jobs);
  return siteJobs.map((id) => jobs.find(({ siteJob }) => siteJob === id));
}

/** Gives one order for several jobs; Slurm names those that failed and changes the others. */
async function order(
  run: RunCommand,
  words: readonly string[],
  siteJobs: readonly string[],
): Promise<readonly undefined[]> {
  const named = taskLists(siteJobs);
  const result = await run({ words: withJobs(words, named), timeoutMs: ORDER_TIMEOUT_MS });
  const trouble = troubleOf(result);
  const isAlone = siteJobs.length === 1;
  if (trouble === undefined || (isAlone && NOT_NEEDED.has(trouble))) return siteJobs.map(() => undefined);
  throw slurmFault(`cannot order ${words.slice(-1)} for job ${siteJobs.join(", ")}`, result);
}

function withJobs(words: readonly string[], named: readonly string[]): readonly string[] {
  if (words.at(-1) === "JobId=") return [...words.slice(0, -1), `JobId=${named.join(",")}`];
  return [...words, ...(words[0] === "scontrol" ? [named.join(",")] : named)];
}

// One command for what several ask at the same time.
//
// Every command is a process here and a visit to the controller (or a login node) there, and for one job it
// takes as long as for eight. Who comes first is served at once; who comes soon after shares the next
// command with the others that came. A command that fails for several is given for each of them
// alone, so that each learns what became of its own, unless it is the way there that is broken.

/** Handles one item, together with others if there are some. */
type Batched<Item, Answer> = (item: Item) => Promise<Answer>;

interface Asked<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Failures that would meet every item of a batch. */
const COMMON_FAILURES: ReadonlySet<string> = new Set([
  "siteUnreachable",
  "siteHung",
  "siteCredentials",
  "siteCommandMissing",
]);

/** Largest batch, and the pause between two commands, in ms. */
interface BatchLimits {
  readonly most: number;
  readonly pauseMs: number;
}

/**
 * Batches simultaneous calls of `deed`, which answers in the order of the items. Handling an item twice
 * must be the same as once.
 */
export function batch<Item, Answer>(
  { most, pauseMs }: BatchLimits,
  operation: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Batched<Item, Answer> {
  let waiting: Asked<Item, Answer>[] = [];
  let isUnderWay = false;
  const begin = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const now = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await doneForAll(now, operation);
      await delay(pauseMs);
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void begin();
    });
}

async function doneForAll<Item, Answer>(
  asked: readonly Asked<Item, Answer>[],
  operation: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await operation(asked.map(({ item }) => item));
    asked.forEach(({ resolve }, at) => {
      resolve(answers[at]);
    });
  } catch (error) {
    if (asked.length === 1 || (error instanceof Fault && COMMON_FAILURES.has(error.code))) {
      for (const { reject } of asked) reject(error);
    } else await Promise.all(smaller(asked).map((part) => doneForAll(part, operation)));
  }
}

/** Few go one by one; of many, the half with a failure is looked for first. */
function smaller<Item>(asked: readonly Item[]): readonly (readonly Item[])[] {
  if (asked.length <= 8) return asked.map((one) => [one]);
  const half = Math.ceil(asked.length / 2);
  return [asked.slice(0, half), asked.slice(half)];
}
