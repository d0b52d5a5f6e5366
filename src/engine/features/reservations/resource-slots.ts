/**
 * Parts of stores and links that are kept aside (rules EN-96, EN-97).
 *
 * Each store and link has a queue of its own in which nobody waits: its reservations are all that there is in
 * it. It is ours at every site, also where the queue of processors is a cluster's (docs/decisions/0012).
 */
import { isForeign, type ReservationRecord, type SiteSpec } from "../../../model/index.ts";
import { note, settle } from "../../../queue/index.ts";
import { keepRest, keptAt, partsOf, type Reserved, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

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
function isKeptHere({ resource }: ReservationRecord, spec: SiteSpec | undefined): boolean {
  return resource !== undefined || (spec !== undefined && !isForeign(spec));
}

/** What says whether a reservation is there. */
type Books = { readonly sites: ReadonlyMap<string, Pick<SiteState, "spec">> } & {
  readonly reserved: Pick<Reserved, "records">;
};

/** Whether its site has it: a cluster has made it, or it is kept in a book of ours. */
export function isThere({ sites }: Pick<Books, "sites">, record: ReservationRecord): boolean {
  return record.siteReservation !== null || isKeptHere(record, sites.get(record.site)?.spec);
}

/** Those that their sites have not made yet, of it and all that are had together with it (rule EN-135). */
export function awaitedParts(books: Books, record: ReservationRecord): readonly ReservationRecord[] {
  const parts = record.together === null ? [record] : partsOf(books.reserved, record.id);
  return parts.filter((part) => !isThere(books, part));
}
