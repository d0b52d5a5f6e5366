/**
 * Reason why a decision or a report can no longer be recorded: while it was being made, a command changed the
 * job, site or reservation that it is about. It is dropped with this reason, and the engine decides again.
 */
import type { Projection } from "./projection.ts";

/** Change that makes a decision or report outdated. */
export type Outdated =
  | { readonly kind: "siteGone"; readonly site: string }
  | { readonly kind: "jobOver"; readonly job: string }
  | { readonly kind: "jobPlaced"; readonly job: string; readonly site: string }
  | { readonly kind: "reservationOver"; readonly reservation: string };

/** Change as one clause, for messages. */
export function outdatedText(outdated: Outdated): string {
  switch (outdated.kind) {
    case "siteGone":
      return `site ${outdated.site} has been removed`;
    case "jobOver":
      return `job ${outdated.job} is over`;
    case "jobPlaced":
      return `job ${outdated.job} is at ${outdated.site} already`;
    case "reservationOver":
      return `reservation ${outdated.reservation} is over`;
  }
}

/** An event of a site that has been removed. */
export function ofGoneSite(
  { sites }: Pick<Projection, "sites">,
  { site }: { readonly site: string },
): Outdated | undefined {
  return sites.has(site) ? undefined : { kind: "siteGone", site };
}

/** An event of a job that is over. */
export function ofJobOver(
  { jobs }: Pick<Projection, "jobs">,
  { job }: { readonly job: string },
): Outdated | undefined {
  return jobs.has(job) ? undefined : { kind: "jobOver", job };
}

/** An event of a reservation that is over. */
export function ofReservationOver(
  { reserved }: Pick<Projection, "reserved">,
  { reservation }: { readonly reservation: string },
): Outdated | undefined {
  return reserved.records.has(reservation) ? undefined : { kind: "reservationOver", reservation };
}
