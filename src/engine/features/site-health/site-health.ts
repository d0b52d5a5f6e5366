/**
 * Health of sites (rules EN-190 to EN-192, EN-195): where jobs fail as soon as they begin, the site or node
 * is set aside; jobs that wait test it one at a time, and two good ones readmit it.
 *
 * The tests are jobs of users, not jobs of our own: those would need an account, a policy and a budget at
 * each site.
 */
import type { JobRecord, QuickFailure, SiteHealth, StintEvent } from "../../../model/index.ts";
import type { Feature, KeptFrom } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import { isOfWholeSite, nodeOf } from "../../state/node-health.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import {
  afterEnd,
  FIRST_PAUSE_MS,
  failedElsewhere,
  GOOD_PROBES,
  ownFaultOf,
  programOf,
  sickness,
  TRIAL,
  takesOneMore,
  unknownHealth,
} from "../../state/site-health.ts";
import { isOpen, type SiteState } from "../../state/site-state.ts";
import {
  avoidedBy,
  nodesInTrouble,
  nodeVerdicts,
  noteSent,
  probeInstants,
  readmitNode,
  setNodeAside,
  withEndOnNode,
} from "./node-health.ts";

export const siteHealth = {
  name: "site-health",
  applies: {
    siteSetAside: (projection, { site, quick, ended, atMs }) => {
      const pauses = { pauseMs: FIRST_PAUSE_MS, probeAtMs: atMs + FIRST_PAUSE_MS, goodProbes: 0 };
      const aside = { sinceMs: atMs, quick, ended, ...pauses };
      return [written("siteHealth", { ...healthOf(projection, site), aside, failures: [], endedWell: null })];
    },
    siteReadmitted: (projection, { site, by }) => {
      const endedWell = by === null ? 0 : null;
      const { sent, ...health } = healthOf(projection, site);
      return [written("siteHealth", { ...health, aside: null, endedWell, sent: by === null ? sent : [] })];
    },
    nodeSetAside: (projection, event) => setNodeAside(projection, healthOf(projection, event.site), event),
    nodeReadmitted: (projection, event) => readmitNode(projection, healthOf(projection, event.site), event),
  },
  before: noteEnd,
  after: (projection, event) => {
    const { siteHealth: book } = projection.books;
    if (event.kind === "siteRemoved" && book.has(event.site)) return goneWith(projection, event.site);
    if (event.kind !== "jobPlaced") return [];
    const health = book.get(event.site);
    if (health === undefined) return [];
    const onNodes = noteSent(projection, event);
    if (health.aside === null && health.endedWell === null) return onNodes;
    const there = health.sent.filter((id) => projection.jobs.get(id)?.site === event.site);
    return [...onNodes, written("siteHealth", { ...health, sent: [...there, event.job] })];
  },
  decide: (projection, nowMs) =>
    [...projection.books.siteHealth.values()].flatMap((health) => verdict(projection, health, nowMs)),
  wakeAtMs: (projection, nowMs) => {
    if (projection.unplaced.size === 0) return Number.POSITIVE_INFINITY;
    const probes = [...projection.books.siteHealth.values()].flatMap((health) => [
      health.aside?.probeAtMs ?? nowMs,
      ...probeInstants(projection, health),
    ]);
    return Math.min(Number.POSITIVE_INFINITY, ...probes.filter((atMs) => atMs > nowMs));
  },
  queries: {
    /** Why a site takes few jobs or none, as a cause of waiting; undefined without trouble. */
    siteHealth: (projection: Projection, site: string) => troubleAt(projection, site),
    nodesInTrouble: (projection: Projection, site: string) => nodesInTrouble(projection, site),
    /** Cause of an end or a wait: the job's program fails at every site. */
    ownFault: (projection: Projection, job: JobRecord, nowMs) => faultOf(projection, job, nowMs),
  },
  explain: {
    keepsFrom: unhealthySites,
    everywhere: (projection, job, nowMs) => {
      if (job.startedAtMs !== null) return [];
      return [...faultOf(projection, job, nowMs), ...avoidedBy(projection, job)];
    },
  },
} as const satisfies Feature;

