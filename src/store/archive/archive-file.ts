/**
 * A file of archived events: a stretch of the log that has left the database.
 *
 * Lines of JSON, packed by gzip. The first says behind which event the stretch begins and with which it ends;
 * each other one is an event with its number and its hash, in order. So a file can be verified by itself, and
 * `zcat FILE | jq` reads it. The name has both numbers.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import { Fault, messageOf } from "../../base/index.ts";
import type { LoggedEvent, Receipt } from "../../runtime/index.ts";
import { canonicalJson } from "../canonical-json.ts";
import { logDamaged } from "../store-fault.ts";

/** The ends of a stretch: the event before its first, and its last. */
export interface Stretch {
  readonly after: Receipt;
  readonly through: Receipt;
}

const VERSION = 1;
const DIGITS = 12;
const NAME = /^events-(\d{12,15})-(\d{12,15})\.ndjson\.gz$/;

/** Name of the file of a stretch. */
export function archiveName({ after, through }: Stretch): string {
  return `events-${padded(after.seq + 1)}-${padded(through.seq)}.ndjson.gz`;
}

/** First and last number in the name of a file; undefined: it is none of an archive. */
export function numbersIn(name: string): { readonly from: number; readonly through: number } | undefined {
  const [, from, through] = NAME.exec(name) ?? [];
  return from === undefined ? undefined : { from: Number(from), through: Number(through) };
}

/**
 * Writes a stretch to a new file and waits until it is on the disk.
 *
 * @returns instants of the first and the last event, Unix ms
 */
export async function writeArchive(
  file: string,
  stretch: Stretch,
  events: AsyncIterable<LoggedEvent>,
): Promise<{ readonly firstAtMs: number; readonly lastAtMs: number }> {
  const packer = createGzip();
  const output = packer.pipe(createWriteStream(file, { flags: "w", mode: 0o600 }));
  const written = finished(output);
  // A failure is thrown below, where it is awaited.
  written.catch((error: Error) => packer.destroy(error));
  const write = async (line: string): Promise<void> => {
    if (!packer.write(`${line}\n`)) await Promise.race([once(packer, "drain"), written]);
  };
  let [firstAtMs, lastAtMs]: (number | undefined)[] = [];
  try {
    await write(JSON.stringify({ stintArchive: VERSION, ...stretch }));
    for await (const event of events) {
      if (event.seq > stretch.through.seq) break;
      firstAtMs ??= event.atMs;
      lastAtMs = event.atMs;
      await write(canonicalJson({ ...event }, logDamaged));
    }
  } catch (error) {
    output.destroy();
    packer.destroy();
    throw error;
  }
  packer.end();
  await written;
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { firstAtMs: firstAtMs ?? 0, lastAtMs: lastAtMs ?? 0 };
}

/** An archive that is being read. */
export interface OpenArchive {
  readonly stretch: Stretch;
  /** Events in order, to be read once. @throws Fault archiveDamaged */
  readonly events: AsyncIterable<LoggedEvent>;
}

/**
 * Opens a file. Its events are to be read, or `close` called.
 *
 * @throws Fault archiveMissing, archiveDamaged
 */
export async function openArchive(file: string): Promise<OpenArchive & { close(): void }> {
  const input = createReadStream(file);
  const unpacked = input.pipe(createGunzip());
  const close = (): void => {
    input.destroy();
    unpacked.destroy();
  };
  // What fails before it is read is thrown when it is read.
  unpacked.on("error", () => {});
  input.once("error", (error) => unpacked.destroy(error));
  const lines = linesOf(unpacked);
  const next = async (behind: string): Promise<string | undefined> => {
    const { value, done } = await lines.next().catch((error: unknown) => {
      throw unreadable(file, error, behind);
    });
    return done === true ? undefined : value;
  };
  const stretch = headerIn(await next("its beginning"));
  if (stretch === undefined) {
    close();
    throw archiveDamaged(file, "it does not begin as an archive does");
  }
  async function* events(): AsyncIterable<LoggedEvent> {
    let behind = `event ${stretch?.after.seq}`;
    try {
      for (;;) {
        const line = await next(behind);
        if (line === undefined) return;
        const event = eventIn(line);
        if (event === undefined) throw archiveDamaged(file, `the line behind ${behind} is not an event`);
        yield event;
        behind = `event ${event.seq}`;
      }
    } finally {
      close();
    }
  }
  return { stretch, events: events(), close };
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.write(chunk)).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

function padded(seq: number): string {
  return String(seq).padStart(DIGITS, "0");
}

function headerIn(line: string | undefined): Stretch | undefined {
  const { stintArchive, after, through } = objectIn(line) ?? {};
  const isWhole = stintArchive === VERSION && isReceipt(after) && isReceipt(through);
  return isWhole && after.seq < through.seq ? { after, through } : undefined;
}

function eventIn(line: string): LoggedEvent | undefined {
  const { seq, atMs, kind, version, body, hash } = objectIn(line) ?? {};
  const isWhole = isReceipt({ seq, hash }) && Number.isSafeInteger(atMs) && Number.isSafeInteger(version);
  if (!isWhole || typeof kind !== "string" || typeof body !== "object" || body === null) return undefined;
  return { seq, atMs, kind, version, body, hash } as LoggedEvent;
}

function objectIn(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line ?? "null");
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isReceipt(value: unknown): value is Receipt {
  const { seq, hash }: Partial<Record<string, unknown>> = { ...(value as object) };
  return Number.isSafeInteger(seq) && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
}

function unreadable(file: string, cause: unknown, behind: string): Fault {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code.startsWith("Z_"))
    return archiveDamaged(file, `it cannot be unpacked behind ${behind} or soon after`, cause);
  return new Fault({
    kind: "failed",
    code: "archiveMissing",
    what: `the archive ${file} cannot be read`,
    why: code === "ENOENT" ? "there is no such file" : messageOf(cause),
    remedy:
      "put the file back, readable by the broker's user; stint archive list shows the place of each archive",
    cause,
  });
}

/** Fault of a file whose content is not what was written. */
export function archiveDamaged(file: string, why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "archiveDamaged",
    what: `the archive ${file} is damaged`,
    why,
    remedy: "replace it with a copy from a backup, and check it with stint archive verify",
    cause,
  });
}
