/** Enforcer state of a site beside its jobs: if it is paused, its recent actions, and its last advice. */
import { type EnforcementAction, isFinal, type JobRecord, type StintEvent } from "../../model/index.ts";
import { COUNTED_VERBS } from "../../policy/index.ts";
import { type KnownJob, noteAction } from "./known-jobs.ts";
import { isRefused, noRefusals, type Refusals, takeUpRefusal } from "./refusals.ts";
import { noUse, type SiteUse } from "./site-use.ts";

/** The enforcer of a site. */
export interface Enforcer {
  isPaused: boolean;
  /** The instants of the actions that are counted, within the last hour, and perhaps before, in order. */
  readonly acted: number[];
  /** Last advice by verb and job, not repeated while it stays the same. Not recorded. */
  advised: ReadonlySet<string>;
  /** Refusals of the site, and the requests that they stop. */
  readonly refusals: Refusals;
  /** At a managed site: the jobs that it holds or has stopped. */
  readonly touched: Set<string>;
  /** Use by consumers at the site. Not recorded. */
  readonly use: SiteUse;
  /** At a foreign site: what was done to jobs there, by the site's ids. */
  readonly known: Map<string, KnownJob>;
  /** Grows with everything that may change what it asks for. */
  version: number;
}

const HOUR_MS = 3_600_000;

/** An enforcer that has not acted yet. */
export function newEnforcer(): Enforcer {
  return {
    isPaused: false,
    acted: [],
    advised: new Set(),
    refusals: noRefusals(),
    touched: new Set(),
    use: noUse(),
    known: new Map(),
    version: 0,
  };
}

/** Counts actions that hold, stop or lower jobs against the hourly budget. */
export function noteActed({ acted }: Enforcer, actions: readonly EnforcementAction[], atMs: number): void {
  const first = acted.findIndex((it) => it > atMs - HOUR_MS);
  acted.splice(0, first < 0 ? acted.length : first);
  for (const { verb } of actions) if (COUNTED_VERBS.includes(verb)) acted.push(atMs);
}

/** Stored records of actions and advice. */
export function actionRecords(
  { kind, site, actions, atMs }: Extract<StintEvent, { kind: "enforced" | "enforcementAdvised" }>,
  jobs: ReadonlyMap<string, JobRecord>,
) {
  const isAdvice = kind === "enforcementAdvised";
  return actions.map((action) => {
    // An enforcer may have done at this instant what undoing does.
    const what = action.cause.kind === "undone" ? "undone" : action.verb;
    const id = `${String(atMs).padStart(15, "0")} ${site} ${what} ${action.job}`;
    const { owner = null, consumer = null } = jobs.get(action.job) ?? {};
    return { kind: "action" as const, record: { id, site, owner, consumer, atMs, action, isAdvice } };
  });
}

/** Updates the set of jobs of a managed site that its enforcer holds or has stopped. */
export function noteTouched({ touched }: Enforcer, { id, state, enforced }: JobRecord): void {
  const isTouched = enforced !== undefined && (enforced.isHeld || enforced.isStopped);
  if (isTouched && !isFinal(state)) touched.add(id);
  else touched.delete(id);
}

/** An action that was recorded before a restart: it counts, and what is known of the job follows from it. */
export function takeUpAction(enforcer: Enforcer, action: EnforcementAction, atMs: number): void {
  if (isRefused(action)) {
    takeUpRefusal(enforcer, action, atMs);
    return;
  }
  noteActed(enforcer, [action], atMs);
  noteAction(enforcer.known, action, atMs);
}

/** Number of actions within the hour before an instant. */
export function actedWithinHour({ acted }: Enforcer, nowMs: number): number {
  return acted.filter((it) => it > nowMs - HOUR_MS).length;
}

/** When the budget of the hour has something left again; null where it has now. */
export function budgetFreeAtMs({ acted }: Enforcer, actionsPerHour: number, nowMs: number): number | null {
  const within = acted.filter((it) => it > nowMs - HOUR_MS);
  if (within.length < actionsPerHour) return null;
  const freeing = within[within.length - actionsPerHour];
  return freeing === undefined ? null : freeing + HOUR_MS;
}

/** Key that distinguishes pieces of advice. */
export function adviceKey({ verb, job }: EnforcementAction): string {
  return `${verb} ${job}`;
}

/** Takes note of what was said. */
export function noteAdvice(enforcer: Enforcer, actions: readonly EnforcementAction[]): void {
  enforcer.advised = new Set(actions.map(adviceKey));
}
