/**
 * What happens to sites: they are added, changed, drained, paused and removed.
 */
import { isForeign, type SiteSpec } from "../model/index.ts";
import { orderedAfter } from "./batch-system/share-orders.ts";
import { forgetBalances } from "./features/reservations/accounts.ts";
import { takeUpResources } from "./features/reservations/resource-slots.ts";
import { siteChange } from "./site-change.ts";
import { createSite } from "./site-state.ts";
import { type Projection, type RecordChange, siteOf, tryParkedAgain } from "./state.ts";
import { takeOverAll } from "./take-over.ts";

/** A site that is new, without jobs. */
export function addedSite(
  projection: Projection,
  name: string,
  spec: SiteSpec,
  atMs: number,
): RecordChange[] {
  const last = Math.max(0, ...[...projection.sites.values()].map(({ order }) => order));
  const site = createSite(name, spec, last + 1, atMs);
  projection.sites.set(name, site);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** The queue is made anew of the jobs that are there, as after a restart. */
export function changedSite(
  projection: Projection,
  name: string,
  spec: SiteSpec,
  atMs: number,
): RecordChange[] {
  const { order, isDraining, own, observation, ledger, enforcer, score, orderedShares, sold } = siteOf(
    projection,
    name,
  );
  const kept = { isDraining, own, observation, ledger, enforcer, score, orderedShares, sold };
  const site = { ...createSite(name, spec, order, atMs), ...kept };
  projection.sites.set(name, site);
  if (!isForeign(spec)) takeOverAll(projection, site, atMs);
  takeUpResources(projection, site, atMs);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** No new job goes there, or jobs go there again. */
export function drainedSite(projection: Projection, name: string, isDraining: boolean): RecordChange[] {
  const site = siteOf(projection, name);
  site.isDraining = isDraining;
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** No job of ours is there: else the request was refused. */
export function removedSite(projection: Projection, name: string): RecordChange[] {
  const { ledger } = siteOf(projection, name);
  projection.sites.delete(name);
  projection.unsettled.delete(name);
  return [{ kind: "siteGone", name }, ...forgetBalances(ledger, name)];
}

/** Its enforcer lets go of what it holds with the next decision. */
export function pausedSite(projection: Projection, name: string, isPaused: boolean): RecordChange[] {
  const site = siteOf(projection, name);
  site.enforcer.isPaused = isPaused;
  projection.unsettled.add(name);
  return [siteChange(site)];
}

/** Changes of its own shares were ordered, or it is known what came of them. */
export function noteShares(
  projection: Projection,
  event: Parameters<typeof orderedAfter>[1],
): RecordChange[] {
  const site = siteOf(projection, event.site);
  site.orderedShares = orderedAfter(site.orderedShares, event);
  return [siteChange(site)];
}
