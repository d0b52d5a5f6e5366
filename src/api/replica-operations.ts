/** Operations on the replica catalogue, as in `operations.ts`. */
import type { ReplicaQuery, ReplicaRemoval, ReplicaRequest, ReplicaView } from "../contract/index.ts";
import { act, type Items, look, of, remove } from "./operation-shapes.ts";

const list = of<Items<ReplicaView>>();

/** Table of operations. */
export const REPLICA_OPERATIONS = {
  listReplicas: { ...look, path: "/replicas", query: of<ReplicaQuery>(), answer: list },
  addReplica: { ...act, path: "/replicas", body: of<ReplicaRequest>(), answer: list },
  removeReplica: { ...remove, path: "/replicas", query: of<ReplicaRemoval>(), answer: list },
} as const;
