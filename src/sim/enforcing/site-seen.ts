/**
 * A simulated site as its enforcer sees it.
 *
 * Of waiting jobs it has only those that can affect a pass, and a pass without effect is skipped: both by
 * `relevantJobs` of `policy`.
 */
import { assert } from "../../base/index.ts";
import {
  addWaiting,
  createWaitingJobs,
  type EnforcedJob,
  type EnforcedSite,
  inUseAt,
  levelsNow,
  relevantJobs,
  removeWaiting,
  SITE_RESOURCES,
  type SiteAmounts,
  usesKept,
} from "../../policy/index.ts";
import type { Play } from "./play.ts";
import type { PlayedJob } from "./played-job.ts";

/**
 * The site at an instant, before released jobs have started; undefined where a pass would have no action and
 * no next instant.
 */
export function siteSeen(play: Play, nowMs: number): EnforcedSite | undefined {
  const { input, present, running, waiting, waitingCount, keeper, acted, admission } = play;
  const { capacity, rules } = input;
  const available = availableAt(play, nowMs);
  const levels = levelsNow(keeper);
  const others = present.size - running.size - waitingCount;
  let usedProcs = 0;
  for (const { job } of running) usedProcs += job.need.cpu;
  const usedProcsOf = (path: string): number => inUseAt(keeper, "cpu", path);
  const use = { usedProcs, usedProcsOf };
  const indexed = { levels, available, ...use, hasOthers: others > 0, waiting, rules };
  // The index is in order of submission.
  const shown = admission === undefined ? relevantJobs(indexed) : undefined;
  if (shown?.length === 0) return undefined;
  const seen = shown === undefined ? present : running;
  const jobs = Array.from(seen, (played) => seenNow(played, nowMs));
  return {
    ...{ capacity, available, shares: keeper.shares, uses: usesKept(keeper), rules },
    jobs: shown === undefined ? inOrderOf(play, jobs, nowMs) : [...jobs, ...shown],
    actionsLeft: Math.max(0, rules.actionsPerHour - acted.length),
  };
}

/** Capacity without losses and present reservations. */
export function availableAt(play: Play, nowMs: number): SiteAmounts {
  const { input, resources, site, down } = play;
  const { capacity, reservations = [], nodes } = input;
  const taken = { ...down };
  if (nodes !== undefined) {
    for (const { need, startMs, durationMs } of reservations) {
      const isUnderWay = startMs <= nowMs && nowMs < startMs + durationMs;
      for (const resource of SITE_RESOURCES) if (isUnderWay) taken[resource] += need[resource];
    }
  }
  for (const [id, { need, startMs, durationMs }] of site.machine.reservations) {
    const isUnderWay = startMs <= nowMs && nowMs < startMs + durationMs;
    if (!isUnderWay || id >= reservations.length) continue;
    for (const [column, resource] of resources.entries()) taken[resource] += need[column];
  }
  return {
    cpu: Math.max(0, capacity.cpu - taken.cpu),
    gpu: Math.max(0, capacity.gpu - taken.gpu),
    memory: Math.max(0, capacity.memory - taken.memory),
  };
}

/** Jobs in the order of the priority, behind those that it does not order. */
function inOrderOf(
  { admission, jobs: all, present }: Play,
  seen: readonly EnforcedJob[],
  nowMs: number,
): readonly EnforcedJob[] {
  if (admission === undefined) return seen;
  const waiting = Array.from(present).filter(({ state }) => state === "waiting");
  const places = admission.places(waiting, nowMs);
  return seen.map((job) => {
    const place = places.get(job.id);
    return place === undefined ? job : { ...job, order: all.length + place };
  });
}

/** A job waits to be let in from now on. */
export function wait(play: Play, played: PlayedJob, nowMs: number): void {
  play.waitingCount++;
  addWaiting(play.waiting, levelsNow(play.keeper), seenNow(played, nowMs));
}

/** True where present policies can admit a job at an empty site. */
export function canBeLetIn({ keeper }: Play, played: PlayedJob): boolean {
  const alone = createWaitingJobs();
  addWaiting(alone, levelsNow(keeper), jobSeen({ ...played, state: "waiting" }, played.submitMs));
  return alone.byLevel.size > 0;
}

/** Removes a job from the waiting ones that the enforcer sees. */
export function waitNoMore(play: Play, played: PlayedJob): void {
  play.waitingCount--;
  assert(played.seen !== null, "who waits is seen");
  removeWaiting(play.waiting, levelsNow(play.keeper), played.seen);
}

/** Rebuilds the index of waiting jobs after a change of policies, since other policies have other levels. */
export function waitAnew(play: Play, nowMs: number): void {
  play.waiting = createWaitingJobs();
  const levels = levelsNow(play.keeper);
  for (const played of play.present) {
    if (played.state === "waiting") addWaiting(play.waiting, levels, seenNow(played, nowMs));
  }
}

function seenNow(played: PlayedJob, nowMs: number): EnforcedJob {
  played.seen ??= jobSeen(played, nowMs);
  return played.seen;
}

function jobSeen({ job, id: order, state, ...played }: PlayedJob, nowMs: number): EnforcedJob {
  assert(state !== null, "who is there has a state");
  const { begunAtMs, restEstimateMs, stops, stoppedFor } = played;
  return {
    id: job.id,
    consumer: job.consumer,
    need: job.need,
    state,
    order,
    begunAtMs,
    plannedEndMs: state === "running" ? (begunAtMs ?? nowMs) + restEstimateMs : null,
    estimateMs: state === "running" ? job.estimateMs : restEstimateMs,
    stops,
    stoppedFor,
    nudged: null,
  };
}
