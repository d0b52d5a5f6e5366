/**
 * The health of nodes, by the rule for sites (spec A46) with the rate and the run times of the site (rule
 * EN-195); and which nodes a job avoids.
 *
 * Only jobs on one node are counted, because of several nodes the faulty one is not known.
 */
import type { AttemptEnd, JobRecord, NodeHealth, SiteHealth } from "../../model/index.ts";
import type { Projection } from "./projection.ts";
import { TRIAL, WINDOW_MS } from "./site-health.ts";

/** Number of failing nodes from which a site of any size is judged as a whole. */
const SEVERAL_NODES = 3;

type Known = Pick<Projection, "books" | "jobs" | "sites">;

/** The node on which an attempt ran; undefined: unknown, or several. */
export function nodeOf({ books }: Known, { pilot }: JobRecord, { node }: AttemptEnd) {
  if (pilot !== undefined) return books.pilots.get(pilot)?.node ?? undefined;
  return node;
}

/** The recorded health of a node; without a record, that of a node without ends. */
export function nodeHealthOf({ books }: Known, site: string, node: string): NodeHealth {
  const nothing = { minutes: [], failures: [], aside: null, endedWell: null, sent: [] };
  return books.nodeHealth.get(`${site}/${node}`) ?? { site, node, ...nothing };
}

/** A node in the form of a site, as the rule for sites judges it. */
export function asSite(health: NodeHealth, { days, runs }: Pick<SiteHealth, "days" | "runs">): SiteHealth {
  const { node: _, ...rest } = health;
  return { ...rest, days, runs };
}

/** A node whose health was judged in the form of a site. */
export function asNode(health: SiteHealth, node: string): NodeHealth {
  const { site, minutes, failures, aside, endedWell, sent } = health;
  return { site, node, minutes, failures, aside, endedWell, sent };
}

/** Nodes of a site that are set aside or take few jobs. */
export function troubledNodes(known: Known, site: string): readonly NodeHealth[] {
  const { troubledNodes: names = [] } = known.books.siteHealth.get(site) ?? {};
  return names.map((name) => nodeHealthOf(known, site, name));
}

/** Jobs at the site that may run on a node in trouble, except `but`. */
export function sentTo({ jobs }: Known, { site, sent }: NodeHealth, but: string): readonly string[] {
  return sent.filter((id) => id !== but && jobs.get(id)?.site === site);
}

/** True if an unhealthy node may get another job. @param there number of jobs that may be on it */
export function takesAnother({ aside }: NodeHealth, there: number, nowMs: number): boolean {
  if (aside === null) return there < TRIAL.most;
  return there === 0 && nowMs >= aside.probeAtMs;
}

/** Nodes of its site that a job must not use now, in order of name. */
export function avoidedNodes(known: Known, { id, site }: Pick<JobRecord, "id" | "site">): readonly string[] {
  if (site === null) return [];
  const avoided = troubledNodes(known, site).filter(({ sent }) => !sent.includes(id));
  return avoided.map(({ node }) => node).sort();
}

/**
 * True if a pilot on a node accepts another job; a node that is set aside is tested with one job at a time.
 */
export function takesPayload(
  known: Known,
  { site, node }: { readonly site: string; readonly node: string | null },
  isEmpty: boolean,
  nowMs: number,
): boolean {
  const health = troubledNodes(known, site).find((one) => one.node === node);
  if (health === undefined) return true;
  return (isEmpty || health.aside === null) && takesAnother(health, sentTo(known, health, "").length, nowMs);
}

/** Number of known nodes of a site. */
function knownNodes({ books, sites }: Known, site: string): number {
  const seen = [...books.nodeHealth.values()].filter((one) => one.site === site).length;
  const queues = sites.get(site)?.observation.queues ?? [];
  return Math.max(seen, ...queues.map(({ nodes = 0 }) => nodes));
}

/** True if another node of a site may be set aside: at most half of them, or the site is at fault. */
export function maySetAside(known: Known, site: string): boolean {
  const aside = troubledNodes(known, site).filter((one) => one.aside !== null).length;
  return 2 * (aside + 1) <= knownNodes(known, site);
}

/** True if recent failures are the fault of the site, not of one or two of its nodes. */
export function isOfWholeSite(known: Known, { site, failures }: SiteHealth, nowMs: number): boolean {
  const recent = failures.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const nodes = new Set(recent.map(({ node }) => node));
  return nodes.has(undefined) || nodes.size >= SEVERAL_NODES || 2 * nodes.size > knownNodes(known, site);
}
