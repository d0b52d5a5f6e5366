/**
 * Opens a source at a byte: HTTP, HTTPS and S3 by ranges (RFC 9110 section 14), files by position.
 *
 * A server without ranges answers with everything; then the bytes before the wanted one are read and thrown
 * away, which the caller sees as `skip` and pays for from its rate. What identifies the data (ETag or date of
 * change, and the size) is told with every answer; whether it is still the same the caller judges.
 */

import { open } from "node:fs/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../base/index.ts";
import { listRequest, objectRequest } from "./open-object.ts";
import { openProgram } from "./open-program.ts";
import type { OpenedSource } from "./opened-source.ts";
import { SourceProblem } from "./source-problem.ts";

/** Part of a source that is wanted; without end, all from its start. */
export interface Wanted {
  readonly href: string;
  readonly start: number;
  /** First byte that is not wanted. */
  readonly end: number;
  /** Silence after which a connection counts as lost, also while it is being made. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** File with the keys of an S3 store. */
  readonly credentials?: string;
  /** Program whose output is the source, and its arguments. */
  readonly exec?: readonly string[];
}

/** Bytes transferred over the network. */
interface Request {
  readonly address: URL;
  /** Path as it is sent, where that of the address is not. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_REDIRECTS = 5;
/** Largest size of a list of objects: it names at most 1,000, with keys of up to 1,024 bytes. */
const MOST_LISTING_BYTES = 16_000_000;
const httpAgent = new HttpAgent({ keepAlive: true, maxSockets: 64 });
const httpsAgent = new HttpsAgent({ keepAlive: true, maxSockets: 64 });

/** @throws SourceProblem */
export async function openSource(wanted: Wanted): Promise<OpenedSource> {
  const { exec } = wanted;
  if (exec !== undefined) return openProgram({ ...wanted, exec });
  if (wanted.href.startsWith("file:")) return openFile(wanted);
  return wanted.href.startsWith("s3:") ? openObject(wanted) : openHttp(wanted);
}

const rangeOf = ({ start, end }: Wanted): string => `bytes=${start}-${end - 1}`;

async function openObject(wanted: Wanted): Promise<OpenedSource> {
  const { href, credentials } = wanted;
  const object = await objectRequest(href, {
    ...(credentials === undefined ? {} : { credentials }),
    ...{ range: rangeOf(wanted), at: new Date() },
  });
  return openedFrom(await storeAnswer(object, wanted), wanted);
}

/** List of objects as the store writes it, in XML. @throws SourceProblem */
export async function readListing({
  after,
  ...wanted
}: Omit<Wanted, "start" | "end"> & { readonly after?: string }): Promise<string> {
  const { href, credentials } = wanted;
  const request = await listRequest(href, {
    ...(credentials === undefined ? {} : { credentials }),
    ...(after === undefined ? {} : { after }),
    at: new Date(),
  });
  const whole = { ...wanted, start: 0, end: MOST_LISTING_BYTES };
  const opened = openedFrom(await storeAnswer(request, whole), whole);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of opened.chunks) {
    bytes += chunk.length;
    if (bytes > MOST_LISTING_BYTES) throw new SourceProblem("refused", `${href}: its list is too long`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Answer of a store. @throws SourceProblem for a redirection: what is signed is for its endpoint alone */
async function storeAnswer(request: Request, wanted: Wanted): Promise<IncomingMessage> {
  const response = await answerOf(request, wanted);
  const { statusCode = 0 } = response;
  if (statusCode < 300 || statusCode >= 400) return response;
  response.destroy();
  throw new SourceProblem("refused", `${wanted.href} is at another endpoint than its credentials name`);
}

async function openFile({ href, start, end }: Wanted): Promise<OpenedSource> {
  try {
    const file = await open(fileURLToPath(href), "r");
    const { size, mtimeNs, ino } = await file.stat({ bigint: true });
    const bytes = Number(size);
    const isEmpty = start >= Math.min(end, bytes);
    const stream = file.createReadStream({ start, end: isEmpty ? start : Math.min(end, bytes) - 1 });
    if (isEmpty) stream.destroy();
    return {
      ...{ skip: 0, size: bytes, version: `${ino}/${mtimeNs}`, hasRanges: true },
      chunks: isEmpty ? nothing() : (stream as AsyncIterable<Buffer>),
      close: () => stream.destroy(),
    };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isPassing = code === "EIO" || code === "ESTALE" || code === "EMFILE" || code === "ENFILE";
    const kind = code === "ENOENT" ? "missing" : "refused";
    throw new SourceProblem(isPassing ? "temporary" : kind, message, cause);
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function openHttp(wanted: Wanted): Promise<OpenedSource> {
  let address = new URL(wanted.href);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await answerOf({ address, headers: { Range: rangeOf(wanted) } }, wanted);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      address = redirected(address, headers.location);
      continue;
    }
    return openedFrom(response, wanted);
  }
  throw new SourceProblem("refused", `${wanted.href} redirects more than ${MOST_REDIRECTS} times`);
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new SourceProblem("refused", `${from} redirects to an address that is none`);
  }
  const to = new URL(location, from);
  if (to.protocol === "http:" && from.protocol === "https:") {
    throw new SourceProblem("refused", `${from} redirects from https to http`);
  }
  if (to.protocol === "http:" || to.protocol === "https:") return to;
  throw new SourceProblem("refused", `${from} redirects to ${to.protocol}, which is not followed`);
}

function answerOf(
  { address, path, headers: own }: Request,
  { idleMs, signal }: Wanted,
): Promise<IncomingMessage> {
  const isSecure = address.protocol === "https:";
  const send = isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = { ...own, "Accept-Encoding": "identity" };
    const agent = isSecure ? httpsAgent : httpAgent;
    const options = { agent, headers, signal, ...(path === undefined ? {} : { path }) };
    const request = send(address, options, resolve);
    const late = setTimeout(() => request.destroy(new Error(`no answer within ${idleMs} ms`)), idleMs);
    request.once("response", () => clearTimeout(late));
    request.once("error", (cause) => {
      clearTimeout(late);
      const isForGood = "code" in cause && REFUSED_CODES.test(String(cause.code));
      reject(new SourceProblem(isForGood ? "refused" : "temporary", `${address}: ${cause.message}`, cause));
    });
    request.end();
  });
}

