/**
 * Processes of this host as /proc shows them to an ordinary account.
 *
 * The marks of a process never change and are read once. A process that ends while it is read is left out.
 * Cost: about 60 µs a process at first, 15 µs after.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type JobMark, markOfEnvironment, siteJobOfControlGroup, siteJobOfStepDaemon } from "./job-marks.ts";

/** One process at an instant. */
export interface ProcessState {
  readonly pid: number;
  readonly parent: number;
  readonly uid: number;
  /** Processor time of the process and of all descendants it waited for, in ms. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly mark: JobMark;
  /** Slurm job of a step daemon; null for every other process. */
  readonly daemonOf: string | null;
  /** True if the environment could be read. */
  readonly isReadable: boolean;
}

/** Repeated readings of the processes of one host. */
export interface ProcessWatch {
  measure(): Promise<readonly ProcessState[]>;
  /** Proportional part (PSS) of the memory, in bytes; undefined without permission to read it. */
  proportionalBytes(pid: number): Promise<number | undefined>;
}

type Marks = Pick<ProcessState, "mark" | "daemonOf" | "isReadable">;

interface Known extends Marks {
  readonly startTick: string;
}

/** Length of a clock tick: 10 ms in every interface of Linux. */
const MS_PER_TICK = 10;
const PAGE_BYTES = 4096;

/** Reads the processes of a folder like /proc. */
export function processWatch(folder = "/proc"): ProcessWatch {
  let known = new Map<number, Known>();
  return {
    async measure() {
      const pids = (await readdir(folder))
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .sort((a, b) => a - b);
      const next = new Map<number, Known>();
      const seen: ProcessState[] = [];
      for (const pid of pids) {
        const one = await lookAt(folder, pid, known.get(pid));
        if (one === undefined) continue;
        next.set(pid, one.known);
        seen.push(one.process);
      }
      known = next;
      return seen;
    },
    async proportionalBytes(pid) {
      const text = await readIfAny(join(folder, String(pid), "smaps_rollup"));
      const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text ?? "")?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    },
  };
}

async function lookAt(folder: string, pid: number, before: Known | undefined) {
  const at = (name: string) => join(folder, String(pid), name);
  const stat = await readIfAny(at("stat"));
  if (stat === undefined) return undefined;
  // Behind the name, which may hold blanks and brackets, begins field 3.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTick = fields[19] ?? "";
  // A process that calls another program keeps its start, and may be of a job only then.
  const isSettled = before?.startTick === startTick && (before.mark.job ?? before.mark.siteJob) !== null;
  const marks = isSettled && before !== undefined ? before : await readMarks(at);
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec((await readIfAny(at("status"))) ?? "")?.[1];
  if (uid === undefined) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const { mark, daemonOf, isReadable } = marks;
  const process: ProcessState = {
    ...{ pid, parent: Number(fields[1]), uid: Number(uid), cpuMs: ticks * MS_PER_TICK },
    ...{ residentBytes: Number(fields[21]) * PAGE_BYTES, mark, daemonOf, isReadable },
  };
  return { process, known: { mark, daemonOf, isReadable, startTick } };
}

async function readMarks(at: (name: string) => string): Promise<Marks> {
  const title = (await readIfAny(at("cmdline")))?.split("\0").join(" ") ?? "";
  const environment = await readIfAny(at("environ"));
  const own = markOfEnvironment(environment ?? "");
  const group = siteJobOfControlGroup((await readIfAny(at("cgroup"))) ?? "");
  return {
    mark: { job: own.job, siteJob: group ?? own.siteJob },
    daemonOf: siteJobOfStepDaemon(title),
    // A part of the kernel has no command line, and nothing to read.
    isReadable: environment !== undefined || title === "",
  };
}

function readIfAny(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}
