/**
 * Which blocks there are, which comes next, and how much room they take: the arithmetic of a stream, no IO.
 *
 * Blocks are planned in order, one source after the other. Room counts from the first byte of a block until
 * its file is removed, and a block begins only where all of it fits into the quota beside the whole of those
 * that have begun. So the quota is never exceeded, whatever is in flight. A transfer that has no room is
 * halted until occupation has fallen to the low mark; the marks are those of spec 75.
 */
import type { DigestState } from "./digest.ts";
import type { BlockPlace, SetAside } from "./position.ts";

/** States of a block, in their order. */
export type BlockState = "fetching" | "whole" | "handed" | "sending" | "acked";

/** A block between its first byte and its removal. */
export interface Block extends BlockPlace {
  state: BlockState;
  /** Bytes that it will have; the bytes it has once it is whole. */
  length: number;
  /** Bytes that are there. */
  bytes: number;
  sha256: string;
  /** True once the application that runs now has it. */
  isOffered: boolean;
  /** Digest of its source up to its end; undefined until that is computed. */
  digest: DigestState | undefined;
  /** Ends its transfer. */
  readonly ending: AbortController;
}

/** Limits of a stream's storage. */
interface StorageLimits {
  readonly quotaBytes: number;
  /** Occupation above which the transfer halts; derived from the quota where absent. */
  readonly haltAboveBytes?: number;
  readonly resumeBelowBytes?: number;
  /** Least occupation at which a halted transfer goes on: what may wait for an acknowledgement for good. */
  readonly resumeAtLeastBytes?: number;
}

/** The blocks of a stream. */
export interface BlockBook {
  readonly blocks: ReadonlyMap<number, Block>;
  /** The next block, if it may begin now. */
  readonly beginNext: () => Block | undefined;
  /** The next block in any case, for those that an earlier wrapper left; undefined where the size is open. */
  readonly planNext: () => Block | undefined;
  /** Moves the next block to the end of a block that turned out shorter than planned. */
  readonly cutShort: (block: Block, bytes: number) => void;
  readonly remove: (block: Block) => void;
  /** Puts a block back: it is planned again, with all after it. */
  readonly forgetFrom: (block: Block) => void;
  readonly occupiedBytes: () => number;
  /** Bytes by which the blocks that have begun will exceed the quota. */
  readonly excessBytes: () => number;
  readonly isHalted: () => boolean;
  readonly halts: () => number;
  /** True when every block of every source has begun. */
  readonly isExhausted: () => boolean;
  /** True while the next block is one of a file that is not listed yet. */
  readonly isWaiting: () => boolean;
  readonly changeLimits: (limits: StorageLimits) => void;
  readonly setAside: (block: SetAside) => void;
}

/** Dependencies of the book. */
interface BookOrder {
  readonly blockBytes: number;
  readonly connections: number;
  readonly ahead: number;
  /** Files that are known, and whether more may come. */
  readonly list: { readonly count: () => number; readonly isOpen: () => boolean };
  readonly sizeOf: (source: number) => number | undefined;
  /** False for a source that is read over one connection. */
  readonly isParallel: (source: number) => boolean;
  readonly next: BlockPlace;
  readonly setAsideBytes: number;
  readonly limits: StorageLimits;
}

