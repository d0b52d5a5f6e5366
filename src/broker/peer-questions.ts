/**
 * What this broker tells others that use the same clusters, and what it knows of them.
 */
import { dispatchesNow, peersAt, peersNow, type SiteState } from "../engine/index.ts";
import { isForeign } from "../model/index.ts";
import type { BrokerApi, Round } from "../runtime/index.ts";

/** What the API answers about other brokers. */
export function peerDoor(round: Round) {
  return {
    dispatches: () => dispatchesNow(round.projection, round.nowMs()),
    peers: () => peersHere(round),
  } satisfies Partial<BrokerApi>;
}

/** Every other broker, by name. */
export function peersHere(round: Round) {
  const { peers, sites } = round.projection;
  const clusters = [...sites.values()].flatMap(({ name, spec }) => (isForeign(spec) ? [name] : []));
  return peersNow(peers, clusters, round.nowMs());
}

/** What other brokers have sent to a site; nothing where it is this machine, which only we use. */
export function peersThere(round: Pick<Round, "projection" | "nowMs">, { name, spec }: SiteState) {
  return isForeign(spec) ? { peers: peersAt(round.projection.peers, name, round.nowMs()) } : {};
}
