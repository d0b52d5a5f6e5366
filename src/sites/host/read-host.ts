/** Sums the processes of a host by job (rule SE-1). */
import type { HostJobReading, HostReading } from "../../model/index.ts";
import { type JobMark, NO_MARK } from "./job-marks.ts";
import type { ProcessState } from "./processes.ts";

/** A reading without the fields that the spool adds. */
export type HostMeasurement = Omit<HostReading, "seq" | "dropped">;

/** Input of a reading. */
export interface ReadingInput {
  readonly atMs: number;
  readonly processes: readonly ProcessState[];
  /** Proportional memory of job processes, in bytes, by pid; resident memory counts where it is absent. */
  readonly proportional: ReadonlyMap<number, number>;
  readonly nameOf: (uid: number) => string;
}

/** First uid of users: lower accounts are the machine's own services. */
const FIRST_USER = 1000;

/** Job of each process that has one, by pid. */
export function jobsOfProcesses(processes: readonly ProcessState[]): ReadonlyMap<number, JobMark> {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const found = new Map<number, JobMark>();
  for (const process of processes) {
    const mark = markOf(process, byPid, found);
    if (mark.job !== null || mark.siteJob !== null) found.set(process.pid, mark);
  }
  return found;
}

/** Searches the ancestors for a mark; each process is visited at most once. */
function markOf(
  process: ProcessState,
  byPid: ReadonlyMap<number, ProcessState>,
  found: ReadonlyMap<number, JobMark>,
): JobMark {
  // The batch system's own: what is below it is the job's, it is not.
  if (process.daemonOf !== null) return NO_MARK;
  let { job, siteJob } = process.mark;
  const passed = new Set<number>([process.pid]);
  let above = byPid.get(process.parent);
  while (above !== undefined && !passed.has(above.pid) && (job === null || siteJob === null)) {
    passed.add(above.pid);
    const mark = found.get(above.pid) ?? above.mark;
    if (above.daemonOf !== null) return { job, siteJob: siteJob ?? above.daemonOf };
    job ??= mark.job;
    siteJob ??= mark.siteJob;
    above = byPid.get(above.parent);
  }
  return { job, siteJob };
}

/** A reading with the use since the reading before. */
export function readHost(seen: ReadingInput, before: HostMeasurement | undefined): HostMeasurement {
  const { atMs, processes } = seen;
  const jobs = jobsOfProcesses(processes);
  const groups = new Map<string, { mark: JobMark; processes: ProcessState[] }>();
  for (const process of processes) {
    const mark = jobs.get(process.pid);
    if (mark === undefined) continue;
    const key = keyOf(mark);
    const group = groups.get(key) ?? { mark, processes: [] };
    groups.set(key, group);
    group.processes.push(process);
  }
  const known = new Map((before?.jobs ?? []).map((job) => [keyOf(job), job]));
  return {
    atMs,
    overMs: before === undefined ? null : Math.max(0, atMs - before.atMs),
    jobs: joined([...groups.values()]).map((group) => jobReading(group, seen, known)),
    unreadable: processes.filter((it) => !it.isReadable && !jobs.has(it.pid) && it.uid >= FIRST_USER).length,
  };
}

interface Group {
  readonly mark: JobMark;
  readonly processes: readonly ProcessState[];
}

/** Joins groups with Slurm's mark alone to the one Stint job of that Slurm job, if there is exactly one. */
function joined(groups: readonly Group[]): readonly Group[] {
  const hosts = (siteJob: string | null) =>
    groups.filter(({ mark }) => mark.job !== null && mark.siteJob === siteJob);
  const isBare = ({ mark }: Group) => mark.job === null && hosts(mark.siteJob).length === 1;
  return groups
    .filter((group) => !isBare(group))
    .map((group) => {
      const { mark, processes } = group;
      if (mark.job === null || mark.siteJob === null || hosts(mark.siteJob).length !== 1) return group;
      const bare = groups.find((it) => it.mark.job === null && it.mark.siteJob === mark.siteJob);
      return { mark, processes: [...processes, ...(bare?.processes ?? [])] };
    });
}

function jobReading(
  { mark, processes }: Group,
  { proportional, nameOf }: ReadingInput,
  before: ReadonlyMap<string, HostJobReading>,
): HostJobReading {
  const sum = (of: (process: ProcessState) => number) => processes.reduce((all, it) => all + of(it), 0);
  const cpuMs = sum((it) => it.cpuMs);
  const known = before.get(keyOf(mark));
  const [first] = [...processes].sort((a, b) => a.pid - b.pid);
  return {
    ...mark,
    owner: first === undefined ? "" : nameOf(first.uid),
    processes: processes.length,
    cpuMs,
    // What a process that nobody waited for has used is gone with it.
    usedMs: known === undefined ? null : Math.max(0, cpuMs - known.cpuMs),
    memoryBytes: sum((it) => proportional.get(it.pid) ?? it.residentBytes),
  };
}

function keyOf({ job, siteJob }: JobMark): string {
  return job === null ? `/${siteJob}` : `${job}/${siteJob ?? ""}`;
}
