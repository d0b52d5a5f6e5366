/** Jobs that wait at several sites at once, and the jobs of the broker that hold their places. */
import {
  GRANT_WAIT_MS,
  isForeign,
  JOB_DEFAULTS,
  type JobDescription,
  type JobRecord,
  PILOT_MARGIN_MS,
  type SiteSpec,
} from "../../model/index.ts";
import { PILOT_PROGRAM } from "./pilot-program.ts";
import type { Projection } from "./projection.ts";

type WithJobs = Pick<Projection, "books" | "jobs" | "sites">;
const MS_PER_S = 1000;
const HOLDER_NAME = "replica";

/** Owner of holders, which no person has. */
export const HOLDER_OWNER = "stint";

/** True for a job in the queue of a managed site that has not begun. */
export function waitsAtManaged(
  { sites }: Pick<Projection, "sites">,
  { site, startDecidedAtMs, startedAtMs }: JobRecord,
): boolean {
  const spec = sites.get(site ?? "")?.spec;
  return spec !== undefined && !isForeign(spec) && startDecidedAtMs === null && startedAtMs === null;
}

/** True for a job that may get its grant: it waits at the broker, or in the queue of a managed site. */
export function isWaitingAnywhere(state: Pick<Projection, "sites">, job: JobRecord): boolean {
  if (job.isCancelRequested || job.state === "HELD") return false;
  return job.site === null ? job.state === "WAITING" : waitsAtManaged(state, job);
}

/** True for a job of the broker that holds a place for another job. */
export function holdsPlace({ owner, description }: Pick<JobRecord, "description" | "owner">): boolean {
  return owner === HOLDER_OWNER && description.name === HOLDER_NAME;
}

/** True for a job without a site of its own that is represented in queues by holders. */
export function waitsByHolders({ site, replicas = [] }: Pick<JobRecord, "replicas" | "site">): boolean {
  return site === null && replicas.some(({ state, holder }) => state === "WAITING" && holder !== null);
}

/**
 * True for a job whose replicas wait at clusters: it is placed at no other site, unless all of these are
 * drained.
 */
export function hasReplicasWaiting({ jobs, sites }: WithJobs, { replicas = [] }: JobRecord): boolean {
  return replicas.some(({ holder, site, state }) => {
    const isWaiting = state === "WAITING" && holder !== null;
    const isDrained = sites.get(site)?.isDraining !== false;
    return isWaiting && !isDrained && jobs.get(holder)?.isCancelRequested === false;
  });
}

/** Time limit of a holder: that of its job, plus the time for the grant. */
export function holderLimitMs({ description }: Pick<JobRecord, "description">, spec: SiteSpec): number {
  return (description.wallTimeMs ?? spec.defaultWallTimeMs) + GRANT_WAIT_MS + PILOT_MARGIN_MS;
}

/** Description of a holder: the same resources and queue as its job. */
export function holderOf(
  job: Pick<JobRecord, "description">,
  { name: site, spec }: { readonly name: string; readonly spec: SiteSpec },
): JobDescription {
  const { procs, memoryBytes, gpus, hostNumber, smpGranularity, wholeNodes } = job.description;
  const { requirements, strictDefaults, preferredQueues, attributes } = job.description;
  const said = { memoryBytes, gpus, hostNumber, smpGranularity, wholeNodes };
  const chosen = { requirements, strictDefaults, preferredQueues, attributes };
  return {
    ...{ ...JOB_DEFAULTS, name: HOLDER_NAME, executable: PILOT_PROGRAM, procs, site },
    ...Object.fromEntries(Object.entries({ ...said, ...chosen }).filter(([, value]) => value !== undefined)),
    ...{ arguments: [String(GRANT_WAIT_MS / MS_PER_S)], wallTimeMs: holderLimitMs(job, spec) },
  };
}
