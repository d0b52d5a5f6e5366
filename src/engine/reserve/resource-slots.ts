/**
 * Parts of stores and links that are kept aside (rules EN-96, EN-97).
 *
 * Each store and link has a queue of its own in which nobody waits: its reservations are all that there is in
 * it. It is ours at every site, also where the queue of processors is a cluster's (docs/decisions/0012).
 */
import { isForeign, type ReservationRecord, type SiteSpec } from "../../model/index.ts";
import { note, settle } from "../../queue/index.ts";
import type { SiteState } from "../site-state.ts";
import { keepRest, keptAt, type ReservedState } from "./reserved.ts";

/** Keeps it, or more of it, free from an instant on; says why it cannot. */
export function keepResource(
  { resources }: Pick<SiteState, "resources">,
  record: ReservationRecord,
  nowMs: number,
): string | undefined {
  const queue = resources.get(record.resource?.name ?? "");
  if (queue === undefined) return "its site no longer has this";
  settle(queue, nowMs);
  return keepRest(queue, record, nowMs);
}

/** It is over: what it kept comes free. */
export function releaseResource(
  { resources }: Pick<SiteState, "resources">,
  record: ReservationRecord,
): void {
  const queue = resources.get(record.resource?.name ?? "");
  if (queue !== undefined) note(queue, { kind: "letGo", job: record.id });
}

/** After a restart, or when the site changed: those offered first are kept first. */
export function takeUpResources({ reserved }: ReservedState, site: SiteState, nowMs: number): void {
  for (const record of keptAt(reserved, site.name)) {
    if (record.resource === undefined) continue;
    const why = keepResource(site, record, nowMs);
    if (why !== undefined) reserved.broken.set(record.id, why);
  }
}

/** Whether it is in force without a cluster's having made it. */
export function isKeptHere({ resource }: ReservationRecord, spec: SiteSpec | undefined): boolean {
  return resource !== undefined || (spec !== undefined && !isForeign(spec));
}
