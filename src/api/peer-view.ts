/**
 * Other brokers that use the same clusters, as JSON for people.
 */
import type { PeerAtSiteView, PeerView } from "../contract/index.ts";
import type { PeerAtSite, PeerNow } from "../engine/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** Another broker. */
export function peerView({ heardAtMs, ...same }: PeerNow): PeerView {
  return { ...same, heardAt: isoInstant(heardAtMs) };
}

/** Other brokers at a site; omitted where there is none. */
export function peersThere(peers: readonly PeerAtSite[] = []): {
  readonly peers?: readonly PeerAtSiteView[];
} {
  if (peers.length === 0) return {};
  return { peers: peers.map(({ heardAtMs, ...same }) => ({ ...same, heardAt: isoInstant(heardAtMs) })) };
}

/** Counted use by other brokers at the site of a job, in sentences; at every site where it has none yet. */
export function linesOfPeers(peers: readonly PeerNow[], site: string | null): readonly string[] {
  return peers.flatMap(({ peer, heardAtMs, counted }) =>
    counted
      .filter((there) => site === null || there.site === site)
      .map(
        ({ site: there, jobs, procs }) =>
          `${procs} processors of ${jobs} jobs that ${peer} has sent to ${there} count as use there; it ` +
          `was heard last at ${isoInstant(heardAtMs)}, and jobs that it has submitted since are not known`,
      ),
  );
}
