/**
 * Dispatches reported by other brokers: received, recorded, removed.
 *
 * An event has only what is new and what is over, since most of a list is as it was a minute before.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  attemptToken,
  type DispatchedJob,
  type DispatchList,
  isForeign,
  type JobRecord,
  MOST_DISPATCHES_TOLD,
  type PeerRecord,
} from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { expectedEndMs } from "../../state/peer-use.ts";
import { policySubject } from "../../state/policy-subject.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import type { SiteState } from "../../state/site-state.ts";
import { peersNow } from "./peers-now.ts";

export const peers = {
  name: "peers",
  answers: { hearPeer, forgetPeer },
  applies: {
    peerHeard: applyPeer,
    peerForgotten: applyPeer,
  },
  queries: {
    /** Unfinished dispatches of this broker to clusters. */
    dispatches: (projection: Projection, _: undefined, nowMs: number) => dispatchesNow(projection, nowMs),
    /** Every other broker, by name. */
    peers: ({ peers, sites }: Projection, _: undefined, nowMs: number) => {
      const clusters = [...sites.values()].flatMap(({ name, spec }) => (isForeign(spec) ? [name] : []));
      return peersNow(peers, clusters, nowMs);
    },
  },
  views: [{ name: "peers", columns: {}, isReadWhole: true }],
  rows: {
    peer: ({ record }) => ({ view: "peers", key: record.name, record, columns: {} }),
    peerGone: ({ name: key }) => ({ view: "peers", key, record: undefined, columns: {} }),
  },
  restore: (projection, { peers = [] }) => {
    for (const record of peers) projection.peers.set(record.name, { record, shown: new Set() });
  },
} as const satisfies Feature;

/** Records another broker's report of its dispatches; a report older than its last one changes nothing. */
export function hearPeer(
  { peers }: Pick<Projection, "peers">,
  { peer, asOfMs, dispatched, leftOut, by }: CommandOf<"hearPeer">,
  nowMs: number,
): Answer {
  const before = peers.get(peer)?.record;
  if (before !== undefined && asOfMs < before.asOfMs) return accepted([]);
  const known = new Map(before?.dispatched.map((job) => [job.id, job]));
  const came = dispatched.filter((job) => !isSame(known.get(job.id), job));
  const told = new Set(dispatched.map(({ id }) => id));
  const gone = [...known.keys()].filter((id) => !told.has(id));
  return accepted([{ kind: "peerHeard", peer, asOfMs, came, gone, leftOut, by, atMs: nowMs }]);
}

/** Removes a peer; its dispatches count no longer. */
export function forgetPeer(
  { peers }: Pick<Projection, "peers">,
  { peer, by }: CommandOf<"forgetPeer">,
  nowMs: number,
): Answer {
  if (!peers.has(peer)) return refused({ kind: "unknownPeer", peer, known: [...peers.keys()] });
  return accepted([{ kind: "peerForgotten", peer, by, atMs: nowMs }]);
}

/** Applies a peer's report, or the removal of the peer. */
export function applyPeer(
  { peers }: Pick<Projection, "peers">,
  event: EventOf<"peerHeard"> | EventOf<"peerForgotten">,
): readonly RecordChange[] {
  const { peer: name } = event;
  if (event.kind === "peerForgotten") {
    peers.delete(name);
    return [{ kind: "peerGone", name }];
  }
  const before = peers.get(name);
  const record = heardRecord(before?.record, event);
  const told = new Set(record.dispatched.map(({ id }) => id));
  const shown = new Set([...(before?.shown ?? [])].filter((id) => told.has(id)));
  peers.set(name, { record, shown });
  return [{ kind: "peer", record }];
}

function heardRecord(
  before: PeerRecord | undefined,
  { peer: name, asOfMs, came, gone, leftOut, by, atMs: heardAtMs }: EventOf<"peerHeard">,
): PeerRecord {
  const jobs = new Map(before?.dispatched.map((job) => [job.id, job]));
  for (const id of gone) jobs.delete(id);
  for (const job of came) jobs.set(job.id, job);
  return { name, asOfMs, heardAtMs, leftOut, by, dispatched: [...jobs.values()] };
}

/**
 * True if nothing was reported anew of a job. Only two fields ever change: the id that the cluster gives it,
 * and its start.
 */
function isSame(known: DispatchedJob | undefined, job: DispatchedJob): boolean {
  return known?.siteJob === job.siteJob && known.startedAtMs === job.startedAtMs;
}

// Dispatches that a broker reports to its peers: its own jobs on clusters, never those reported by
// others. Jobs that have ended or exceeded their limit are not reported: the list is bounded by what
// clusters hold, by age, and by {@link MOST_DISPATCHES_TOLD}.

/** All that is at clusters now, in the order in which the jobs were accepted. */
function dispatchesNow({ jobs, sites }: Pick<Projection, "jobs" | "sites">, nowMs: number): DispatchList {
  const there = [...sites.values()].filter(({ spec }) => isForeign(spec));
  const all = there
    .flatMap((site) => [...site.own].flatMap((id) => jobs.get(id) ?? []).map((job) => ({ site, job })))
    .sort((one, other) => one.job.order - other.job.order)
    .map(({ site, job }) => dispatchOf(site, job))
    .filter((dispatch) => expectedEndMs(dispatch, nowMs) > nowMs);
  const dispatched = all.slice(-MOST_DISPATCHES_TOLD);
  return { asOfMs: nowMs, dispatched, leftOut: all.length - dispatched.length };
}

function dispatchOf({ name, spec }: SiteState, job: JobRecord): DispatchedJob {
  const { procs, gpus = 0, memoryBytes = 0, wallTimeMs = spec.defaultWallTimeMs } = job.description;
  return {
    ...{
      id: attemptToken(job.id, job.attempt),
      site: name,
      siteJob: job.siteJob,
      consumer: policySubject(job),
    },
    ...{ procs, gpus, memoryBytes, startedAtMs: job.startedAtMs, limitMs: wallTimeMs },
  };
}
