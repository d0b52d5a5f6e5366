/**
 * Takes a process the right to open one more file, and gives it back.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

/** So many a program of Node needs to begin at all; what a starved broker starts inherits its limit. */
const FEWEST = 40;
const USUAL = 1024;

/** Leaves a process only so many files that it may open besides those that it has open. */
export function limitDescriptors(pid: number, free: number): void {
  if (!existsSync(`/proc/${pid}/fd`)) return;
  const open = readdirSync(`/proc/${pid}/fd`).length;
  setLimit(pid, Math.max(FEWEST, open + free));
}

/** Gives a process the usual number again, if it is still there. */
export function freeDescriptors(pid: number): void {
  if (!existsSync(`/proc/${pid}/fd`)) return;
  setLimit(pid, USUAL);
}

function setLimit(pid: number, files: number): void {
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`], { stdio: "ignore" });
}
