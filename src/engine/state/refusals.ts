/**
 * Refusals of a foreign site to its enforcer, and the requests that they stop (rule EN-106).
 *
 * A refusal about one job exempts that job only, and the enforcer goes on with the next; only a refusal about
 * a right stops a verb at the site. Verbs that give back resources (release, resume) are requested in any
 * case.
 */
import type {
  EnforcementAction,
  EnforcementReport,
  EnforcementStep,
  EnforcementVerb,
  RefusalAbout,
} from "../../model/index.ts";
import { asItWas, type KnownJob } from "./known-jobs.ts";

/** The refusals of a site that still count, and some that do not any more. */
export interface Refusals {
  /** Until when a verb is not asked of the site, Unix ms. */
  readonly rights: Map<EnforcementVerb, number>;
  /** Until when jobs are left alone, by verb, by the site's ids. */
  readonly jobs: Map<string, Map<EnforcementVerb, JobRefusal>>;
}

interface JobRefusal {
  /** Instant of the refusal; a job that was submitted after it is another one that has the id now. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

const HOUR_MS = 3_600_000;
/** A site that was not reached may be back soon. */
const MINUTE_MS = 60_000;

const LASTS_MS: Readonly<Record<RefusalAbout, number>> = { job: HOUR_MS, right: HOUR_MS, site: MINUTE_MS };

/** Verbs that give back resources; never suppressed. */
const GIVING_BACK: readonly EnforcementVerb[] = ["release", "resume"];

const VERBS_OF: Partial<Readonly<Record<EnforcementStep, readonly EnforcementVerb[]>>> = {
  hold: ["hold"],
  priority: ["raise", "lower"],
  requeue: ["requeue"],
  suspend: ["suspend"],
};

const ALL_VERBS: readonly EnforcementVerb[] = Object.values(VERBS_OF).flat();

/** Nothing was refused. */
export function noRefusals(): Refusals {
  return { rights: new Map(), jobs: new Map() };
}

/** The part of an enforcer that a refusal changes. */
interface Refused {
  readonly known: Map<string, KnownJob>;
  readonly refusals: Refusals;
}

/**
 * Notes that a site did not do what it was asked: the jobs are in their former states. If all requests for a
 * verb were refused for want of a right, the right is missing; if some were carried out, the others failed
 * for reasons of their own.
 */
export function noteRefused(
  refused: Refused,
  report: EnforcementReport,
  atMs: number,
): readonly EnforcementAction[] {
  const { verb, jobs } = report;
  const isNone = report.refused.length === jobs.length;
  const isForWantOfRight = isNone && report.refused.every(({ about }) => about === "right");
  return report.refused.map(({ job, why, about = "job" }): EnforcementAction => {
    const isOfJob = about === "right" && !isForWantOfRight;
    const action: RefusedAction = {
      ...{ verb, job },
      cause: { kind: "siteRefused", why, about: isOfJob ? "job" : about },
    };
    takeUpRefusal(refused, action, atMs);
    return action;
  });
}

type RefusedAction = EnforcementAction & {
  readonly cause: Extract<EnforcementAction["cause"], { kind: "siteRefused" }>;
};

/** True if the site refused a recorded action. */
export function isRefused(action: EnforcementAction): action is RefusedAction {
  return action.cause.kind === "siteRefused";
}

/** Restores a recorded refusal; one without a stated subject is about the job. */
export function takeUpRefusal({ known, refusals }: Refused, action: RefusedAction, atMs: number): void {
  const { verb, job, cause } = action;
  const before = known.get(job);
  if (before !== undefined) known.set(job, asItWas(before, verb));
  if (GIVING_BACK.includes(verb)) return;
  const { about = "job" } = cause;
  const untilMs = atMs + LASTS_MS[about];
  if (about === "right") refusals.rights.set(verb, untilMs);
  forgetOver(refusals, atMs);
  const its = refusals.jobs.get(job) ?? new Map<EnforcementVerb, JobRefusal>();
  refusals.jobs.set(job, its);
  // A site that was not reached has not said that it would rather do something else to the job.
  for (const spared of about === "site" ? ALL_VERBS : [verb]) {
    if ((its.get(spared)?.untilMs ?? 0) < untilMs) its.set(spared, { sinceMs: atMs, untilMs });
  }
}

function forgetOver({ jobs }: Refusals, nowMs: number): void {
  for (const [job, verbs] of jobs) {
    for (const [verb, { untilMs }] of verbs) if (untilMs <= nowMs) verbs.delete(verb);
    if (verbs.size === 0) jobs.delete(job);
  }
}

/** True if the site's refusals allow a request for this step now. */
export function isStepAskedFor({ rights }: Refusals, step: EnforcementStep, nowMs: number): boolean {
  return (VERBS_OF[step] ?? []).every((verb) => (rights.get(verb) ?? 0) <= nowMs);
}

/** True if a job is exempt from a verb now. */
export function isSpared(
  { jobs }: Refusals,
  verb: EnforcementVerb,
  job: { readonly siteJob: string; readonly submittedAtMs: number },
  nowMs: number,
): boolean {
  const refusal = jobs.get(job.siteJob)?.get(verb);
  return refusal !== undefined && nowMs < refusal.untilMs && job.submittedAtMs <= refusal.sinceMs;
}

/** When something may next be asked for again; infinite where nothing is refused. */
export function refusalsEndMs({ rights, jobs }: Refusals, nowMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  const consider = (untilMs: number): void => {
    if (untilMs > nowMs) firstMs = Math.min(firstMs, untilMs);
  };
  for (const untilMs of rights.values()) consider(untilMs);
  for (const verbs of jobs.values()) for (const { untilMs } of verbs.values()) consider(untilMs);
  return firstMs;
}