/** Certificates that no further attempt makes valid. */
const REFUSED_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS_CERT_ALTNAME|CERT_)/;
/** Client errors that pass: too early, too many, and those of a proxy. */
const PASSING = [408, 421, 425, 429];

function openedFrom(response: IncomingMessage, { href, start, idleMs }: Wanted): OpenedSource {
  const { statusCode = 0, headers } = response;
  const version = [headers.etag, headers["last-modified"]].filter((it) => it !== undefined).join(" ");
  const chunks = chunksOf(response, idleMs);
  const close = (): void => void response.destroy();
  if (statusCode === 200) {
    const size = wholeNumber(headers["content-length"]);
    return { skip: start, size, version, hasRanges: false, chunks, close };
  }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers["content-range"] ?? "");
  const size = wholeNumber(range?.[2]);
  if (statusCode === 206 && range?.[1] !== undefined && Number(range[1]) <= start) {
    return { skip: start - Number(range[1]), size, version, hasRanges: true, chunks, close };
  }
  close();
  if (statusCode === 416 && size !== undefined) {
    return { skip: 0, size, version, hasRanges: true, chunks: nothing(), close };
  }
  const isPassing = statusCode >= 500 || PASSING.includes(statusCode);
  const what = statusCode === 206 ? "sent another range than was asked for" : `answered ${statusCode}`;
  // Some stores do not say the size of what has no further bytes.
  const kind = statusCode === 404 || statusCode === 416 ? "missing" : "refused";
  throw new SourceProblem(isPassing ? "temporary" : kind, `${href} ${what}`);
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Chunks as they come; a silence while one is awaited ends the connection, a slow reader does not. */
async function* chunksOf(response: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const late = setTimeout(() => response.destroy(new Error(`no data for ${idleMs} ms`)), idleMs);
      const next = await iterator.next().finally(() => clearTimeout(late));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (cause) {
    const words = messageOf(cause);
    throw new SourceProblem("temporary", `the connection was lost: ${words}`, cause);
  } finally {
    // Read to its end, the connection is used again.
    if (!response.complete || !response.readableEnded) response.destroy();
  }
}
