/**
 * Use by consumers at a site, updated as jobs are submitted, start, stop and end (rule EN-56).
 *
 * Use of a managed site follows from the records of jobs, that of a foreign one from its surveys. Not
 * recorded: after a restart it is computed again from the jobs that ran within the longest window.
 */
import { isFinal, isForeign, type JobRecord, NOT_ENFORCED } from "../../../model/index.ts";
import {
  createUseKeeper,
  type EnforcedJobState,
  type KeptJob,
  noteJob,
  type ShareTree,
  settleUse,
} from "../../../policy/index.ts";
import { effectiveState } from "../../effective-state.ts";
import { amountsOf, capacityAt, sharesAt } from "../../state/enforced-site.ts";
import { noteTouched } from "../../state/enforcer.ts";
import { groupJobs } from "../../state/group-jobs.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { noUse, type SiteUse, type Standing } from "../../state/site-use.ts";
import { noteShown } from "./shown-jobs.ts";

/** Changed records of jobs at managed sites count from an instant on. */
export function noteRecords(state: ReservedState, records: readonly JobRecord[], atMs: number): void {
  // A job may have left a site.
  for (const site of state.sites.values()) {
    noteShown(site, records);
    if (isForeign(site.spec)) notePayloads(state, site, records, atMs);
  }
  const names = new Set(records.map(({ site }) => site ?? ""));
  for (const name of names) {
    const its = records.filter((record) => record.site === name);
    const site = state.sites.get(name);
    if (site === undefined || isForeign(site.spec)) continue;
    site.enforcer.version++;
    for (const record of its) noteTouched(site.enforcer, record);
    if (!keep(state, site, atMs)) continue;
    for (const record of its) noteStanding(site.enforcer.use, record.id, standingOf(record));
    settle(site.enforcer.use, atMs);
  }
}

/** Counts payloads of pilots by their records, since a survey of the queue shows their pilots only. */
function notePayloads(
  state: ReservedState,
  site: SiteState,
  records: readonly JobRecord[],
  atMs: number,
): void {
  const { standings } = site.enforcer.use;
  const its = records.filter((job) => standings.has(job.id) || isPayloadAt(site, job));
  if (its.length === 0) return;
  site.enforcer.version++;
  if (!keep(state, site, atMs)) return;
  for (const job of its) {
    const isThere = isPayloadAt(site, job) && job.startedAtMs !== null && !isFinal(job.state);
    const { consumer, description } = job;
    const standing = isThere
      ? { consumer, need: amountsOf(description), state: "running" as const }
      : undefined;
    noteStanding(site.enforcer.use, job.id, standing);
  }
  settle(site.enforcer.use, atMs);
}

function isPayloadAt({ name }: SiteState, { site, pilot }: JobRecord): boolean {
  return pilot !== undefined && site === name;
}

/** Everything at a foreign site, as it was just seen. */
export function noteSeen(
  state: ReservedState,
  site: SiteState,
  seen: ReadonlyMap<string, Standing>,
  atMs: number,
): void {
  site.enforcer.version++;
  if (!keep(state, site, atMs)) return;
  const { use } = site.enforcer;
  for (const id of [...use.standings.keys()]) if (!seen.has(id)) noteStanding(use, id, undefined);
  for (const [id, standing] of seen) noteStanding(use, id, standing);
  settle(use, atMs);
}

/**
 * Makes the uses of the managed sites again, of the jobs that ran before, over or not.
 *
 * @param past jobs that are over
 */
export function rememberUses(state: ReservedState, past: readonly JobRecord[], nowMs: number): void {
  const jobsBySite = groupJobs([...past, ...state.jobs.values()], ({ site }) => site);
  for (const site of state.sites.values()) {
    if (isForeign(site.spec)) continue;
    site.enforcer.version++;
    const { use } = site.enforcer;
    const shares = sharesAt(state, site.name, nowMs);
    Object.assign(use, noUse(), { standings: use.standings });
    use.standings.clear();
    if (shares === undefined) continue;
    const there = jobsBySite.get(site.name) ?? [];
    use.keeper = createUseKeeper(shares, capacityAt(site));
    playRuns(use, there.flatMap(runsOf), nowMs);
    for (const job of there) noteStanding(use, job.id, standingOf(job));
    settle(use, nowMs);
  }
}

/**
 * Makes a site's keeper of use follow the policies in force; false where no policy gives anything at the
 * site.
 */
function keep(state: ReservedState, site: SiteState, atMs: number): boolean {
  const { use } = site.enforcer;
  const shares = sharesAt(state, site.name, atMs);
  if (shares === undefined) return false;
  if (use.keeper?.shares !== shares) renew(use, site, shares);
  return true;
}

function renew(use: SiteUse, site: SiteState, shares: ShareTree): void {
  use.keeper = createUseKeeper(shares, capacityAt(site), use.keeper);
}

function noteStanding({ keeper, standings }: SiteUse, id: string, now: Standing | undefined): void {
  const before = standings.get(id);
  if (keeper === undefined || (before?.state ?? null) === (now?.state ?? null)) return;
  const job = now ?? before;
  if (job !== undefined) noteJob(keeper, job, before?.state ?? null, now?.state ?? null);
  if (now === undefined) standings.delete(id);
  else standings.set(id, now);
}

function settle(use: SiteUse, atMs: number): void {
  use.lastMs = Math.max(use.lastMs, atMs);
  if (use.keeper !== undefined) settleUse(use.keeper, use.lastMs);
}

interface Run extends KeptJob {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/**
 * Replays past runs in order of time; a run that goes on ends at `nowMs` here, and its job is noted
 * afterwards.
 */
function playRuns(use: SiteUse, runs: readonly Run[], nowMs: number): void {
  const { keeper } = use;
  if (keeper === undefined) return;
  const steps = runs.flatMap((run) => [
    { atMs: run.fromMs, run, from: null, to: "running" as const },
    { atMs: run.toMs ?? nowMs, run, from: "running" as const, to: null },
  ]);
  for (const { atMs, run, from, to } of steps.sort((a, b) => a.atMs - b.atMs)) {
    noteJob(keeper, run, from, to);
    settle(use, Math.min(atMs, nowMs));
  }
}

function runsOf(job: JobRecord): Run[] {
  const about = { consumer: job.consumer, need: amountsOf(job.description) };
  const earlier = (job.earlierRuns ?? []).map((run) => ({ ...about, ...run }));
  const isRunning = effectiveState(job) === "RUNNING";
  const fromMs = job.startDecidedAtMs;
  if (fromMs === null || !(isRunning || job.endedAtMs !== null)) return earlier;
  // One that was stopped when it ended did not run again.
  const last = job.earlierRuns?.at(-1);
  if (last !== undefined && last.fromMs === fromMs) return earlier;
  return [...earlier, { ...about, fromMs, toMs: job.endedAtMs }];
}

/** Counted state of a job; undefined where it neither occupies nor waits for anything. */
function standingOf(job: JobRecord): Standing | undefined {
  const state = isFinal(job.state) ? undefined : stateOf(job);
  return state === undefined
    ? undefined
    : { consumer: job.consumer, need: amountsOf(job.description), state };
}

function stateOf(job: JobRecord): EnforcedJobState | undefined {
  switch (effectiveState(job)) {
    case "RUNNING":
      return "running";
    case "SUSPENDED":
      return "suspended";
    case "SCHEDULED":
      return (job.enforced ?? NOT_ENFORCED).isHeld ? "waiting" : "queued";
    default:
      return undefined;
  }
}
