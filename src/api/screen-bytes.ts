/**
 * What the program at a terminal writes, from a place on, until its job is over: read from a few files, of
 * which the oldest goes when there is a new one. Whoever is slower than the program is shown the rest of it
 * from a later place, by a reading of its own: a terminal has no use for what has scrolled by.
 */
import { isFinal } from "../model/index.ts";
import { type BrokerApi, CHUNK_BYTES, CHUNKS_KEPT, TERMINAL_FILES } from "../runtime/index.ts";

/** A place in what was written: of a byte, and of the first one in its file. */
export interface ScreenPlace {
  readonly chunk: number;
  readonly at: number;
}

/** Terminal, place, and end of a reading. */
export interface ScreenRead {
  readonly id: string;
  readonly place: ScreenPlace;
  /** Longest wait between two looks; the shortest comes after a change. */
  readonly pollMs: number;
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal;
  /** Waits so long; true where something was typed before, which is soon followed by output. */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<boolean>;
}

const MOST_PART_BYTES = 256 * 1024;
const SHORTEST_MS = 20;

type Reading = Pick<BrokerApi, "readFile" | "job">;

/** The place `from`, or `last` bytes before the end; the nearest one that is kept, the start before any. */
export async function screenPlace(
  brokerApi: Reading,
  id: string,
  { from, last = 0 }: { readonly from?: number; readonly last?: number },
): Promise<ScreenPlace> {
  const range = await brokerApi.readFile(id, { name: TERMINAL_FILES.range, fromByte: 0, maxBytes: 100 });
  const [oldest, newest] = Buffer.from(range?.bytes ?? [])
    .toString("latin1")
    .split(" ")
    .map(Number);
  if (!Number.isSafeInteger(oldest) || !Number.isSafeInteger(newest)) return { chunk: 0, at: 0 };
  const chunks: { readonly from: number; readonly end: number }[] = [];
  for (let next = oldest ?? 0; chunks.length <= CHUNKS_KEPT; ) {
    const size = (await sizeOf(brokerApi, id, next)) ?? 0;
    chunks.push({ from: next, end: next + size });
    if (size < CHUNK_BYTES) break;
    next += size;
  }
  const end = chunks.at(-1)?.end ?? 0;
  const first = chunks[0]?.from ?? 0;
  const isKept = from === undefined || from >= first;
  // Who is behind what is kept is behind again at once, if the oldest of it comes next.
  const wanted = isKept ? (from ?? end - last) : (chunks.at(-1)?.from ?? 0);
  const at = Math.min(Math.max(wanted, first), end);
  return { chunk: chunks.findLast((one) => one.from <= at)?.from ?? first, at };
}

async function sizeOf(brokerApi: Reading, id: string, chunk: number): Promise<number | undefined> {
  const part = await brokerApi.readFile(id, { name: TERMINAL_FILES.screen(chunk), fromByte: 0, maxBytes: 0 });
  return part?.sizeBytes;
}

/** Bytes from the place on; ends with the job, and where the next ones are no longer kept. */
export async function* screenBytes(
  brokerApi: Reading,
  { id, place, pollMs, signal, rest }: ScreenRead,
): AsyncGenerator<Uint8Array, void, void> {
  let { chunk, at } = place;
  let pauseMs = SHORTEST_MS;
  let hasBegun = false;
  while (!signal.aborted) {
    const isLast = await isOver(brokerApi, id);
    const askedMs = performance.now();
    const asked = { fromByte: at - chunk, maxBytes: MOST_PART_BYTES, signal };
    const part = await brokerApi
      .readFile(id, { name: TERMINAL_FILES.screen(chunk), ...asked })
      .catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
    hasBegun ||= part !== undefined;
    if (part !== undefined && part.bytes.length > 0) {
      at += part.bytes.length;
      pauseMs = SHORTEST_MS;
      yield part.bytes;
      continue;
    }
    const isFull = part !== undefined && part.sizeBytes >= CHUNK_BYTES;
    if (isFull && (await sizeOf(brokerApi, id, at)) !== undefined) {
      chunk = at;
      continue;
    }
    if (isLast || (hasBegun && part === undefined)) return;
    // A site that is slow to answer is not asked more than half of the time.
    const isTyped = await rest(Math.max(pauseMs, performance.now() - askedMs), signal);
    pauseMs = isTyped ? SHORTEST_MS : Math.min(pauseMs * 1.5, pollMs);
  }
}

async function isOver(brokerApi: Reading, id: string): Promise<boolean> {
  const job = await brokerApi.job(id);
  return job === undefined || isFinal(job.state);
}
