/**
 * Usage policies, and the enforcers of sites.
 */
import { isForeign, type StintEvent, siteNamedBy } from "../../../model/index.ts";
import type { EventOf, Feature } from "../../feature.ts";
import { keepJob } from "../../keep-job.ts";
import { siteChange } from "../../site-change.ts";
import { actionRecords, noteActed, noteAdvice, noteTouched, takeUpAction } from "../../state/enforcer.ts";
import { noteAction } from "../../state/known-jobs.ts";
import { ofGoneSite } from "../../state/outdated.ts";
import { takeVersion } from "../../state/policy-book.ts";
import { type Projection, providerSites, type RecordChange, siteOf } from "../../state/projection.ts";
import { noteRefused } from "../../state/refusals.ts";
import { applyPolicies, pauseOrContinue, undoEnforcement } from "./answer-policies.ts";
import { applyEnforced, applyUndone, undoingOf } from "./apply-enforcement.ts";
import { decideEnforcement, enforcementWakeAtMs } from "./decide-enforcement.ts";
import { explainPolicies } from "./explain-policies.ts";
import { policiesNow } from "./policies-now.ts";
import { noteRecords, rememberUses } from "./site-uses.ts";

export const policies = {
  name: "policies",
  answers: {
    applyPolicies,
    pauseEnforcement: pauseOrContinue,
    continueEnforcement: pauseOrContinue,
    undoEnforcement,
  },
  applies: {
    policiesApplied: (projection, { version, policies, effectiveFromMs, by, note, atMs }) => {
      const record = { version, policies, effectiveFromMs, appliedAtMs: atMs, by, note };
      takeVersion(projection.policies, record);
      return [{ kind: "policies", record }];
    },
    enforced: enforcedAt,
    enforcementAnswered: (projection, event) => {
      const { site, atMs } = event;
      const actions = noteRefused(siteOf(projection, site).enforcer, event, atMs);
      return actionRecords({ kind: "enforced", site, actions, atMs }, projection.jobs);
    },
    enforcementUndone: (projection, event) => {
      const { site, atMs } = event;
      const actions = [undoingOf(projection, event)];
      const changed = applyUndone(projection, event).map((record) => keepJob(projection, record));
      return [...changed, ...actionRecords({ kind: "enforced", site, actions, atMs }, projection.jobs)];
    },
    enforcementAdvised: (projection, event) => {
      noteAdvice(siteOf(projection, event.site).enforcer, event.actions);
      return actionRecords(event, projection.jobs);
    },
    enforcementPaused: pausedSite,
    enforcementContinued: pausedSite,
  },
  after: (projection, event, jobs) => {
    if (jobs.length > 0) noteRecords(projection, jobs, event.atMs);
    noteTurn(projection, event);
    return [];
  },
  queries: {
    policies: policiesNow,
    /** The sites that policies may name, here and elsewhere. */
    providers: (projection: Projection) => providerSites(projection),
  },
  outdates: {
    enforced: ofGoneSite,
    enforcementAdvised: ofGoneSite,
    enforcementAnswered: ofGoneSite,
  },
  decide: decideEnforcement,
  wakeAtMs: enforcementWakeAtMs,
  explain: explainPolicies,
  views: [
    { name: "policies", columns: { ord: "integer" } },
    {
      name: "actions",
      columns: { site: "text", job: "text", owner: "text", consumer: "text", atMs: "integer" },
    },
  ],
  rows: {
    policies: ({ record }) => {
      const { version: ord } = record;
      return { view: "policies", key: String(ord).padStart(8, "0"), record, columns: { ord } };
    },
    action: ({ record }) => {
      const { id: key, site, owner, consumer, atMs, action } = record;
      return { view: "actions", key, record, columns: { site, job: action.job, owner, consumer, atMs } };
    },
  },
  restore: (projection, stored) => {
    for (const version of stored.policies) takeVersion(projection.policies, version);
    for (const { site, action, atMs, isAdvice } of stored.actions) {
      const enforcer = projection.sites.get(site)?.enforcer;
      if (enforcer !== undefined && !isAdvice) takeUpAction(enforcer, action, atMs);
    }
    for (const job of projection.jobs.values()) {
      const site = projection.sites.get(job.site ?? "");
      if (site !== undefined && !isForeign(site.spec)) noteTouched(site.enforcer, job);
    }
  },
  resume: (projection, { pastJobs }, nowMs) => rememberUses(projection, pastJobs, nowMs),
} as const satisfies Feature;

/** Events that may change the verdict of every site. */
const FOR_ALL_SITES: readonly StintEvent["kind"][] = ["policiesApplied", "peerHeard", "peerForgotten"];

/** Marks sites whose enforcer must decide again after an event that is not about their jobs. */
function noteTurn({ sites }: Projection, event: StintEvent): void {
  const isForAll = FOR_ALL_SITES.includes(event.kind);
  const named = siteNamedBy(event);
  for (const { name, enforcer } of sites.values()) {
    if (isForAll || named === name) enforcer.version++;
  }
}

function enforcedAt(projection: Projection, event: EventOf<"enforced">): readonly RecordChange[] {
  const { enforcer, spec } = siteOf(projection, event.site);
  noteActed(enforcer, event.actions, event.atMs);
  if (isForeign(spec)) {
    for (const action of event.actions) noteAction(enforcer.known, action, event.atMs);
    return actionRecords(event, projection.jobs);
  }
  const changed = applyEnforced(projection, event).map((record) => keepJob(projection, record));
  return [...changed, ...actionRecords(event, projection.jobs)];
}

/** A paused enforcer lets go of what it holds with the next decision. */
function pausedSite(
  projection: Projection,
  { kind, site: name }: EventOf<"enforcementPaused"> | EventOf<"enforcementContinued">,
): readonly RecordChange[] {
  const site = siteOf(projection, name);
  site.enforcer.isPaused = kind === "enforcementPaused";
  projection.unsettled.add(name);
  return [siteChange(site)];
}
