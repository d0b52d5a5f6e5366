/**
 * The state that is computed from events, and the records that an event changes.
 *
 * Finished jobs leave memory; their records live in views.
 */
import { assert } from "../../base/index.ts";
import {
  type ArrayRecord,
  type DagNodeRecord,
  type DagRecord,
  type EnforcementRecord,
  type JobRecord,
  type OrderedShareChange,
  type PeerRecord,
  type ReservationRecord,
  type ReservationUsage,
  type SiteSpec,
  type StoredFiles,
  type TicketKeyRecord,
  type TicketRecord,
  type TokenRecord,
  type VoRecord,
  voOf,
  type WholeDag,
} from "../../model/index.ts";
import type { SiteScore } from "../site-selection/choice-row.ts";
import type { AccountChange, BalanceRecord } from "./accounts.ts";
import { type Arrays, letsGo } from "./arrays.ts";
import { type BookChange, emptyBooks, type RecordsInBooks, type StoredBooks } from "./books.ts";
import { type Dags, noDags } from "./dags.ts";
import { type Dependents, isFreeToStart, noDependents } from "./dependents.ts";
import { type FilesBook, type FilesChange, noFiles } from "./files-book.ts";
import { JobsInTurn } from "./jobs-in-turn.ts";
import type { PeerState } from "./peer-use.ts";
import { noPolicies, type PolicyBook, type PolicyVersion } from "./policy-book.ts";
import { noneReserved, type ReservationChange, type Reserved } from "./reserved.ts";
import type { SiteState } from "./site-state.ts";
import { noTickets, type TicketBook, type TicketChange } from "./ticket-book.ts";
import { noVos, type VoBook } from "./vo-book.ts";

/** Everything that is not over. Read it anywhere; change it with `apply` only. */
export interface Projection {
  /**
   * True while events are read from a log. Recorded starts then hold even where a queue would start other
   * jobs: restarts are not recorded, and the broker decided by queues of another age.
   */
  readonly isRecorded: boolean;
  readonly jobs: Map<string, JobRecord>;
  /** Declared delay costs by job id, in SU per hour; jobs that declare none are absent. */
  readonly declared: Map<string, number>;
  /** Expiry times of jobs that wait for a site, by job id; Unix ms. */
  readonly expiring: Map<string, number>;
  /** When jobs leave the queues of their sites unless they have begun, by job id; Unix ms. */
  readonly leaving: Map<string, number>;
  /** Sites in the order in which they were added. */
  readonly sites: Map<string, SiteState>;
  /** Jobs without a site that are to be given one, of each organisation in order of submission. */
  readonly unplaced: JobsInTurn;
  /** Jobs without a site that no site takes now: looked at again when a site opens. */
  readonly parked: Set<string>;
  /** Jobs that wait for other jobs. */
  readonly dependents: Dependents;
  /** Arrays of jobs that are not over. */
  readonly arrays: Arrays;
  /** DAGs that are not over. */
  readonly dags: Dags;
  /** Managed sites whose queue has changes that its machine has not processed yet. */
  readonly unsettled: Set<string>;
  /** All tokens that ever were, by id. */
  readonly tokens: Map<string, TokenRecord>;
  /** Offers and reservations that are not over. */
  readonly reserved: Reserved;
  /** The jobs of virtual reservations that are not over. */
  readonly virtual: Set<string>;
  /** The usage policies that hold, and those that will. */
  readonly policies: PolicyBook;
  /** Sites of other brokers that policies may name as providers, by the broker that applies them there. */
  readonly providers: Map<string, readonly string[]>;
  /** Dispatches of other brokers to clusters that this broker uses too. */
  readonly peers: Map<string, PeerState>;
  /** Placement settings of organisations. */
  readonly vos: VoBook;
  /** Files at sites of current and past jobs. */
  readonly files: FilesBook;
  /** Remaining amounts of tickets, and the trusted VO keys. */
  readonly tickets: TicketBook;
  /** Records of features that need nothing else of the state. */
  readonly books: RecordsInBooks;
  /** When somebody who contacts the broker repeatedly was last heard from, by `BOOK NAME`; not recorded. */
  readonly heardAtMs: Map<string, number>;
  /** Number of jobs accepted so far. */
  accepted: number;
}

/** A record that an event has changed, for the views. */
export type RecordChange =
  | { readonly kind: "job"; readonly record: JobRecord }
  /** Changed record of a job that is over; nothing else in the state depends on it. */
  | { readonly kind: "retiredJob"; readonly record: JobRecord }
  | { readonly kind: "token"; readonly record: TokenRecord }
  | { readonly kind: "site"; readonly record: SiteRecord }
  | { readonly kind: "siteGone"; readonly name: string }
  | { readonly kind: "policies"; readonly record: PolicyVersion }
  | { readonly kind: "peer"; readonly record: PeerRecord }
  | { readonly kind: "peerGone"; readonly name: string }
  | { readonly kind: "action"; readonly record: EnforcementRecord }
  | { readonly kind: "vo"; readonly record: VoRecord }
  | { readonly kind: "array"; readonly record: ArrayRecord }
  | { readonly kind: "dag"; readonly record: DagRecord }
  | { readonly kind: "dagNode"; readonly record: DagNodeRecord }
  | BookChange
  | FilesChange
  | TicketChange
  | ReservationChange
  | AccountChange;

