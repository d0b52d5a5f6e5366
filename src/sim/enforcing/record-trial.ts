/**
 * A record in JSON lines with its pools, under today's policies and under a change (rule SI-84).
 *
 * The nodes of a pool are summed in both: the inaccuracy is part of the reported error.
 */
import { Fault } from "../../base/index.ts";
import type { PoolEntry } from "../../formats/workload-jsonl/index.ts";
import type { PolicyTrial, SimulationRequest } from "../../model/index.ts";
import { type PlayedWithout, playWithoutThem } from "../what-if/never-started.ts";
import type { BegunWorkload } from "../what-if/record-beginning.ts";
import { type Played, playWorkload } from "../workload/play.ts";
import { prepareWorkload } from "../workload/prepare.ts";
import type { Workload } from "../workload/workload.ts";
import type { FoundRecord } from "./find-record.ts";
import type { PlayedTrial, Starts, TrialPolicies } from "./played-trial.ts";
import type { TracePolicies } from "./trace-policies.ts";

/**
 * Simulates a record under both sets of policies.
 *
 * @throws Fault `noRecordedStart`; as the workload is read and played
 */
export async function playRecordTrial(
  trial: PolicyTrial,
  { lines, warnings }: FoundRecord,
  { present, after }: TrialPolicies,
): Promise<PlayedTrial> {
  const workload = await prepareWorkload(requestOf(trial), takenCoReservation, lines);
  const playUnder = ({ workload: played, running }: BegunWorkload, policies: TracePolicies | undefined) => {
    const { trace: file, discipline } = trial;
    const order = { policies, discipline, stoppedJobs: "requeue", file, underWay: running } as const;
    return playWorkload(played, order);
  };
  const asRuled = await playWithoutThem(workload, (from) => playUnder(from, present));
  const { begun, played: today } = asRuled;
  const compared = comparedJobs(begun);
  if (compared.length === 0) throw noRecordedStart(trial.trace);
  const startsIn = ({ done }: Played): Starts => {
    const starts = new Map(done.map(({ job, startMs }) => [job.id, startMs]));
    return compared.map(({ id }) => starts.get(id) ?? null);
  };
  const { procs, pools } = workload.site;
  return {
    jobs: compared.map(({ id, user, group, recordedStartMs }) => ({
      consumer: after.consumerOf({ user, group }, false),
      eligibleMs: begun.eligibleMs[id],
      recordedStartMs,
    })),
    today: startsIn(today),
    changed: startsIn(await playUnder(begun, after)),
    site: { procs, pools, record: { ...leftOut(workload, asRuled, compared.length), warnings } },
  };
}

function requestOf({ trace, discipline, estimates, procs }: PolicyTrial): SimulationRequest {
  const rules = { discipline, estimates, overrun: "extend", lenient: false } as const;
  return { trace, ...rules, ...(procs === undefined ? {} : { procs }) };
}

/** Pools without nodes, each with the total of its nodes. */
function takenCoReservation(pools: readonly PoolEntry[]): readonly PoolEntry[] {
  return pools.map(({ nodes = 1, ...pool }) => ({
    ...pool,
    nodes: undefined,
    procs: pool.procs * nodes,
    memoryBytes: pool.memoryBytes === undefined ? undefined : pool.memoryBytes * nodes,
    gpus: pool.gpus === undefined ? undefined : pool.gpus * nodes,
  }));
}

/** Jobs with a recorded start that neither ran at the beginning nor were cancelled. */
function comparedJobs({ workload: { jobs, events }, running }: BegunWorkload) {
  const gone = new Set(events.flatMap((event) => (event.kind === "cancel" ? [event.job] : [])));
  return jobs.flatMap((job) => {
    const { id, user, group, recordedStartMs } = job;
    if (id < running || gone.has(id) || recordedStartMs === undefined) return [];
    return [{ id, user, group, recordedStartMs }];
  });
}

/** Numbers of jobs of the record that are not compared, by reason. */
function leftOut(
  { skipped }: Workload,
  { begun: { running, workload }, neverStarted }: PlayedWithout<Played>,
  compared: number,
) {
  return {
    running,
    notCompared: workload.jobs.length + neverStarted.size - running - compared,
    skipped: skipped.noRuntime + skipped.widerThanMachine,
  };
}

function noRecordedStart(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noRecordedStart",
    what: `${file}: nothing to compare with`,
    why: "no job has a recordedStart after the beginning, apart from cancelled jobs",
    remedy: "give the output of sacct, or of stint import accounting (docs/guides/what-if.md)",
  });
}
