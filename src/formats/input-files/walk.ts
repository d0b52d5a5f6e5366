/** Entries of directories, in the order of their names; links are named and not followed. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** An entry, and its path relative to where the walk began. */
export interface WalkedEntry {
  readonly name: string;
  readonly entry: Dirent;
}

/** @param mayEnter whether to go into a directory. @throws the system's error for an unreadable directory */
export function* walk(
  base: string,
  start: string,
  mayEnter: (name: string) => boolean,
): Generator<WalkedEntry> {
  const entries = readdirSync(join(base, start), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = start === "" ? entry.name : `${start}/${entry.name}`;
    yield { name, entry };
    if (entry.isDirectory() && mayEnter(name)) yield* walk(base, name, mayEnter);
  }
}
