/** A source of a stream on loopback that can be slow, cut connections, change its data, and forget ranges. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What the source does; may be changed at any moment. */
export interface SourceBehaviour {
  data: Buffer;
  etag: string;
  hasRanges: boolean;
  /** False: the size is not told, as of data that are produced while they are sent. */
  tellsSize: boolean;
  /** Of each connection; 0: as fast as it goes. */
  bytesPerSec: number;
  /** Bytes after which the next connections are cut; one entry for each. */
  cuts: number[];
  /** Status that is answered instead of data. */
  status: number;
}

/** A running source. */
export interface StreamSource {
  readonly href: string;
  readonly behaviour: SourceBehaviour;
  readonly requests: string[];
  readonly sentBytes: () => number;
  /** Ends all connections, and refuses new ones until it is started again on the same port. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const CHUNK = 16_384;

/** Starts a source with these data. */
export async function startSource(
  data: Buffer,
  options: Partial<SourceBehaviour> = {},
): Promise<StreamSource> {
  const usual = { etag: '"1"', hasRanges: true, tellsSize: true, bytesPerSec: 0, cuts: [], status: 0 };
  const behaviour: SourceBehaviour = { data, ...usual, ...options };
  const requests: string[] = [];
  let sent = 0;
  let port = 0;
  let server: Server | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { data: all, etag, hasRanges, tellsSize, status } = behaviour;
    requests.push(request.headers.range ?? "");
    if (status !== 0) return void response.writeHead(status).end();
    const [start, end] = hasRanges ? rangeOf(request, all.length) : [0, all.length];
    const headers: Record<string, string | number> = etag === "" ? {} : { ETag: etag };
    if (hasRanges && start >= all.length) {
      return void response.writeHead(416, { ...headers, "Content-Range": `bytes */${all.length}` }).end();
    }
    if (tellsSize || hasRanges) headers["Content-Length"] = end - start;
    if (hasRanges) headers["Content-Range"] = `bytes ${start}-${end - 1}/${all.length}`;
    response.writeHead(hasRanges ? 206 : 200, headers);
    const cut = behaviour.cuts.shift() ?? Number.POSITIVE_INFINITY;
    for (let at = start; at < end; at += CHUNK) {
      if (response.destroyed) return;
      const chunk = all.subarray(at, Math.min(at + CHUNK, end, start + cut));
      sent += chunk.length;
      if (!response.write(chunk)) await drained(response);
      if (at + CHUNK > start + cut) return void response.destroy();
      if (behaviour.bytesPerSec > 0) await sleep((chunk.length / behaviour.bytesPerSec) * 1000);
    }
    response.end();
  };
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      server = createServer((request, response) => void answer(request, response));
      server.listen(port, "127.0.0.1", () => {
        const address = server?.address();
        if (typeof address === "object" && address !== null) port = address.port;
        resolve();
      });
    });
  await start();
  return {
    href: `http://127.0.0.1:${port}/data`,
    behaviour,
    requests,
    sentBytes: () => sent,
    start,
    stop: () =>
      new Promise((resolve) => {
        server?.close(() => resolve());
        server?.closeAllConnections();
      }),
  };
}

/** Resolves when more may be written, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.on("drain", end).on("close", end);
  });
}

function rangeOf(request: IncomingMessage, size: number): [number, number] {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  if (range === null) return [0, size];
  return [Number(range[1]), range[2] === "" ? size : Math.min(Number(range[2]) + 1, size)];
}

/** Bytes that look random and depend on the seed. */
export function sourceData(bytes: number, seed: number): Buffer {
  const data = Buffer.alloc(bytes);
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  return data;
}
