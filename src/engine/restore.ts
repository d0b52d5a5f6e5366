/**
 * The state after a restart, from the records of what is not over, without reading history.
 */
import { isForeign, type JobRecord, type ReservationRecord, type TokenRecord } from "../model/index.ts";
import { createProjection, type Projection, type SiteRecord } from "./projection.ts";
import { type BalanceRecord, restoreBalance } from "./reserve/accounts.ts";
import { noteWaste } from "./reserve/apply-reservation.ts";
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
  /** Those that hold something, in the order in which they were offered. */
  readonly reservations: readonly ReservationRecord[];
  /** Those that are over, of the last week. */
  readonly pastReservations: readonly ReservationRecord[];
  /** How many were ever offered. */
  readonly offered: number;
  readonly balances: readonly BalanceRecord[];
}

/** Builds the state from stored records; no event is needed and none is made. */
export function restore(stored: StoredState, nowMs: number): Projection {
  const { sites, jobs, accepted, tokens } = stored;
  const projection = createProjection();
  projection.accepted = accepted;
  for (const token of tokens) projection.tokens.set(token.id, token);
  restoreReserved(projection, stored);
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
  for (const balance of stored.balances) {
    const ledger = projection.sites.get(balance.site)?.ledger;
    if (ledger !== undefined) restoreBalance(ledger, balance);
  }
  return projection;
}

function restoreReserved({ reserved }: Projection, stored: StoredState): void {
  reserved.offered = stored.offered;
  for (const record of stored.reservations) reserved.records.set(record.id, record);
  for (const record of stored.pastReservations) {
    noteWaste({ reserved }, record, record.history.at(-1)?.atMs ?? record.startMs);
  }
}

function restoreSite(
  projection: Projection,
  { name, spec, order, isDraining }: SiteRecord,
  jobs: readonly JobRecord[],
  nowMs: number,
): void {
  const site = { ...createSite(name, spec, order, nowMs), isDraining };
  projection.sites.set(name, site);
  if (isForeign(spec)) for (const { id } of jobs) site.own.add(id);
  else takeOverAll(projection, site, nowMs);
}
