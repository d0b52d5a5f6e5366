/**
 * A tree of accounts and users that grows as people submit, with what each has used.
 *
 * Accounts stand where the rules put them, else just below the root; a user stands in each account for
 * which he has submitted. Whoever has not submitted yet is not known and takes no share.
 * What a reading gives is what everybody had used at its instant. It is computed when it is looked at, or
 * just before somebody's use changes; so a reading that nobody looks at costs nothing.
 * Cost: O(depth) at a start or an end, O(known users and accounts) when looked at.
 */
import type { SlurmRules } from "../../model/index.ts";
import { changeUse, type DecayingUsage, noUsage, usageAt } from "./decaying-usage.ts";
import type { FairTreeNode } from "./fair-tree.ts";
import type { Owner } from "./scheme.ts";
import type { ShareNode } from "./share-node.ts";

/** A node whose use is that of a reading, once it was computed for it. */
interface LiveNode extends FairTreeNode {
  usage: number;
  /** Instant of the reading that `usage` belongs to. */
  usageOfMs: number;
  readonly parent?: LiveNode;
  readonly past: DecayingUsage;
  readonly children?: LiveNode[];
}

/** The tree of one site. */
export interface ShareTree {
  /** The owner's place, made when first asked for. */
  readonly place: (owner: Owner) => ShareNode;
  /** Number of users that have a place. */
  readonly users: () => number;
  readonly changeUse: (owner: Owner, change: number, atMs: number) => void;
  /** Takes a reading: from now on the use up to this instant counts, which is not before the last change. */
  readonly readShares: (atMs: number) => void;
  /** The whole tree, with the use of the last reading. */
  readonly look: () => FairTreeNode;
}

/** A tree with the accounts of the rules; one that names itself above itself stands below the root. */
export function createShareTree({ accounts, users: ruled, halfLifeMs }: SlurmRules): ShareTree {
  const root = node("root", 1, undefined, []);
  const byName = new Map<string, LiveNode>();
  const places = new Map<string, Map<string, LiveNode>>();
  let users = 0;
  let readAtMs = 0;

  function account(name: string, below: ReadonlySet<string> = new Set()): LiveNode {
    const there = byName.get(name);
    if (there !== undefined) return there;
    const { shares = 1, parent } = Object.hasOwn(accounts, name) ? accounts[name] : {};
    const isFree = parent !== undefined && parent !== name && !below.has(parent);
    const above = isFree ? account(parent, new Set([...below, name])) : root;
    const made = node(name, shares, above, []);
    byName.set(name, made);
    return made;
  }

  function place({ group, user }: Owner): LiveNode {
    const inGroup = places.get(group) ?? new Map<string, LiveNode>();
    places.set(group, inGroup);
    const there = inGroup.get(user);
    if (there !== undefined) return there;
    const made = node(user, ruled[user]?.shares ?? 1, account(group));
    inGroup.set(user, made);
    users++;
    return made;
  }

  function bringUp(at: LiveNode): void {
    if (at.usageOfMs === readAtMs) return;
    at.usage = usageAt(at.past, readAtMs, halfLifeMs);
    at.usageOfMs = readAtMs;
  }

  function bringUpAll(at: LiveNode): void {
    bringUp(at);
    for (const child of at.children ?? []) bringUpAll(child);
  }

  for (const name of Object.keys(accounts)) account(name);
  return {
    place,
    users: () => users,
    changeUse: (owner, change, atMs) => {
      for (let at: LiveNode | undefined = place(owner); at !== undefined; at = at.parent) {
        bringUp(at);
        changeUse(at.past, change, { atMs, halfLifeMs });
      }
    },
    readShares: (atMs) => {
      readAtMs = atMs;
    },
    look: () => {
      bringUpAll(root);
      return root;
    },
  };
}

function node(name: string, shares: number, parent?: LiveNode, children?: LiveNode[]): LiveNode {
  const made: LiveNode = {
    name,
    shares,
    usage: 0,
    usageOfMs: 0,
    levelShare: 0,
    factor: 0,
    past: noUsage(),
    ...(parent === undefined ? {} : { parent }),
    ...(children === undefined ? {} : { children }),
  };
  parent?.children?.push(made);
  return made;
}
