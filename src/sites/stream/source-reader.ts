/**
 * Reads parts of one source, from whichever mirror answers, and detects that the data are no longer the same.
 *
 * Sizes and versions (ETag, date of change) are compared with those seen first, in this life of the wrapper
 * or an earlier one. Of a server without ranges one connection is kept open from part to part, since opening
 * it again means to read from the beginning.
 */
import { openSource, type Wanted } from "./open-source.ts";
import type { OpenedSource } from "./opened-source.ts";
import type { StreamFile } from "./source-list.ts";
import { SourceProblem } from "./source-problem.ts";

/** Facts about a source; part of the durable position. */
export interface SourceFacts {
  /** Bytes of the whole; absent until it is known. */
  readonly size?: number;
  /** By address. */
  readonly versions: Readonly<Record<string, string>>;
}

/** A part of a source, and what becomes of its bytes. */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** True where earlier bytes of the same block are there. */
  readonly isBegun: boolean;
  readonly signal: AbortSignal;
  /** Pays for bytes from the rate, before the next are read. */
  readonly pay: (bytes: number) => Promise<void>;
  readonly keep: (chunk: Buffer) => Promise<void>;
}

/** One source of a stream. */
export interface SourceReader {
  readonly facts: () => SourceFacts;
  /** Bytes of the whole, of a file that grows those that are there; undefined until they are known. */
  readonly availableBytes: () => number | undefined;
  /** False once a server has sent everything whatever the range. */
  readonly hasRanges: () => boolean;
  /** Address that is read from now. */
  readonly href: () => string;
  /** Reads a part up to its end or that of the source. @throws SourceProblem */
  readonly read: (part: Part) => Promise<void>;
  readonly close: () => void;
}

/** An open connection and its place. */
export interface Cursor {
  readonly opened: OpenedSource;
  readonly iterator: AsyncIterator<Buffer>;
  position: number;
  rest: Buffer | undefined;
}

/** @param onFacts called when more is known, such as the size */
export function createSourceReader(
  { href: mirrors, isAwaited, ...ways }: StreamFile,
  order: { readonly known: SourceFacts; readonly idleMs: number; readonly onFacts: () => void },
): SourceReader {
  let facts = order.known;
  let isRanged = true;
  let mirror = 0;
  let refusals = 0;
  const kept = createKeptConnection();
  const href = (): string => mirrors[mirror];
  const note = (more: SourceFacts): void => {
    facts = more;
    order.onFacts();
  };
  const openAt = async (wanted: Wanted): Promise<Cursor> => {
    const opened = await openSource(wanted);
    const change = changeOf(facts, wanted.href, opened);
    if (change !== undefined) {
      opened.close();
      throw new SourceProblem("changed", `${wanted.href} changed while it was read: ${change}`);
    }
    isRanged = opened.hasRanges;
    note(withFacts(facts, wanted.href, opened));
    const iterator = opened.chunks[Symbol.asyncIterator]();
    return { opened, iterator, position: wanted.start - opened.skip, rest: undefined };
  };
  const cursorAt = async ({ start, end, signal }: Part): Promise<Cursor> => {
    return (
      kept.take(start) ?? openAt({ ...waysOf(ways), href: href(), start, end, idleMs: order.idleMs, signal })
    );
  };

  const read = async (part: Part): Promise<void> => {
    const cursor = await cursorAt(part);
    const release = closeOnAbort(cursor, part.signal);
    try {
      const isAtEnd = await passOn(cursor, part);
      if (!isAtEnd && !cursor.opened.hasRanges) kept.keep(cursor);
      else cursor.opened.close();
      const { size } = facts;
      if (isAtEnd && size === undefined) note({ ...facts, size: cursor.position });
      else if (isAtEnd && cursor.position < Math.min(part.end, size ?? 0)) {
        throw new SourceProblem("temporary", `${href()} ended after ${cursor.position} bytes`);
      }
      refusals = 0;
    } catch (error) {
      cursor.opened.close();
      throw error;
    } finally {
      release();
    }
  };
  return {
    facts: () => facts,
    availableBytes: () => facts.size,
    hasRanges: () => isRanged,
    href,
    read: (part) =>
      read(part).catch((error) => {
        if (!(error instanceof SourceProblem) || error.kind === "changed" || part.signal.aborted) throw error;
        mirror = (mirror + 1) % mirrors.length;
        if (isAwaited && error.kind === "missing") throw new SourceProblem("temporary", error.message, error);
        if (error.kind !== "temporary") refusals++;
        const isLastMirror = error.kind === "temporary" || refusals >= mirrors.length;
        throw isLastMirror ? error : new SourceProblem("temporary", error.message, error);
      }),
    close: kept.close,
  };
}

/**
 * The one connection that is left open between two parts. A wrapper that was started again fetches several
 * parts at once, before it is known that the server has no ranges: the last of their connections is kept.
 */
function createKeptConnection() {
  let kept: Cursor | undefined;
  const close = (): void => {
    kept?.opened.close();
    kept = undefined;
  };
  return {
    close,
    keep: (cursor: Cursor): void => {
      close();
      kept = cursor;
    },
    /** The connection, where it is at this byte; any other one is closed. */
    take: (start: number): Cursor | undefined => {
      if (kept?.position !== start) close();
      const cursor = kept;
      kept = undefined;
      return cursor;
    },
  };
}

/** Closes the connection when the signal aborts. @returns a function that removes this listener */
export function closeOnAbort({ opened }: Cursor, signal: AbortSignal): () => void {
  signal.addEventListener("abort", opened.close, { once: true });
  return () => signal.removeEventListener("abort", opened.close);
}

/** Keys of a store, or a program, where the source has some. */
export function waysOf({ credentials, exec }: Pick<StreamFile, "credentials" | "exec">) {
  return {
    ...(credentials === undefined ? {} : { credentials }),
    ...(exec === undefined ? {} : { exec }),
  };
}

/** Passes on the bytes of the part, throws away those before it. Returns true where the data ended. */
export async function passOn(cursor: Cursor, { start, end, pay, keep, signal }: Part): Promise<boolean> {
  while (cursor.position < end) {
    signal.throwIfAborted();
    const chunk = cursor.rest ?? (await nextOf(cursor));
    cursor.rest = undefined;
    if (chunk === undefined) return true;
    const used = chunk.subarray(0, end - cursor.position);
    if (used.length < chunk.length) cursor.rest = chunk.subarray(used.length);
    const wanted = used.subarray(Math.max(0, Math.min(used.length, start - cursor.position)));
    await pay(used.length);
    if (wanted.length > 0) await keep(wanted);
    cursor.position += used.length;
  }
  return false;
}

async function nextOf({ iterator }: Cursor): Promise<Buffer | undefined> {
  const { done, value } = await iterator.next();
  return done === true ? undefined : value;
}

/** Sentence on what differs from before; undefined where nothing does. */
function changeOf(facts: SourceFacts, href: string, { size, version }: OpenedSource): string | undefined {
  if (facts.size !== undefined && size !== undefined && size !== facts.size) {
    return `it had ${facts.size} bytes and has ${size}`;
  }
  const before = facts.versions[href];
  if (before === undefined || version === "" || before === version) return undefined;
  return `its version was ${before} and is ${version}`;
}

function withFacts(facts: SourceFacts, href: string, { size, version }: OpenedSource): SourceFacts {
  const known = facts.size ?? size;
  return {
    ...(known === undefined ? {} : { size: known }),
    versions: version === "" ? facts.versions : { ...facts.versions, [href]: version },
  };
}
