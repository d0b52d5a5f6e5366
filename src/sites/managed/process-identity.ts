/**
 * Which process is meant: a pid alone may long belong to somebody else.
 *
 * A process is its pid and its mark: the boot it lives in and the tick at which it began, from field 22
 * of /proc/PID/stat. Where there is no /proc (macOS), the mark is what `ps` calls its start, to the second.
 * Cost: 20 µs a question on Linux, a run of `ps` elsewhere. Imported by the wrapper.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { signalGroup } from "./process-group.ts";

/** One process of one boot of this machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** `BOOT/START`; equal for two processes with one pid only if they are the same. */
  readonly mark: string;
}

const hasProc = existsSync("/proc/self/stat");
/** Clock ticks are 10 ms in every interface of Linux, whatever the kernel's own rate. */
const MS_PER_TICK = 10;
/** Places in the part of /proc/PID/stat behind the name, which begins with field 3. */
const field = { state: 0, group: 2, childUserTicks: 13, childSystemTicks: 14, startTick: 19 };

let knownBoot: string | undefined;

/** Tells one boot of the machine from every other; empty where the system does not say. */
export function bootMark(): string {
  knownBoot ??= hasProc
    ? (readIfAny("/proc/sys/kernel/random/boot_id")?.trim() ?? "")
    : (output("sysctl", ["-n", "kern.boottime"])?.replace(/\D+/g, "-") ?? "");
  return knownBoot;
}

/** The identity of whatever has this pid now (a zombie counts), or undefined when nothing has. */
export function identify(pid: number): ProcessIdentity | undefined {
  const start = hasProc ? statFields(pid)?.[field.startTick] : psStart(pid);
  return start === undefined ? undefined : { pid, mark: `${bootMark()}/${start}` };
}

/** Whether this very process still runs; a zombie does not. */
export function isAlive({ pid, mark }: ProcessIdentity): boolean {
  if (identify(pid)?.mark !== mark) return false;
  return !hasProc || !isDead(statFields(pid));
}

/** Whether a mark is of the time since the machine was started last. */
export function isOfThisBoot(mark: string): boolean {
  return mark.startsWith(`${bootMark()}/`);
}

/**
 * The pids of this user's processes that were started with `NAME=value` in their environment.
 *
 * Finds what left its process group, and what was started by somebody who died before noting its pid.
 * Reads all of /proc, some ms: for emergencies. Empty where there is no /proc.
 */
export function findByEnvironment(entry: string): number[] {
  return allPids().filter((pid) => {
    const hasEntry = readIfAny(`/proc/${pid}/environ`)?.split("\0").includes(entry) === true;
    return hasEntry && !isDead(statFields(pid));
  });
}

/**
 * Whether something of a process group still runs. Zombies do not: whoever should collect them may take
 * his time (the first process of many containers does), and signals reach them for ever.
 */
export function isGroupAlive(leaderPid: number): boolean {
  if (!hasProc) return signalGroup(leaderPid, 0);
  return allPids().some((pid) => {
    const fields = statFields(pid);
    return fields?.[field.group] === String(leaderPid) && !isDead(fields);
  });
}

/** The number of a process's group; undefined when it is gone, or where there is no /proc. */
export function groupOf(pid: number): number | undefined {
  const group = statFields(pid)?.[field.group];
  return group === undefined ? undefined : Number(group);
}

/** Processor time of all children of this process that have ended and theirs that they waited for. */
export function endedChildrenCpuMs(): number | undefined {
  const fields = statFields("self");
  if (fields === undefined) return undefined;
  return (Number(fields[field.childUserTicks]) + Number(fields[field.childSystemTicks])) * MS_PER_TICK;
}

function allPids(): number[] {
  if (!hasProc) return [];
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/** Gone, or a zombie. */
function isDead(fields: readonly string[] | undefined): boolean {
  return /[ZXx]/.test(fields?.[field.state] ?? "Z");
}

/** The name in the second field may hold anything, so fields are counted from its last parenthesis. */
function statFields(pid: number | "self"): string[] | undefined {
  const text = readIfAny(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function psStart(pid: number): string | undefined {
  const start = output("ps", ["-o", "lstart=", "-p", String(pid)])?.trim();
  return start === "" ? undefined : start;
}

/**
 * What /proc says, or undefined when the process is gone or not ours. Anything else is thrown: who has no
 * file descriptor left to look with must not take a running job for dead.
 */
function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code)) return undefined;
    throw error;
  }
}

/** What a program prints, or undefined when it says "no" with exit code 1, as `ps` does of no process. */
function output(program: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 1) return undefined;
    throw error;
  }
}
