/**
 * The files of a stream in their order: those of its order, of manifests, and of generators, which may grow.
 *
 * What was read of a list is written down before it is used, so that the number of a file stays the same in
 * every life of the wrapper. A list without end is asked again each second; 404 means not yet.
 */
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../base/index.ts";
import { isFullDisk } from "./full-disk.ts";
import type { GrowthEnd } from "./growth.ts";
import { type ListedFile, readManifest } from "./manifest.ts";
import { openSource } from "./open-source.ts";
import { listPrefix } from "./prefix.ts";
import { SourceProblem } from "./source-problem.ts";
import type { StreamOrder } from "./stream-order.ts";
import { createAttempts, type Trouble } from "./trouble.ts";

type OrderedSource = StreamOrder["sources"][number];

/** The part of an order that says what is read. */
type ListOrder = Pick<StreamOrder, "sources" | "directory" | "idleMs">;

/** A file of a stream. */
export interface StreamFile extends ListedFile {
  readonly credentials?: string;
  readonly exec?: readonly string[];
  /** True where a file that is missing is expected to come. */
  readonly isAwaited: boolean;
  /** End condition of a growing file; absent for a complete file. */
  readonly growth?: GrowthEnd;
}

/** A line of the file in which lists are kept. */
interface Kept {
  /** Index of the source in the order. */
  readonly source: number;
  readonly file?: ListedFile;
  /** Byte of the manifest, or number of the generator, to go on at. */
  readonly upTo: number;
  readonly isEnded?: true;
}

/** The files of a stream. */
export interface SourceList {
  readonly count: () => number;
  /** True while further files may come. */
  readonly isOpen: () => boolean;
  /** A file that is used now. */
  readonly at: (index: number) => StreamFile;
  /** Bytes of a file, where its list says so. */
  readonly bytesOf: (index: number) => number | undefined;
  /** Trouble with a list, while it lasts. */
  readonly trouble: () => Trouble | undefined;
  /** Reads the lists until they end or the signal aborts. @throws SourceProblem */
  readonly follow: (signal: AbortSignal, onMore: () => void) => Promise<void>;
}

const NAME = "files.jsonl";
const POLL_MS = 1000;
/** Files that are looked for beyond the last one used. */
const AHEAD = 16;
const MOST_MANIFEST_BYTES = 64_000_000;

/** The list of an order, as far as it is known. */
export function openSourceList({ sources, directory, idleMs }: ListOrder): SourceList {
  const isFixed = sources.every(({ list }) => list === undefined);
  const kept: Kept[] = isFixed ? [] : readKept(join(directory, NAME));
  const files: { readonly source: number; readonly file: ListedFile }[] = [];
  const take = ({ source, file }: Kept): void => void (file !== undefined && files.push({ source, file }));
  if (isFixed)
    for (const [source, { href, checksum }] of sources.entries()) take(plain(source, href, checksum));
  for (const one of kept) take(one);
  let isOpen = !isFixed;
  let used = 0;
  let trouble: Trouble | undefined;

  const keep = async (more: readonly Kept[]): Promise<void> => {
    if (more.length === 0) return;
    await append(join(directory, NAME), more);
    for (const one of more) {
      kept.push(one);
      take(one);
    }
  };
  const followOne = async (source: number, signal: AbortSignal, onMore: () => void): Promise<void> => {
    const { list, href, checksum, endless = false } = sources[source];
    if (list === undefined) return keep([plain(source, href, checksum)]);
    const attempts = createAttempts("source");
    const tell = (failed: Trouble): void => {
      trouble = failed;
    };
    for (let mirror = 0; ; ) {
      const upTo = kept.findLast((it) => it.source === source)?.upTo ?? 0;
      try {
        const look = { ...sources[source], source, address: href[mirror], upTo, idleMs, signal };
        const more = await READERS[list]({ ...look, ...lastOf(kept, source) });
        trouble = undefined;
        attempts.succeeded();
        await keep(more);
        onMore();
        if (more.at(-1)?.isEnded === true) return;
        if (more.length === 0) await sleep(POLL_MS, undefined, { signal });
        while (files.length - used > AHEAD && list === "generator")
          await sleep(POLL_MS / 5, undefined, { signal });
      } catch (error) {
        signal.throwIfAborted();
        const isPassing = isFullDisk(error) || (error instanceof SourceProblem && error.kind === "temporary");
        const isAwaited = endless && error instanceof SourceProblem && error.kind === "missing";
        if (!isPassing && !isAwaited) throw error;
        mirror = (mirror + 1) % href.length;
        await attempts.failed({ message: messageOf(error), isAwaited, signal, tell });
      }
    }
  };
  return {
    count: () => files.length,
    isOpen: () => isOpen,
    at: (index) => {
      used = Math.max(used, index);
      const { source, file } = files[index];
      return streamFile(file, sources[source]);
    },
    bytesOf: (index) => files[index].file.bytes,
    trouble: () => trouble,
    follow: async (signal, onMore) => {
      for (const source of isFixed ? [] : sources.keys()) {
        if (!kept.some((it) => it.source === source && it.isEnded)) await followOne(source, signal, onMore);
      }
      isOpen = false;
      onMore();
    },
  };
}

