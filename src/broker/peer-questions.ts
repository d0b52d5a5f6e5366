/**
 * What other brokers that use the same clusters have sent to a site.
 */
import { peersAt, type SiteState } from "../engine/index.ts";
import { isForeign } from "../model/index.ts";
import type { Round } from "../runtime/index.ts";

/** What other brokers have sent to a site; nothing where it is this machine, which only we use. */
export function peersThere(round: Pick<Round, "projection" | "nowMs">, { name, spec }: SiteState) {
  return isForeign(spec) ? { peers: peersAt(round.projection.peers, name, round.nowMs()) } : {};
}
