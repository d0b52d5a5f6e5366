/**
 * Shares of a level as exact ratios: products of parts per million down the path, never rounded (rule PO-1).
 */
import type { SharedResource } from "../model/index.ts";
import type { ShareNode, ShareTree } from "./share-tree.ts";

/** The ratio `parts` ÷ `whole`, both exact. */
export interface ExactRatio {
  readonly parts: bigint;
  readonly whole: bigint;
}

/** The epoch share and the burst share of a level, as ratios of the place's capacity. */
export function exactShares(
  tree: ShareTree,
  resource: SharedResource,
  level: string,
): { readonly epoch: ExactRatio; readonly burst: ExactRatio } {
  const nodes = tree.nodes.get(resource);
  let [epoch, burst, whole] = [1n, 1n, 1n];
  let path: string | null = level;
  while (path !== null && path !== "") {
    const node: ShareNode | undefined = nodes?.get(path);
    const policy = node?.policy ?? null;
    if (policy === null) {
      path = node?.parent ?? null;
      continue;
    }
    epoch *= BigInt(policy.epoch.sharePpm);
    burst *= BigInt(policy.burst.sharePpm);
    whole *= 1_000_000n;
    path = path.startsWith(`${policy.provider}/`) ? policy.provider : null;
  }
  return { epoch: { parts: epoch, whole }, burst: { parts: burst, whole } };
}