/** A site as it is stored. */
export interface SiteRecord {
  readonly name: string;
  readonly spec: SiteSpec;
  /** 1, 2 … as they were added. */
  readonly order: number;
  readonly isDraining: boolean;
  /** True if the site's enforcer is paused. */
  readonly isPaused?: boolean;
  /** Changes of its own shares that were ordered and not taken back; none where absent. */
  readonly orderedShares?: readonly OrderedShareChange[];
  /** Score of the site's promises. */
  readonly score?: SiteScore;
  /** Statistics of the site's sold reservations; absent where there are none. */
  readonly sold?: ReservationUsage;
}

/** State as stored in the views; absent parts are empty. */
export interface StoredState extends StoredBooks {
  readonly sites?: readonly SiteRecord[];
  /** Jobs that are not over, in any order. */
  readonly jobs: readonly JobRecord[];
  /** Arrays that are not over, in any order. */
  readonly arrays?: readonly ArrayRecord[];
  /** DAGs that are not over, in any order, each with its nodes in their order. */
  readonly dags?: readonly WholeDag[];
  /** Number of jobs accepted so far. */
  readonly accepted: number;
  readonly tokens?: readonly TokenRecord[];
  /** Reservations and offers that hold something, in the order in which they were offered. */
  readonly reservations: readonly ReservationRecord[];
  /** Reservations and offers of the last week that are over. */
  readonly pastReservations: readonly ReservationRecord[];
  /** Number of offers made so far. */
  readonly offered: number;
  readonly balances?: readonly BalanceRecord[];
  /** All policy versions that were ever applied, in order. */
  readonly policies: readonly PolicyVersion[];
  /** Jobs that are over, but ran within the longest window of a policy that holds; in any order. */
  readonly pastJobs: readonly JobRecord[];
  /** Recent actions of enforcers, in order of time. */
  readonly actions: readonly EnforcementRecord[];
  /** Records of organisations, in any order. */
  readonly vos?: readonly VoRecord[];
  /** Last reports of other brokers, in any order. */
  readonly peers?: readonly PeerRecord[];
  /** Files at sites now or within the longest window of a policy in force, in any order. */
  readonly files: readonly StoredFiles[];
  /** All tickets that were ever presented, in any order; below it, all keys that were ever trusted. */
  readonly tickets?: readonly TicketRecord[];
  readonly ticketKeys?: readonly TicketKeyRecord[];
}

/** The state before the first event of a broker, or of a log that is read (`isRecorded`). */
export function createProjection({ isRecorded = false } = {}): Projection {
  return {
    isRecorded,
    jobs: new Map(),
    declared: new Map(),
    expiring: new Map(),
    leaving: new Map(),
    sites: new Map(),
    unplaced: new JobsInTurn(),
    parked: new Set(),
    dependents: noDependents(),
    arrays: new Map(),
    dags: noDags(),
    unsettled: new Set(),
    tokens: new Map(),
    reserved: noneReserved(),
    virtual: new Set(),
    policies: noPolicies(),
    providers: new Map(),
    peers: new Map(),
    vos: noVos(),
    files: noFiles(),
    tickets: noTickets(),
    books: emptyBooks(),
    heardAtMs: new Map(),
    accepted: 0,
  };
}

/**
 * Tries jobs that no site took once more, in order, since a site has opened or policies may name another one.
 */
export function tryParkedAgain({ parked, unplaced, jobs }: Projection): void {
  if (parked.size === 0) return;
  const again = [...parked, ...unplaced].flatMap((id) => jobs.get(id) ?? []);
  again.sort((a, b) => a.order - b.order);
  parked.clear();
  unplaced.clear();
  for (const job of again) addUnplaced(unplaced, job);
}

/** Marks a job as one to be given a site, unless it waits for other jobs or for its array's limit. */
export function toPlace({ unplaced, arrays }: Pick<Projection, "unplaced" | "arrays">, job: JobRecord): void {
  if (isFreeToStart(job) && letsGo(arrays, job)) addUnplaced(unplaced, job);
}

/** Marks a job as one to be given a site. */
export function addUnplaced(unplaced: JobsInTurn, { id, consumer }: JobRecord): void {
  unplaced.add(id, voOf(consumer));
}

/** The state of a site that an event names. */
export function siteOf(projection: Pick<Projection, "sites">, name: string): SiteState {
  const site = projection.sites.get(name);
  assert(site !== undefined, `an event is about a site that is known: ${name}`);
  return site;
}

/** The sites that policies may name: ours, and those elsewhere that are known. */
export function providerSites({
  sites,
  providers,
}: Pick<Projection, "sites" | "providers">): readonly string[] {
  return [...sites.keys(), ...[...providers.values()].flat()];
}
