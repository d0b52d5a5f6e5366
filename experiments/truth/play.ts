/**
 * A workload played on a real cluster: its jobs submitted at their instants, the queue looked at until all
 * have started.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Survey } from "../../src/engine/index.ts";
import type { ForeignSite } from "../../src/runtime/index.ts";
import { slurm } from "./clusters.ts";
import type { Starts } from "./compare.ts";
import type { SeenQueue } from "./plan.ts";
import { CLUSTER_PROCS, QUOTE_AT_MS, type SleepingJob, type TruthWorkload } from "./workload.ts";

/** Where and when it is played. */
export interface PlayOrder {
  readonly workload: TruthWorkload;
  readonly slurmConf: string;
  /** To look with. */
  readonly site: Pick<ForeignSite, "survey">;
  /** When the play begins, in Unix ms. */
  readonly beginsAtMs: number;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
  /** Done at the instant of the question, right after the queue was looked at. */
  readonly atQuestion?: () => Promise<void>;
}

/** What came of it. */
export interface Played {
  readonly starts: Starts;
  /** The queue at the instant of the question. */
  readonly seen: SeenQueue;
}

const LOOK_EVERY_MS = 2000;
const LIMIT_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/** Plays it until every job has started. Jobs may still run then. */
export async function play(order: PlayOrder): Promise<Played> {
  const { workload, site, beginsAtMs, signal } = order;
  const nameOf = new Map<string, string>();
  const starts = new Map<string, number>();
  const look = async (): Promise<Survey> => {
    const survey = await site.survey();
    for (const { siteJob, startedAtMs } of survey.jobs) {
      const name = nameOf.get(siteJob);
      if (name !== undefined && startedAtMs !== null) starts.set(name, startedAtMs - beginsAtMs);
    }
    return survey;
  };
  const watch = async (): Promise<void> => {
    while (starts.size < workload.jobs.length) {
      if (Date.now() > beginsAtMs + LIMIT_MS) throw new Error(`jobs of seed ${workload.seed} do not start`);
      await delay(LOOK_EVERY_MS, undefined, { signal });
      await look();
    }
  };
  const question = async (): Promise<SeenQueue> => {
    await until(beginsAtMs + QUOTE_AT_MS, signal);
    const seen = seenQueue(await look(), nameOf);
    await order.atQuestion?.();
    return seen;
  };
  const [seen] = await Promise.all([question(), submitAll(order, nameOf), watch()]);
  return { starts, seen };
}

/** A survey as a queue of named jobs; jobs beyond their limits are taken to end within a minute. */
export function seenQueue({ atMs, jobs }: Survey, nameOf: ReadonlyMap<string, string>): SeenQueue {
  const named = jobs.map((job) => ({
    ...job,
    name: nameOf.get(job.siteJob) ?? job.siteJob,
    limitMs: job.limitMs ?? MINUTE_MS,
  }));
  return {
    atMs,
    procs: CLUSTER_PROCS,
    running: named
      .filter(({ state }) => state === "running")
      .map(({ name, procs, startedAtMs, limitMs }) => {
        const endMs = (startedAtMs ?? atMs) + limitMs;
        return { name, procs, endMs: endMs > atMs ? endMs : atMs + MINUTE_MS };
      }),
    waiting: named
      .filter(({ state }) => state === "waiting")
      .map(({ name, procs, limitMs }) => ({ name, procs, limitMs })),
  };
}

async function submitAll(
  { workload, slurmConf, beginsAtMs, signal }: PlayOrder,
  nameOf: Map<string, string>,
): Promise<void> {
  for (const job of workload.jobs) {
    await until(beginsAtMs + job.atMs, signal);
    nameOf.set(await submit(slurmConf, job), job.name);
  }
}

async function submit(slurmConf: string, job: SleepingJob): Promise<string> {
  const size = ["--ntasks", String(job.procs), "--time", String(job.limitMinutes)];
  const place = ["--job-name", job.name, "--output", "/dev/null", "--chdir", "/"];
  const words = ["--parsable", ...size, ...place, "--wrap", `sleep ${job.sleepSeconds}`];
  return (await slurm(slurmConf, "sbatch", ...words)).trim();
}

async function until(atMs: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, atMs - Date.now()), undefined, { signal });
}
