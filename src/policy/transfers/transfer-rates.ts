/**
 * Rates of transfers at a place: division of the links' capacity among transferring levels (rule PO-53).
 *
 * Weighted max-min fairness down the tree of consumers: at each level rates grow in proportion to
 * entitlements until one level has all that it may, and then the others' alone. Equivalent to assigning byte
 * by byte to the least served level; for speed it fills from the one that is full first. Rates are whole
 * bytes a second and sum to no more than the capacity. A level that is entitled to nothing shares in equal
 * parts what the others leave.
 * Source: [UP] for the shares; progressive filling is Bertsekas & Gallager's.
 * Cost: O(levels · log levels) for each change of the transferring levels.
 */
import { mulDiv } from "../../base/index.ts";
import { WHOLE_SHARE } from "../../model/index.ts";
import { entitlements } from "../fair-division.ts";
import { levelsOf, pathsTo, type ShareNode, type ShareTree } from "../share-tree.ts";

/** Capacity, levels and reservations of a division. */
export interface RateQuestion {
  readonly tree: ShareTree;
  /** Capacity of the links, bytes a second. */
  readonly capacity: number;
  /** Levels with transfers in progress, as {@link transferLevel} names them. */
  readonly transferring: ReadonlySet<string>;
  /** Reserved and used rate of each level, which is not divided, in bytes a second. */
  readonly reserved?: ReadonlyMap<string, number>;
}

/** The level to which a consumer's transfers count; empty where no network policy names it. */
export function transferLevel(tree: ShareTree, consumer: string): string {
  return levelsOf(tree, "network", consumer).findLast(({ policy }) => policy !== null)?.path ?? "";
}

/** Rates in bytes a second for each transferring level, besides reserved ones. */
export function transferRates(question: RateQuestion): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  give(partOf(question), leftOf(question), rates);
  return rates;
}

function leftOf({ capacity, reserved }: RateQuestion): number {
  return Math.max(0, capacity - reservedBelow("", reserved));
}

function reservedBelow(level: string, reserved: RateQuestion["reserved"] = new Map()): number {
  let sum = 0;
  for (const [path, rate] of reserved) {
    if (level === "" || path === level || path.startsWith(`${level}/`)) sum += rate;
  }
  return sum;
}

/** A level, or (with `below` empty) its own transfers. */
interface Part {
  readonly path: string;
  /** True for parts that stand for transfers: their rates are the result. */
  readonly isLeaf: boolean;
  /** Entitlement in parts of the whole, the weight of its rate. */
  readonly weight: number;
  /** The largest rate of the level, its dedicated part included. */
  readonly most: number;
  readonly below: readonly Part[];
}

/** The tree of levels with demand, from the place down. */
function partOf(question: RateQuestion): Part {
  const { tree, transferring } = question;
  const nodes = tree.nodes.get("network") ?? new Map<string, ShareNode>();
  const claiming = new Set([...transferring].flatMap((path) => [...pathsTo(path)]));
  const below = new Map<string, ShareNode[]>();
  for (const node of nodes.values()) {
    if (node.policy === null) continue;
    if (node.mode === "dedicated") for (const path of pathsTo(node.path)) claiming.add(path);
    const above = namedAbove(nodes, node.path);
    below.set(above, [...(below.get(above) ?? []), node]);
  }
  const entitled = entitlements(tree, "network", (path) => claiming.has(path));
  return levelPart("", { question, nodes, below, entitled: new Map([["", WHOLE_SHARE], ...entitled]) });
}

interface Levels {
  readonly question: RateQuestion;
  readonly nodes: ReadonlyMap<string, ShareNode>;
  /** Next named levels below each level. */
  readonly below: ReadonlyMap<string, readonly ShareNode[]>;
  readonly entitled: ReadonlyMap<string, number>;
}

function levelPart(path: string, levels: Levels): Part {
  const { question, nodes, below, entitled } = levels;
  const { capacity, transferring } = question;
  const node = nodes.get(path);
  const weight = entitled.get(path) ?? 0;
  const children = below.get(path) ?? [];
  const parts = children.filter((child) => entitled.has(child.path)).map((it) => levelPart(it.path, levels));
  if (transferring.has(path)) parts.unshift(ownPart(path, weight, levels));
  const most = Math.max(0, bytesOf(mostShare(node), capacity) - reservedBelow(path, question.reserved));
  const kept = node?.policy?.mode === "dedicated" ? bytesOf(weight, leftOf(question)) : 0;
  const taken = parts.reduce((sum, part) => sum + part.most, 0);
  return { path, isLeaf: false, weight, most: Math.min(most, Math.max(kept, taken)), below: parts };
}

/** Transfers of a level itself, entitled to what its policies do not give out. */
function ownPart(path: string, weight: number, { question, nodes, below, entitled }: Levels): Part {
  const children = below.get(path) ?? [];
  const nominal = nodes.get(path)?.epochShare ?? WHOLE_SHARE;
  const given = children.reduce((sum, { epochShare }) => sum + epochShare, 0);
  const claimed = children.reduce((sum, child) => sum + (entitled.get(child.path) ?? 0), 0);
  const free = nominal === 0 ? 0 : mulDiv(Math.max(0, nominal - given), weight, nominal, "down");
  const own = Math.max(0, Math.min(free, weight - claimed));
  return { path, isLeaf: true, weight: own, most: question.capacity, below: [] };
}

function mostShare(node: ShareNode | undefined): number {
  if (node === undefined) return WHOLE_SHARE;
  const isCapped = node.policy !== null && node.rule === "cap";
  return isCapped ? Math.min(node.burstShare, node.epochShare) : node.burstShare;
}

/** The nearest level above that a policy names; the place itself where there is none. */
function namedAbove(nodes: ReadonlyMap<string, ShareNode>, path: string): string {
  const above = pathsTo(path).slice(0, -1);
  return above.findLast((level) => (nodes.get(level)?.policy ?? null) !== null) ?? "";
}

/** Divides a rate among the parts of a level, the ones that are full first. */
function give(level: Part, rate: number, rates: Map<string, number>): void {
  if (level.isLeaf) {
    rates.set(level.path, rate);
    return;
  }
  let rest = rate;
  let weights = level.below.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const inOrder = level.below.toSorted(fullFirst);
  for (const [index, part] of inOrder.entries()) {
    const even = Math.floor(rest / (inOrder.length - index));
    const fair = weights === 0n ? even : Number((BigInt(rest) * BigInt(part.weight)) / weights);
    const given = Math.min(part.most, fair);
    give(part, given, rates);
    rest -= given;
    weights -= BigInt(part.weight);
  }
}

/**
 * Order by the time at which rates in proportion to weights have filled them; those without a weight come
 * last.
 */
function fullFirst(one: Part, other: Part): number {
  if (one.weight === 0 || other.weight === 0) {
    return Number(one.weight === 0) - Number(other.weight === 0) || one.most - other.most;
  }
  const left = BigInt(one.most) * BigInt(other.weight);
  const right = BigInt(other.most) * BigInt(one.weight);
  return Number(left > right) - Number(left < right);
}

function bytesOf(share: number, capacity: number): number {
  return mulDiv(share, capacity, WHOLE_SHARE, "down");
}
