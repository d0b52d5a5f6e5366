/**
 * Reads a single file that another program appends to: a part ends early at the current end of the file, so
 * that new data reach the application a second later at most.
 *
 * A missing file is waited for. A file that became shorter or was replaced is an error. Changes in place on a
 * server cannot be detected, since the version of the file changes with each growth.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { followGrowth, GROWTH_POLL_MS } from "./growth.ts";
import { openSource } from "./open-source.ts";
import type { OpenedSource } from "./opened-source.ts";
import type { StreamFile } from "./source-list.ts";
import { SourceProblem } from "./source-problem.ts";
import {
  type Cursor,
  closeOnAbort,
  type Part,
  passOn,
  type SourceFacts,
  type SourceReader,
  waysOf,
} from "./source-reader.ts";

/** Settings for following a growing file. */
interface GrowingOrder {
  readonly known: SourceFacts;
  readonly idleMs: number;
  readonly onFacts: () => void;
  /** Aborts when no further data are awaited. */
  readonly draining: AbortSignal;
}

/** @param order includes the state of the file from an earlier run of the wrapper */
export function createGrowingReader(
  { href: mirrors, growth: end = {}, ...ways }: StreamFile,
  { known, idleMs, onFacts, draining }: GrowingOrder,
): SourceReader {
  let facts = known;
  let seenBytes: number | undefined;
  let mirror = 0;
  const href = (): string => mirrors[mirror];
  const openAt = async (range: Pick<Part, "start" | "end" | "signal">): Promise<OpenedSource> => {
    const opened = await openSource({ ...waysOf(ways), href: href(), ...range, idleMs });
    const trouble = growthProblem(facts, { href: href(), start: range.start }, opened);
    if (trouble !== undefined) {
      opened.close();
      throw trouble;
    }
    seenBytes = opened.size ?? seenBytes;
    facts = { ...facts, versions: { ...facts.versions, ...versionOf(href(), opened) } };
    return opened;
  };
  const growth = followGrowth(end, async (range) => {
    const all: Buffer[] = [];
    for await (const chunk of (await openAt(range)).chunks) all.push(chunk);
    return Buffer.concat(all);
  });
  /** Bytes of the part that are there. */
  const readAvailable = async (part: Part): Promise<number> => {
    const opened = await openAt(part);
    const iterator = opened.chunks[Symbol.asyncIterator]();
    const cursor: Cursor = { opened, iterator, position: part.start - opened.skip, rest: undefined };
    const release = closeOnAbort(cursor, part.signal);
    try {
      await passOn(cursor, part);
      return cursor.position - part.start;
    } finally {
      opened.close();
      release();
    }
  };
  const endAt = (size: number): void => {
    facts = { ...facts, size };
    onFacts();
  };
  const read = async (part: Part): Promise<void> => {
    const wanted = { ...part, end: Math.min(part.end, growth.mostBytes) };
    for (;;) {
      const bytes = wanted.start < wanted.end ? await readAvailable(wanted) : 0;
      if (bytes > 0) growth.noteData();
      const upTo = part.start + bytes;
      const hasEnded = bytes === 0 && (await growth.hasEndedAt(upTo, part.signal));
      if (hasEnded || upTo >= growth.mostBytes) return endAt(upTo);
      if (bytes > 0 || part.isBegun || draining.aborted) return;
      await pollTime(part.signal, draining);
    }
  };
  return {
    facts: () => facts,
    availableBytes: () => facts.size ?? seenBytes,
    hasRanges: () => false,
    href,
    read: (part) =>
      read(part).catch((error) => {
        part.signal.throwIfAborted();
        if (error instanceof SourceProblem && error.kind !== "changed")
          mirror = (mirror + 1) % mirrors.length;
        if (draining.aborted && isMissing(error)) return;
        throw isMissing(error) ? new SourceProblem("awaited", error.message, error) : error;
      }),
    close: () => undefined,
  };
}

function isMissing(error: unknown): error is SourceProblem {
  return error instanceof SourceProblem && error.kind === "missing";
}

/** Resolves when the file is to be looked at again, or no further data are awaited. */
function pollTime(signal: AbortSignal, draining: AbortSignal): Promise<void> {
  return sleep(GROWTH_POLL_MS, undefined, { signal: AbortSignal.any([signal, draining]) }).catch(() =>
    signal.throwIfAborted(),
  );
}

/** Version of a file that grows: its inode; that of a server changes with each growth. */
function versionOf(href: string, { version }: OpenedSource): SourceFacts["versions"] {
  return href.startsWith("file:") ? { [href]: version.split("/")[0] } : {};
}

/** Problem with a file that has changed in any way other than growing; undefined if there is none. */
function growthProblem(
  { versions }: SourceFacts,
  { href, start }: { readonly href: string; readonly start: number },
  opened: OpenedSource,
): SourceProblem | undefined {
  const { size, hasRanges } = opened;
  const changed = `${href} changed while it was read`;
  const before = versions[href];
  if (before !== undefined && before !== versionOf(href, opened)[href]) {
    return new SourceProblem("changed", `${changed}: it was replaced`);
  }
  if (size !== undefined && size < start) {
    return new SourceProblem("changed", `${changed}: it had ${start} bytes and has ${size}`);
  }
  if (hasRanges || size === 0) return undefined;
  return new SourceProblem(
    "refused",
    `${href} cannot be followed as it grows: its server sends no part of it`,
  );
}
