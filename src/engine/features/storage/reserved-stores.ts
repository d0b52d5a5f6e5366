/**
 * Reserved space in the stores of a site, and the part of it that files fill already (rules EN-116, EN-117).
 */
import { pathsTo } from "../../../policy/index.ts";
import { type BoundParts, boundParts, keptStores } from "../../state/bound-parts.ts";
import type { WithFiles } from "../../state/files-book.ts";

/** A part of stores with what is in it. */
export interface FilledParts extends BoundParts {
  readonly filledBytes: number;
}

/** The part that the files of a job in a reservation go into; undefined where it has none. */
export function partForFiles(
  { reserved, files }: WithFiles,
  reservation: string | undefined,
): FilledParts | undefined {
  const parts = boundParts(reserved, reservation, "store");
  return parts === undefined
    ? undefined
    : { ...parts, filledBytes: files.filledBytes.get(parts.together) ?? 0 };
}

/**
 * The most that will be kept and not filled of the stores of a site at one time, from now on: by level, of
 * the site under the empty path. Files stay until they are removed: they may not take what is promised for
 * later.
 */
export function keptFree(
  { reserved, files }: WithFiles,
  site: string,
  nowMs: number,
): ReadonlyMap<string, number> {
  const changes = keptStores(reserved, site).flatMap(({ consumer, fromMs, toMs, bytes, together }) => {
    const rest = Math.max(0, bytes - (files.filledBytes.get(together) ?? 0));
    if (toMs <= nowMs || rest === 0) return [];
    return [
      { atMs: Math.max(nowMs, fromMs), by: rest, consumer },
      { atMs: toMs, by: -rest, consumer },
    ];
  });
  const present = new Map<string, number>();
  const most = new Map<string, number>();
  for (const { by, consumer } of changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by)) {
    for (const path of ["", ...pathsTo(consumer)]) {
      const there = (present.get(path) ?? 0) + by;
      present.set(path, there);
      most.set(path, Math.max(most.get(path) ?? 0, there));
    }
  }
  return most;
}
