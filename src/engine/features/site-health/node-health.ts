/** Health of nodes: what events change in it, and when a node is set aside or readmitted (rule EN-195). */
import type {
  EndTally,
  JobRecord,
  NodeHealth,
  QuickFailure,
  SiteHealth,
  StintEvent,
} from "../../../model/index.ts";
import { publishesAggregates } from "../../../model/index.ts";
import type { EventOf } from "../../feature.ts";
import { written } from "../../state/books.ts";
import {
  asNode,
  asSite,
  avoidedNodes,
  maySetAside,
  nodeHealthOf,
  sentTo,
  takesAnother,
  troubledNodes,
} from "../../state/node-health.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { afterEnd, FIRST_PAUSE_MS, GOOD_PROBES, sickness } from "../../state/site-health.ts";

/** The end of an attempt on a node of a site. */
export interface EndOnNode extends Omit<Parameters<typeof afterEnd>[2], "node"> {
  readonly job: JobRecord;
  readonly node: string;
}

/**
 * Counts an end against its node. `isNodeFault`: the end does not count against the site.
 */
export function withEndOnNode(
  projection: Projection,
  health: SiteHealth,
  { job, node, end, isOwnFault }: EndOnNode,
  atMs: number,
): { readonly changes: readonly RecordChange[]; readonly site: SiteHealth; readonly isNodeFault: boolean } {
  const before = nodeHealthOf(projection, health.site, node);
  const judged = asSite(before, health);
  const after = afterEnd(judged, job, { end, isOwnFault, node }, atMs);
  const isNodeFault = before.aside !== null;
  if (after === judged) return { changes: [], site: health, isNodeFault };
  const isWell = before.endedWell !== null && after.endedWell === null;
  return {
    changes: [written("nodeHealth", asNode(after, node))],
    site: isWell ? withoutTrouble(health, node) : health,
    isNodeFault,
  };
}

/** Sets a node aside; its recent ends no longer count against its site. */
export function setNodeAside(
  projection: Projection,
  site: SiteHealth,
  { node: name, quick, ended, atMs }: EventOf<"nodeSetAside">,
): readonly RecordChange[] {
  const node = nodeHealthOf(projection, site.site, name);
  const pauses = { pauseMs: FIRST_PAUSE_MS, probeAtMs: atMs + FIRST_PAUSE_MS, goodProbes: 0 };
  const aside = { sinceMs: atMs, quick, ended, ...pauses };
  const minutes = less(site.minutes, node.minutes);
  const days = less(
    site.days,
    node.minutes.map(({ period, ...ends }) => ({ ...ends, period: Math.floor(period / MINUTES_PER_DAY) })),
  );
  const failures = site.failures.filter((failure) => failure.node !== name);
  const names = [...new Set([...(site.troubledNodes ?? []), name])];
  return [
    written("nodeHealth", { ...node, aside, failures: [], endedWell: null, sent: [] }),
    written("siteHealth", { ...site, minutes, days, failures, troubledNodes: names }),
  ];
}

/** Readmits a node: after tests for a few jobs at a time, by an operator without a limit. */
export function readmitNode(
  projection: Projection,
  site: SiteHealth,
  { node: name, by }: EventOf<"nodeReadmitted">,
): readonly RecordChange[] {
  const node = nodeHealthOf(projection, site.site, name);
  const { sent } = node;
  if (by === null) return [written("nodeHealth", { ...node, aside: null, endedWell: 0, sent })];
  return [
    written("nodeHealth", { ...node, aside: null, endedWell: null, sent: [] }),
    written("siteHealth", withoutTrouble(site, name)),
  ];
}

/** Records a job that was sent to a site and may run on one of its nodes in trouble. */
export function noteSent(
  projection: Projection,
  { job, site, pilot, atMs }: EventOf<"jobPlaced">,
): readonly RecordChange[] {
  const only = pilot === undefined ? undefined : projection.books.pilots.get(pilot)?.node;
  return troubledNodes(projection, site).flatMap((health) => {
    if (pilot !== undefined && only !== health.node) return [];
    const others = sentTo(projection, health, job);
    const sent = takesAnother(health, others.length, atMs) ? [...others, job] : others;
    return [written("nodeHealth", { ...health, sent })];
  });
}

/** Decisions to set nodes of a site aside. @param isOwn true for failures that the job itself caused */
export function nodeVerdicts(
  projection: Projection,
  site: SiteHealth,
  isOwn: (failure: QuickFailure) => boolean,
  nowMs: number,
): readonly StintEvent[] {
  const readmitted = troubledNodes(projection, site.site).flatMap(({ node, aside }): StintEvent[] => {
    if (aside === null || aside.goodProbes < GOOD_PROBES) return [];
    return [{ kind: "nodeReadmitted", site: site.site, node, by: null, atMs: nowMs }];
  });
  if (readmitted.length > 0) return readmitted;
  // One at a time, since the number of nodes already set aside limits how many more may be.
  for (const name of new Set(site.failures.map(({ node }) => node))) {
    if (name === undefined) continue;
    const judged = asSite(nodeHealthOf(projection, site.site, name), site);
    if (sickness(judged, nowMs, undefined, site) === undefined) continue;
    const found = sickness(judged, nowMs, isOwn, site);
    if (found === undefined || !maySetAside(projection, site.site)) continue;
    return [{ kind: "nodeSetAside", site: site.site, node: name, ...found, atMs: nowMs }];
  }
  return [];
}

/** Cause of a job's wait: the nodes of its site that it avoids. */
export function avoidedBy(projection: Projection, job: JobRecord) {
  const site = projection.sites.get(job.site ?? "");
  if (site === undefined || job.startedAtMs !== null || job.pilot !== undefined) return [];
  const avoided = avoidedNodes(projection, job);
  if (avoided.length === 0) return [];
  const nodes = publishesAggregates(site.spec) ? [] : avoided;
  return [{ kind: "nodesAvoided" as const, site: site.name, nodes, count: avoided.length }];
}

/** Instants at which nodes may be tested. */
export function probeInstants(projection: Projection, { site }: SiteHealth): readonly number[] {
  return troubledNodes(projection, site).flatMap(({ aside }) => (aside === null ? [] : [aside.probeAtMs]));
}

/** Nodes of a site in trouble, in order of name. */
export function nodesInTrouble(projection: Projection, site: string): readonly NodeHealth[] {
  return [...troubledNodes(projection, site)].sort((one, other) => (one.node < other.node ? -1 : 1));
}

const MINUTES_PER_DAY = 1440;

/** Subtracts tallies from tallies of the same periods; a period may occur several times. */
function less(tallies: readonly EndTally[], others: readonly EndTally[]): readonly EndTally[] {
  return tallies.map(({ period, ...all }) => {
    const of = others.filter((other) => other.period === period);
    const ended = of.reduce((left, one) => Math.max(0, left - one.ended), all.ended);
    return { period, ended, quick: of.reduce((left, one) => Math.max(0, left - one.quick), all.quick) };
  });
}

function withoutTrouble(site: SiteHealth, node: string): SiteHealth {
  const { troubledNodes: names = [], ...health } = site;
  const left = names.filter((name) => name !== node);
  return left.length === 0 ? health : { ...health, troubledNodes: left };
}
