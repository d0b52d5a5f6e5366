/**
 * The shares of a level as exact ratios: products of parts per million down the path, never rounded (PO-1).
 */
import type { SharedResource } from "../model/index.ts";
import type { ShareNode, ShareTree } from "./share-tree.ts";

/** `parts` of `whole`, both exact. */
export interface ExactRatio {
  readonly parts: bigint;
  readonly whole: bigint;
}

/** What a level has of a place's capacity: over its window, and at any instant. */
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
