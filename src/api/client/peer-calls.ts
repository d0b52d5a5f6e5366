/**
 * The client's calls about other brokers that use the same clusters.
 */
import type { DispatchList } from "../../model/index.ts";
import type { Connection } from "./connection.ts";
import { type Items, look } from "./look.ts";
import type { PeerCalls, PeerView } from "./peer-types.ts";

/** These calls over a connection. */
export function peerCalls(connection: Connection): PeerCalls {
  const pathOf = (name: string): string => `/api/v1/peers/${encodeURIComponent(name)}`;
  return {
    dispatches: () => look<DispatchList>(connection, "/api/v1/dispatches"),
    peers: async () => (await look<Items<PeerView>>(connection, "/api/v1/peers")).items,
    // Told twice is as told once.
    hearPeer: async (name, body) =>
      (await connection.json({ method: "PUT", path: pathOf(name), body, isRepeatable: true })) as PeerView,
    forgetPeer: async (name) => {
      await connection.json({ method: "DELETE", path: pathOf(name), isRepeatable: false });
    },
  };
}
