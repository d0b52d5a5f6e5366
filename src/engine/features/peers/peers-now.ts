/** View of other brokers: age of their reports, and the part of them that counts at each site. */
import { countedAt, type Peers } from "../../state/peer-use.ts";

/** Dispatches of a peer that count at a site. */
export interface PeerAtSite {
  readonly peer: string;
  /** Unix ms; what it has sent since is not known. */
  readonly heardAtMs: number;
  /** Number of jobs, at all sites, that the peer left out of its report. */
  readonly leftOut: number;
  /** Number of reported jobs that count at the site now, and below it their processors. */
  readonly jobs: number;
  readonly procs: number;
}

/** Another broker, and all that it told. */
export interface PeerNow extends Omit<PeerAtSite, "jobs" | "procs"> {
  readonly by: string;
  /** Jobs in the peer's report. */
  readonly told: number;
  readonly counted: readonly { readonly site: string; readonly jobs: number; readonly procs: number }[];
}

/** Every other broker at a site, by name, also where nothing of it counts there. */
export function peersAt(peers: Peers, site: string, nowMs: number): readonly PeerAtSite[] {
  return byName(peers).map(([peer, state]) => {
    const its = countedAt(new Map([[peer, state]]), site, nowMs);
    const { heardAtMs, leftOut } = state.record;
    return { peer, heardAtMs, leftOut, jobs: its.length, procs: sum(its.map(({ procs }) => procs)) };
  });
}

/** The other brokers by name, with what counts at these sites. */
export function peersNow(peers: Peers, sites: readonly string[], nowMs: number): readonly PeerNow[] {
  return byName(peers).map(([peer, state]) => {
    const { heardAtMs, leftOut, by, dispatched } = state.record;
    const counted = sites.flatMap((site) => {
      const [{ jobs, procs }] = peersAt(new Map([[peer, state]]), site, nowMs);
      return jobs === 0 ? [] : [{ site, jobs, procs }];
    });
    return { peer, heardAtMs, leftOut, by, told: dispatched.length, counted };
  });
}

function byName(peers: Peers) {
  return [...peers].sort(([one], [other]) => (one < other ? -1 : 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0);
}
