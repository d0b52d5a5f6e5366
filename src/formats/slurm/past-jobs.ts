/**
 * Past jobs of all users in a cluster's accounting: the command and the parser. The rows are read as those of
 * an import; names of jobs are not requested.
 */
import type { ClusterPastJob } from "../../model/index.ts";
import { SACCT_FIELDS } from "./sacct-command.ts";
import { noCounts } from "./sacct-counts.ts";
import { instantReader } from "./sacct-instants.ts";
import { type ImportedJob, jobsOfRuns } from "./sacct-jobs.ts";
import { readRuns } from "./sacct-read.ts";
import type { SacctRun } from "./sacct-run.ts";

/** A period relative to now, so that time zones have no effect; `untilAgoMs` is less. */
export interface PastWindow {
  readonly fromAgoMs: number;
  readonly untilAgoMs: number;
}

/** The command that asks for every run of every job that was there in a window. */
export function pastJobsCommand({ fromAgoMs, untilAgoMs }: PastWindow): readonly string[] {
  const from = `--starttime=now-${Math.ceil(fromAgoMs / 1000)}`;
  const until = untilAgoMs <= 0 ? "now" : `now-${Math.floor(untilAgoMs / 1000)}`;
  const asked = [from, `--endtime=${until}`, `--format=${SACCT_FIELDS.join(",")}`];
  return ["sacct", "-X", "-P", "--allusers", "--duplicates", ...asked];
}

/**
 * The runs in lines of what it printed, the head first; a row that cannot be read is left out. Instants
 * have to be Unix seconds.
 *
 * @throws Fault `accountingFields` where the answer is none of sacct
 */
export function readPastRuns(lines: readonly string[]): readonly SacctRun[] {
  const instants = instantReader("UTC");
  return instants === undefined ? [] : readRuns(lines, { file: "sacct", lenient: true }, instants).runs;
}

/**
 * The jobs of runs, in order of `eligibleAtMs`: those that were there at `sinceMs` or later. A run that two
 * windows had is one. What was never eligible waited for nothing and is left out.
 */
export function pastJobsOf(runs: readonly SacctRun[], sinceMs: number): readonly ClusterPastJob[] {
  const single = new Map(runs.map((run) => [`${run.id.ids[0]} ${run.submittedMs} ${run.startMs}`, run]));
  const rules = {
    period: { fromMs: sinceMs, untilMs: undefined },
    limitOf: () => undefined,
    isKnown: () => true,
    isReplayed: false,
  };
  return jobsOfRuns([...single.values()], rules, noCounts()).map(pastJobOf);
}

function pastJobOf({ id, run, eligibleMs, startMs, limitMs, withdrawnMs }: ImportedJob): ClusterPastJob {
  return {
    siteJob: id,
    partition: run.partitions[0] ?? null,
    user: run.user ?? null,
    account: run.account ?? null,
    procs: run.procs,
    memoryBytes: run.memoryBytes ?? null,
    limitMs: limitMs ?? null,
    eligibleAtMs: eligibleMs,
    startedAtMs: startMs ?? null,
    endedAtMs: startMs === undefined ? (withdrawnMs ?? null) : run.endMs,
  };
}
