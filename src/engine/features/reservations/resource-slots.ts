/**
 * Parts of stores and links that are kept aside (rule EN-96).
 *
 * Each store and link has a queue of its own in which nobody waits: its reservations are all that there is in
 * it. It is ours at every site, also where the queue of processors is a cluster's (docs/decisions/0012).
 */
import { isForeign, type ReservationRecord, type SiteSpec } from "../../../model/index.ts";
import { note, settle } from "../../../queue/index.ts";
import { keepRest, keptAt, partsOf, type Reserved, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

/** Reserves a resource, or more of it, from an instant on; returns the reason where it cannot. */
export function keepResource(
  { resources, spec }: Pick<SiteState, "resources" | "spec">,
  record: ReservationRecord,
  nowMs: number,
): string | undefined {
  const queue = resources.get(record.resource?.name ?? "");
  if (queue === undefined) return "its site no longer has this";
  settle(queue, nowMs);
  return keepRest(queue, { spec, record }, nowMs);
}

/** Releases the resource of a reservation that is over. */
export function releaseResource(
  { resources }: Pick<SiteState, "resources">,
  record: ReservationRecord,
): void {
  const queue = resources.get(record.resource?.name ?? "");
  if (queue !== undefined) note(queue, { kind: "letGo", job: record.id });
}

/** Reserves stores and links again after a restart, or a change of the site, in the order of the offers. */
export function takeUpResources({ reserved }: ReservedState, site: SiteState, nowMs: number): void {
  for (const record of keptAt(reserved, site.name)) {
    if (record.resource === undefined) continue;
    const why = keepResource(site, record, nowMs);
    if (why !== undefined) reserved.broken.set(record.id, why);
  }
}

/** True if a reservation is in force without being made by a cluster. */
function isKeptHere({ resource }: ReservationRecord, spec: SiteSpec | undefined): boolean {
  return resource !== undefined || (spec !== undefined && !isForeign(spec));
}

/** Books that tell if a reservation is in force at its site. */
type Books = { readonly sites: ReadonlyMap<string, Pick<SiteState, "spec">> } & {
  readonly reserved: Pick<Reserved, "records">;
};

/** True if the reservation exists at its site: made by a cluster, or in a book of Stint. */
export function isThere({ sites }: Pick<Books, "sites">, record: ReservationRecord): boolean {
  return record.siteReservation !== null || isKeptHere(record, sites.get(record.site)?.spec);
}

/** Parts of a co-reservation that their sites have not made yet (rule EN-41). */
export function awaitedParts(books: Books, record: ReservationRecord): readonly ReservationRecord[] {
  const parts = record.together === null ? [record] : partsOf(books.reserved, record.id);
  return parts.filter((part) => !isThere(books, part));
}
