/**
 * A cluster's queue and accounting as its own commands show them: what a play is judged by.
 */
import { setTimeout as delay } from "node:timers/promises";
import { slurm } from "../truth/clusters.ts";
import type { QueueSample, SampledJob } from "./owed.ts";

const EVERY_MS = 1000;
const SECOND_MS = 1000;
const STATES: Readonly<Record<string, SampledJob["state"]>> = {
  PENDING: "waiting",
  RUNNING: "running",
  SUSPENDED: "suspended",
};

/** Samples a queue every second from `beginsAtMs` (Unix ms) on for `lengthMs`. */
export async function watchQueue(
  slurmConf: string,
  beginsAtMs: number,
  lengthMs: number,
): Promise<readonly QueueSample[]> {
  const samples: QueueSample[] = [];
  for (let n = 0; n * EVERY_MS < lengthMs; n++) {
    await delay(Math.max(0, beginsAtMs + n * EVERY_MS - Date.now()));
    const words = ["squeue", "-h", "-t", "PD,R,S", "-o", "%i|%a|%C|%T|%V"];
    const text = await slurm(slurmConf, "env", "SLURM_TIME_FORMAT=%s", ...words);
    samples.push({ atMs: Date.now() - beginsAtMs, jobs: sampledJobs(text, beginsAtMs) });
  }
  return samples;
}

/** Rows of id, account, processors, state and submission (Unix seconds); other states are left out. */
export function sampledJobs(text: string, beginsAtMs: number): readonly SampledJob[] {
  return text.split("\n").flatMap((line) => {
    const [id = "", consumer = "", procs = "", state = "", submitted = ""] = line.split("|");
    const known = STATES[state];
    if (known === undefined) return [];
    const submittedMs = Number(submitted) * SECOND_MS - beginsAtMs;
    return [{ id, consumer, procs: Number(procs), state: known, submittedMs }];
  });
}

/**
 * What each account used by the accounting, in processor-seconds, jobs that still run included; suspended
 * time is left out.
 */
export async function accountedProcSec(slurmConf: string): Promise<ReadonlyMap<string, number>> {
  const words = ["-X", "-P", "-n", "-a", "-S", "now-2hours", "-o", "Account,ElapsedRaw,NCPUS,Start"];
  const rows = (await slurm(slurmConf, "sacct", ...words)).split("\n").filter(Boolean);
  const used = new Map<string, number>();
  for (const row of rows) {
    const [account = "", elapsed = "0", procs = "0"] = row.split("|");
    used.set(account, (used.get(account) ?? 0) + Number(elapsed) * Number(procs));
  }
  return used;
}
