/**
 * Reads a tar archive as `write-tar.ts` writes it: files, directories, links, and pax names and sizes. An
 * archive that ends early, is damaged, or leads out of its folder is refused.
 */
import { Fault } from "../../base/index.ts";
import { BLOCK, paddingOf, type TarEntry, TYPES } from "./entry.ts";

const MOST_EXTENDED_BYTES = 1024 * 1024;

/**
 * Entries of an archive, in order. The content of a file must be read, or left, before the next entry is
 * asked for.
 *
 * @throws Fault `archiveTruncated`, `archiveDamaged`
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const bytes = byteReader(chunks);
  let named: Named = {};
  for (;;) {
    const block = await bytes.exactly(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const { type, sizeBytes, ...head } = headerOf(block);
    if (type === TYPES.extended) {
      if (sizeBytes > MOST_EXTENDED_BYTES) throw damaged("a name in it is too long");
      named = recordsIn(await bytes.exactly(sizeBytes));
      await bytes.skip(paddingOf(sizeBytes));
      continue;
    }
    const path = insidePath(named.path ?? head.path);
    const size = named.sizeBytes ?? sizeBytes;
    const target = named.target ?? head.target;
    named = {};
    if (type === TYPES.directory) yield { kind: "directory", path, mode: head.mode };
    else if (type === TYPES.link) yield { kind: "link", path, target };
    else if (type === TYPES.file) {
      const content = bytes.part(size);
      yield { kind: "file", path, mode: head.mode, sizeBytes: size, content };
      for await (const _ of content);
      await bytes.skip(paddingOf(size));
    } else throw damaged(`it has an entry of type ${JSON.stringify(type)}`);
  }
}

interface Named {
  readonly path?: string;
  readonly target?: string;
  readonly sizeBytes?: number;
}

function headerOf(block: Uint8Array) {
  const text = (from: number, length: number): string =>
    Buffer.from(block.subarray(from, from + length))
      .toString("latin1")
      .replace(/\0.*$/s, "");
  const octal = (from: number, length: number): number => {
    const digits = text(from, length).trim();
    if (!/^[0-7]+$/.test(digits)) throw damaged("a header in it is not one of tar");
    return Number.parseInt(digits, 8);
  };
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(148, 8)) throw damaged("a header in it does not have its checksum");
  const type = String.fromCharCode(block[156] ?? 0);
  return { type, path: text(0, 100), mode: octal(100, 8), sizeBytes: octal(124, 12), target: text(157, 100) };
}

function recordsIn(bytes: Uint8Array): Named {
  const all = Buffer.from(bytes);
  const found = new Map<string, string>();
  for (let at = 0; at < all.length; ) {
    const [, digits = "0"] = /^(\d{1,7}) /.exec(all.toString("latin1", at, at + 9)) ?? [];
    const record = all.toString("utf8", at, at + Number(digits));
    const [, name, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(record) ?? [];
    if (name === undefined || value === undefined) throw damaged("an extended header in it is malformed");
    found.set(name, value);
    at += Number(digits);
  }
  const [path, target, size] = ["path", "linkpath", "size"].map((name) => found.get(name));
  return {
    ...(path === undefined ? {} : { path }),
    ...(target === undefined ? {} : { target }),
    ...(size === undefined ? {} : { sizeBytes: Number(size) }),
  };
}

/** The path, if it stays in the folder that it is relative to. */
function insidePath(path: string): string {
  const parts = path.replace(/\/$/, "").split("/");
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isInside || path.includes("\0")) throw damaged(`the name ${JSON.stringify(path)} leads out of it`);
  return parts.join("/");
}

function byteReader(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();

  /** At least one byte and at most `most`. */
  async function some(most: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { done, value } = await source.next();
      if (done) throw truncated();
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.length);
    return taken;
  }
  async function* part(sizeBytes: number): AsyncGenerator<Uint8Array> {
    for (let left = sizeBytes; left > 0; ) {
      const taken = await some(left);
      left -= taken.length;
      yield taken;
    }
  }
  return {
    async exactly(length: number): Promise<Uint8Array> {
      const parts: Uint8Array[] = [];
      for await (const taken of part(length)) parts.push(taken);
      return Buffer.concat(parts);
    },
    async skip(length: number): Promise<void> {
      for await (const _ of part(length));
    },
    /** The next bytes; what is not read of them is read when it is iterated again. */
    part(sizeBytes: number): AsyncIterable<Uint8Array> {
      const bytes = part(sizeBytes);
      return { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) };
    },
  };
}

function truncated(): Fault {
  return new Fault({
    kind: "badInput",
    code: "archiveTruncated",
    what: "the archive ends too early",
    why: "the copy was interrupted, or the disk was full",
    remedy: "copy it again from where it was made, or take an older one",
  });
}

function damaged(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "archiveDamaged",
    what: "the archive is damaged, or is not an archive",
    why,
    remedy: "copy it again from where it was made, or take an older one",
  });
}
