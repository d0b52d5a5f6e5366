/** A file system of its own for a site, which can be filled on request. Only root may mount it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";

const ROOM = "2g";

/** A disk that can be full. */
export interface SmallDisk {
  /** Fills the disk: later writes are refused. */
  fill(): void;
  /** Frees the space again. */
  empty(): void;
  /** Unmounts the disk and deletes its content. */
  remove(): void;
}

/** Mounts a disk at a new directory; undefined without permission. */
export function mountDisk(directory: string): SmallDisk | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    run("mount", ["-t", "tmpfs", "-o", `size=${ROOM},mode=700`, "tmpfs", directory]);
  } catch {
    return undefined;
  }
  const resize = (size: string): void => run("mount", ["-o", `remount,size=${size}`, directory]);
  return {
    fill() {
      const { blocks, bfree, bsize } = statfsSync(directory);
      try {
        resize(String(Math.max(1, blocks - bfree) * bsize));
      } catch {
        // Somebody has written since it was looked at; with so much less room it is refused.
      }
    },
    empty: () => resize(ROOM),
    // What still runs there keeps it until it ends.
    remove: () => run("umount", ["-l", directory]),
  };
}

function run(command: string, words: readonly string[]): void {
  execFileSync(command, words, { stdio: "ignore" });
}
