/** Levels of consumers that policies name at a site, each with its accounts at a cluster. */
import type { Policy } from "../../../model/index.ts";
import type { ShareNode, ShareTree, SiteResource } from "../../../policy/index.ts";
import { isPlainName } from "./compile-words.ts";

/** Policy of a level for one resource. */
interface LevelShare {
  readonly resource: SiteResource;
  readonly node: ShareNode;
  readonly policy: Policy;
}

/** A level of consumers. */
export interface ShareLevel {
  readonly path: string;
  readonly shares: readonly LevelShare[];
  /** Slurm accounts of the consumer; empty if none is configured. */
  readonly accounts: readonly string[];
  /** Parent account. */
  readonly parent: string | undefined;
}

/** All levels that a policy names, parents first. */
export function shareLevels(
  tree: ShareTree,
  consumers: Readonly<Record<string, string>>,
): readonly ShareLevel[] {
  const paths = new Set<string>();
  for (const byPath of tree.nodes.values()) {
    for (const node of byPath.values()) if (node.policy !== null) paths.add(node.path);
  }
  return [...paths]
    .sort((a, b) => a.split("/").length - b.split("/").length)
    .map((path) => {
      const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
      const parent = above === "" ? "root" : accountsOf(above, consumers)[0];
      const accounts = parent === undefined ? [] : accountsOf(path, consumers);
      return { path, shares: sharesOf(tree, path), accounts, parent };
    });
}

function sharesOf({ nodes }: ShareTree, path: string): readonly LevelShare[] {
  return (["cpu", "gpu", "memory"] as const).flatMap((resource) => {
    const node = nodes.get(resource)?.get(path);
    return node?.policy == null ? [] : [{ resource, node, policy: node.policy }];
  });
}

/** Accounts configured for a consumer, else the account with the name of the VO. */
function accountsOf(path: string, consumers: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(consumers).flatMap(([account, consumer]) =>
    consumer === path ? [account] : [],
  );
  const byName = path.includes("/") ? [] : [path];
  return (named.length > 0 ? named : byName).filter(isPlainName);
}
