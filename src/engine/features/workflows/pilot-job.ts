/**
 * The job that runs tasks of a workflow inside a reservation, one for each reservation. What it runs is the
 * broker's (`pilot-script.ts` there): thousands of tasks are one job.
 */
import { besideProcs, JOB_DEFAULTS, type StintEvent, type WorkflowRecord } from "../../../model/index.ts";
import { PILOT_PROGRAM } from "../../state/pilot-program.ts";
import type { SiteState } from "../../state/site-state.ts";
import type { PilotRequest } from "./task-changes.ts";

const MINUTE_MS = 60_000;

/**
 * Time limit of a pilot. Slurm counts limits in minutes, and starts no job in a reservation that ends before
 * the job's limit: what is left out lets it start late.
 */
function limitOf(lengthMs: number, site: SiteState | undefined): number {
  if (site?.spec.type !== "slurm") return Math.max(1000, lengthMs);
  return Math.max(1, Math.floor((lengthMs - START_MS) / MINUTE_MS)) * MINUTE_MS;
}

const START_MS = 45_000;

/** Event by which a pilot becomes a job. */
export function pilotAccepted(
  { job, reservation, site, procs, startMs, endMs, ...beside }: PilotRequest,
  {
    id,
    name,
    owner,
    consumer,
    userTags,
  }: Pick<WorkflowRecord, "id" | "name" | "owner" | "consumer" | "userTags">,
  at: SiteState | undefined,
  atMs: number,
): StintEvent {
  const wallTimeMs = limitOf(endMs - startMs, at);
  return {
    ...{ kind: "jobAccepted", job, consumer, owner, atMs },
    description: {
      ...JOB_DEFAULTS,
      ...{ name: `pilot of ${name}`.slice(0, 100), executable: PILOT_PROGRAM },
      ...{ procs, ...besideProcs(beside), wallTimeMs, site, reservation },
      userTags: { ...userTags, workflow: id },
    },
  };
}
