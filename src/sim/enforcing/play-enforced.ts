/**
 * A workload with owners at a site under an enforcer, in virtual time.
 *
 * The drive of `queue` with the enforcer as one of its actors, whatever discipline and priority the queue has
 * behind it. Shares are of the capacity, whatever is down.
 */
import { assert, MS_PER_SECOND } from "../../base/index.ts";
import type { PriorityRules } from "../../model/index.ts";
import {
  createUseKeeper,
  createWaitingJobs,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  settleUse,
  shareTree,
  usesKept,
  type VerdictSite,
} from "../../policy/index.ts";
import {
  type Actor,
  createDrive,
  createOrderedSite,
  type Drive,
  drive,
  driveWithProgram,
  reserve,
} from "../../queue/index.ts";
import type { DecidingProgram } from "../external/deciding-program.ts";
import { createSampler } from "../slots/sampler.ts";
import { driveOnNodes } from "../workload/drive-on-nodes.ts";
import type { PlacedJob } from "../workload/nodes-asked.ts";
import { createAdmissionOrder, ownerOf } from "./admission-order.ts";
import type { EnforcedOutcome, EnforcingInput, EnforcingOutcome, OwnedJob } from "./enforced-input.ts";
import { createEnforcer } from "./enforcer.ts";
import { followMachine } from "./job-changes.ts";
import type { Play } from "./play.ts";
import type { PlayedJob } from "./played-job.ts";
import { siteEventsOf } from "./site-events.ts";
import { availableAt, canBeLetIn } from "./site-seen.ts";

/** A simulation with external callers, which submit jobs depending on the state of the site. */
export interface EnforcedSteps {
  /** Takes a job that is submitted no earlier than anything that was played. */
  offer(job: OwnedJob): void;
  /** Plays every instant before this one. */
  playUntil(untilMs: number): void;
  /** State of the site at an instant up to which it was simulated. */
  standing(nowMs: number): EnforcedStanding;
  /** Plays to the end of the input. */
  finish(): EnforcingOutcome;
}

/** State of a site as a site recommender needs it. */
interface EnforcedStanding extends VerdictSite {
  /** Processors of those that wait. */
  readonly waitingProcs: number;
}

/** Simulates the whole input. */
export function playEnforced(input: EnforcingInput): EnforcingOutcome {
  return beginEnforced(input).finish();
}

/**
 * Simulates the whole input, waiting for a program that decides who of those that were let in starts.
 *
 * @throws Fault for all that can be wrong with a program
 */
export async function playEnforcedBy(
  input: EnforcingInput,
  decider: (site: Play["site"]) => DecidingProgram<PlayedJob>,
): Promise<EnforcingOutcome> {
  const { play, driven, program } = begin(input, decider);
  program?.noteLastJob();
  await driveWithProgram(driven, Number.POSITIVE_INFINITY);
  await program?.leave();
  return outcomeOfPlay(play);
}

/** Begins a simulation in steps, with every job of the input and those that are offered later. */
export function beginEnforced(input: EnforcingInput): EnforcedSteps {
  const { play, driven } = begin(input);
  return {
    playUntil: (untilMs) => drive(driven, untilMs),
    offer(job) {
      assert(job.submitMs > play.playedMs, "a job comes after what was played");
      const played = notYet(job, play.jobs.length, play.resources);
      play.jobs.push(played);
      play.byId.set(job.id, played);
    },
    standing: (nowMs) => standingOf(play, nowMs),
    finish() {
      drive(driven, input.untilMs ?? Number.POSITIVE_INFINITY);
      return outcomeOfPlay(play);
    },
  };
}

function outcomeOfPlay({ jobs, input, site, ...play }: Play): EnforcingOutcome {
  const { notes, courses, looks, hits, brokenReservations } = play;
  const endMs = input.untilMs ?? site.machine.nowMs;
  return { jobs: jobs.map(outcomeOf), notes, courses, looks, hits, brokenReservations, endMs };
}

function standingOf(play: Play, nowMs: number): EnforcedStanding {
  const { input, keeper, running, present } = play;
  settleUse(keeper, nowMs);
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  let waitingProcs = 0;
  for (const played of present) {
    if (!running.has(played)) waitingProcs += played.job.need.cpu;
    else for (const resource of SITE_RESOURCES) taken[resource] += played.job.need[resource];
  }
  return {
    ...{ capacity: input.capacity, available: availableAt(play, nowMs), taken, waitingProcs },
    ...{ shares: keeper.shares, uses: usesKept(keeper) },
  };
}

function outcomeOf({ job, startMs, endMs, stops, runs, firstRun, ...left }: PlayedJob): EnforcedOutcome {
  const { pool, gone, goneAtMs } = left;
  return { job, startMs, endMs, stops, runs, firstRun, pool, gone, goneAtMs };
}

interface Begun {
  readonly play: Play;
  readonly driven: Drive;
  readonly program: DecidingProgram<PlayedJob> | undefined;
}

