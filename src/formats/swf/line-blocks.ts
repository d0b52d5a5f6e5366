/**
 * Cuts chunks of bytes into blocks of whole lines.
 *
 * A line across chunks is assembled in a buffer of bounded size; one over the limit is announced at once and
 * its rest discarded, so that a file without line ends costs no memory. Everything else is passed on without
 * copying.
 */
/** Bytes of a line without its line feed; 18 numbers take a few hundred. */
export const maxLineBytes = 64 * 1024;

/** Whole lines: bytes [from, end), the last one being a line feed. */
export interface LineBlock {
  readonly kind: "lines" | "overlong";
  /** For "overlong": the first 64 KiB and one byte of a line whose rest is dropped. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly end: number;
}

/** Takes chunks and gives blocks; a block is valid until the next one is asked for. */
export interface LineBlocks {
  feed(chunk: Uint8Array): Generator<LineBlock, void, undefined>;
  /** The last line, when no line feed ended it. */
  finish(): Generator<LineBlock, void, undefined>;
}

const lineFeed = 10;

/** Chunks → blocks; where the chunks are cut makes no difference to the lines. */
export function lineBlocks(): LineBlocks {
  const carry = new Uint8Array(maxLineBytes + 2);
  let carried = 0;
  let isDropping = false;

  function keep(bytes: Uint8Array, from: number, end: number): void {
    const taken = Math.min(end - from, maxLineBytes + 1 - carried);
    carry.set(bytes.subarray(from, from + taken), carried);
    carried += taken;
  }

  /** The unfinished line so far, once it is too long; its rest will be dropped. */
  function* overlong(): Generator<LineBlock, void, undefined> {
    if (isDropping || carried <= maxLineBytes) return;
    yield { kind: "overlong", bytes: carry, from: 0, end: carried };
    isDropping = true;
  }

  /** The line in the buffer, now that its end is known. */
  function* closed(): Generator<LineBlock, void, undefined> {
    if (!isDropping) {
      carry[carried] = lineFeed;
      yield { kind: "lines", bytes: carry, from: 0, end: carried + 1 };
    }
    isDropping = false;
    carried = 0;
  }

  return {
    *feed(chunk) {
      let from = 0;
      if (carried > 0) {
        const newline = chunk.indexOf(lineFeed);
        const end = newline < 0 ? chunk.length : newline;
        keep(chunk, 0, end);
        yield* overlong();
        if (newline < 0) return;
        yield* closed();
        from = newline + 1;
      }
      const end = chunk.lastIndexOf(lineFeed) + 1;
      if (end > from) yield { kind: "lines", bytes: chunk, from, end };
      keep(chunk, Math.max(from, end), chunk.length);
      yield* overlong();
    },
    *finish() {
      if (carried > 0) yield* closed();
    },
  };
}
