/**
 * Writes a tar archive (POSIX.1-2001, pax): names and sizes that the old header cannot say go into an
 * extended header, so that any tar reads them. Owners and times are left out: an archive is restored by
 * whoever extracts it.
 */
import { assert } from "../../base/index.ts";
import { BLOCK, paddingOf, type TarEntry, TYPES } from "./entry.ts";

const NAME_BYTES = 100;
/** Largest size in eleven octal digits. */
const MOST_OCTAL = 0o77777777777;

/** Bytes of an archive of these entries. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncIterable<Uint8Array> {
  for await (const entry of entries) {
    const sizeBytes = entry.kind === "file" ? entry.sizeBytes : 0;
    const extended = extendedRecords(entry, sizeBytes);
    if (extended.length > 0) {
      yield header({ path: "pax", mode: 0o600, sizeBytes: extended.length, type: TYPES.extended });
      yield extended;
      yield zeros(paddingOf(extended.length));
    }
    const mode = entry.kind === "link" ? 0o777 : entry.mode;
    const target = entry.kind === "link" ? entry.target : "";
    yield header({ path: entry.path, mode, sizeBytes, type: TYPES[entry.kind], target });
    if (entry.kind !== "file") continue;
    let written = 0;
    for await (const chunk of entry.content) {
      written += chunk.length;
      yield chunk;
    }
    assert(written === sizeBytes, "the content of an entry has the size that was said");
    yield zeros(paddingOf(sizeBytes));
  }
  yield zeros(2 * BLOCK);
}

/** Records `LENGTH name=value` for whatever the header cannot say; empty if it can say all. */
function extendedRecords(entry: TarEntry, sizeBytes: number): Uint8Array {
  const records: string[] = [];
  if (!fits(entry.path)) records.push(record("path", entry.path));
  if (entry.kind === "link" && !fits(entry.target)) records.push(record("linkpath", entry.target));
  if (sizeBytes > MOST_OCTAL) records.push(record("size", String(sizeBytes)));
  return Buffer.from(records.join(""));
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= NAME_BYTES && /^[\x20-\x7e]*$/.test(text);
}

/** A record whose length counts its own digits. */
function record(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const restBytes = Buffer.byteLength(rest);
  let length = restBytes + String(restBytes).length;
  if (String(length).length > String(restBytes).length) length = restBytes + String(length).length;
  return `${length}${rest}`;
}

interface Header {
  readonly path: string;
  readonly mode: number;
  readonly sizeBytes: number;
  readonly type: string;
  readonly target?: string;
}

function header({ path, mode, sizeBytes, type, target = "" }: Header): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void => {
    block.write(value.toString(8).padStart(digits, "0"), at, "latin1");
  };
  block.write(fits(path) ? path : "long-name", 0, NAME_BYTES, "latin1");
  octal(mode & 0o7777, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(Math.min(sizeBytes, MOST_OCTAL), 124, 11);
  octal(0, 136, 11);
  block.write(type, 156, "latin1");
  block.write(fits(target) ? target : "long-name", 157, NAME_BYTES, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  // The checksum is taken with blanks in its own place.
  block.fill(" ", 148, 156);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block[154] = 0;
  return block;
}

function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}
