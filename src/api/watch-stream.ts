/**
 * A job's changes as server-sent events, until it has ended. The first event is the current record, so a
 * watcher that reconnects needs no memory, and `Last-Event-ID` has no effect. A slow reader gets the newest
 * record when it can take more, not every one between: nothing accumulates here.
 */
import type { ServerResponse } from "node:http";
import { isFinal, type JobRecord } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { jobView } from "./job-view.ts";

/** Interval of comments, by which both ends notice that the other is gone. */
export const HEARTBEAT_MS = 15_000;

/** Writes the events of job `id` to `response`; resolves when the stream has ended. */
export async function streamJob(brokerApi: BrokerApi, id: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const events = eventsTo(response);
  let changes = 0;
  let isCaughtUp = false;
  const untell = brokerApi.onJobChange((record) => {
    if (record.id !== id) return;
    changes++;
    if (isCaughtUp) events.tell(record);
  });
  const heartbeat = setInterval(events.beat, HEARTBEAT_MS);
  try {
    const first = await settledRecord(brokerApi, id, () => changes);
    isCaughtUp = true;
    if (first === undefined) response.end();
    else events.tell(first);
    await events.over;
  } finally {
    untell();
    clearInterval(heartbeat);
    response.end();
  }
}

/** The record, read again until no change happened meanwhile: later changes then follow without a gap. */
async function settledRecord(
  brokerApi: BrokerApi,
  id: string,
  changes: () => number,
): Promise<JobRecord | undefined> {
  for (;;) {
    const before = changes();
    const record = await brokerApi.job(id);
    if (changes() === before) return record;
  }
}

function eventsTo(response: ServerResponse): {
  readonly tell: (record: JobRecord) => void;
  readonly beat: () => void;
  readonly over: Promise<void>;
} {
  let told = "";
  let waiting: JobRecord | undefined;
  const tell = (record: JobRecord): void => {
    if (response.writableEnded) return;
    if (response.writableNeedDrain) {
      waiting = record;
      return;
    }
    const data = JSON.stringify(jobView(record));
    if (data !== told) response.write(`event: job\ndata: ${data}\n\n`);
    told = data;
    if (isFinal(record.state)) response.end();
  };
  response.on("drain", () => {
    const record = waiting;
    waiting = undefined;
    if (record !== undefined) tell(record);
  });
  const beat = (): void => {
    if (!response.writableEnded && !response.writableNeedDrain) response.write(":\n\n");
  };
  const over = new Promise<void>((resolve) => response.once("close", resolve));
  return { tell, beat, over };
}
