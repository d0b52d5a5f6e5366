/**
 * A foreign site as its enforcer sees it: jobs of all users, as they were last seen (rule EN-59).
 *
 * A consumer there is the site's account, with the user as the level below, unless the site's rules map the
 * account to another consumer; jobs of this broker have their own consumer. The enforcer leaves alone jobs
 * that people hold or have suspended, jobs that wait for other jobs or for a begin time that their user
 * chose, and jobs of consumers that no policy names.
 */
import { attemptToken, type EnforcementAction } from "../../../model/index.ts";
import {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  type EnforcementDecision,
  type ShareTree,
  type SiteAmounts,
  type StoppingVerb,
} from "../../../policy/index.ts";
import { capacityAt, isNamed, rulesAt } from "../../state/enforced-site.ts";
import { actedWithinHour } from "../../state/enforcer.ts";
import { isAnother, isJustLetIn, isSettling, type KnownJob, standingThere } from "../../state/known-jobs.ts";
import { policySubject } from "../../state/policy-subject.ts";
import { isSpared } from "../../state/refusals.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { type Standing, usesOf } from "../../state/site-use.ts";
import type { SurveyedJob } from "../../survey.ts";
import { affordable } from "./spend-holds.ts";

/** A job of the site, and what the enforcer has done to it. */
interface Seen {
  readonly job: SurveyedJob;
  readonly consumer: string | undefined;
  /** Consumer as whom policies judge the job; for a job under a ticket, the VO of the ticket. */
  readonly judged: string | undefined;
  readonly known: KnownJob;
}

/** A foreign site under these shares, as it was last seen. */
export function foreignView(
  state: Pick<ReservedState, "jobs">,
  site: SiteState,
  shares: ShareTree,
  nowMs: number,
): EnforcedSite {
  const rules = rulesAt(site, nowMs);
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  const jobs: EnforcedJob[] = [];
  for (const [order, seen] of seenAt(state, site, nowMs).entries()) {
    const { job, judged: consumer } = seen;
    if (isGoing(seen, nowMs)) continue;
    const isShown = consumer !== undefined && isNamed(shares, consumer);
    const isSeen = isShown && !isLeftWaiting(site, seen, nowMs);
    const standing = isSeen ? standingOf(seen, rules.granted.includes("hold"), nowMs) : undefined;
    if (standing !== undefined && consumer !== undefined) {
      jobs.push(enforcedJob(seen, { consumer, state: standing, order, site, nowMs }));
    } else if (job.state === "running") add(taken, needOf(job));
  }
  const capacity = capacityAt(site);
  return {
    capacity,
    available: {
      cpu: Math.max(0, capacity.cpu - taken.cpu),
      gpu: Math.max(0, capacity.gpu - taken.gpu),
      memory: Math.max(0, capacity.memory - taken.memory),
    },
    jobs,
    shares,
    uses: usesOf(site.enforcer.use),
    rules,
    actionsLeft: Math.max(0, rules.actionsPerHour - actedWithinHour(site.enforcer, nowMs)),
  };
}

/**
 * A decision as orders: what the site would start by itself, and is not let in, is held; what is let in
 * and was never held needs no order, but is noted.
 */
export function foreignActions(
  state: Pick<ReservedState, "jobs">,
  site: SiteState,
  { view, decision }: { readonly view: EnforcedSite; readonly decision: EnforcementDecision },
  nowMs: number,
): readonly EnforcementAction[] {
  if (decision.isWatchOnly) return decision.actions;
  if (!view.rules.granted.includes("hold")) return notSpared(site, decision.actions, nowMs);
  const about = new Set(decision.actions.map(({ job }) => job));
  const waiting = new Set(view.jobs.filter((job) => job.state === "waiting").map(({ id }) => id));
  const counted = decision.actions.filter(({ verb }) => COUNTED_VERBS.includes(verb)).length;
  const holds = seenAt(state, site, nowMs).flatMap(({ job: { siteJob: job }, known }) => {
    if (!waiting.has(job) || about.has(job) || known.isHeld) return [];
    const cause = decision.kept.get(job) ?? { kind: "notYet" as const, for: null };
    return [{ verb: "hold" as const, job, cause }];
  });
  return [...affordable(view, holds, view.actionsLeft - counted), ...decision.actions];
}

