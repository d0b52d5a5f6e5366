/**
 * The part of a broker of plain objects that is about usage policies and enforcers.
 */
import type { CompiledShares, PolicyVersion, SiteUsage } from "../../src/engine/index.ts";
import { type Command, ENFORCEMENT_DEFAULTS } from "../../src/model/index.ts";
import type { ActionPage, ActionQuery, Door, PoliciesNow } from "../../src/runtime/index.ts";

/** What a fake broker keeps of policies and enforcers. */
export interface FakePolicies {
  policiesNow: PoliciesNow;
  /** Oldest first. */
  readonly policySets: PolicyVersion[];
  readonly actionQueries: ActionQuery[];
  actionPage: ActionPage;
  /** Of sites, by name; of others there is none. */
  readonly usages: Map<string, SiteUsage>;
  /** The policies of any site in its own words. */
  compiled: CompiledShares | "notACluster";
  readonly siteViews: ReadonlyMap<string, unknown>;
}

type Questions = Pick<Door, "policies" | "policyVersions" | "actions" | "usage" | "compiledShares">;

/** What is about policies and enforcers: none, at one site that only watches. */
export function policing(door: () => FakePolicies) {
  const watching = { site: "local", rules: ENFORCEMENT_DEFAULTS, isPaused: false, version: null };
  return {
    policiesNow: { now: null, coming: [], enforcers: [watching] },
    policySets: [],
    actionQueries: [],
    actionPage: { items: [], next: undefined },
    usages: new Map(),
    compiled: "notACluster",
    policies: () => door().policiesNow,
    policyVersions: async () => [...door().policySets].reverse(),
    async actions(query) {
      door().actionQueries.push(query);
      return door().actionPage;
    },
    usage: (site) => door().usages.get(site),
    compiledShares: async (site) => (door().siteViews.has(site) ? door().compiled : undefined),
  } satisfies Omit<FakePolicies, "siteViews"> & Questions;
}

/** Applying adds a version that holds; enforcers pause and go on. */
export function actOnPolicies(door: FakePolicies, command: Command): void {
  const { enforcers } = door.policiesNow;
  if (command.kind === "pauseEnforcement" || command.kind === "continueEnforcement") {
    const isPaused = command.kind === "pauseEnforcement";
    const after = enforcers.map((it) => (it.site === command.site ? { ...it, isPaused } : it));
    door.policiesNow = { ...door.policiesNow, enforcers: after };
  }
  if (command.kind !== "applyPolicies") return;
  const { policies, by, note, effectiveFromMs } = command;
  const appliedAtMs = Date.UTC(2026, 10, 20, 9);
  const times = { effectiveFromMs: effectiveFromMs ?? appliedAtMs, appliedAtMs };
  const now = { version: door.policySets.length + 1, policies, ...times, by, note };
  door.policySets.push(now);
  door.policiesNow = { ...door.policiesNow, now };
}
