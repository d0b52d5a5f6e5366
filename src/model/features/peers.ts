/**
 * Other brokers that use the same clusters, and what they have sent there.
 */
import { some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { DispatchedJob, DispatchList } from "../peer.ts";

interface PeersTypes {
  readonly command: /** Another broker has told what it has sent to clusters; it is called so here. */
    | ({ readonly kind: "hearPeer"; readonly peer: string; readonly by: string } & DispatchList)
    | { readonly kind: "forgetPeer"; readonly peer: string; readonly by: string };
  readonly event: /** What came since it told last, and what went. */
    | {
        readonly kind: "peerHeard";
        readonly peer: string;
        /** By its own clock. */
        readonly asOfMs: number;
        readonly came: readonly DispatchedJob[];
        /** Ids of ended jobs. */
        readonly gone: readonly string[];
        /** Number of further jobs of the peer, not in its list. */
        readonly leftOut: number;
        readonly by: string;
      }
    | { readonly kind: "peerForgotten"; readonly peer: string; readonly by: string };
  readonly refusal: {
    readonly kind: "unknownPeer";
    readonly peer: string;
    readonly known: readonly string[];
  };
  readonly role: "peer";
  readonly action: "exchange";
}

export const peers: FeatureModel<PeersTypes> = {
  events: { peerHeard: 1, peerForgotten: 1 },
  refusals: {
    unknownPeer: {
      status: 404,
      text: ({ peer, known }) => ({
        what: `no broker named ${peer} has reported`,
        why:
          known.length === 0
            ? "no other broker has reported"
            : `the brokers that have reported are ${some([...known])}`,
        remedy: "see `stint peer list`",
      }),
    },
  },
  // A broker that uses the same clusters learns what was sent there, and nothing else.
  roles: { peer: { may: {} } },
  actions: { exchange: { may: { admin: "all", peer: "all" } } },
};
