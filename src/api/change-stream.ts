/**
 * Changes as server-sent events, for pages that show the present and ask again: which jobs have changed, and
 * that something has. Changes are collected for a second, so that a page costs the broker the same whether
 * ten jobs change or ten thousand; one reading of the log's head serves all pages.
 */
import type { ServerResponse } from "node:http";
import type { ChangeView } from "../contract/index.ts";
import { mayDo } from "../engine/index.ts";
import type { Identity, JobRecord } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { HEARTBEAT_MS } from "./watch-stream.ts";

const COLLECT_MS = 1000;
const MOST_JOBS = 500;

/** Changes of a broker, for any number of readers. */
export interface ChangeFeed {
  /** Writes to `response` until it is closed. @param lastSeen `Last-Event-ID` of a reader that returns */
  stream(who: Identity, lastSeen: string | undefined, response: ServerResponse): Promise<void>;
}

interface Reader {
  readonly who: Identity;
  readonly response: ServerResponse;
  jobs: Set<string>;
  hasMore: boolean;
  head: number;
}

/** A feed; it looks only while somebody reads it. */
export function changeFeed(brokerApi: BrokerApi, collectMs = COLLECT_MS): ChangeFeed {
  const readers = new Set<Reader>();
  let end = (): void => {};
  const begin = (): void => {
    const untell = brokerApi.onJobChange((record) => {
      for (const reader of readers) note(reader, record);
    });
    let isTelling = false;
    const timer = setInterval(async () => {
      if (isTelling) return;
      isTelling = true;
      const head = await headOf(brokerApi).catch(() => undefined);
      if (head !== undefined) for (const reader of readers) tell(reader, head);
      isTelling = false;
    }, collectMs);
    timer.unref();
    end = () => {
      clearInterval(timer);
      untell();
    };
  };
  return {
    async stream(who, lastSeen, response) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      const reader: Reader = { who, response, jobs: new Set(), hasMore: false, head: 0 };
      // Before the head is read: what changes meanwhile is then told twice rather than never.
      readers.add(reader);
      if (readers.size === 1) begin();
      const heartbeat = setInterval(() => {
        if (!response.writableNeedDrain) response.write(":\n\n");
      }, HEARTBEAT_MS);
      try {
        const closed = new Promise<void>((resolve) => response.once("close", resolve));
        const head = await headOf(brokerApi);
        reader.hasMore ||= lastSeen !== String(head);
        write(reader, head);
        await closed;
      } finally {
        clearInterval(heartbeat);
        readers.delete(reader);
        if (readers.size === 0) end();
      }
    },
  };
}

function note(reader: Reader, record: JobRecord): void {
  if (reader.hasMore || !mayDo(reader.who, "seeJob", record)) return;
  if (reader.jobs.size < MOST_JOBS) reader.jobs.add(record.id);
  else reader.hasMore = !reader.jobs.has(record.id);
}

/** Writes what was collected, unless the reader is slow: then it is collected on. */
function tell(reader: Reader, head: number): void {
  const isNews = head !== reader.head || reader.jobs.size > 0 || reader.hasMore;
  if (isNews && !reader.response.writableNeedDrain && !reader.response.writableEnded) write(reader, head);
}

function write(reader: Reader, head: number): void {
  const change: ChangeView = { head, jobs: [...reader.jobs], all: reader.hasMore };
  reader.response.write(`id: ${head}\nevent: changed\ndata: ${JSON.stringify(change)}\n\n`);
  reader.jobs = new Set();
  reader.hasMore = false;
  reader.head = head;
}

async function headOf(brokerApi: BrokerApi): Promise<number> {
  return (await brokerApi.events({ isNewestFirst: true, limit: 1 })).head;
}
