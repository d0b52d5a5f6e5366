/**
 * Placement: a job that waits at the broker goes into the queue of a site.
 */
import {
  isForeign,
  isImitating,
  isReadOnly,
  type JobRecord,
  NOT_ENFORCED,
  type WaitCause,
} from "../model/index.ts";
import { note } from "../queue/index.ts";
import type { EventOf, Feature } from "./feature.ts";
import { isPlanned } from "./features/virtual-reservations/decide-virtual.ts";
import { jobOf, keepJob } from "./keep-job.ts";
import { placeAll } from "./place.ts";
import { letsInOneByOne } from "./state/enforced-site.ts";
import { ofGoneSite, ofJobOver } from "./state/outdated.ts";
import { type Projection, type RecordChange, siteOf } from "./state/projection.ts";
import { markUnsettled, queueOf } from "./state/reserved.ts";
import { isLargeEnough, isUsable, needOf, type SiteState } from "./state/site-state.ts";

export const placement = {
  name: "placement",
  applies: {
    jobPlaced: placed,
    jobsParked: ({ unplaced, parked }, { jobs }) => {
      for (const job of jobs) if (unplaced.delete(job)) parked.add(job);
      return [];
    },
  },
  outdates: {
    jobPlaced: (projection, event) => {
      const at = projection.jobs.get(event.job)?.site;
      if (typeof at === "string") return { kind: "jobPlaced", job: event.job, site: at };
      return ofJobOver(projection, event) ?? ofGoneSite(projection, event);
    },
  },
  decide: placeAll,
  explain: { atBroker: noSiteOpen },
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

/** No site takes a job that was parked: each one that it may use is drained, away or not used. */
function noSiteOpen({ sites, parked }: Projection, job: JobRecord, nowMs: number): readonly WaitCause[] {
  if (!parked.has(job.id) || isPlanned(job, nowMs)) return [];
  const usable = [...sites.values()].filter((site) => isUsable(site, job.description));
  const names = (some: readonly SiteState[]): string[] => some.map(({ name }) => name);
  const readOnly = usable.filter(({ spec }) => isReadOnly(spec));
  const others = usable.filter(({ spec }) => !isReadOnly(spec));
  const imitating = [...sites.values()].filter(
    (it) => job.description.site === undefined && isImitating(it.spec) && isLargeEnough(it, job.description),
  );
  return [
    {
      kind: "noSiteOpen",
      draining: names(others.filter(({ isDraining }) => isDraining)),
      away: names(others.filter(({ isDraining }) => !isDraining)),
      readOnly: names(readOnly),
      ...(imitating.length === 0 ? {} : { imitating: names(imitating) }),
    },
  ];
}
