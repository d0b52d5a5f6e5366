/**
 * Lists what a prefix names: objects of an S3 store, or files of a directory, in the order of their names.
 *
 * A list goes on after the name that it ended with, so that an object whose name sorts before one that was
 * listed is never read. A prefix of a directory names files directly in it.
 */
import { readdir, stat } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readElements, type XmlElement } from "../../formats/xml/index.ts";
import { readListing } from "./open-source.ts";
import { SourceProblem } from "./source-problem.ts";

/** A file that a prefix names. */
interface PrefixedFile {
  /** Part of its address after the prefix. */
  readonly rest: string;
  readonly bytes: number;
}

/** Names after one that was listed before. */
export interface PrefixPage {
  readonly files: readonly PrefixedFile[];
  /** True where further names follow at once. */
  readonly isCut: boolean;
}

/** Store or directory to list. */
interface PrefixLook {
  readonly prefix: string;
  /** Part after the prefix of the last listed address. */
  readonly after?: string;
  readonly credentials?: string;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** @throws SourceProblem */
export async function listPrefix(look: PrefixLook): Promise<PrefixPage> {
  return look.prefix.startsWith("file:") ? listDirectory(look) : listStore(look);
}

async function listDirectory({ prefix, after = "" }: PrefixLook): Promise<PrefixPage> {
  const cut = prefix.lastIndexOf("/") + 1;
  const start = decodeURIComponent(prefix.slice(cut));
  const folder = fileURLToPath(prefix.slice(0, cut));
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new SourceProblem(cause.code === "ENOENT" ? "missing" : "refused", cause.message, cause);
  });
  const files: PrefixedFile[] = [];
  for (const name of names.filter((it) => it.startsWith(start)).sort()) {
    const rest = encoded(name).slice(encoded(start).length);
    if (after !== "" && name <= start + decodeURIComponent(after)) continue;
    const status = await stat(fileURLToPath(`${prefix}${rest}`)).catch(() => undefined);
    if (status?.isFile() === true) files.push({ rest, bytes: status.size });
  }
  return { files, isCut: false };
}

/** A name as it stands in an address of a file. */
function encoded(name: string): string {
  return pathToFileURL(`/${name}`).href.slice("file:///".length);
}

/** Objects after the last one; pages of nothing but folders are passed over. */
async function listStore({ prefix, after, ...look }: PrefixLook): Promise<PrefixPage> {
  const start = prefix.replace(/^s3:\/\/[^/]+\//, "");
  for (let last = after; ; ) {
    const from = last === undefined ? {} : { after: `${prefix}${last}` };
    const list = readElements(await readListing({ href: prefix, ...from, ...look }));
    if ("why" in list || list.name !== "ListBucketResult") {
      throw new SourceProblem("temporary", `${prefix}: the store has sent no list of objects`);
    }
    const objects = list.elements.filter(({ name }) => name === "Contents");
    const named = objects
      .map((object) => ({ key: textOf(object, "Key"), bytes: Number(textOf(object, "Size")) }))
      .filter(({ key, bytes }) => key.startsWith(start) && Number.isSafeInteger(bytes))
      .map(({ key, bytes }) => ({ rest: key.slice(start.length), bytes }));
    // Stores show folders as empty objects.
    const files = named.filter(({ rest }) => !`${start}${rest}`.endsWith("/"));
    const isCut = textOf(list, "IsTruncated") === "true";
    const next = named.at(-1)?.rest;
    if (files.length > 0) return { files, isCut };
    if (!isCut || next === undefined || next === last) return { files, isCut: false };
    last = next;
  }
}

function textOf({ elements }: XmlElement, name: string): string {
  return elements.find((it) => it.name === name)?.text ?? "";
}