function streamFile(file: ListedFile, source: OrderedSource): StreamFile {
  const { credentials, exec, list, end = {}, endless = false } = source;
  const isGrowing = endless && list === undefined && exec === undefined;
  return {
    ...{ ...file, isAwaited: endless },
    ...(isGrowing ? { growth: end } : {}),
    ...(credentials === undefined ? {} : { credentials }),
    ...(exec === undefined ? {} : { exec }),
  };
}

function lastOf(kept: readonly Kept[], source: number): { readonly last?: string } {
  const last = kept.findLast((it) => it.source === source && it.file !== undefined)?.file?.href[0];
  return last === undefined ? {} : { last };
}

function plain(source: number, href: readonly string[], checksum: string | undefined): Kept {
  const file = { href, ...(checksum === undefined ? {} : { checksum }) };
  return { source, file, upTo: 0, isEnded: true };
}

/** Next file of a list to read. */
interface Look extends OrderedSource {
  readonly source: number;
  readonly address: string;
  readonly upTo: number;
  /** First address of the file that was listed last. */
  readonly last?: string;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

const READERS = { manifest: manifestFrom, generator: generatedFrom, prefix: prefixedFrom };

async function manifestFrom(look: Look): Promise<readonly Kept[]> {
  const { source, address, upTo, endless = false } = look;
  const opened = await openAt(look, address, { start: upTo, end: upTo + MOST_MANIFEST_BYTES });
  const chunks: Buffer[] = [];
  for await (const chunk of opened.chunks) chunks.push(chunk);
  const text = Buffer.concat(chunks).subarray(opened.skip);
  const isWhole = !endless && text.length < MOST_MANIFEST_BYTES;
  const { files, isEnded } = readManifest(text, { href: address, from: upTo, isWhole });
  const more = files.map((it): Kept => ({ source, ...it }));
  return isEnded || isWhole ? [...more, { source, upTo: upTo + text.length, isEnded: true }] : more;
}

async function generatedFrom(look: Look): Promise<readonly Kept[]> {
  const { source, address, upTo, endless = false, href } = look;
  const number = upTo + 1;
  try {
    const opened = await openAt(look, numbered(address, number), { start: 0, end: 1 });
    opened.close();
    const bytes = opened.size === undefined ? {} : { bytes: opened.size };
    return [{ source, file: { href: href.map((it) => numbered(it, number)), ...bytes }, upTo: number }];
  } catch (error) {
    if (!(error instanceof SourceProblem) || error.kind !== "missing") throw error;
    return endless ? [] : [{ source, upTo, isEnded: true }];
  }
}

async function prefixedFrom(look: Look): Promise<readonly Kept[]> {
  const { source, address, upTo, last, href, endless = false, credentials, idleMs, signal } = look;
  const { files, isCut } = await listPrefix({
    ...{ prefix: address, idleMs, signal },
    ...(last === undefined ? {} : { after: last.slice(href[0].length) }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  const more = files.map(
    ({ rest, bytes }, at): Kept => ({
      ...{ source, upTo: upTo + at + 1 },
      file: { href: href.map((it) => `${it}${rest}`), bytes },
    }),
  );
  const isEnded = !isCut && !endless;
  if (isEnded && last === undefined && files.length === 0) {
    const what = address.startsWith("file:") ? "file" : "object";
    throw new SourceProblem("missing", `no ${what} begins with ${address}`);
  }
  return isEnded ? [...more, { source, upTo: upTo + files.length, isEnded: true }] : more;
}

/** The address of a number: `{n}`, or `{n:3}` for three digits at least. */
export function numbered(address: string, number: number): string {
  return address.replaceAll(/\{n(?::(\d))?\}/g, (_, width) =>
    String(number).padStart(Number(width ?? 1), "0"),
  );
}

function openAt(
  { idleMs, signal, credentials }: Look,
  href: string,
  range: { readonly start: number; readonly end: number },
) {
  return openSource({
    href,
    ...range,
    idleMs,
    signal,
    ...(credentials === undefined ? {} : { credentials }),
  });
}

/** Records of earlier lives; one that was cut or is repeated after a full disk does not count. */
function readKept(path: string): Kept[] {
  const kept: Kept[] = [];
  for (const line of textOf(path).split("\n")) {
    const one = parsed(line);
    const before = kept.findLast(({ source }) => source === one?.source);
    const isNew =
      before === undefined || (before.isEnded !== true && one !== undefined && follows(one, before));
    if (one !== undefined && isNew) kept.push(one);
  }
  return kept;
}

function follows(one: Kept, before: Kept): boolean {
  return one.upTo > before.upTo || (one.isEnded === true && one.file === undefined);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parsed(line: string): Kept | undefined {
  try {
    return JSON.parse(line) as Kept;
  } catch {
    return undefined;
  }
}

async function append(path: string, more: readonly Kept[]): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(more.map((it) => `\n${JSON.stringify(it)}`).join(""));
    await file.datasync();
  } finally {
    await file.close();
  }
}
