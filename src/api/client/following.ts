/** Watching a job and following a file. A broken connection is resumed where it broke. */

import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { JobView, SlotSetView } from "../../contract/index.ts";
import { isFinal } from "../../model/index.ts";
import type { Connection, Question } from "./connection.ts";
import type { ReadOptions, ScreenOptions } from "./options.ts";
import { LostConnection } from "./server-fault.ts";

/** A stream of events to watch. */
export interface Watch<News> {
  readonly path: string;
  readonly patienceMs: number;
  readonly onChange: (news: News) => void;
  readonly signal: AbortSignal | undefined;
}

/** Reports each change; resolves with the final record. */
export async function watchJob(connection: Connection, watch: Watch<JobView>): Promise<JobView> {
  for await (const job of newsOf(connection, watch)) {
    watch.onChange(job);
    if (isFinal(job.state)) return job;
  }
  throw new Error("what must hold: a job is watched until it has ended");
}

/** Reports every advertisement, until the signal aborts. */
export async function watchSlots(connection: Connection, watch: Watch<SlotSetView>): Promise<void> {
  for await (const set of newsOf(connection, watch)) watch.onChange(set);
}

/** Events of a stream, over as many connections as needed; ends with its reader. */
async function* newsOf<News>(
  connection: Connection,
  { path, patienceMs, signal }: Watch<News>,
): AsyncGenerator<News, void, void> {
  const patience = createPatience(patienceMs, connection.hasAnswered());
  let told = "";
  for (;;) {
    try {
      const question: Question = { method: "GET", path, isRepeatable: true, signal };
      for await (const data of eventData(bytesOf(connection, question))) {
        patience.heard();
        // The first event of a new connection may be what was told last.
        if (data !== told) yield JSON.parse(data);
        told = data;
      }
      throw new LostConnection(connection.address, "it ended before what it tells of did");
    } catch (error) {
      signal?.throwIfAborted();
      await patience.wait(error, signal);
    }
  }
}

/** A file to read. */
export interface FileFollowing extends ReadOptions {
  readonly path: string;
  readonly patienceMs: number;
}

/** The bytes from `from` on, each once. */
export async function* followFile(
  connection: Connection,
  { path, from = 0, follow = false, signal, patienceMs }: FileFollowing,
): AsyncGenerator<Uint8Array, void, void> {
  const patience = createPatience(patienceMs, connection.hasAnswered());
  let position = from;
  for (;;) {
    try {
      const query = `?from=${position}&follow=${follow}`;
      const question: Question = { method: "GET", path: path + query, isRepeatable: true, signal };
      for await (const bytes of bytesOf(connection, question, patience.heard)) {
        position += bytes.length;
        yield bytes;
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      await patience.wait(error, signal);
    }
  }
}

/** A terminal to follow. */
export interface TerminalFollowing extends ScreenOptions {
  readonly path: string;
  readonly patienceMs: number;
  readonly isOver: () => Promise<boolean>;
}

/** The bytes from the place on, each at most once, until the job has ended. */
export async function* followTerminal(
  connection: Connection,
  { path, last, onSkip, signal, patienceMs, isOver }: TerminalFollowing,
): AsyncGenerator<Uint8Array, void, void> {
  const patience = createPatience(patienceMs, connection.hasAnswered());
  let position: number | undefined;
  for (;;) {
    try {
      const isLast = await isOver();
      const query = position === undefined ? `?last=${last}` : `?from=${position}`;
      const response = await connection.open({
        method: "GET",
        path: path + query,
        isRepeatable: true,
        signal,
      });
      patience.heard();
      const from = Number(response.headers["stint-terminal-from"]);
      if (position !== undefined && from > position) onSkip(from - position);
      position = from;
      for await (const bytes of bytesIn(response, connection)) {
        position += bytes.length;
        yield bytes;
      }
      if (isLast) return;
    } catch (error) {
      signal?.throwIfAborted();
      await patience.wait(error, signal);
    }
  }
}

/** Bytes of a response; a break in the middle is distinguished from its end. */
async function* bytesOf(
  connection: Connection,
  question: Question,
  onOpen: () => void = () => {},
): AsyncGenerator<Uint8Array, void, void> {
  const response = await connection.open(question);
  onOpen();
  yield* bytesIn(response, connection);
}

async function* bytesIn(
  response: IncomingMessage,
  { address }: Connection,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const bytes of response) yield bytes;
  } catch (error) {
    throw new LostConnection(address, error);
  } finally {
    response.destroy();
  }
}

/**
 * Waits between tries, longer each time, until the server has been away for `patienceMs`. A server that
 * has nothing to say for hours is not away.
 */
interface Patience {
  /** Resets the retries after any sign of the server. */
  heard(): void;
  /** Waits before the next retry; throws `error` where retrying is useless. */
  wait(error: unknown, signal?: AbortSignal): Promise<void>;
}

const shortestMs = 50;
const longestMs = 2000;

/** Retries that begin once the server has answered: one that never did is not retried. */
function createPatience(patienceMs: number, hasAnswered: boolean): Patience {
  let wasHeard = hasAnswered;
  let awaySinceMs: number | undefined;
  let pauseMs = shortestMs;
  return {
    heard() {
      wasHeard = true;
      awaySinceMs = undefined;
      pauseMs = shortestMs;
    },
    async wait(error, signal) {
      const isAway =
        error instanceof LostConnection || (error instanceof Fault && error.kind === "unreachable");
      awaySinceMs ??= performance.now();
      if (!isAway || !wasHeard || performance.now() - awaySinceMs > patienceMs) throw error;
      await sleep(pauseMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
      pauseMs = Math.min(pauseMs * 2, longestMs);
    },
  };
}

/** Data of each event. Comments and other fields are ignored. */
async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    // What follows the last blank line is not whole yet.
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? line.slice(6) : []));
      if (data.length > 0) yield data.join("\n");
    }
  }
}
