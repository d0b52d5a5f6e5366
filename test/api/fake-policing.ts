/**
 * The part of a broker of plain objects that is about usage policies and enforcers.
 */

import { accepted } from "../../src/base/index.ts";
import type { PoliciesNow, PolicyVersion, SiteUsage } from "../../src/engine/index.ts";
import type { CompiledShares } from "../../src/model/index.ts";
import {
  type Command,
  ENFORCEMENT_DEFAULTS,
  type HostReport,
  type ShareStep,
  type StintEvent,
} from "../../src/model/index.ts";
import type {
  ActionPage,
  ActionQuery,
  BrokerApi,
  ChangeSharesRequest,
  HostView,
  UsageHistory,
  UsageHistoryQuestion,
} from "../../src/runtime/index.ts";

/** What a fake broker keeps of policies and enforcers. */
export interface FakePolicies {
  policiesNow: PoliciesNow;
  /** Oldest first. */
  readonly policySets: PolicyVersion[];
  readonly actionQueries: ActionQuery[];
  actionPage: ActionPage;
  /** Of sites, by name; of others there is none. */
  readonly usages: Map<string, SiteUsage>;
  /** The course of any site, and what was asked. */
  historyThere: Omit<UsageHistory, "site">;
  readonly historyQuestions: UsageHistoryQuestion[];
  /** What sensors saw on the hosts of any site, and what they sent. */
  hostsThere: readonly HostView[];
  readonly hostReports: HostReport[];
  /** The policies of any site in its own words. */
  compiled: CompiledShares | "notACluster";
  readonly shareRequests: ChangeSharesRequest[];
  shareSteps: readonly ShareStep[];
  readonly siteViews: ReadonlyMap<string, unknown>;
}

type Questions = Pick<
  BrokerApi,
  | "policyVersions"
  | "actions"
  | "usage"
  | "compiledShares"
  | "changeShares"
  | "usageHistory"
  | "hosts"
  | "takeReadings"
>;

/** What is about policies and enforcers: none, at one site that only watches. */
export function policing(brokerApi: () => FakePolicies) {
  const watching = { site: "local", rules: ENFORCEMENT_DEFAULTS, isPaused: false, version: null };
  return {
    policiesNow: { now: null, coming: [], enforcers: [watching] },
    policySets: [],
    actionQueries: [],
    actionPage: { items: [], next: undefined },
    usages: new Map(),
    compiled: "notACluster",
    shareRequests: [],
    shareSteps: [],
    policyVersions: async () => [...brokerApi().policySets].reverse(),
    async actions(query) {
      brokerApi().actionQueries.push(query);
      return brokerApi().actionPage;
    },
    usage: (site) => brokerApi().usages.get(site),
    historyThere: {
      grid: { fromMs: 0, untilMs: 10_000, stepMs: 10_000, bucketMs: 10_000 },
      ...{ covered: [0], resources: [], jobsRunning: [null], jobsWaiting: [null], levels: [] },
    },
    historyQuestions: [],
    hostsThere: [],
    hostReports: [],
    async usageHistory(question) {
      brokerApi().historyQuestions.push(question);
      return { site: question.site, ...brokerApi().historyThere };
    },
    hosts: async () => brokerApi().hostsThere,
    async takeReadings(report) {
      brokerApi().hostReports.push(report);
      return { lastSeq: report.readings.at(-1)?.seq ?? 0, taken: report.readings.length };
    },
    compiledShares: async (site) => (brokerApi().siteViews.has(site) ? brokerApi().compiled : undefined),
    async changeShares(request) {
      brokerApi().shareRequests.push(request);
      return brokerApi().compiled === "notACluster" ? "notACluster" : accepted(brokerApi().shareSteps);
    },
  } satisfies Omit<FakePolicies, "siteViews"> & Questions;
}

/** Applying adds a version that holds; enforcers pause and go on. Gives what was recorded of it. */
export function actOnPolicies(brokerApi: FakePolicies, command: Command): readonly StintEvent[] {
  const { enforcers } = brokerApi.policiesNow;
  if (command.kind === "pauseEnforcement" || command.kind === "continueEnforcement") {
    const isPaused = command.kind === "pauseEnforcement";
    const after = enforcers.map((it) => (it.site === command.site ? { ...it, isPaused } : it));
    brokerApi.policiesNow = { ...brokerApi.policiesNow, enforcers: after };
  }
  if (command.kind !== "applyPolicies") return [];
  const { policies, by, note, effectiveFromMs } = command;
  const appliedAtMs = Date.UTC(2026, 10, 20, 9);
  const times = { effectiveFromMs: effectiveFromMs ?? appliedAtMs, appliedAtMs };
  const now = { version: brokerApi.policySets.length + 1, policies, ...times, by, note };
  brokerApi.policySets.push(now);
  brokerApi.policiesNow = { ...brokerApi.policiesNow, now };
  const { appliedAtMs: atMs, ...applied } = now;
  return [{ kind: "policiesApplied", ...applied, atMs }];
}