/** True for a job requeued a moment ago that is still shown running: it releases its resources by itself. */
function isGoing({ job, known }: Seen, nowMs: number): boolean {
  return job.state === "running" && known.isRequeued && isSettling(known, nowMs);
}

/** A job that waits and cannot be held, nor has been, is left alone as long as it waits (rule EN-106). */
function isLeftWaiting(site: SiteState, { job, known }: Seen, nowMs: number): boolean {
  const { refusals } = site.enforcer;
  return job.state === "waiting" && !known.isHeld && isSpared(refusals, "hold", job, nowMs);
}

/** Actions without those that the site has refused for their jobs. */
function notSpared(
  { enforcer, observation }: SiteState,
  actions: readonly EnforcementAction[],
  nowMs: number,
): readonly EnforcementAction[] {
  const { refusals } = enforcer;
  if (refusals.jobs.size === 0) return actions;
  const refused = observation.jobs.filter(({ siteJob }) => refusals.jobs.has(siteJob));
  const jobs = new Map(refused.map((job) => [job.siteJob, job]));
  return actions.filter(({ verb, job }) => {
    const seen = jobs.get(job);
    return seen === undefined || !isSpared(refusals, verb, seen, nowMs);
  });
}

/** Stopping actions that the site has refused for this job. */
function sparedOf({ enforcer }: SiteState, job: SurveyedJob, nowMs: number): Pick<EnforcedJob, "spared"> {
  const { refusals } = enforcer;
  if (!refusals.jobs.has(job.siteJob)) return {};
  const spared = STOPPING_VERBS.filter((verb) => isSpared(refusals, verb, job, nowMs));
  return spared.length === 0 ? {} : { spared };
}

const STOPPING_VERBS: readonly StoppingVerb[] = ["suspend", "requeue"];

/** The jobs that are held at a foreign site and whose lease is half over, or cannot be seen. */
export function leasesToRenew(site: SiteState, nowMs: number): readonly string[] {
  const { leaseMs } = rulesAt(site, nowMs);
  return site.observation.jobs.flatMap((job) => {
    const known = site.enforcer.known.get(job.siteJob);
    if (known?.isHeld !== true || isAnother(known, job) || job.state !== "waiting") return [];
    return (job.eligibleAtMs ?? 0) - nowMs < leaseMs / 2 ? [job.siteJob] : [];
  });
}

/** Actions that release or resume every job held or stopped at the site. */
export function freedThere(
  site: SiteState,
  nowMs: number,
): readonly { readonly verb: "release" | "resume"; readonly job: string }[] {
  if (site.enforcer.known.size === 0) return [];
  return site.observation.jobs.flatMap(
    (job): { readonly verb: "release" | "resume"; readonly job: string }[] => {
      const { isHeld, isStopped } = standingThere(site.enforcer.known.get(job.siteJob), job, nowMs);
      if (isStopped) return [{ verb: "resume", job: job.siteJob }];
      return isHeld ? [{ verb: "release", job: job.siteJob }] : [];
    },
  );
}

function seenAt({ jobs }: Pick<ReservedState, "jobs">, site: SiteState, nowMs: number): readonly Seen[] {
  const ours = new Map<string, Pick<Seen, "consumer" | "judged">>();
  for (const id of site.own) {
    const job = jobs.get(id);
    if (job === undefined) continue;
    ours.set(attemptToken(id, job.attempt), { consumer: job.consumer, judged: policySubject(job) });
  }
  return site.observation.jobs.map((job) => ({
    job,
    ...((job.token === null ? undefined : ours.get(job.token)) ?? others(site, job)),
    known: standingThere(site.enforcer.known.get(job.siteJob), job, nowMs),
  }));
}

function others(site: SiteState, job: SurveyedJob): Pick<Seen, "consumer" | "judged"> {
  const consumer = consumerThere(site, job);
  return { consumer, judged: consumer };
}

/** The consumer that an account and a user of a site stand for; undefined where it does not show them. */
export function consumerThere(
  { spec }: Pick<SiteState, "spec">,
  { account, user }: Pick<SurveyedJob, "account" | "user">,
): string | undefined {
  if (account === undefined || account === null || account === "") return undefined;
  const named = spec.type === "slurm" ? spec.consumers?.[account] : undefined;
  const vo = named ?? account;
  return user === undefined || user === null ? vo : `${vo}/${user}`;
}

