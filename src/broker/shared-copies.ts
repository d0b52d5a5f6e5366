/**
 * Copies of files that are shared by hard links: `copies/HASH`, and a link for each user, so that the number
 * of links shows when a copy is no longer needed.
 */
import { copyFile, link, readdir, stat, unlink } from "node:fs/promises";

/** End of the name of a copy that may be executed: all links to a file have one mode. */
export const EXECUTABLE = ".x";

/** Gives a draft its place: shared with an equal copy where there is one, else as the copy to share. */
export async function shareCopy(draft: string, copy: string, place: string): Promise<void> {
  await link(draft, copy).catch(ignoring("EEXIST"));
  // Another job may be forgetting the shared copy at this moment; the draft is as good.
  await linkOr(copy, place, () => link(draft, place));
  await unlink(draft);
}

/** Links a file that stays, or copies it where it has as many links as its file system allows. */
export function linkOrCopy(file: string, place: string): Promise<void> {
  return linkOr(file, place, () => copyFile(file, place));
}

async function linkOr(file: string, place: string, otherwise: () => Promise<void>): Promise<void> {
  await link(file, place).catch(async (error: unknown) => {
    // A file system bounds the links to one file, which equal small files of many jobs can reach.
    if (!hasCode(error, "EMLINK")) ignoring("ENOENT")(error);
    await otherwise();
  });
}

/** Removes a copy that has one link left: its own. */
export async function forgetUnused(copy: string): Promise<void> {
  const found = await stat(copy).catch(ignoring("ENOENT"));
  if (found?.nlink === 1) await unlink(copy).catch(ignoring("ENOENT"));
}

/** Names in a directory; none where there is no such directory. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoring("ENOENT"))) ?? [];
}

/** Handler that ignores errors of one code. */
export function ignoring(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, code)) throw error;
  };
}

/** True for an error of this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
