/**
 * Results on their way to a sink: taken from the application with its acknowledgement, sent in order,
 * removed when the sink has confirmed them [STREAM].
 *
 * A block counts as acknowledged when all its results are confirmed; until then the position stays before
 * it, so that a wrapper that was killed has the application produce them again, under the same names. Where
 * unsent results fill their share of the storage, no block is handed over.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import { createBackoff } from "./backoff.ts";
import { objectAddress, SinkProblem, sendObject } from "./send-object.ts";
import type { StreamOrder } from "./stream-order.ts";
import { type Result, takeResults } from "./take-results.ts";

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
    const results = await takeResults(
      { stream, seq, from: join(directory, RESULTS), to: join(directory, OUTBOX) },
      given,
    );
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

function sinkFault(stream: string, cause: unknown): Fault {
  return new Fault({
    ...{ kind: "failed", code: "sinkRefused", what: `the sink of stream ${stream} refused a result` },
    why: cause instanceof Error ? cause.message : String(cause),
    remedy: "correct the sink, and submit the stream again",
    cause,
  });
}
