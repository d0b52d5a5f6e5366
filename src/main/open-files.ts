/**
 * How many files this process may have open, and how many connections that leaves for each of its servers.
 */
import { readFileSync } from "node:fs";

/** What any system allows at the least that is named nowhere here. */
const USUAL_OPEN_FILES = 1024;
/** More connections than these are of no use to one broker. */
const MOST_CONNECTIONS = 1024;

/** `ulimit -n` of this process; a usual one where the system does not tell. */
export function mostOpenFiles(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_OPEN_FILES);
  } catch {
    return USUAL_OPEN_FILES;
  }
}

/**
 * Connections over TCP, where anybody may come, and at the socket of the owner: each its own, so that
 * however many come over TCP the owner is heard; a quarter is left for the log and the files of jobs.
 */
export function connectionsFor(openFiles: number): { readonly tcp: number; readonly socket: number } {
  const part = (share: number): number =>
    Math.min(MOST_CONNECTIONS, Math.max(8, Math.floor(openFiles * share)));
  return { tcp: part(1 / 2), socket: part(1 / 4) };
}
