/**
 * Serialises commands on a state directory. The lock is the kernel's, held by a child that lives as long as
 * its standard input is open, so it is released at our end, however that happens.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../src/base/index.ts";
import { bareEnvironment } from "./run.ts";

const LIMIT_SECONDS = 300;

/** Opens the file, waits for the lock, and prints the file's inode: the old file may be gone meanwhile. */
const holding = `exec 9<>"$1"; flock -w ${LIMIT_SECONDS} 9 && stat -L -c %i /proc/self/fd/9 && exec cat`;

/**
 * Runs `task` under the lock.
 *
 * @throws Fault (failed) if another command holds the lock for five minutes
 */
export async function withLock<Value>(file: string, task: () => Promise<Value>): Promise<Value> {
  for (;;) {
    mkdirSync(dirname(file), { recursive: true });
    const child = spawn("sh", ["-c", holding, "sh", file], {
      stdio: ["pipe", "pipe", "ignore"],
      env: bareEnvironment,
      cwd: "/",
    });
    const ended = once(child, "close");
    const [said] = await Promise.race([once(child.stdout, "data"), ended]);
    if (!Buffer.isBuffer(said)) throw lockIsHeld(file);
    try {
      if (inodeOf(file) === Number(said.toString())) return await task();
    } finally {
      child.stdin.end();
      await ended;
    }
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function lockIsHeld(file: string): Fault {
  return new Fault({
    kind: "failed",
    code: "clustersBusy",
    what: "the test clusters are busy",
    why: `another command has held ${file} for ${LIMIT_SECONDS} seconds, or it cannot be opened`,
    remedy: "Wait for it, or end it.",
  });
}
