/** Operations on other brokers that use the same clusters, as in `operations.ts`. */
import type { DispatchesView, PeerView } from "../contract/index.ts";
import { type Items, look, of, put, remove } from "./operation-shapes.ts";

/** Table of operations. */
export const PEER_OPERATIONS = {
  listDispatches: { ...look, path: "/dispatches", answer: of<DispatchesView>() },
  listPeers: { ...look, path: "/peers", answer: of<Items<PeerView>>() },
  hearPeer: { ...put, path: "/peers/:name", body: of<DispatchesView>(), answer: of<PeerView>() },
  forgetPeer: { ...remove, path: "/peers/:name", answer: of<Items<PeerView>>() },
} as const;
