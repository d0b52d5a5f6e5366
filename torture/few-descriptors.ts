/** Limits the open files of a running process, and restores the limit. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

/** Files that a Node program needs to start; a child inherits the limit. */
const FEWEST = 40;
const USUAL = 1024;

/** Permits a process only this many open files beside its present ones. */
export function limitDescriptors(pid: number, free: number): void {
  if (!existsSync(`/proc/${pid}/fd`)) return;
  const open = readdirSync(`/proc/${pid}/fd`).length;
  setLimit(pid, Math.max(FEWEST, open + free));
}

/** Restores the usual limit of a process, if it still runs. */
export function freeDescriptors(pid: number): void {
  if (!existsSync(`/proc/${pid}/fd`)) return;
  setLimit(pid, USUAL);
}

function setLimit(pid: number, files: number): void {
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`], { stdio: "ignore" });
}
