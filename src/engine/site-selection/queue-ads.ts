/** Ads of the queues of a cluster, from a look at it (rule EN-188). */
import { utcText } from "../../base/index.ts";
import { adText, glue2Of, siteAdOf } from "../../match/index.ts";
import { type ClusterSnapshot, publishesAggregates } from "../../model/index.ts";
import type { SiteState } from "../state/site-state.ts";
import { queueFacts } from "./queue-facts.ts";
import { AD_LIFETIME_MS, priceAt, storesOf } from "./site-facts.ts";

/** The ad of a queue, in both forms. */
export interface QueueAd {
  readonly queue: string;
  readonly classad: string;
  readonly glue2: unknown;
}

/**
 * Ads of the queues that a cluster does not hide, in its order; none where the site publishes aggregates.
 * Response times are left to its own ad.
 */
export function queueAdsOf(
  { name: site, spec, isDraining }: Pick<SiteState, "name" | "spec" | "isDraining">,
  { partitions, nodes, jobs, system, version, atMs }: ClusterSnapshot,
): readonly QueueAd[] {
  if (publishesAggregates(spec)) return [];
  const hostName = spec.type === "slurm" && spec.sshHost !== null ? { hostName: spec.sshHost } : {};
  const { applications } = spec;
  const priceThousandths = priceAt({ spec }, "", atMs);
  const stamp = { createdAt: utcText(atMs), validitySec: AD_LIFETIME_MS / 1000 };
  const shown = partitions.filter(({ isHidden }) => !isHidden);
  return shown.map((partition) => {
    const facts = {
      ...{ site, system, ...hostName },
      ...(version === null ? {} : { systemVersion: version }),
      ...queueFacts(partition, { nodes, jobs }),
      ...(isDraining ? { status: "Draining" as const } : {}),
      ...(applications === undefined ? {} : { applications: Object.keys(applications) }),
      ...{ stores: storesOf(spec), priceThousandths },
    };
    return {
      queue: partition.name,
      classad: adText(siteAdOf(facts, spec.ads)),
      glue2: glue2Of(facts, stamp),
    };
  });
}