/** Creates the book of a stream that goes on at `next`. */
export function createBlockBook(order: BookOrder): BlockBook {
  const { blockBytes, sizeOf, list } = order;
  const blocks = new Map<number, Block>();
  let cursor = order.next;
  let asideBytes = order.setAsideBytes;
  let limits = order.limits;
  let [isHalted, halts] = [false, 0];
  const all = (): Block[] => [...blocks.values()];
  const occupiedBytes = (): number => all().reduce((sum, { bytes }) => sum + bytes, asideBytes);
  const committedBytes = (): number => all().reduce((sum, { length }) => sum + length, asideBytes);
  const isBeyond = (): boolean => {
    for (let size = sizeOf(cursor.source); size !== undefined && cursor.offset >= size; ) {
      cursor = { seq: cursor.seq, source: cursor.source + 1, offset: 0 };
      size = sizeOf(cursor.source);
    }
    return cursor.source >= list.count();
  };
  const isExhausted = (): boolean => isBeyond() && !list.isOpen();
  const fetching = (): Block[] => all().filter(({ state }) => state === "fetching");
  const updateHalt = (): boolean => {
    const occupied = occupiedBytes();
    const { haltAbove, resumeBelow } = marks(limits, order);
    if (!isHalted && occupied > haltAbove) {
      isHalted = true;
      halts++;
    } else if (isHalted && (occupied <= resumeBelow || blocks.size === 0)) isHalted = false;
    return isHalted;
  };
  const planNext = (): Block | undefined => {
    if (isBeyond()) return undefined;
    const { source, offset, seq } = cursor;
    const size = sizeOf(source);
    const isOpen = size === undefined || !order.isParallel(source);
    if (isOpen && fetching().some((it) => it.source === source)) return undefined;
    const length = Math.min(blockBytes, (size ?? Number.POSITIVE_INFINITY) - offset);
    const block = newBlock({ seq, source, offset }, length);
    blocks.set(seq, block);
    cursor = { seq: seq + 1, source, offset: offset + length };
    return block;
  };
  const mayBegin = (): boolean => {
    if (updateHalt() || fetching().length >= connectionsOf(limits, order)) return false;
    return blocks.size < order.ahead && committedBytes() + blockBytes <= limits.quotaBytes;
  };
  return {
    blocks,
    beginNext: () => (mayBegin() ? planNext() : undefined),
    planNext,
    cutShort: (block, bytes) => {
      cursor = afterShort(cursor, block, bytes);
    },
    remove: ({ seq }) => void blocks.delete(seq),
    forgetFrom: ({ seq, source, offset }) => {
      for (const later of blocks.keys()) if (later >= seq) blocks.delete(later);
      cursor = { seq, source, offset };
    },
    occupiedBytes,
    excessBytes: () => Math.max(0, committedBytes() - limits.quotaBytes),
    isHalted: () => updateHalt() && !isExhausted(),
    halts: () => halts,
    isExhausted,
    isWaiting: () => isBeyond() && list.isOpen(),
    changeLimits: (next) => {
      limits = next;
    },
    setAside: ({ bytes }) => {
      asideBytes += bytes;
    },
  };
}

/** Position of the next block after the last planned one turned out this short. */
function afterShort(cursor: BlockPlace, { seq, source, offset, length }: Block, bytes: number): BlockPlace {
  const isLast = cursor.seq === seq + 1 && cursor.source === source && cursor.offset === offset + length;
  return isLast && bytes < length ? { ...cursor, offset: offset + bytes } : cursor;
}

function newBlock(place: BlockPlace, length: number): Block {
  const rest = { bytes: 0, sha256: "", isOffered: false, digest: undefined, ending: new AbortController() };
  return { ...place, length, state: "fetching", ...rest };
}

/** Connections for which the quota has room. */
function connectionsOf({ quotaBytes }: StorageLimits, { blockBytes, connections }: BookOrder): number {
  return Math.max(1, Math.min(connections, Math.floor(quotaBytes / blockBytes)));
}

function marks(limits: StorageLimits, order: BookOrder): { haltAbove: number; resumeBelow: number } {
  const reserve = order.blockBytes * connectionsOf(limits, order);
  const most = Math.max(0, limits.quotaBytes - reserve);
  const haltAbove = Math.min(limits.haltAboveBytes ?? most, most);
  const resumeBelow = Math.max(
    limits.resumeBelowBytes ?? limits.quotaBytes / 2,
    limits.resumeAtLeastBytes ?? 0,
  );
  return { haltAbove, resumeBelow: Math.min(resumeBelow, haltAbove) };
}
