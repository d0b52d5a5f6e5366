/**
 * The state after a restart, from the records of what is not over, without reading history.
 */
import { isForeign, type JobRecord, type TokenRecord } from "../model/index.ts";
import { createProjection, type Projection, type SiteRecord } from "./projection.ts";
import { createSite } from "./site-state.ts";
import { takeOverAll } from "./take-over.ts";

/** What the views hold of the state. */
export interface StoredState {
  /** In the order in which they were added. */
  readonly sites: readonly SiteRecord[];
  /** Jobs that are not over, in any order. */
  readonly jobs: readonly JobRecord[];
  /** How many jobs were ever accepted. */
  readonly accepted: number;
  readonly tokens: readonly TokenRecord[];
}

/** Builds the state from stored records; no event is needed and none is made. */
export function restore({ sites, jobs, accepted, tokens }: StoredState, nowMs: number): Projection {
  const projection = createProjection();
  projection.accepted = accepted;
  for (const token of tokens) projection.tokens.set(token.id, token);
  const inOrder = [...jobs].sort((a, b) => a.order - b.order);
  for (const job of inOrder) {
    projection.jobs.set(job.id, job);
    if (job.site === null && job.state === "WAITING") projection.unplaced.add(job.id);
  }
  for (const record of sites) {
    restoreSite(
      projection,
      record,
      inOrder.filter(({ site }) => site === record.name),
      nowMs,
    );
  }
  return projection;
}

function restoreSite(
  { sites, unsettled }: Projection,
  { name, spec, order, isDraining }: SiteRecord,
  jobs: readonly JobRecord[],
  nowMs: number,
): void {
  const site = { ...createSite(name, spec, order, nowMs), isDraining };
  sites.set(name, site);
  if (isForeign(spec)) for (const { id } of jobs) site.own.add(id);
  else {
    takeOverAll(site, jobs, nowMs);
    unsettled.add(name);
  }
}
