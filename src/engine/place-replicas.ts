/** At which sites the replicas of a job wait (rule EN-310). */
import { isForeign, type JobRecord, type StintEvent, type WaitingReplica } from "../model/index.ts";
import { admitsPayload, type PayloadGate } from "./state/payload-shares.ts";
import type { Projection } from "./state/projection.ts";
import { isUsable, type SiteState } from "./state/site-state.ts";
import { HOLDER_OWNER, holderOf } from "./state/waiting-replicas.ts";

/** Time for which a site where a replica ended without the grant gets no other replica of the job. */
const LEFT_OUT_MS = 300_000;

interface Choice {
  readonly projection: Projection;
  readonly gate: PayloadGate;
  /** The best of these sites for the job. */
  readonly bestOf: (sites: readonly SiteState[]) => SiteState;
  readonly nowMs: number;
}

/** Sites at which a job waits, best first; if fewer than two, the job is placed at one like any other. */
export function replicaSites(
  job: JobRecord,
  sites: readonly SiteState[],
  { projection, gate, bestOf, nowMs }: Choice,
): readonly SiteState[] {
  const { replicas: wanted = 1 } = job.description;
  const chosen: SiteState[] = [];
  let left =
    wanted < 2 ? [] : sites.filter((site) => canHold(site, job) && !isLeftOut(job, site.name, nowMs));
  left = left.filter(
    (site) => !isForeign(site.spec) || admitsPayload(projection, site, { job, gate }, nowMs),
  );
  while (left.length > 0 && chosen.length < wanted) {
    const best = bestOf(left);
    chosen.push(best);
    // The job itself can be in the queue of only one managed site.
    left = left.filter((site) => site !== best && (isForeign(best.spec) || isForeign(site.spec)));
  }
  return chosen;
}

/** True if a place in the site's queue can be given up for a grant elsewhere, and waits for its own. */
function canHold(site: SiteState, job: JobRecord): boolean {
  if (!isForeign(site.spec)) return true;
  return site.spec.type === "slurm" && isUsable(site, holderOf(job, site));
}

function isLeftOut({ replicas = [] }: JobRecord, site: string, nowMs: number): boolean {
  const ended = replicas.findLast((it) => it.site === site && it.state === "NOT_BEGUN");
  const isOwnFault = ended?.why === "lost" || ended?.why === "denied";
  return isOwnFault && nowMs < (ended.endedAtMs ?? nowMs) + LEFT_OUT_MS;
}

/** Events by which a job waits at the sites. @param first number of the first holder */
export function replicaEvents(
  job: JobRecord,
  sites: readonly SiteState[],
  first: number,
  nowMs: number,
): readonly StintEvent[] {
  const { procs, memoryBytes = 0, gpus = 0 } = job.description;
  const clusters = sites.filter(({ spec }) => isForeign(spec));
  const holders = clusters.map((site, at) => ({ site, id: `replica-${first + at}` }));
  const own = sites.filter(({ spec }) => !isForeign(spec));
  const replicas: readonly Pick<WaitingReplica, "holder" | "site">[] = [
    ...own.map(({ name: site }) => ({ holder: null, site })),
    ...holders.map(({ site: { name: site }, id: holder }) => ({ holder, site })),
  ];
  return [
    { kind: "replicasQueued", job: job.id, replicas, atMs: nowMs },
    ...holders.flatMap(({ site, id }): readonly StintEvent[] => [
      {
        ...{ kind: "pilotSubmitted", pilot: id, site: site.name, replicaOf: job.id },
        ...{ procs, memoryBytes, gpus, atMs: nowMs },
      },
      {
        ...{ kind: "jobAccepted", job: id, consumer: job.consumer, owner: HOLDER_OWNER, atMs: nowMs },
        description: holderOf(job, site),
      },
    ]),
  ];
}
