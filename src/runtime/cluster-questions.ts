/** Questions about a cluster as it is now, its queue and its partitions. */
import type { ClusterExplanation, QueueAd } from "../engine/index.ts";
import type { HiddenPart, LiveQueue } from "../model/index.ts";

/** The queue of a cluster as it is now. */
export interface ThereQueued {
  readonly queue: LiveQueue;
  /** Parts that the snapshot does not show. */
  readonly hidden: readonly HiddenPart[];
  /** True where the cluster hides jobs of others from its users. */
  readonly areJobsPrivate: boolean;
}

/** Why a job waits at a cluster. */
export interface ThereExplained {
  /** Undefined where the cluster does not show such a job. */
  readonly explanation: ClusterExplanation | undefined;
  /** True where the cluster hides users' jobs from each other. */
  readonly areJobsPrivate: boolean;
  /** By the broker's records, or the consumer of its account and user there; absent where unknown. */
  readonly whose?: { readonly owner: string; readonly consumer: string };
}

/** Part of the broker's interface about clusters. */
export interface ClusterApi {
  /**
   * Why a job waits, by its id at a site, for any submitter.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  explainThere(site: string, siteJob: string): Promise<ThereExplained | "notACluster">;
  /**
   * Jobs in a cluster's queue, for simulation.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  queueThere(site: string): Promise<ThereQueued | "notACluster">;
  /** Ads of the queues of a cluster; none of other sites, null where it cannot be asked. */
  queueAds(site: string): Promise<readonly QueueAd[] | null>;
}
