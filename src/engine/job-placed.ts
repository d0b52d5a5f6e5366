/** The state after a job was given to the queue, or to a pilot, of a site. */
import { isForeign, type JobRecord, NOT_ENFORCED } from "../model/index.ts";
import { note } from "../queue/index.ts";
import type { EventOf } from "./feature.ts";
import { jobOf, keepJob } from "./keep-job.ts";
import { letsInOneByOne } from "./state/enforced-site.ts";
import { type Projection, type RecordChange, siteOf } from "./state/projection.ts";
import { markUnsettled, queueOf } from "./state/reserved.ts";
import { needOf } from "./state/site-state.ts";

/** Records a placement, and puts the job into the queue of its site. */
export function placed(
  projection: Projection,
  { job: id, site: name, attempt, queue, pilot, account, recommended, atMs }: EventOf<"jobPlaced">,
): readonly RecordChange[] {
  const { queue: _, ...job } = jobOf(projection, id);
  const site = siteOf(projection, name);
  projection.unplaced.delete(job.id);
  projection.parked.delete(job.id);
  const arrival = { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) } as const;
  const said = {
    ...(queue === undefined ? {} : { queue }),
    ...(recommended === undefined ? {} : { recommended }),
    ...leaveTime(job, atMs),
  };
  if (pilot !== undefined) {
    site.own.add(job.id);
    const bound = { ...said, pilot, ...(account === undefined ? {} : { account }) };
    return [keepJob(projection, { ...job, ...bound, state: "READY", site: name, siteJob: null, attempt })];
  }
  if (isForeign(site.spec)) {
    // What waits in a reservation there is no part of the site's own queue.
    if (job.description.reservation === undefined) note(site.queue, arrival);
    site.own.add(job.id);
    return [keepJob(projection, { ...job, ...said, state: "READY", site: name, siteJob: null, attempt })];
  }
  const there: JobRecord = { ...job, ...said, state: "SCHEDULED", site: name, attempt };
  note(queueOf(projection, there), arrival);
  markUnsettled(projection, there);
  if (!letsInOneByOne(projection, site, there, atMs)) return [keepJob(projection, there)];
  note(queueOf(projection, there), { kind: "hold", job: job.id });
  return [keepJob(projection, { ...there, enforced: { ...NOT_ENFORCED, isHeld: true } })];
}

/** A job in a reservation, or with a ticket, stays where that is. */
function leaveTime({ description, ticket }: JobRecord, atMs: number): Pick<JobRecord, "leaveAtMs"> {
  const { queueTimeMs, reservation, virtual } = description;
  const isBound = [reservation, virtual, ticket].some((one) => one !== undefined);
  return queueTimeMs === undefined || isBound ? {} : { leaveAtMs: atMs + queueTimeMs };
}
