/** Jobs that other brokers on the same clusters have sent to a site. */
import { peersAt, type SiteState } from "../engine/index.ts";
import { isForeign } from "../model/index.ts";
import type { Round } from "../runtime/index.ts";

/** Jobs of other brokers at a site; none for this machine, which has one broker. */
export function peersThere(round: Pick<Round, "projection" | "nowMs">, { name, spec }: SiteState) {
  return isForeign(spec) ? { peers: peersAt(round.projection.peers, name, round.nowMs()) } : {};
}
