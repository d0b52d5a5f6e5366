/**
 * Stored bytes of each level over time, and the first limit that refuses new files (rule PO-57).
 *
 * Histories exist for the levels of storage policies, and for the place as a whole under the empty path.
 * Cost: a change O(depth), a question O(depth · log changes).
 */
import { mulDiv } from "../../base/index.ts";
import { type StoreLimit, WHOLE_SHARE } from "../../model/index.ts";
import { levelsOf, pathsTo, type ShareNode, type ShareTree } from "../share-tree.ts";
import {
  amountAt,
  changeUse,
  createUseHistory,
  fallsBelowAtMs,
  keptForMs,
  limitOver,
  type UseHistory,
  usedOver,
} from "../use-history.ts";

/** Stored bytes at a place, by level. Changed only by {@link noteStored}. */
export interface StoredKeeper {
  readonly shares: ShareTree;
  readonly courses: ReadonlyMap<string, UseHistory>;
  /** Latest instant: late reports count from here, since instants do not go back. */
  lastMs: number;
}

/** A place without stored bytes. */
export function createStoredKeeper(shares: ShareTree): StoredKeeper {
  const nodes = [...(shares.nodes.get("storage")?.values() ?? [])];
  const keepMs = Math.max(0, ...nodes.map(({ window }) => keptForMs(window)));
  const courses = new Map(nodes.map(({ path }) => [path, createUseHistory(keepMs)]));
  return { shares, courses, lastMs: Number.NEGATIVE_INFINITY };
}

/** Adds (or subtracts) stored bytes of a consumer from an instant on. */
export function noteStored(keeper: StoredKeeper, consumer: string, byBytes: number, atMs: number): void {
  keeper.lastMs = Math.max(keeper.lastMs, atMs);
  for (const path of ["", ...pathsTo(consumer)]) {
    const course = keeper.courses.get(path);
    if (course === undefined) continue;
    changeUse(course, keeper.lastMs, Math.max(0, amountAt(course, keeper.lastMs) + byBytes));
  }
}

/** A request to store new files. */
export interface FilesQuestion {
  readonly consumer: string;
  readonly askedBytes: number;
  /** Capacity of all stores of the place. */
  readonly capacityBytes: number;
  /** Bytes about to be stored besides, by level; of the place under the empty path. */
  readonly comingBytes?: ReadonlyMap<string, number>;
}

/** The first limit that the files would exceed; undefined where they fit, or no policy applies. */
export function storedLimit(
  keeper: StoredKeeper,
  question: FilesQuestion,
  nowMs: number,
): Omit<StoreLimit, "site"> | undefined {
  return limitsOf(keeper, question, nowMs).next().value;
}

/**
 * The first limit that the files would exceed even at an empty place; other limits may be exceeded before it
 * now.
 */
export function neverStored(
  keeper: StoredKeeper,
  question: FilesQuestion,
  nowMs: number,
): Omit<StoreLimit, "site"> | undefined {
  for (const limit of limitsOf(keeper, question, nowMs)) if (limit.isNever) return limit;
  return undefined;
}

function* limitsOf(
  keeper: StoredKeeper,
  question: FilesQuestion,
  nowMs: number,
): Generator<Omit<StoreLimit, "site">, undefined> {
  const { consumer, askedBytes, capacityBytes, comingBytes } = question;
  if (capacityBytes === 0 || !keeper.shares.nodes.has("storage")) return;
  const levels = levelsOf(keeper.shares, "storage", consumer).filter(({ policy }) => policy !== null);
  for (const level of levels) {
    const burst = burstLimit(keeper, level, question, nowMs);
    if (burst !== undefined) yield burst;
    const epoch = epochLimit(keeper, level, question, nowMs);
    if (epoch !== undefined) yield epoch;
  }
  const usedBytes = storedNow(keeper, "", nowMs) + (comingBytes?.get("") ?? 0);
  if (usedBytes + askedBytes <= capacityBytes || askedBytes === 0) return;
  const isNever = askedBytes > capacityBytes;
  const whose = { limit: "capacity", level: null, provider: null } as const;
  yield { ...whose, usedBytes, askedBytes, limitBytes: capacityBytes, isNever, untilMs: null };
}

/** Stored bytes of a level now, and their mean over its window. */
export function storedOf(
  keeper: StoredKeeper,
  { path, window }: Pick<ShareNode, "path" | "window">,
  nowMs: number,
): { readonly nowBytes: number; readonly meanBytes: number } {
  const course = keeper.courses.get(path);
  if (course === undefined) return { nowBytes: 0, meanBytes: 0 };
  const lengthMs = limitOver({ window, share: WHOLE_SHARE, capacity: 1 }, nowMs);
  const used = usedOver(course, window, nowMs);
  const meanBytes = lengthMs === 0n ? 0 : Number(used / lengthMs);
  return { nowBytes: amountAt(course, nowMs), meanBytes };
}

function burstLimit(
  keeper: StoredKeeper,
  { path, policy, burstShare }: ShareNode,
  { askedBytes, capacityBytes, comingBytes }: FilesQuestion,
  nowMs: number,
): Omit<StoreLimit, "site"> | undefined {
  const usedBytes = storedNow(keeper, path, nowMs) + (comingBytes?.get(path) ?? 0);
  const limitBytes = mulDiv(burstShare, capacityBytes, WHOLE_SHARE, "down");
  if (usedBytes + askedBytes <= limitBytes) return undefined;
  const whose = { limit: "burst", level: path, provider: policy?.provider ?? null } as const;
  return { ...whose, usedBytes, askedBytes, limitBytes, isNever: askedBytes > limitBytes, untilMs: null };
}

function epochLimit(
  keeper: StoredKeeper,
  node: ShareNode,
  { askedBytes, capacityBytes }: FilesQuestion,
  nowMs: number,
): Omit<StoreLimit, "site"> | undefined {
  const { path, policy, epochShare, window, rule } = node;
  const course = keeper.courses.get(path);
  if (rule !== "cap" || course === undefined) return undefined;
  const limit = { window, share: epochShare, capacity: capacityBytes };
  if (usedOver(course, window, nowMs) < limitOver(limit, nowMs)) return undefined;
  return {
    ...{ limit: "epoch", level: path, provider: policy?.provider ?? null, askedBytes },
    usedBytes: storedOf(keeper, node, nowMs).meanBytes,
    limitBytes: mulDiv(epochShare, capacityBytes, WHOLE_SHARE, "down"),
    isNever: epochShare === 0,
    untilMs: epochShare === 0 ? null : fallsBelowAtMs(course, limit, nowMs, amountAt(course, nowMs)),
  };
}

function storedNow({ courses }: StoredKeeper, path: string, nowMs: number): number {
  const course = courses.get(path);
  return course === undefined ? 0 : amountAt(course, nowMs);
}
