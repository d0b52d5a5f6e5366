/**
 * A workload played on a real cluster, and what its accounting says of it.
 *
 * When a job was suspended is in no accounting: that is looked at, every second.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import type { PlayedJob, PlayedSite } from "../policies/play-sites.ts";
import { slurm } from "../truth/clusters.ts";
import { PLAY_MS, PROCS } from "./workload.ts";

/** Where and when it is played. */
export interface PlayOrder {
  readonly jobs: readonly OwnedJob[];
  readonly slurmConf: string;
  /** The program: so many seconds of being allowed to run. */
  readonly program: string;
  /** Unix ms. */
  readonly beginsAtMs: number;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
}

/** A stretch in which a job did not run. */
interface Stop {
  readonly fromMs: number;
  readonly toMs: number;
}

const LOOK_EVERY_MS = 1000;
/** The accounting is a little behind. */
const SETTLE_MS = 4000;
const MOST_LOOKS = 10;
const SECOND_MS = 1000;
const LIMIT_MINUTES = "60";

/**
 * What is run: seconds that are counted while the program runs. A sleep would go on while it is stopped. No
 * process is started for a second.
 */
export const PROGRAM =
  "#!/bin/bash\nexec {tick}<> <(:)\n" +
  'for ((done = 0; done < $1; done++)); do read -r -t 1 -u "$tick"; done\nexit 0\n';

/** Plays it for its time. Jobs may still run or wait then. */
export async function play(order: PlayOrder): Promise<PlayedSite> {
  const { slurmConf, beginsAtMs, signal } = order;
  const idOf = new Map<string, OwnedJob>();
  const stops = new Map<string, Stop[]>();
  const watch = async (): Promise<void> => {
    let lastMs = Date.now();
    while (Date.now() < beginsAtMs + PLAY_MS) {
      await delay(LOOK_EVERY_MS, undefined, { signal });
      const suspended = await slurm(slurmConf, "squeue", "-h", "-t", "SUSPENDED", "-o", "%i");
      const nowMs = Date.now();
      for (const id of suspended.split("\n").filter(Boolean)) {
        stops.set(id, [...(stops.get(id) ?? []), { fromMs: lastMs - beginsAtMs, toMs: nowMs - beginsAtMs }]);
      }
      lastMs = nowMs;
    }
  };
  await Promise.all([submitAll(order, idOf), watch()]);
  const accounted = await accountedJobs(slurmConf, [...idOf.keys()], signal);
  const jobs = [...idOf].map(([id, job]) =>
    playedJob(job, accounted.get(id) ?? [], { beginsAtMs, stops: stops.get(id) ?? [] }),
  );
  return { jobs, procs: PROCS, untilMs: PLAY_MS };
}

/** Submission, start and end by id, of all but those that wait: of them the accounting may say nothing. */
async function accountedJobs(
  slurmConf: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = ["-X", "-P", "-n", "-S", "now-2hours", "-o", "JobIDRaw,Submit,Start,End"];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await delay(SETTLE_MS, undefined, { signal });
    const rows = await slurm(slurmConf, "env", "SLURM_TIME_FORMAT=%s", "sacct", ...words);
    const found = new Map(
      rows.split("\n").map((row) => {
        const [id, ...instants] = row.split("|");
        return [id, instants];
      }),
    );
    const waiting = new Set(
      (await slurm(slurmConf, "squeue", "-h", "-t", "PENDING", "-o", "%i")).split("\n"),
    );
    if (ids.every((id) => found.has(id) || waiting.has(id))) return found;
  }
  throw new Error("jobs are neither in the accounting nor in the queue");
}

/**
 * A row of the accounting as a job that ran, without the stretches in which it was stopped.
 *
 * @param instants submission, start and end, in Unix seconds or a word
 */
export function playedJob(
  job: OwnedJob,
  instants: readonly string[],
  { beginsAtMs, stops }: { readonly beginsAtMs: number; readonly stops: readonly Stop[] },
): PlayedJob {
  const since = (text: string | undefined): number | null => {
    const ms = /^\d+$/.test(text ?? "") ? Number(text) * SECOND_MS - beginsAtMs : null;
    return ms === null || ms >= PLAY_MS ? null : Math.max(0, ms);
  };
  const [submitted, started, ended] = instants.map(since);
  const endMs = ended ?? null;
  const own = { ...job, submitMs: submitted ?? job.submitMs };
  if (started == null) return { job: own, runs: [], endMs };
  const runs: { fromMs: number; toMs: number | null }[] = [];
  let fromMs = started;
  for (const stop of merged(stops)) {
    if (stop.fromMs > fromMs) runs.push({ fromMs, toMs: stop.fromMs });
    fromMs = Math.max(fromMs, stop.toMs);
  }
  const endsLater = endMs === null ? fromMs < PLAY_MS : fromMs < endMs;
  return { job: own, runs: endsLater ? [...runs, { fromMs, toMs: endMs }] : runs, endMs };
}

function merged(stops: readonly Stop[]): readonly Stop[] {
  const all: Stop[] = [];
  for (const stop of stops) {
    const last = all.at(-1);
    if (last !== undefined && stop.fromMs <= last.toMs) all[all.length - 1] = { ...last, toMs: stop.toMs };
    else all.push(stop);
  }
  return all;
}

async function submitAll(
  { jobs, slurmConf, program, beginsAtMs, signal }: PlayOrder,
  idOf: Map<string, OwnedJob>,
): Promise<void> {
  for (const job of jobs) {
    await delay(Math.max(0, beginsAtMs + job.submitMs - Date.now()), undefined, { signal });
    const place = ["--parsable", "-A", job.consumer, "-n", "1", "-t", LIMIT_MINUTES];
    const words = [...place, "-J", job.id, "-o", "/dev/null", "-D", "/", program];
    const id = (await slurm(slurmConf, "sbatch", ...words, String(job.runtimeMs / SECOND_MS))).trim();
    idOf.set(id, job);
  }
}
