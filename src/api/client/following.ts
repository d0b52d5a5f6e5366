/** Watching a job and following a file. A broken connection is resumed where it broke. */

import type { JobView, SlotSetView } from "../../contract/index.ts";
import { isFinal } from "../../model/index.ts";
import type { Connection, Question } from "./connection.ts";
import type { ReadOptions } from "./options.ts";
import { createPatience } from "./patience.ts";
import { eventData } from "./server-events.ts";
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
  throw new Error("what must hold: a job is watched until it is over");
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
  const patience = createPatience(patienceMs);
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
  const patience = createPatience(patienceMs);
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

/** Bytes of a response; a break in the middle is distinguished from its end. */
async function* bytesOf(
  connection: Connection,
  question: Question,
  onOpen: () => void = () => {},
): AsyncGenerator<Uint8Array, void, void> {
  const response = await connection.open(question);
  onOpen();
  try {
    for await (const bytes of response) yield bytes;
  } catch (error) {
    throw new LostConnection(connection.address, error);
  } finally {
    response.destroy();
  }
}
