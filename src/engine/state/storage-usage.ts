/**
 * Stored bytes of each level that a storage policy names, as an observation point publishes them
 * (rule EN-83).
 */
import { mulDiv } from "../../base/index.ts";
import { storageBytesOf } from "../../model/index.ts";
import { storedOf, WHOLE_SHARE } from "../../policy/index.ts";
import { keeperAt, type WithFiles } from "./files-book.ts";
import type { LevelUsage } from "./level-usage.ts";
import type { SiteState } from "./site-state.ts";

/** A row for each level, bytes in use; none where the site declares no store. */
export function storageUsage(
  state: WithFiles,
  { name, spec }: SiteState,
  nowMs: number,
): readonly LevelUsage[] {
  const capacity = storageBytesOf(spec);
  const keeper = keeperAt(state, name, nowMs);
  if (capacity === 0 || keeper === undefined) return [];
  return [...(keeper.shares.nodes.get("storage")?.values() ?? [])].flatMap((node) => {
    if (node.policy === null) return [];
    const { path: consumer, window, epochShare, burstShare, rule, mode } = node;
    const { nowBytes, meanBytes } = storedOf(keeper, node, nowMs);
    return {
      ...({ resource: "storage", consumer, window, rule, mode } as const),
      inUse: nowBytes,
      ...{ waiting: 0, jobsRunning: 0, jobsWaiting: 0 },
      usedPpm: mulDiv(meanBytes, 1_000_000, capacity, "down"),
      epochPpm: mulDiv(epochShare, 1_000_000, WHOLE_SHARE, "down"),
      burstPpm: mulDiv(burstShare, 1_000_000, WHOLE_SHARE, "down"),
    };
  });
}
