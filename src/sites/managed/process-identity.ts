/**
 * Identity of a process: a pid alone may have been reused.
 *
 * A process is its pid and its mark: the boot and the tick of its start, from field 22 of /proc/PID/stat.
 * Without /proc (macOS) the mark is the start that `ps` prints, to the second. Cost: 20 µs a call on Linux,
 * a run of `ps` elsewhere. Imported by the wrapper.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { signalGroup } from "./process-group.ts";

/** One process of one boot of this machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot and start as `BOOT/START`; two processes with one pid have different marks. */
  readonly mark: string;
}

const hasProc = existsSync("/proc/self/stat");
/** Length of a clock tick: 10 ms in every interface of Linux, whatever the kernel's own rate. */
const MS_PER_TICK = 10;
/** Positions of fields in /proc/PID/stat after the name; the first is field 3. */
const field = { state: 0, group: 2, childUserTicks: 13, childSystemTicks: 14, startTick: 19 };

let knownBoot: string | undefined;

/** Identifier of this boot of the machine; empty if the system has none. */
export function bootMark(): string {
  knownBoot ??= hasProc
    ? (readIfAny("/proc/sys/kernel/random/boot_id")?.trim() ?? "")
    : (output("sysctl", ["-n", "kern.boottime"])?.replace(/\D+/g, "-") ?? "");
  return knownBoot;
}

/** Identity of the process with this pid (a zombie counts), or undefined if there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const start = hasProc ? statFields(pid)?.[field.startTick] : psStart(pid);
  return start === undefined ? undefined : { pid, mark: `${bootMark()}/${start}` };
}

/** True while this very process runs; false for a zombie. */
export function isAlive({ pid, mark }: ProcessIdentity): boolean {
  if (identify(pid)?.mark !== mark) return false;
  return !hasProc || !isDead(statFields(pid));
}

/** True if a mark is of the current boot. */
export function isOfThisBoot(mark: string): boolean {
  return mark.startsWith(`${bootMark()}/`);
}

/**
 * Pids of this user's processes that were started with `NAME=value` in their environment. Finds processes
 * that left their group, and those whose starter died before noting the pid. Reads all of /proc, some ms:
 * for emergencies. Empty without /proc.
 */
export function findByEnvironment(entry: string): number[] {
  return allPids().filter((pid) => {
    const hasEntry = readIfAny(`/proc/${pid}/environ`)?.split("\0").includes(entry) === true;
    return hasEntry && !isDead(statFields(pid));
  });
}

/**
 * True while a process of the group runs. Zombies do not count: their parent may collect them late (the
 * first process of many containers does), and signals reach them for ever.
 */
export function isGroupAlive(leaderPid: number): boolean {
  if (!hasProc) return signalGroup(leaderPid, 0);
  return allPids().some((pid) => {
    const fields = statFields(pid);
    return fields?.[field.group] === String(leaderPid) && !isDead(fields);
  });
}

/** Process group of a pid; undefined if the process is gone, or without /proc. */
export function groupOf(pid: number): number | undefined {
  const group = statFields(pid)?.[field.group];
  return group === undefined ? undefined : Number(group);
}

/** Processor time, in ms, of all ended children of this process and of the descendants they waited for. */
export function endedChildrenCpuMs(): number | undefined {
  const fields = statFields("self");
  if (fields === undefined) return undefined;
  return (Number(fields[field.childUserTicks]) + Number(fields[field.childSystemTicks])) * MS_PER_TICK;
}

function allPids(): number[] {
  if (!hasProc) return [];
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/** True for no process and for a zombie. */
function isDead(fields: readonly string[] | undefined): boolean {
  return /[ZXx]/.test(fields?.[field.state] ?? "Z");
}

/**
 * Fields of the stat file behind the process name, which may hold any character and ends at the last
 * parenthesis.
 */
function statFields(pid: number | "self"): string[] | undefined {
  const text = readIfAny(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function psStart(pid: number): string | undefined {
  const start = output("ps", ["-o", "lstart=", "-p", String(pid)])?.trim();
  return start === "" ? undefined : start;
}

/**
 * Content of a /proc file, or undefined if the process is gone or another user's. Other errors are thrown:
 * without a free file descriptor a running job must not count as dead.
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

/** Output of a program, or undefined if it ended with exit code 1, as `ps` does for an unknown process. */
function output(program: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 1) return undefined;
    throw error;
  }
}
