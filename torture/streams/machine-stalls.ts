/**
 * Time that the machine kept a wrapper, or the source of its data, from running: so that a wrong rate is
 * known to be the wrapper's own.
 *
 * Every 50 ms: how long a thread of the wrapper was ready to run without a processor (`schedstat` below
 * `/proc/PID/task`), or whether it waited for a disk; how late this process, which is the source, was itself;
 * and what the hypervisor took. Each is time in which no program could have kept a rate.
 */
import { readdirSync, readFileSync } from "node:fs";

const EVERY_MS = 50;
const TICK_MS = 10;
const NS_PER_MS = 1_000_000;

/** Time of a sample that the machine kept. */
export interface Stall {
  readonly atMs: number;
  readonly ms: number;
}

/** Stalls of one process, while it is recorded. */
export interface StallRecord {
  readonly stalls: readonly Stall[];
  readonly stop: () => void;
}

/** Begins to record. @param pid the process of the wrapper */
export function recordStalls(pid: number): StallRecord {
  const stalls: Stall[] = [];
  const waited = new Map<string, number>();
  let sampledAt = performance.now();
  let stolen = stolenMs();
  const sample = (): void => {
    const late = performance.now() - sampledAt - EVERY_MS;
    const [taken, ready] = [stolenMs() - stolen, withoutProcessor(pid, waited)];
    const onDisk = isOnDisk(pid) ? EVERY_MS : 0;
    stalls.push({ atMs: Date.now(), ms: Math.max(0, late, taken, ready, onDisk) });
    sampledAt = performance.now();
    stolen += taken;
  };
  const timer = setInterval(sample, EVERY_MS);
  return { stalls, stop: () => clearInterval(timer) };
}

/** Longest stretch between two instants in which samples were mostly kept by the machine, in milliseconds. */
export function longestStall(stalls: readonly Stall[], fromMs: number, toMs: number): number {
  let [longest, stretch] = [0, 0];
  for (const { atMs, ms } of stalls) {
    if (atMs <= fromMs || atMs - ms > toMs) continue;
    stretch = ms < EVERY_MS / 2 ? 0 : stretch + ms;
    longest = Math.max(longest, stretch);
  }
  return longest;
}

/** Longest time since the last call that a thread was ready to run and had no processor. */
function withoutProcessor(pid: number, waited: Map<string, number>): number {
  let longest = 0;
  for (const thread of threadsOf(pid)) {
    const ms = Number(readThread(pid, thread, "schedstat").split(" ")[1] ?? 0) / NS_PER_MS;
    longest = Math.max(longest, ms - (waited.get(thread) ?? ms));
    waited.set(thread, ms);
  }
  return longest;
}

function isOnDisk(pid: number): boolean {
  return threadsOf(pid).some((thread) => / D /.test(readThread(pid, thread, "stat").replace(/^.*\)/, "")));
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readThread(pid: number, thread: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function stolenMs(): number {
  const [line] = readFileSync("/proc/stat", "utf8").split("\n");
  return Number(line.trim().split(/\s+/)[8] ?? 0) * TICK_MS;
}
