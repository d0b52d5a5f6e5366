/**
 * When a single file that another program appends to has ended.
 *
 * A file ends with a line, at a size, or after a time without new data; without any of these it is read until
 * the stream is drained. The last line is looked up in the file, so that no text has to be kept in memory.
 */
import type { StreamOrder } from "./stream-order.ts";

/** End condition of a growing file. */
export type GrowthEnd = NonNullable<StreamOrder["sources"][number]["end"]>;

/** Time between two looks at a file that has no new data. */
export const GROWTH_POLL_MS = 1000;

/** State of a growing file so far. */
interface Growth {
  /** Size at which the file ends in any case. */
  readonly mostBytes: number;
  readonly noteData: () => void;
  /** True if the file has ended at this byte, which is its current end. */
  readonly hasEndedAt: (size: number, signal: AbortSignal) => Promise<boolean>;
}

/** @param bytesIn the bytes of the file in a range */
export function followGrowth(
  { line, bytes, silenceMs }: GrowthEnd,
  bytesIn: (range: { readonly start: number; readonly end: number; signal: AbortSignal }) => Promise<Buffer>,
): Growth {
  let silentSince: number | undefined;
  let comparedAt = -1;
  const isLastLine = async (size: number, signal: AbortSignal): Promise<boolean> => {
    if (line === undefined || size === comparedAt) return false;
    // The line break before the line, and one or two characters after it.
    const start = Math.max(0, size - Buffer.byteLength(line) - 3);
    const tail = await bytesIn({ start, end: size, signal });
    comparedAt = size;
    return endsWithLine(tail.toString("latin1"), line, start === 0);
  };
  return {
    mostBytes: bytes ?? Number.POSITIVE_INFINITY,
    noteData: () => {
      silentSince = undefined;
    },
    hasEndedAt: async (size, signal) => {
      const now = performance.now();
      silentSince ??= now;
      const isSilent = silenceMs !== undefined && now - silentSince >= silenceMs;
      return isSilent || (await isLastLine(size, signal));
    },
  };
}

/** True if a text ends with a line. @param isWhole true if the text is the whole file */
function endsWithLine(text: string, line: string, isWhole: boolean): boolean {
  const body = text.replace(/\r?\n$/, "");
  if (body.length === text.length) return false;
  const breakAt = body.lastIndexOf("\n");
  const isFromStart = breakAt >= 0 || isWhole;
  return isFromStart && body.slice(breakAt + 1) === Buffer.from(line).toString("latin1");
}
