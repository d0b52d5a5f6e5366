/**
 * The usage policies that hold, those that will, and since when (rule EN-50).
 */
import type { Policy } from "../../model/index.ts";
import { keptForMs } from "../../policy/index.ts";

/** The policies between all providers and consumers, as they were applied together. */
export interface PolicyVersion {
  /** 1, 2, 3 … */
  readonly version: number;
  readonly policies: readonly Policy[];
  readonly effectiveFromMs: number;
  readonly appliedAtMs: number;
  readonly by: string;
  readonly note: string;
}

/** The versions that hold or will, in their order. Those before are in the views alone. */
export interface PolicyBook {
  versions: readonly PolicyVersion[];
}

/** Nothing was ever applied. */
export function noPolicies(): PolicyBook {
  return { versions: [] };
}

/** Policy version in force at an instant: the last one whose date has come. */
export function versionAt({ versions }: PolicyBook, nowMs: number): PolicyVersion | undefined {
  return versions.findLast(({ effectiveFromMs }) => effectiveFromMs <= nowMs);
}

/** The number of the last version, 0 before the first. */
export function lastVersion({ versions }: PolicyBook): number {
  return versions.at(-1)?.version ?? 0;
}

/** Takes a version into the book; those that will never hold again leave it. */
export function takeVersion(book: PolicyBook, version: PolicyVersion): void {
  const now = versionAt(book, version.appliedAtMs);
  const later = book.versions.filter(({ effectiveFromMs }) => effectiveFromMs > version.appliedAtMs);
  book.versions = [...(now === undefined ? [] : [now]), ...later, version];
}

/** The next instant at which another version begins to hold; Infinity where none waits. */
export function nextVersionMs({ versions }: PolicyBook, nowMs: number): number {
  const coming = versions.map(({ effectiveFromMs }) => effectiveFromMs).filter((atMs) => atMs > nowMs);
  return Math.min(Number.POSITIVE_INFINITY, ...coming);
}

/** Over how long the use of the past counts for any of these; 0 where there is none. */
export function longestWindowMs(versions: readonly Pick<PolicyVersion, "policies">[]): number {
  return Math.max(
    0,
    ...versions.flatMap(({ policies }) => policies.map(({ epoch }) => keptForMs(epoch.window))),
  );
}
