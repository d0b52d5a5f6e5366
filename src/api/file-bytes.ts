/**
 * Bytes of a job's file, current or as it grows. The port does not report growth, so a followed file is
 * polled. The job's state is read before each poll, so that its last output is still read.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isFinal } from "../model/index.ts";
import type { BrokerApi, FilePart } from "../runtime/index.ts";

/** Limit on bytes per poll. */
const partBytes = 256 * 1024;

/** File, first byte, and end of the reading. */
export interface FileRead {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  /** True to follow the file until the job has ended. */
  readonly follow: boolean;
  readonly pollMs: number;
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal;
}

/** A part of the file; undefined where there is none (yet). */
function readPart(
  brokerApi: BrokerApi,
  { id, name, signal }: Pick<FileRead, "id" | "name" | "signal">,
  fromByte: number,
): Promise<FilePart | undefined> {
  // Whoever has gone is waited for no longer, and hears of nothing.
  const part = brokerApi.readFile(id, { name, fromByte, maxBytes: partBytes, signal });
  return part.catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
}

/** True where the file exists (yet). */
export async function isThere(
  brokerApi: BrokerApi,
  { id, name }: Pick<FileRead, "id" | "name">,
): Promise<boolean> {
  return (await brokerApi.readFile(id, { name, fromByte: 0, maxBytes: 0 })) !== undefined;
}

/** Bytes from `from` on; when not followed, up to the file's size at the beginning. */
export async function* fileBytes(
  brokerApi: BrokerApi,
  read: FileRead,
): AsyncGenerator<Uint8Array, void, void> {
  let position = read.from;
  let end = Number.POSITIVE_INFINITY;
  while (position < end && !read.signal.aborted) {
    const isLast = !read.follow || (await isOver(brokerApi, read.id));
    const part = await readPart(brokerApi, read, position);
    if (!read.follow && part !== undefined) end = Math.min(end, part.sizeBytes);
    if (part !== undefined && part.bytes.length > 0) {
      position += part.bytes.length;
      yield part.bytes;
    } else if (isLast) {
      return;
    } else {
      // An abort ends the wait; the loop sees it.
      await sleep(read.pollMs, undefined, { signal: read.signal }).catch(() => {});
    }
  }
}

async function isOver(brokerApi: BrokerApi, id: string): Promise<boolean> {
  const job = await brokerApi.job(id);
  return job === undefined || isFinal(job.state);
}
