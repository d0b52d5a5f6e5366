/**
 * Placement: a job that waits at the broker goes into the queue of a site.
 */
import { isForeign, type JobRecord, NOT_ENFORCED } from "../model/index.ts";
import { note } from "../queue/index.ts";
import type { EventOf, Feature } from "./feature.ts";
import { jobOf, keepJob } from "./keep-job.ts";
import { placeAll } from "./place.ts";
import { letsInOneByOne } from "./state/enforced-site.ts";
import { type Projection, type RecordChange, siteOf } from "./state/projection.ts";
import { markUnsettled, queueOf } from "./state/reserved.ts";
import { needOf } from "./state/site-state.ts";

export const placement = {
  name: "placement",
  applies: {
    jobPlaced: placed,
    jobsParked: ({ unplaced, parked }, { jobs }) => {
      for (const job of jobs) if (unplaced.delete(job)) parked.add(job);
      return [];
    },
  },
  decide: placeAll,
} as const satisfies Feature;

function placed(
  projection: Projection,
  { job: id, site: name, attempt, recommended, atMs }: EventOf<"jobPlaced">,
): readonly RecordChange[] {
  const job = jobOf(projection, id);
  const site = siteOf(projection, name);
  projection.unplaced.delete(job.id);
  projection.parked.delete(job.id);
  const arrival = { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) } as const;
  const said = recommended === undefined ? {} : { recommended };
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
