/** Efficiency of jobs: used resources compared with requested ones, as `seff` shows them for one job. */
import type { JobView } from "../api/client/index.ts";
import { formatDuration, lengthText, percentText } from "../base/index.ts";
import { stateText } from "./job-table.ts";
import type { Listing } from "./output-forms.ts";
import { hoursText } from "./proc-hours.ts";
import { printable } from "./text-table.ts";

/** Efficiency of a job; null where there is nothing to measure it by. */
export interface JobEfficiency {
  readonly id: string;
  readonly state: string;
  readonly procs: number;
  readonly waitSec: number | null;
  /** Without suspended time; of a running job so far. */
  readonly ranSec: number;
  readonly wallTimeSec: number | null;
  /** Run time over time limit. */
  readonly limitUse: number | null;
  /** Processor time, where the site measured it. */
  readonly cpuSec: number | null;
  /** Processor time over run time × processors. */
  readonly cpuEfficiency: number | null;
  readonly usedProcSec: number;
  readonly askedProcSec: number | null;
}

/** Efficiency of a job. @param nowMs the end of what still runs */
export function efficiencyOf(job: JobView, nowMs: number): JobEfficiency {
  const { id, procs, wallTimeSec, cpuSec, submittedAt, startedAt, runningSince } = job;
  const underWayMs = runningSince === null ? 0 : Math.max(0, nowMs - Date.parse(runningSince));
  const ranSec = job.ranSec + underWayMs / 1000;
  const usedProcSec = ranSec * procs;
  const hasStarted = startedAt !== null;
  return {
    ...{ id, state: stateText(job), procs },
    waitSec: hasStarted ? Math.max(0, Date.parse(startedAt) - Date.parse(submittedAt)) / 1000 : null,
    ...{ ranSec, wallTimeSec },
    limitUse: hasStarted && wallTimeSec !== null ? ranSec / wallTimeSec : null,
    cpuSec,
    cpuEfficiency: cpuSec === null || usedProcSec === 0 ? null : cpuSec / usedProcSec,
    usedProcSec,
    askedProcSec: wallTimeSec === null ? null : wallTimeSec * procs,
  };
}

/** Details of one job, a line each. */
export function efficiencyDetails(job: JobEfficiency): string {
  const { wallTimeSec, cpuSec } = job;
  const limit = wallTimeSec === null ? "no time limit of its own" : `of ${limitText(wallTimeSec)} requested`;
  const cpu = cpuSec === null ? "not measured" : `${lengthText(cpuSec)} of ${lengthText(job.usedProcSec)}`;
  const lines = [
    ["job", job.id],
    ["state", job.state],
    ["procs", String(job.procs)],
    ["waited", job.waitSec === null ? "not started" : lengthText(job.waitSec)],
    ["ran", `${lengthText(job.ranSec)} ${limit}${behind(job.limitUse)}`],
    ["cpu time", `${cpu}${behind(job.cpuEfficiency)}`],
    ["used", `${hoursText(job.usedProcSec)} processor-hours`],
  ] as const;
  return lines.map(([name, value]) => `${name.padEnd(12)}${printable(value)}\n`).join("");
}

/** A row for each job. */
export const efficiencyListing: Listing<JobEfficiency> = {
  columns: [
    { head: "ID", cell: ({ id }) => id },
    { head: "STATE", cell: ({ state }) => state },
    { head: "PROCS", align: "right", cell: ({ procs }) => String(procs) },
    { head: "WAIT", align: "right", cell: ({ waitSec }) => (waitSec === null ? "-" : lengthText(waitSec)) },
    { head: "RAN", align: "right", cell: ({ ranSec }) => lengthText(ranSec) },
    {
      head: "LIMIT",
      align: "right",
      cell: ({ wallTimeSec }) => (wallTimeSec === null ? "-" : limitText(wallTimeSec)),
    },
    { head: "LIMIT%", align: "right", cell: ({ limitUse }) => partText(limitUse) ?? "-" },
    { head: "CPU%", align: "right", cell: ({ cpuEfficiency }) => partText(cpuEfficiency) ?? "-" },
    { head: "USED", align: "right", cell: ({ usedProcSec }) => hoursText(usedProcSec) },
  ],
  fields: [
    ...["id", "state", "procs", "waitSec", "ranSec", "wallTimeSec", "limitUse", "cpuSec", "cpuEfficiency"],
    ...["usedProcSec", "askedProcSec"],
  ],
  record: (job) => ({ ...job }),
  name: ({ id }) => id,
};

function limitText(wallTimeSec: number): string {
  return formatDuration(Math.round(wallTimeSec * 1000));
}

function behind(part: number | null): string {
  const text = partText(part);
  return text === undefined ? "" : ` (${text})`;
}

function partText(part: number | null): string | undefined {
  return part === null ? undefined : percentText(part, 0).replace(" ", "");
}
