/** JSON files in which parts of the broker keep small amounts of state, readable by its user alone. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DRAFT = ".draft";

/** Replaces a file: at any moment it is the one before or the one after, also after a power failure. */
export async function writeKept(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}${DRAFT}`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600, flag: "wx", flush: true });
  await rename(draft, file);
}

/** Content of a file; undefined where there is none, `unreadable` where it is not what `isWhole` expects. */
export async function readKept<Kept>(
  file: string,
  isWhole: (content: Partial<Kept>) => boolean,
): Promise<Kept | "unreadable" | undefined> {
  try {
    const content: Kept = JSON.parse(await readFile(file, "utf8"));
    return isWhole(content) ? content : "unreadable";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : "unreadable";
  }
}

/** Removes what was being written when an earlier broker was killed. */
export async function removeDrafts(directory: string): Promise<void> {
  const drafts = (await readdir(directory)).filter((name) => name.endsWith(DRAFT));
  await Promise.all(drafts.map((name) => rm(join(directory, name), { force: true })));
}
