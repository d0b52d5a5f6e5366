/**
 * Memory and I/O of a job, as /proc shows them; without /proc nothing is known.
 *
 * Memory is sampled, soon after the start and then every five seconds: what a program has for a moment
 * between two samples is missed, but for its first process, whose own greatest value the system keeps. I/O is
 * exact: the system adds that of an ended child to its parent's. Imported by the wrapper.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunFacts } from "../../model/index.ts";
import type { AttemptPlaces } from "./places.ts";

/** Use so far; ends the watching. */
export type ResourceUse = () => RunFacts;

const STAGES: readonly NonNullable<RunFacts["failedStage"]>[] = ["prologue", "program", "epilogue", "output"];
const FIRST_SAMPLES_MS = [30, 300, 1500];
const SAMPLE_EVERY_MS = 5000;
const MOST_PROCESSES = 1000;
const KIB = 1024;

/** Watches a process and its descendants. */
export function watchResources(pid: number): ResourceUse {
  const before = ioOf("self");
  let peakKib = 0;
  const sample = (): void => {
    peakKib = Math.max(peakKib, memoryKib(pid));
  };
  const timers = [
    ...FIRST_SAMPLES_MS.map((ms) => setTimeout(sample, ms)),
    setInterval(sample, SAMPLE_EVERY_MS),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    const after = ioOf("self");
    return {
      ...(peakKib === 0 ? {} : { peakMemoryBytes: peakKib * KIB }),
      ...(before === undefined || after === undefined
        ? {}
        : { readBytes: after.read - before.read, writtenBytes: after.written - before.written }),
    };
  };
}

/** The stage that a job with a prologue, an epilogue or a signal left behind as the one that failed. */
export function failedStage({ temporary }: AttemptPlaces): Pick<RunFacts, "failedStage"> {
  const text = textOf(join(temporary, STAGE_FILE))?.trim();
  const stage = STAGES.find((name) => name === text);
  return stage === undefined ? {} : { failedStage: stage };
}

/** File beside a job's own, in which its stages are noted. */
const STAGE_FILE = "stint-stage";

/** Resident memory of a process and its descendants; the greatest of the first one if that is more. */
function memoryKib(pid: number): number {
  const pids = [pid];
  let sum = 0;
  for (let at = 0; at < pids.length && at < MOST_PROCESSES; at++) {
    const of = pids[at];
    sum += numberIn(textOf(`/proc/${of}/status`), /^VmRSS:\s+(\d+) kB$/m);
    const children = textOf(`/proc/${of}/task/${of}/children`) ?? "";
    pids.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return Math.max(sum, numberIn(textOf(`/proc/${pid}/status`), /^VmHWM:\s+(\d+) kB$/m));
}

function ioOf(pid: "self"): { readonly read: number; readonly written: number } | undefined {
  const text = textOf(`/proc/${pid}/io`);
  if (text === undefined) return undefined;
  return { read: numberIn(text, /^read_bytes: (\d+)$/m), written: numberIn(text, /^write_bytes: (\d+)$/m) };
}

function numberIn(text: string | undefined, pattern: RegExp): number {
  return Number(pattern.exec(text ?? "")?.[1] ?? 0);
}

/** Undefined for a process that is gone, and where there is no such file. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
