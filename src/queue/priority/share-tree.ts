/**
 * A tree of accounts and users that grows as people submit, with what each has used.
 *
 * Accounts stand where the rules put them, else just below the root; a user stands in each account for
 * which he has submitted. Whoever has not submitted yet is not known and takes no share.
 * Cost: O(depth) at a start or an end, O(known users and accounts) when read.
 */
import type { SlurmRules } from "../../model/index.ts";
import { changeUse, type DecayingUsage, noUsage, usageAt } from "./decaying-usage.ts";
import type { ShareNode } from "./fair-share.ts";
import type { Owner } from "./scheme.ts";

/** A node whose use is brought up to date by `readShares`. */
interface LiveNode extends ShareNode {
  usage: number;
  readonly parent?: LiveNode;
  readonly past: DecayingUsage;
  readonly children?: LiveNode[];
}

/** The tree of one site. */
export interface ShareTree {
  readonly root: ShareNode;
  /** The owner's place, made when first asked for. */
  readonly place: (owner: Owner) => ShareNode;
  readonly changeUse: (owner: Owner, change: number, atMs: number) => void;
  /** Brings the use of every node up to an instant not before the last change. */
  readonly readShares: (atMs: number) => void;
}

/** A tree with the accounts of the rules; one that names itself above itself stands below the root. */
export function createShareTree({ accounts, users, halfLifeMs }: SlurmRules): ShareTree {
  const root = node("root", 1, undefined, []);
  const byName = new Map<string, LiveNode>();
  const places = new Map<string, Map<string, LiveNode>>();

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
    const made = node(user, users[user]?.shares ?? 1, account(group));
    inGroup.set(user, made);
    return made;
  }

  for (const name of Object.keys(accounts)) account(name);
  return {
    root,
    place,
    changeUse: (owner, change, atMs) => {
      for (let at: LiveNode | undefined = place(owner); at !== undefined; at = at.parent) {
        changeUse(at.past, change, { atMs, halfLifeMs });
      }
    },
    readShares: (atMs) => bringUp(root, (past) => usageAt(past, atMs, halfLifeMs)),
  };
}

function node(name: string, shares: number, parent?: LiveNode, children?: LiveNode[]): LiveNode {
  const made: LiveNode = {
    name,
    shares,
    usage: 0,
    past: noUsage(),
    ...(parent === undefined ? {} : { parent }),
    ...(children === undefined ? {} : { children }),
  };
  parent?.children?.push(made);
  return made;
}

function bringUp(at: LiveNode, usage: (past: DecayingUsage) => number): void {
  at.usage = usage(at.past);
  for (const child of at.children ?? []) bringUp(child, usage);
}
