/**
 * Dispatches of other brokers to a cluster that the cluster has not shown yet: they count as use when a site
 * is chosen, until their expected end.
 *
 * A waiting job is expected to end its whole limit after the last report of it, so dispatches of a broker
 * that reports no more cease to count. A dispatch that the cluster has shown once is tracked by the cluster's
 * survey, including its end.
 */
import type { DispatchedJob, PeerRecord } from "../../model/index.ts";

/** State of a peer broker. */
export interface PeerState {
  readonly record: PeerRecord;
  /** The ids of those of its jobs that a look has shown: seen, and so no event. */
  readonly shown: Set<string>;
}

/** The other brokers, by name. */
export type Peers = ReadonlyMap<string, PeerState>;

/** When a job is over at the latest, as far as its broker knew at an instant. */
export function expectedEndMs(
  { startedAtMs, limitMs }: Pick<DispatchedJob, "startedAtMs" | "limitMs">,
  knownAtMs: number,
): number {
  return (startedAtMs ?? knownAtMs) + limitMs;
}

/** The jobs of others that count at a site at an instant. */
export function countedAt(peers: Peers, site: string, nowMs: number): readonly DispatchedJob[] {
  if (peers.size === 0) return [];
  return [...peers.values()].flatMap(({ record, shown }) => {
    const its = bySite(record).get(site) ?? [];
    return its.filter((job) => !shown.has(job.id) && expectedEndMs(job, record.heardAtMs) > nowMs);
  });
}

/** Processors that others have in use or asked for at a site, and that it has not shown. */
export function countedProcs(jobs: readonly DispatchedJob[]): { inUse: number; waiting: number } {
  const counted = { inUse: 0, waiting: 0 };
  for (const { startedAtMs, procs } of jobs) counted[startedAtMs === null ? "waiting" : "inUse"] += procs;
  return counted;
}

/**
 * Notes which of other brokers' jobs a survey of a site shows, by the site's ids; our own are not among them.
 */
export function noteShownThere(peers: Peers, site: string, siteJobs: ReadonlySet<string>): void {
  for (const { record, shown } of peers.values()) {
    for (const { id, siteJob } of bySite(record).get(site) ?? []) {
      if (siteJob !== null && siteJobs.has(siteJob)) shown.add(id);
    }
  }
}

/** Dispatches of a record by site, grouped once for each record. */
const sorted = new WeakMap<PeerRecord, ReadonlyMap<string, readonly DispatchedJob[]>>();

function bySite(record: PeerRecord): ReadonlyMap<string, readonly DispatchedJob[]> {
  const before = sorted.get(record);
  if (before !== undefined) return before;
  const made = new Map<string, DispatchedJob[]>();
  for (const job of record.dispatched) {
    const its = made.get(job.site) ?? [];
    its.push(job);
    made.set(job.site, its);
  }
  sorted.set(record, made);
  return made;
}
