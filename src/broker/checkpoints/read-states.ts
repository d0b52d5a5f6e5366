/**
 * The states that a job saved, as its files at its site say. What cannot be read as the helper writes it is
 * left out: a job may write into these files itself.
 */
import { CHECKPOINT_NAME, type SavedState } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import { INDEX, MANIFEST, MOST_BYTES, MOST_FILES, STATES_FOLDER } from "./layout.ts";

/** A state that is whole. */
export type IndexedState = Omit<SavedState, "attempt"> & {
  /** Number of the state's folder. */
  readonly number: number;
};

/** A file of a state. */
export interface StateFile {
  /** Within the state. */
  readonly path: string;
  readonly sizeBytes: number;
}

const MOST_INDEX_BYTES = 64 * 1024;
const MOST_MANIFEST_BYTES = 8 * 1024 * 1024;
const INDEX_LINE = /^([1-9]\d{0,8}) (\S{1,64}) (\d{1,12}) (\d{1,9}) (\d{1,15})$/;
const MANIFEST_LINE = /^\d{1,10} (\d{1,15}) \.\/([^\p{Cc}]{1,4096})$/u;
const MS_PER_S = 1000;

/** States of an index, oldest first. */
export function readIndex(text: string): readonly IndexedState[] {
  return text.split("\n").flatMap((line) => {
    const [, number = "", name = "", savedSec = "", files = "", bytes = ""] = INDEX_LINE.exec(line) ?? [];
    if (!CHECKPOINT_NAME.test(name)) return [];
    const size = { files: Number(files), sizeBytes: Number(bytes) };
    return [{ number: Number(number), name, savedAtMs: Number(savedSec) * MS_PER_S, ...size }];
  });
}

/** Files of a state, by path; undefined where the text is none of ours. */
export function readManifest(text: string): readonly StateFile[] | undefined {
  const files = text
    .split("\n")
    .slice(0, -1)
    .map((line): StateFile | undefined => {
      const [, bytes = "", path = ""] = MANIFEST_LINE.exec(line) ?? [];
      const isInner =
        path !== "" && path.split("/").every((part) => part !== "" && part !== ".." && part !== ".");
      return isInner ? { path, sizeBytes: Number(bytes) } : undefined;
    });
  const known = files.filter((file) => file !== undefined);
  const total = known.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const isWhole = known.length === files.length && known.length > 0;
  if (!isWhole || known.length > MOST_FILES || total > MOST_BYTES) return undefined;
  return known.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** States that an attempt saved, oldest first. */
export async function savedIn(files: SiteFiles, token: string): Promise<readonly IndexedState[]> {
  return readIndex(
    (await textOf(files, { token, name: `${STATES_FOLDER}/${INDEX}`, most: MOST_INDEX_BYTES })) ?? "",
  );
}

/** The files of a state of an attempt; undefined where it is there no more. */
export async function filesIn(
  files: SiteFiles,
  token: string,
  number: number,
): Promise<readonly StateFile[] | undefined> {
  const name = `${STATES_FOLDER}/${number}/${MANIFEST}`;
  const text = await textOf(files, { token, name, most: MOST_MANIFEST_BYTES });
  return text === undefined ? undefined : readManifest(text);
}

/** Path of a file of a state in the job's directory. */
export function pathIn(number: number, path: string): string {
  return `${STATES_FOLDER}/${number}/files/${path}`;
}

async function textOf(
  files: SiteFiles,
  { token, name, most }: { readonly token: string; readonly name: string; readonly most: number },
): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let read = 0;
  while (read < most) {
    const part = await files.readFile(token, name, read, Math.min(256 * 1024, most - read));
    if (part === undefined) return undefined;
    if (part.bytes.length === 0) break;
    parts.push(part.bytes);
    read += part.bytes.length;
  }
  return Buffer.concat(parts).toString("utf8");
}
