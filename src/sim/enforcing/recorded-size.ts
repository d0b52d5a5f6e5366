/** Size of a record's machine: as stated, else the maximum in use at once. */
import { Fault } from "../../base/index.ts";

interface Ran {
  readonly startMs: number;
  readonly runtimeMs: number;
  readonly procs: number;
}

/** @throws Fault `noJobLeft` where nothing ran */
export function sizeOf(file: string, said: number | null | undefined, jobs: readonly Ran[]): number {
  if (jobs.length === 0) {
    throw new Fault({
      kind: "badInput",
      code: "noJobLeft",
      what: `${file}: no job is left to simulate`,
      why: "no job has both a recorded start and a run time above 0",
      remedy: "give a trace that has start times",
    });
  }
  return said ?? mostAtOnce(jobs);
}

function mostAtOnce(jobs: readonly Ran[]): number {
  const steps = jobs.flatMap(({ startMs, runtimeMs, procs }) => [
    { atMs: startMs, procs },
    { atMs: startMs + runtimeMs, procs: -procs },
  ]);
  let inUse = 0;
  let most = 0;
  for (const { procs } of steps.sort((a, b) => a.atMs - b.atMs || a.procs - b.procs)) {
    inUse += procs;
    most = Math.max(most, inUse);
  }
  return most;
}
