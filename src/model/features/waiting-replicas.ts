/**
 * Replicas of a waiting job: it waits in the queues of several sites at once, and begins at one of them
 * ([WMS], spec 65 A45). Not to be confused with the replicas of data, which are copies of files.
 */
import { some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { WaitingReplica } from "../job.ts";

/** Largest number of replicas of a job. */
export const MOST_REPLICAS = 8;

/** Time after its start at a cluster for which a replica waits for the grant. */
export const GRANT_WAIT_MS = 120_000;

/** Attributes that determine the site of a job, so that it cannot have replicas. */
type ReplicaObstacle = "site" | "reservation" | "ticket" | "virtual";

interface WaitingReplicasTypes {
  readonly event: /** A decision: the job waits at these sites. */
    | {
        readonly kind: "replicasQueued";
        readonly job: string;
        readonly replicas: readonly Pick<WaitingReplica, "holder" | "site">[];
      }
    /** A decision: the job no longer waits there, and will not begin there. */
    | ({
        readonly kind: "replicaWithdrawn";
        readonly job: string;
        readonly why: NonNullable<WaitingReplica["why"]>;
      } & Pick<WaitingReplica, "holder" | "site">);
  readonly refusal: { readonly kind: "uselessReplicas"; readonly with: ReplicaObstacle };
  readonly cause: { readonly kind: "replicasWait"; readonly sites: readonly string[] };
}

const OBSTACLES: Readonly<Record<ReplicaObstacle, string>> = {
  site: "a job that names its site waits there alone",
  reservation: "a job in a reservation begins in its time and at its site",
  ticket: "a ticket is for one site",
  virtual: "a virtual reservation is at one site",
};

export const waitingReplicas: FeatureModel<WaitingReplicasTypes> = {
  events: { replicasQueued: 1, replicaWithdrawn: 1 },
  refusals: {
    uselessReplicas: {
      status: 422,
      text: (refusal) => ({
        what: "the job cannot have replicas",
        why: OBSTACLES[refusal.with],
        remedy: "leave out the replicas, or let Stint choose the site",
      }),
    },
  },
  causes: {
    replicasWait: ({ sites }) =>
      `it waits at ${some(sites, "and")} at once; the first site that can begin it does, and the others ` +
      "withdraw it",
  },
};