function healthOf({ books }: Projection, site: string): SiteHealth {
  return books.siteHealth.get(site) ?? unknownHealth(site);
}

/** The end of an attempt is counted while the job still tells where and when it ran. */
function noteEnd(projection: Projection, event: StintEvent): readonly RecordChange[] {
  if (event.kind !== "attemptEnded") return [];
  const job = projection.jobs.get(event.job);
  if (job?.site === undefined || job.site === null || !projection.sites.has(job.site)) return [];
  const before = healthOf(projection, job.site);
  const isOwnFault = failedElsewhere(projection, job, job.site, event.atMs);
  const ended = { end: event.end, isOwnFault, node: nodeOf(projection, job, event.end) };
  const { node } = ended;
  if (node === undefined) return siteChange(before, afterEnd(before, job, ended, event.atMs));
  const onNode = withEndOnNode(projection, before, { ...ended, job, node }, event.atMs);
  // The end of a job on a node in trouble says nothing of the site.
  const health = onNode.isNodeFault
    ? { ...onNode.site, sent: before.sent.filter((id) => id !== job.id) }
    : afterEnd(onNode.site, job, ended, event.atMs);
  return [...onNode.changes, ...siteChange(before, health)];
}

function siteChange(before: SiteHealth, after: SiteHealth): readonly RecordChange[] {
  return after === before ? [] : [written("siteHealth", after)];
}

function goneWith({ books }: Projection, site: string): readonly RecordChange[] {
  const nodes = [...books.nodeHealth.values()].filter((one) => one.site === site);
  return [erased("siteHealth", site), ...nodes.map(({ node }) => erased("nodeHealth", `${site}/${node}`))];
}

function verdict(projection: Projection, health: SiteHealth, nowMs: number): readonly StintEvent[] {
  const { site, aside } = health;
  if (aside !== null) {
    return aside.goodProbes < GOOD_PROBES ? [] : [{ kind: "siteReadmitted", site, by: null, atMs: nowMs }];
  }
  const isOwn = (failure: QuickFailure) => ownFaultOf(projection, failure, nowMs) !== undefined;
  const ofNodes = nodeVerdicts(projection, health, isOwn, nowMs);
  if (ofNodes.length > 0) return ofNodes;
  if (sickness(health, nowMs) === undefined || !isOfWholeSite(projection, health, nowMs)) return [];
  const found = sickness(health, nowMs, isOwn);
  return found === undefined ? [] : [{ kind: "siteSetAside", site, ...found, atMs: nowMs }];
}

/** Open sites that take no job now for their health: set aside, or at their limit of jobs during a trial. */
function unhealthySites(
  projection: Projection,
  { description }: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
): readonly KeptFrom[] {
  if (description.reservation !== undefined) return [];
  return sites.flatMap((site): KeptFrom[] => {
    if (!isOpen(site) || takesOneMore(projection, site.name, 0, nowMs) !== "no") return [];
    const cause = troubleAt(projection, site.name);
    return cause === undefined ? [] : [{ sites: [site.name], cause, by: "nothing" }];
  });
}

function faultOf(projection: Projection, job: JobRecord, nowMs: number) {
  const fault = ownFaultOf(projection, { description: programOf(job), owner: job.owner }, nowMs);
  return fault === undefined ? [] : [{ kind: "failsEverywhere" as const, ...fault }];
}

function troubleAt({ books }: Projection, site: string) {
  const { aside = null, endedWell = null } = books.siteHealth.get(site) ?? {};
  if (aside !== null) {
    const { sinceMs, quick, ended, probeAtMs } = aside;
    return { kind: "siteSetAside", site, sinceMs, quick, ended, probeAtMs } as const;
  }
  return endedWell === null ? undefined : ({ kind: "siteOnTrial", site, endedWell, ...TRIAL } as const);
}
