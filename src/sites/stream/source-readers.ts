/** The readers of a stream's files: opened when one is needed, closed when it is behind the position. */
import { createGrowingReader } from "./growing-reader.ts";
import type { Position } from "./position.ts";
import type { SourceList } from "./source-list.ts";
import { createSourceReader, type SourceFacts, type SourceReader } from "./source-reader.ts";

/** Readers by the number of the file. */
export interface SourceReaders {
  readonly at: (source: number) => SourceReader;
  readonly sizeOf: (source: number) => number | undefined;
  /** Facts about the files from a given one on. */
  readonly factsFrom: (source: number) => Position["sources"];
  /** Bytes from a position to the end of what is known; undefined where a size is not. */
  readonly bytesFrom: (place: Position["next"]) => number | undefined;
  /** Ends the waits for new data of files that grow. */
  readonly endWaits: () => void;
  readonly closeBefore: (source: number) => void;
  readonly closeAll: () => void;
}

/** Readers of the files of a list. @param known facts of an earlier life */
export function createSourceReaders(
  list: SourceList,
  order: { readonly known: Position["sources"]; readonly idleMs: number; readonly onFacts: () => void },
): SourceReaders {
  const readers = new Map<number, SourceReader>();
  const draining = new AbortController();
  const at = (source: number): SourceReader => {
    const there = readers.get(source);
    if (there !== undefined) return there;
    const file = list.at(source);
    const stored = order.known.find((it) => it.source === source);
    const listed: SourceFacts = { ...(file.bytes === undefined ? {} : { size: file.bytes }), versions: {} };
    const create = file.growth === undefined ? createSourceReader : createGrowingReader;
    const reader = create(file, { ...order, known: stored ?? listed, draining: draining.signal });
    readers.set(source, reader);
    return reader;
  };
  const sizeOf = (source: number): number | undefined =>
    source < list.count() ? at(source).facts().size : undefined;
  return {
    at,
    sizeOf,
    factsFrom: (first) =>
      [...readers]
        .filter(([source]) => source >= first)
        .map(([source, reader]) => ({ source, ...reader.facts() })),
    bytesFrom: ({ source: first, offset }) => {
      let bytes = -offset;
      for (let source = first; source < list.count(); source++) {
        const size = readers.get(source)?.availableBytes() ?? list.bytesOf(source);
        if (size === undefined) return undefined;
        bytes += size;
      }
      return Math.max(0, bytes);
    },
    endWaits: () => draining.abort(),
    closeBefore: (first) => {
      for (const [source, reader] of readers) {
        if (source >= first) continue;
        reader.close();
        readers.delete(source);
      }
    },
    closeAll: () => {
      for (const reader of readers.values()) reader.close();
    },
  };
}
