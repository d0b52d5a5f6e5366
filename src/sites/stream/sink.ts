/**
 * Results on their way to a sink: taken from the application with its acknowledgement, sent in order,
 * removed when the sink has confirmed them [STREAM].
 *
 * A block counts as acknowledged when all its results are confirmed; until then the position stays before
 * it, so that a wrapper that was killed has the application produce them again, under the same names. Where
 * unsent results fill their share of the storage, no block is handed over.
 */
import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Fault } from "../../base/index.ts";
import { createBackoff } from "./backoff.ts";
import { blockName } from "./block-files.ts";
import { objectAddress, SinkProblem, sendObject } from "./send-object.ts";
import type { StreamOrder } from "./stream-order.ts";

/** Results that wait, and those that were sent. */
interface SinkFigures {
  readonly unsentBytes: number;
  readonly sentBytes: number;
}

/** Results of a block, as its acknowledgement names them. */
interface MadeResults {
  readonly seq: number;
  readonly results: readonly string[];
}

/** The sink of a stream. */
export interface Sink {
  /** Takes the results of a block, and calls back when all are confirmed, or cannot be. */
  readonly send: (made: MadeResults, confirmed: () => void, failed: (cause: unknown) => void) => void;
  /** Resolves when nothing is on its way any more. */
  readonly settled: () => Promise<void>;
  /** True while unsent results fill their share of the storage. */
  readonly isFull: () => boolean;
  readonly figures: () => SinkFigures;
  /** Failure of the last attempt, while it lasts. */
  readonly trouble: () => string | undefined;
}

/** Folder in which the application leaves results; its path is STINT_STREAM_RESULTS. */
export const RESULTS = "results";
const OUTBOX = "outbox";
const MOST_RESULTS = 1000;
const RESULT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Opens the sink of an order; results of an earlier life are produced again and removed here. */
export async function openSink(order: StreamOrder, signal: AbortSignal): Promise<Sink | undefined> {
  const { sink, directory } = order;
  if (sink === undefined) return undefined;
  for (const name of [RESULTS, OUTBOX]) {
    await rm(join(directory, name), { recursive: true, force: true });
    await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
  }
  return sinkOf({ ...order, sink }, signal);
}

function sinkOf(
  order: StreamOrder & { readonly sink: NonNullable<StreamOrder["sink"]> },
  signal: AbortSignal,
): Sink {
  const { directory, stream, idleMs, sink } = order;
  let unsentBytes = 0;
  let sentBytes = 0;
  let trouble: string | undefined;
  let line: Promise<unknown> = Promise.resolve();
  const sendOne = async ({ path, bytes, name }: Result): Promise<void> => {
    const href = objectAddress(sink.href, `${stream}/${name}`);
    const backoff = createBackoff();
    for (;;) {
      signal.throwIfAborted();
      try {
        await sendObject({ path, bytes, href, idleMs, signal });
        break;
      } catch (cause) {
        signal.throwIfAborted();
        if (!(cause instanceof SinkProblem && cause.isPassing)) throw sinkFault(stream, cause);
        trouble = cause.message;
        await backoff.wait(signal);
      }
    }
    trouble = undefined;
    await rm(path, { force: true });
    unsentBytes -= bytes;
    sentBytes += bytes;
  };
  const sendAll = async (results: readonly Result[]): Promise<void> => {
    for (const result of results) await sendOne(result);
  };
  const all = new Set<Promise<void>>();
  const send = async (seq: number, given: readonly string[]): Promise<void> => {
    const results = await takeResults({ directory, stream, seq }, given);
    unsentBytes += results.reduce((sum, { bytes }) => sum + bytes, 0);
    const sent = line.then(() => sendAll(results));
    line = sent.catch(() => undefined);
    await sent;
  };
  return {
    send: ({ seq, results: given }, confirmed, failed) => {
      const sending = send(seq, given).then(confirmed).catch(failed);
      all.add(sending);
      void sending.finally(() => all.delete(sending));
    },
    settled: async () => void (await Promise.all(all)),
    isFull: () => unsentBytes > 0 && unsentBytes >= sink.storageBytes,
    figures: () => ({ unsentBytes, sentBytes }),
    trouble: () => trouble,
  };
}

/** A result in the outbox. */
interface Result {
  readonly path: string;
  readonly bytes: number;
  /** Name of its object: by block, so that a repeated upload replaces it. */
  readonly name: string;
}

/** Moves the results of a block into the outbox. @throws Fault for a file that cannot be a result */
async function takeResults(
  { directory, stream, seq }: { readonly directory: string; readonly stream: string; readonly seq: number },
  given: readonly string[],
): Promise<readonly Result[]> {
  const folder = join(directory, RESULTS);
  if (given.length > MOST_RESULTS) throw resultFault(stream, seq, `it has more than ${MOST_RESULTS} results`);
  const results: Result[] = [];
  for (const one of new Set(given.map((it) => resolve(folder, it)))) {
    const name = basename(one);
    if (one !== join(folder, name) || !RESULT_NAME.test(name)) {
      throw resultFault(stream, seq, `${one} is not directly in ${folder}, or its name is not plain`);
    }
    const status = await lstat(one).catch((cause: Error) => {
      throw resultFault(stream, seq, cause.message);
    });
    if (!status.isFile()) throw resultFault(stream, seq, `${one} is not a file`);
    const object = `${blockName(seq)}-${name}`;
    const path = join(directory, OUTBOX, object);
    await rename(one, path);
    results.push({ path, bytes: status.size, name: object });
  }
  return results;
}

function resultFault(stream: string, seq: number, why: string): Fault {
  return new Fault({
    ...{
      kind: "failed",
      code: "badResult",
      what: `results of block ${seq} of stream ${stream} are unusable`,
    },
    ...{
      why,
      remedy:
        "write results to $STINT_STREAM_RESULTS, with names of letters, digits, . _ -, and acknowledge them",
    },
  });
}

function sinkFault(stream: string, cause: unknown): Fault {
  return new Fault({
    ...{ kind: "failed", code: "sinkRefused", what: `the sink of stream ${stream} refused a result` },
    why: cause instanceof Error ? cause.message : String(cause),
    remedy:
      "correct the sink and restart the stream; it continues at the first block with unconfirmed results",
    cause,
  });
}