function begin(input: EnforcingInput, decider?: (site: Play["site"]) => DecidingProgram<PlayedJob>): Begun {
  const { capacity, policies, discipline = "fcfs", priority, sampling, checkStop, nodes } = input;
  const resources = resourcesAt(input);
  const jobs = input.jobs.map((job, order) => notYet(job, order, resources));
  const pools = (input.pools ?? [capacity]).map((amounts) => vectorOf(amounts, resources));
  const startMs = Math.min(0, jobs[0]?.submitMs ?? 0);
  // A user's limit keeps jobs from the enforcer, and not from the queue behind it.
  const rules = priority && withoutLimits(priority);
  const isFirst = ({ job }: PlayedJob): boolean => job.isUnderWay === true;
  const { site, submit, actors } = createOrderedSite<PlayedJob>({
    ...{ capacity: pools, discipline: nodes === undefined ? discipline : "external", startMs },
    priority: rules && { rules, ownerOf, isFirst },
  });
  const program = decider?.(site);
  const isPossible = (played: PlayedJob): boolean => canBeLetIn(play, played);
  const play: Play = {
    ...{ input, resources, pools, site, submit, jobs, program },
    admission: priority && createAdmissionOrder(site, { rules: priority, procs: capacity.cpu, isPossible }),
    siteEvents: siteEventsOf(input),
    byId: new Map(jobs.map((played) => [played.job.id, played])),
    present: new Set(),
    running: new Set(),
    waiting: createWaitingJobs(),
    waitingCount: 0,
    keeper: createUseKeeper(shareTree(policies[0]?.policies ?? [], input.site), capacity),
    notes: [],
    courses: new Map(),
    acted: [],
    next: { job: 0, policies: 1, happening: 0 },
    down: { cpu: 0, gpu: 0, memory: 0 },
    playedMs: Number.NEGATIVE_INFINITY,
    isUnderWayComing: false,
    brokenReservations: 0,
    hits: [],
    lookAtMs: Number.POSITIVE_INFINITY,
    looks: 0,
    isLeaseOver: false,
  };
  followMachine(play);
  const present: Actor[] = [reservationsOf(play, startMs), createEnforcer(play), ...actors];
  if (nodes !== undefined) present.push(driveOnNodes(site, nodes, (handle) => placedJob(site.jobs[handle])));
  if (sampling !== undefined) present.push(createSampler(site.machine, sampling));
  if (checkStop !== undefined) present.push({ before: checkStop });
  if (program !== undefined) present.push(program);
  return { play, driven: createDrive(site, present), program };
}

/** The priority without limits, so that every job may enter the queue. */
function withoutLimits(rules: PriorityRules): PriorityRules {
  if (rules.kind !== "maui") return rules;
  const users = Object.entries(rules.users).map(([name, { maxProcs: _, ...user }]) => [name, user]);
  return { ...rules, users: Object.fromEntries(users) };
}

/** Reservations are made before anything happens. */
function reservationsOf({ input, site, resources, program }: Play, startMs: number): Actor {
  const { reservations = [] } = input;
  let isOver = reservations.length === 0;
  return {
    nextMs: () => (isOver ? Number.POSITIVE_INFINITY : startMs),
    changes(atMs) {
      if (isOver) return;
      isOver = true;
      for (const [id, { refused, onNodes, need, ...fixed }] of reservations.entries()) {
        if (onNodes !== undefined) {
          onNodes();
          continue;
        }
        const refusal = reserve(site.machine, id, { ...fixed, need: vectorOf(need, resources) }, atMs);
        if (refusal !== undefined) refused(refusal);
        const times = { start: fixed.startMs / MS_PER_SECOND, duration: fixed.durationMs / MS_PER_SECOND };
        program?.tell({ kind: "reserved", id, pool: fixed.pool, procs: need.cpu, ...times });
      }
    },
  };
}

/** Placement of a job on nodes; the estimate of a job that was suspended is the rest. */
function placedJob({ job: { shape }, pools, restEstimateMs }: PlayedJob): PlacedJob {
  assert(shape !== undefined, "where there are nodes each job says how it is parted");
  return { shape, estimateMs: restEstimateMs, ...(pools === undefined ? {} : { pools }) };
}

/** A job before it is submitted. */
function notYet(job: OwnedJob, order: number, resources: readonly SiteResource[]): PlayedJob {
  const { submitMs, runtimeMs, estimateMs, pools } = job;
  return {
    ...{ id: order, submitMs, runtimeMs, estimateMs, need: vectorOf(job.need, resources) },
    ...(pools === undefined ? {} : { pools }),
    job,
    state: null,
    handle: -1,
    begunAtMs: null,
    restEstimateMs: estimateMs,
    stops: 0,
    stoppedFor: [],
    runs: [],
    firstRun: 0,
    startMs: null,
    endMs: null,
    pool: null,
    gone: null,
    goneAtMs: null,
    seen: null,
  };
}

/** Resources with capacity or requests, which the machine schedules. */
function resourcesAt({ capacity, jobs, reservations = [] }: EnforcingInput): readonly SiteResource[] {
  const asking = [...jobs, ...reservations];
  return SITE_RESOURCES.filter(
    (resource) =>
      resource === "cpu" || capacity[resource] > 0 || asking.some(({ need }) => need[resource] > 0),
  );
}

function vectorOf(amounts: SiteAmounts, resources: readonly SiteResource[]): readonly number[] {
  return resources.map((resource) => amounts[resource]);
}
