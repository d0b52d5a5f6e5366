/** Decisions of the sites' enforcers at an instant (rules EN-52, EN-59). */
import {
  type EnforcementAction,
  isForeign,
  type JobRecord,
  NOT_ENFORCED,
  type StintEvent,
} from "../../../model/index.ts";
import { type EnforcementDecision, enforce, type ShareTree } from "../../../policy/index.ts";
import { sharesAt } from "../../state/enforced-site.ts";
import { adviceKey, type Enforcer } from "../../state/enforcer.ts";
import { nextVersionMs } from "../../state/policy-book.ts";
import { refusalsEndMs } from "../../state/refusals.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { enforcedView } from "./enforced-view.ts";
import { foreignActions, foreignView, freedThere } from "./foreign-view.ts";

/** Enforcement events to record, site by site; empty where no action is needed. */
export function decideEnforcement(state: ReservedState, nowMs: number): StintEvent[] {
  return [...state.sites.values()].flatMap((site) => (isBlind(site) ? [] : decideAt(state, site, nowMs)));
}

/** Next instant at which an enforcer may have to act although nothing has happened. */
export function enforcementWakeAtMs(state: ReservedState, nowMs: number): number {
  let firstMs = nextVersionMs(state.policies, nowMs);
  for (const site of state.sites.values()) {
    const wakeAtMs = isBlind(site) ? undefined : decisionAt(state, site, nowMs)?.wakeAtMs;
    firstMs = Math.min(firstMs, wakeAtMs ?? Number.POSITIVE_INFINITY);
  }
  return firstMs;
}

const NEVER_MS = Number.POSITIVE_INFINITY;

/** The last decision, and the instant until which it holds without events. */
interface Made {
  readonly version: number;
  readonly shares: ShareTree;
  readonly untilMs: number;
  readonly decision: EnforcementDecision;
}

const made = new WeakMap<Enforcer, Made>();

/** Decision of a site's enforcer at an instant; undefined where it has nothing to do there. */
export function decisionAt(
  state: ReservedState,
  site: SiteState,
  nowMs: number,
): EnforcementDecision | undefined {
  const { enforcer } = site;
  const shares = enforcer.isPaused ? undefined : sharesAt(state, site.name, nowMs);
  if (shares === undefined) return undefined;
  const before = made.get(enforcer);
  const isSame = before?.version === enforcer.version && before.shares === shares;
  if (before !== undefined && isSame && nowMs < before.untilMs) return before.decision;
  const decision = decided(state, site, shares, nowMs);
  // What asks for nothing holds until it says otherwise; what asks for something is asked again.
  const isDoing = decision.actions.length > 0 && !decision.isWatchOnly;
  const untilMs = isDoing ? nowMs : (decision.wakeAtMs ?? Number.POSITIVE_INFINITY);
  made.set(enforcer, { version: enforcer.version, shares, untilMs, decision });
  return decision;
}

/** True for a foreign site that cannot be surveyed now; its enforcer then asks nothing of it. */
function isBlind({ spec, observation }: SiteState): boolean {
  return isForeign(spec) && (observation.seenAtMs === null || observation.trouble !== null);
}

function decided(
  state: ReservedState,
  site: SiteState,
  shares: ShareTree,
  nowMs: number,
): EnforcementDecision {
  if (!isForeign(site.spec)) return enforce(enforcedView(state, site, shares, nowMs), nowMs);
  const view = foreignView(state, site, shares, nowMs);
  const decision = enforce(view, nowMs);
  const againMs = Math.min(decision.wakeAtMs ?? NEVER_MS, refusalsEndMs(site.enforcer.refusals, nowMs));
  const actions = foreignActions(state, site, { view, decision }, nowMs);
  return { ...decision, actions, wakeAtMs: againMs === NEVER_MS ? null : againMs };
}

function decideAt(state: ReservedState, site: SiteState, nowMs: number): StintEvent[] {
  const decision = decisionAt(state, site, nowMs);
  if (decision === undefined) return enforcedEvents(site, freed(state, site, nowMs), nowMs);
  if (decision.isWatchOnly) {
    return [
      ...enforcedEvents(site, freed(state, site, nowMs), nowMs),
      ...advised(site, decision.actions, nowMs),
    ];
  }
  return enforcedEvents(site, decision.actions, nowMs);
}

function enforcedEvents({ name }: SiteState, actions: readonly EnforcementAction[], atMs: number) {
  return actions.length === 0 ? [] : [{ kind: "enforced" as const, site: name, actions, atMs }];
}

/** Advice that was not recorded before. */
function advised({ name, enforcer }: SiteState, actions: readonly EnforcementAction[], atMs: number) {
  if (isSameAdvice(enforcer, actions)) return [];
  return [{ kind: "enforcementAdvised" as const, site: name, actions, atMs }];
}

function isSameAdvice({ advised }: Enforcer, actions: readonly EnforcementAction[]): boolean {
  return actions.length === advised.size && actions.every((action) => advised.has(adviceKey(action)));
}

/**
 * Actions that release or resume whatever is still held or stopped at a site where nothing is enforced (any
 * more).
 */
function freed(state: ReservedState, site: SiteState, nowMs: number): EnforcementAction[] {
  const cause = { kind: "notEnforced" } as const;
  if (isForeign(site.spec)) return freedThere(site, nowMs).map((action) => ({ ...action, cause }));
  return [...site.enforcer.touched].flatMap((id): EnforcementAction[] => {
    const job = state.jobs.get(id);
    const verb = job === undefined ? undefined : freeingVerb(job);
    return verb === undefined ? [] : [{ verb, job: id, cause }];
  });
}

function freeingVerb({ enforced = NOT_ENFORCED }: JobRecord): "release" | "resume" | undefined {
  if (enforced.isStopped) return "resume";
  return enforced.isHeld ? "release" : undefined;
}