/** Enforced state of a surveyed job; undefined where the enforcer leaves the job alone now. */
function standingOf(
  { job, known }: Seen,
  isLetInOneByOne: boolean,
  nowMs: number,
): EnforcedJobState | undefined {
  switch (job.state) {
    case "running":
      return known.isStopped ? "suspended" : "running";
    case "suspended":
      if (known.isStopped) return "suspended";
      return known.stops > 0 && isSettling(known, nowMs) ? "running" : undefined;
    case "waiting":
      if (known.isHeld) return "waiting";
      // Shown as it was before it was let go, it may start before anybody looks again.
      if (isJustLetIn(known, nowMs)) return "queued";
      if (job.eligibleAtMs === null || (job.eligibleAtMs ?? nowMs) > nowMs) return undefined;
      return isLetInOneByOne && !known.isLetIn ? "waiting" : "queued";
    default:
      return undefined;
  }
}

function enforcedJob(
  { job, known }: Seen,
  at: {
    readonly consumer: string;
    readonly state: EnforcedJobState;
    readonly order: number;
    readonly site: SiteState;
    readonly nowMs: number;
  },
): EnforcedJob {
  const limitMs = Math.max(1, job.limitMs ?? at.site.spec.defaultWallTimeMs);
  const begunAtMs = at.state === "running" ? (job.startedAtMs ?? at.nowMs) : null;
  const sinceMs = known.isLetIn ? known.sinceMs : Number.NEGATIVE_INFINITY;
  return {
    id: job.siteJob,
    consumer: at.consumer,
    need: needOf(job),
    state: at.state,
    order: at.order,
    begunAtMs: begunAtMs === null ? null : Math.max(begunAtMs, sinceMs),
    plannedEndMs: begunAtMs === null ? null : begunAtMs + limitMs,
    estimateMs: limitMs,
    stops: known.stops,
    stoppedFor: known.stoppedFor,
    nudged: known.nudged,
    ...(at.state === "queued" && isJustLetIn(known, at.nowMs) ? { isJustLetIn: true } : {}),
    ...sparedOf(at.site, job, at.nowMs),
  };
}

/** Amounts that a job of a foreign site needs. */
function needOf({ procs, memoryBytes, gpus = 0 }: SurveyedJob): SiteAmounts {
  return { cpu: procs, gpu: gpus, memory: memoryBytes };
}

function add(taken: { cpu: number; gpu: number; memory: number }, need: SiteAmounts): void {
  taken.cpu += need.cpu;
  taken.gpu += need.gpu;
  taken.memory += need.memory;
}

/**
 * Jobs that occupy a foreign site or wait there, by the site's ids: as the site shows them, whatever was
 * ordered.
 */
export function standingsThere(
  state: Pick<ReservedState, "jobs">,
  site: SiteState,
  nowMs: number,
): ReadonlyMap<string, Standing> {
  const { standings, pilots } = payloadStandings(state, site);
  for (const seen of seenAt(state, site, nowMs)) {
    const { job, consumer } = seen;
    // What a pilot uses is counted as the use of its payloads.
    if (job.token !== null && pilots.has(job.token.split("/")[0])) continue;
    const isThere = job.state === "running" || job.state === "suspended";
    const standing = isThere ? job.state : standingOf(seen, true, nowMs);
    if (consumer === undefined || standing === undefined) continue;
    standings.set(job.siteJob, { consumer, need: needOf(job), state: standing });
  }
  return standings;
}

/** Running payloads of pilots, by the ids of their jobs, and the ids of the pilots. */
function payloadStandings({ jobs }: Pick<ReservedState, "jobs">, { own }: SiteState) {
  const standings = new Map<string, Standing>();
  const pilots = new Set<string>();
  for (const id of own) {
    const job = jobs.get(id);
    if (job?.pilot === undefined) continue;
    pilots.add(job.pilot);
    const { procs, memoryBytes = 0, gpus = 0 } = job.description;
    const need = { cpu: procs, gpu: gpus, memory: memoryBytes };
    if (job.startedAtMs !== null) standings.set(id, { consumer: job.consumer, need, state: "running" });
  }
  return { standings, pilots };
}
