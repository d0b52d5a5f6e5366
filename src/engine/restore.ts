/**
 * The state after a restart, from the records of what is not over, without reading history.
 */
import {
  type EnforcementRecord,
  isForeign,
  type JobRecord,
  NOTHING_SOLD,
  type PeerRecord,
  type PolicyFollower,
  type ReservationRecord,
  type StoredFiles,
  type TicketKeyRecord,
  type TicketRecord,
  type TokenRecord,
  type VoRecord,
} from "../model/index.ts";
import { rememberVoUses } from "./features/organisations/vo-use.ts";
import { noteTouched, takeUpAction } from "./features/policies/enforcer.ts";
import { type PolicyVersion, takeVersion } from "./features/policies/policy-book.ts";
import { rememberUses } from "./features/policies/site-uses.ts";
import { type BalanceRecord, restoreBalance } from "./features/reservations/accounts.ts";
import { noteWaste } from "./features/reservations/apply-reservation.ts";
import { noteDeclared } from "./features/reservations/declared-costs.ts";
import { takeUpResources } from "./features/reservations/resource-slots.ts";
import { rememberFiles } from "./features/storage/files-book.ts";
import { restoreTickets } from "./features/tickets/ticket-book.ts";
import { NO_SCORE } from "./site-selection/choice-row.ts";
import { createSite } from "./site-state.ts";
import { createProjection, type Projection, type SiteRecord } from "./state.ts";
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
  /** All that were ever applied, in their order. */
  readonly policies: readonly PolicyVersion[];
  /** Jobs that are over, but ran within the longest window of a policy that holds; in any order. */
  readonly pastJobs: readonly JobRecord[];
  /** What enforcers did of late, in the order of time. */
  readonly actions: readonly EnforcementRecord[];
  /** What organisations have said, in any order. */
  readonly vos: readonly VoRecord[];
  /** Who keeps the policies elsewhere, in any order. */
  readonly followers: readonly PolicyFollower[];
  /** What other brokers told last, in any order. */
  readonly peers: readonly PeerRecord[];
  /** What is kept at sites, and was within the longest window of a policy that holds; in any order. */
  readonly files: readonly StoredFiles[];
  /** All that were ever presented, and all keys that were ever trusted, in any order. */
  readonly tickets: readonly TicketRecord[];
  readonly ticketKeys: readonly TicketKeyRecord[];
}

/** Builds the state from stored records; no event is needed and none is made. */
export function restore(stored: StoredState, nowMs: number): Projection {
  const { sites, jobs, accepted, tokens } = stored;
  const projection = createProjection();
  projection.accepted = accepted;
  for (const token of tokens) projection.tokens.set(token.id, token);
  restoreReserved(projection, stored);
  for (const version of stored.policies) takeVersion(projection.policies, version);
  const inOrder = [...jobs].sort((a, b) => a.order - b.order);
  for (const job of inOrder) {
    projection.jobs.set(job.id, job);
    noteDeclared(projection.declared, job);
    if (job.description.virtual !== undefined) projection.virtual.add(job.id);
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
  for (const { site, action, atMs, isAdvice } of stored.actions) {
    const enforcer = projection.sites.get(site)?.enforcer;
    if (enforcer !== undefined && !isAdvice) takeUpAction(enforcer, action, atMs);
  }
  rememberUses(projection, stored.pastJobs, nowMs);
  for (const record of stored.vos) projection.vos.records.set(record.vo, record);
  rememberVoUses(projection, stored.pastJobs, nowMs);
  for (const record of stored.peers) projection.peers.set(record.name, { record, shown: new Set() });
  for (const record of stored.followers) projection.followers.set(record.name, record);
  rememberFiles(projection, stored.files);
  restoreTickets(projection.tickets, stored);
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
  {
    name,
    spec,
    order,
    isDraining,
    isPaused = false,
    score = NO_SCORE,
    orderedShares = [],
    ...rest
  }: SiteRecord,
  jobs: readonly JobRecord[],
  nowMs: number,
): void {
  const { sold = NOTHING_SOLD } = rest;
  const site = { ...createSite(name, spec, order, nowMs), isDraining, score, orderedShares, sold };
  site.enforcer.isPaused = isPaused;
  projection.sites.set(name, site);
  for (const job of jobs) {
    if (isForeign(spec)) site.own.add(job.id);
    else noteTouched(site.enforcer, job);
  }
  if (!isForeign(spec)) takeOverAll(projection, site, nowMs);
  takeUpResources(projection, site, nowMs);
}
