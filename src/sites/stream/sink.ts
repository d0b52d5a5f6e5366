/**
 * Results on their way to a sink: taken from the application with its acknowledgement, sent in order,
 * removed when the sink has confirmed them [STREAM].
 *
 * A block counts as acknowledged when all its results are confirmed; until then the position stays before
 * it, so that a wrapper that was killed has the application produce them again, under the same names. Where
 * unsent results fill their share of the storage, no block is handed over. A sink with the mode append gets
 * the results in the order of the blocks, and the position has the offset up to which they are confirmed.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault, messageOf } from "../../base/index.ts";
import { appendResult, NO_TURNS, turnsFrom } from "./append-results.ts";
import type { Position } from "./position.ts";
import { objectAddress, SinkProblem, sendObject } from "./send-object.ts";
import type { StreamOrder } from "./stream-order.ts";
import { type Result, takeResults } from "./take-results.ts";
import { createAttempts, type Trouble } from "./trouble.ts";

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
  readonly trouble: () => Trouble | undefined;
  /** Part of the stored position: the confirmed bytes of a sink with the mode append. */
  readonly kept: () => Pick<Position, "appendedBytes">;
  /** Every block before this one is acknowledged. */
  readonly reached: (seq: number) => void;
}

/** Folder in which the application leaves results; its path is STINT_STREAM_RESULTS. */
export const RESULTS = "results";
const OUTBOX = "outbox";

/** Opens the sink of an order; results of an earlier life are produced again and removed here. */
export async function openSink(
  order: StreamOrder,
  position: Pick<Position, "next" | "appendedBytes">,
  signal: AbortSignal,
): Promise<Sink | undefined> {
  const { sink, directory } = order;
  if (sink === undefined) return undefined;
  if (sink.mode === "append" && !sink.href.startsWith("file:"))
    throw sinkFault(order.stream, new Error(`${sink.href} is on a server, and append requires file:///`));
  for (const name of [RESULTS, OUTBOX]) {
    await rm(join(directory, name), { recursive: true, force: true });
    await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
  }
  return sinkOf({ ...order, sink }, position, signal);
}

type SinkOrder = StreamOrder & { readonly sink: NonNullable<StreamOrder["sink"]> };

/** Sends a result once. @param offset where it begins in the file of a sink with the mode append */
function attempt(
  { sink, stream, idleMs }: SinkOrder,
  { path, bytes, name }: Result,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): Promise<void> {
  if (sink.mode === "append") return appendResult({ path, href: objectAddress(sink.href, stream), offset });
  return sendObject({ path, bytes, href: objectAddress(sink.href, `${stream}/${name}`), idleMs, signal });
}

function sinkOf(
  order: SinkOrder,
  position: Pick<Position, "next" | "appendedBytes">,
  signal: AbortSignal,
): Sink {
  const { directory, stream, sink } = order;
  let unsentBytes = 0;
  let sentBytes = 0;
  let { appendedBytes = 0 } = position;
  const isAppending = sink.mode === "append";
  const turns = isAppending ? turnsFrom(position.next.seq) : NO_TURNS;
  let trouble: Trouble | undefined;
  let line: Promise<unknown> = Promise.resolve();
  const sendOne = async (result: Result): Promise<void> => {
    const { path, bytes } = result;
    const attempts = createAttempts("sink");
    for (;;) {
      signal.throwIfAborted();
      try {
        await attempt(order, result, { offset: appendedBytes, signal });
        break;
      } catch (cause) {
        signal.throwIfAborted();
        if (!(cause instanceof SinkProblem && cause.isPassing)) throw sinkFault(stream, cause);
        const tell = (failed: Trouble): void => {
          trouble = failed;
        };
        await attempts.failed({ message: cause.message, signal, tell });
      }
    }
    trouble = undefined;
    if (isAppending) appendedBytes += bytes;
    await rm(path, { force: true });
    unsentBytes -= bytes;
    sentBytes += bytes;
  };
  const sendAll = async (results: readonly Result[]): Promise<void> => {
    for (const result of results) await sendOne(result);
  };
  const all = new Map<Promise<void>, number>();
  const send = async (seq: number, given: readonly string[]): Promise<void> => {
    const results = await takeResults(
      { stream, seq, from: join(directory, RESULTS), to: join(directory, OUTBOX) },
      given,
    );
    unsentBytes += results.reduce((sum, { bytes }) => sum + bytes, 0);
    await turns.of(seq);
    const sent = line.then(() => sendAll(results));
    line = sent.catch(() => undefined);
    await sent;
  };
  return {
    send: ({ seq, results: given }, confirmed, failed) => {
      const sending = send(seq, given).then(confirmed).catch(failed);
      all.set(sending, seq);
      void sending.finally(() => all.delete(sending));
    },
    settled: async () => {
      const due = () => [...all].filter(([, seq]) => turns.hasCome(seq)).map(([sending]) => sending);
      while (due().length > 0) await Promise.all(due());
    },
    isFull: () => unsentBytes > 0 && unsentBytes >= sink.storageBytes,
    figures: () => ({ unsentBytes, sentBytes }),
    trouble: () => trouble,
    kept: () => (isAppending ? { appendedBytes } : {}),
    reached: turns.reached,
  };
}

function sinkFault(stream: string, cause: unknown): Fault {
  return new Fault({
    ...{ kind: "failed", code: "sinkRefused", what: `the sink of stream ${stream} refused a result` },
    why: messageOf(cause),
    remedy: "correct the sink, and submit the stream again",
    cause,
  });
}
