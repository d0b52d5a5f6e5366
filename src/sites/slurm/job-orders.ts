/**
 * Looks at single jobs, and orders for them, in company where several are wanted at a time.
 *
 * Twice the same order is as good as one: the second does not apply, which is no mistake.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { readQueue, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { ClusterJob } from "../../model/index.ts";
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

// One command for what several ask at the same time.
//
// Every command is a process here and a visit to the controller (or a login node) there, and for one job it
// takes as long as for eight. Who comes first is served at once; who comes soon after shares the next
// command with the others that came. A command that fails for several is given for each of them
// alone, so that each learns what became of its own, unless it is the way there that is broken.

/** Does something for one item, in company where there is some. */
type Batched<Item, Answer> = (item: Item) => Promise<Answer>;

interface Asked<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Failures that every one of them would meet again. */
const OF_THE_WAY: ReadonlySet<string> = new Set([
  "siteUnreachable",
  "siteHung",
  "siteCredentials",
  "siteCommandMissing",
]);

/** How many at once, and how long after one command the next begins. */
interface Company {
  readonly most: number;
  readonly pauseMs: number;
}

/**
 * What does `deed` for those who ask; its answers are in the order of the items. Doing it twice for an item
 * has to be the same as once.
 */
export function together<Item, Answer>(
  { most, pauseMs }: Company,
  deed: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Batched<Item, Answer> {
  let waiting: Asked<Item, Answer>[] = [];
  let isUnderWay = false;
  const begin = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const now = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await doneForAll(now, deed);
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
  deed: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await deed(asked.map(({ item }) => item));
    asked.forEach(({ resolve }, at) => {
      resolve(answers[at]);
    });
  } catch (error) {
    if (asked.length === 1 || (error instanceof Fault && OF_THE_WAY.has(error.code))) {
      for (const { reject } of asked) reject(error);
    } else await Promise.all(asked.map((one) => doneForAll([one], deed)));
  }
}
