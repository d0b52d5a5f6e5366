/**
 * Use by the groups of a virtual organisation, which its enforcer keeps beside the records of jobs.
 *
 * Only the organisation's own jobs count, and not the holders of their places. After a restart it is computed
 * again from the jobs that ran within the longest window (as the use of sites is, rule EN-56).
 */
import { groupOf, isFinal, type JobRecord, type VoRecord, voOf } from "../../../model/index.ts";
import { changeUse, createUseHistory } from "../../../policy/index.ts";
import { effectiveState } from "../../effective-state.ts";
import { groupJobs } from "../../state/group-jobs.ts";
import { longestWindowMs } from "../../state/policy-book.ts";
import type { Projection } from "../../state/projection.ts";
import type { GroupUse, VoStanding, VoUse } from "../../state/vo-book.ts";
import { holdsPlace } from "../../state/waiting-replicas.ts";

/** At least so much of the past is kept, so that most changes of policies need no more. */
const KEPT_MS = 31 * 24 * 3_600_000;

/** Changed records count from an instant on, where their organisation has an enforcer. */
export function noteVoJobs({ vos }: Projection, records: readonly JobRecord[], atMs: number): void {
  if (vos.uses.size === 0) return;
  for (const record of records) {
    const use = vos.uses.get(voOf(record.consumer));
    if (use !== undefined) noteJob(use, record, atMs);
  }
}

/**
 * Makes the uses again of all organisations that have an enforcer.
 *
 * @param past jobs that are over, and ran within the longest window
 */
export function rememberVoUses(projection: Projection, past: readonly JobRecord[], nowMs: number): void {
  const { vos, jobs } = projection;
  vos.uses.clear();
  const jobsByVo = groupJobs([...past, ...jobs.values()], ({ consumer }) => voOf(consumer));
  for (const record of vos.records.values()) {
    keepUseOf(projection, record, jobsByVo.get(record.vo) ?? [], nowMs);
  }
}

/**
 * Starts tracking the use of an organisation's groups if it has an enforcer; stops tracking it otherwise.
 *
 * @param its the jobs of the organisation
 */
export function keepUseOf(
  { vos, policies }: Projection,
  { vo, enforcement }: VoRecord,
  its: readonly JobRecord[],
  nowMs: number,
): void {
  vos.uses.delete(vo);
  if (enforcement === null) return;
  const keepMs = Math.max(KEPT_MS, longestWindowMs(policies.versions));
  const use: VoUse = {
    ...{ groups: new Map(), standings: new Map(), keepMs, lastMs: Number.NEGATIVE_INFINITY },
  };
  playRuns(use, its, nowMs);
  for (const record of its) noteJob(use, record, nowMs);
  vos.uses.set(vo, use);
}

function noteJob(use: VoUse, record: JobRecord, atMs: number): void {
  const before = use.standings.get(record.id);
  const now = standingOf(record);
  if (now === undefined && before === undefined) return;
  if (now?.inUse === before?.inUse && now?.running === before?.running) return;
  use.lastMs = Math.max(use.lastMs, atMs);
  const group = groupUse(use, groupOf(record.consumer));
  group.inUse += (now?.inUse ?? 0) - (before?.inUse ?? 0);
  group.running += (now?.running ?? 0) - (before?.running ?? 0);
  changeUse(group.history, use.lastMs, group.running);
  if (now === undefined) use.standings.delete(record.id);
  else use.standings.set(record.id, now);
}

/** Counted state of a job; undefined for one that is over or has no site. */
function standingOf(job: JobRecord): VoStanding | undefined {
  if (isFinal(job.state) || job.site === null || holdsPlace(job)) return undefined;
  const state = effectiveState(job);
  const procs = job.description.procs;
  const running = state === "RUNNING" ? procs : 0;
  const isOnItsWay = state === "READY" || state === "SCHEDULED";
  return { group: groupOf(job.consumer), inUse: isOnItsWay ? procs : running, running };
}

function groupUse({ groups, keepMs }: VoUse, name: string): GroupUse {
  const known = groups.get(name) ?? { inUse: 0, running: 0, history: createUseHistory(keepMs) };
  groups.set(name, known);
  return known;
}

/** Replays the past runs of jobs in order of time; a run that goes on is counted up to `nowMs`. */
function playRuns(use: VoUse, jobs: readonly JobRecord[], nowMs: number): void {
  const steps = jobs.flatMap((job) =>
    runsOf(job, nowMs).flatMap(({ fromMs, toMs }) => {
      const procs = job.description.procs;
      const group = groupOf(job.consumer);
      return [
        { atMs: fromMs, group, procs },
        { atMs: toMs, group, procs: -procs },
      ];
    }),
  );
  for (const { atMs, group: name, procs } of steps.sort((a, b) => a.atMs - b.atMs)) {
    use.lastMs = Math.max(use.lastMs, Math.min(atMs, nowMs));
    const group = groupUse(use, name);
    group.running += procs;
    changeUse(group.history, use.lastMs, group.running);
  }
}

/** Run intervals of a job; a current run ends at `nowMs` here and continues when its record is noted. */
function runsOf(job: JobRecord, nowMs: number): readonly { fromMs: number; toMs: number }[] {
  if (holdsPlace(job)) return [];
  const earlier = job.earlierRuns ?? [];
  const fromMs = job.startDecidedAtMs;
  const isRunning = effectiveState(job) === "RUNNING";
  if (fromMs === null || !(isRunning || job.endedAtMs !== null)) return earlier;
  // One that was stopped when it ended did not run again.
  if (earlier.at(-1)?.fromMs === fromMs) return earlier;
  return [...earlier, { fromMs, toMs: Math.max(fromMs, Math.min(nowMs, job.endedAtMs ?? nowMs)) }];
}
