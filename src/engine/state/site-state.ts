/**
 * A site as the engine sees it.
 *
 * The queue of a managed site is ours and follows from events. That of a foreign site is a picture of
 * what it last showed (a survey), with our jobs that it did not show yet: predictions and placements are
 * made on it, and no event follows from it alone. A picture is not recorded: what was decided on it is.
 */
import { createLedger, type Ledger } from "../../market/index.ts";
import type {
  JobDescription,
  JobRecord,
  OrderedShareChange,
  ReservationUsage,
  SiteSpec,
} from "../../model/index.ts";
import {
  columnsAt,
  isForeign,
  isImitating,
  isReadOnly,
  isWithinSite,
  NOTHING_SOLD,
  wholeResources,
} from "../../model/index.ts";
import { createNamedQueue, type NamedQueue, type QueuedNeed } from "../../queue/index.ts";
import { NO_SCORE, type SiteScore } from "../site-selection/choice-row.ts";
import type { SurveyedJob, SurveyedQueue } from "../survey.ts";
import { type Enforcer, newEnforcer } from "./enforcer.ts";
import { tooSmallQueues } from "./queue-fit.ts";

/** Last survey of a foreign site; empty for a managed one. Not recorded. */
interface Sight {
  /** The instant of the last survey; null before the first. */
  seenAtMs: number | null;
  /** Reason why the site cannot be reached or used; null without one. */
  trouble: string | null;
  /** Jobs whose state at the site differs from the one expected: the state there, and since when. */
  readonly odd: Map<string, { readonly standing: string; readonly sinceMs: number }>;
  /** Duplicate jobs with a token of ours that have been reported. */
  duplicates: ReadonlySet<string>;
  /** Jobs of all users at the site, in the site's order. */
  jobs: readonly SurveyedJob[];
  /** Queues that jobs may name; none where the site shows none. */
  queues: readonly SurveyedQueue[];
  /** Why our jobs wait there, in the site's words. */
  reasons: ReadonlyMap<string, string>;
}

/** A site. */
export interface SiteState {
  readonly name: string;
  readonly spec: SiteSpec;
  /** 1, 2 … as they were added. */
  readonly order: number;
  /** True while the site takes no new jobs. */
  isDraining: boolean;
  queue: NamedQueue;
  /** Queues of the site's reserved stores and links by name; no job waits in them. */
  readonly resources: ReadonlyMap<string, NamedQueue>;
  /** Our jobs that are there and not over; of a foreign site only. */
  readonly own: Set<string>;
  readonly observation: Sight;
  /** Balances of consumers at the site. */
  readonly ledger: Ledger;
  /** Enforcer of the usage policies at the site. */
  readonly enforcer: Enforcer;
  /** Changes of its own shares that were ordered and not taken back, in their order. */
  orderedShares: readonly OrderedShareChange[];
  /** Score of the site's promises. */
  score: SiteScore;
  /** Statistics of the site's sold reservations. */
  sold: ReservationUsage;
}

/** Longest time of a job beyond its limit: from TERM to KILL, and to the report (EN-10). */
export const LAST_MOMENTS_MS = 15_000;

/** A site without jobs. */
export function createSite(name: string, spec: SiteSpec, order: number, nowMs: number): SiteState {
  return {
    name,
    spec,
    order,
    isDraining: false,
    queue: emptyQueue(spec, nowMs),
    resources: emptyResources(spec, nowMs),
    own: new Set(),
    observation: unseen(),
    ledger: createLedger(),
    enforcer: newEnforcer(),
    orderedShares: [],
    score: NO_SCORE,
    sold: NOTHING_SOLD,
  };
}

/** The queue of a site that has no jobs. */
export function emptyQueue(spec: SiteSpec, nowMs: number): NamedQueue {
  return createNamedQueue(columnsAt(spec, spec), spec.discipline, nowMs);
}

/** Books of the site's stores and links, with nothing reserved. */
function emptyResources(spec: SiteSpec, nowMs: number): ReadonlyMap<string, NamedQueue> {
  const all = wholeResources(spec);
  return new Map(all.map(({ name, amount }) => [name, createNamedQueue([amount], "fcfs", nowMs)]));
}

function unseen(): Sight {
  return {
    seenAtMs: null,
    trouble: null,
    odd: new Map(),
    duplicates: new Set(),
    jobs: [],
    queues: [],
    reasons: new Map(),
  };
}

/**
 * Need of a job at a site: its amounts and limit; at a managed site with the margin of EN-10, since
 * Stint enforces the limit there.
 */
export function needOf(description: JobDescription, spec: SiteSpec): QueuedNeed {
  const marginMs = isForeign(spec) ? 0 : LAST_MOMENTS_MS;
  return {
    need: columnsAt(spec, description),
    estimateMs: (description.wallTimeMs ?? spec.defaultWallTimeMs) + marginMs,
  };
}

/** Need of a job that may have been suspended: its remaining time counts. */
export function plannedNeedOf(job: JobRecord, spec: SiteSpec): QueuedNeed {
  const { need, estimateMs } = needOf(job.description, spec);
  return { need, estimateMs: job.restMs ?? estimateMs };
}

/** True if a job fits the site, and one of its queues where they are known, when nothing else runs there. */
export function isLargeEnough(site: SiteState, description: JobDescription): boolean {
  return isWithinSite(site.spec, description) && tooSmallQueues(site, description).length === 0;
}

/**
 * True if a job may run at the site: it fits, and names no other site. A site that only imitates runs accepts
 * only jobs that name it: others would be reported as done without having run.
 */
export function isUsable(site: SiteState, description: JobDescription): boolean {
  return isMeant(site, description) && isLargeEnough(site, description);
}

/** True for the site that a job names; where it names none, for all that run jobs. */
export function isMeant({ name, spec }: SiteState, { site }: JobDescription): boolean {
  return site === undefined ? !isImitating(spec) : site === name;
}

/** True for a site whose ad has Requirements of its own, which every job has to fulfil. */
export function isDemanding({ spec }: SiteState): boolean {
  return Object.keys(spec.ads ?? {}).some((name) => name.toLowerCase() === "requirements");
}

/** True if the site accepts new jobs now. */
export function isOpen({ spec, isDraining, observation }: SiteState): boolean {
  if (isDraining || isReadOnly(spec)) return false;
  return !isForeign(spec) || (observation.seenAtMs !== null && observation.trouble === null);
}

/** True for a cluster that is only observed, and whose queue is known. */
export function isObserved({ spec, observation }: SiteState): boolean {
  return isReadOnly(spec) && observation.seenAtMs !== null && observation.trouble === null;
}
