/**
 * The client: everything that a program can ask of a broker.
 */
import type { JobVerb } from "../../model/index.ts";
import type { CoReservationCalls } from "./co-reservation-types.ts";
import type { PeerCalls } from "./peer-types.ts";
import type { PolicyCalls } from "./policy-types.ts";
import type { ReservationCalls } from "./reservation-types.ts";
import type { SiteQueueView } from "./site-queue-types.ts";
import type { SlotSetView } from "./slot-types.ts";
import type { TicketCalls } from "./ticket-types.ts";
import type {
  FileView,
  HypotheticalJob,
  JobFilter,
  JobList,
  JobSubmission,
  JobView,
  NewTokenView,
  ProspectView,
  ReadOptions,
  SiteRemovalView,
  SiteRequest,
  SiteSpecRequest,
  SiteTestView,
  SiteView,
  SiteWhyView,
  TokenRequest,
  TokenView,
  WhyView,
} from "./types.ts";
import type { UsageCalls } from "./usage-types.ts";
import type { VirtualReservationCalls } from "./virtual-reservation-types.ts";
import type { VoCalls } from "./vo-types.ts";

/**
 * A broker as a program sees it. Ids may be abbreviated while unique. Everything rejects with a
 * `Fault`: `serverUnreachable` (kind `unreachable`) where nobody answers, else what the server said.
 */
export interface StintClient
  extends ReservationCalls,
    CoReservationCalls,
    VirtualReservationCalls,
    PolicyCalls,
    TicketCalls,
    VoCalls,
    PeerCalls,
    UsageCalls {
  /** Submits all or, on the first refusal, tells which was refused; ids in the order of descriptions. */
  submit(
    descriptions: readonly JobSubmission[],
    options?: {
      readonly idempotencyKey?: string;
      /** The consumer whose jobs they are, where that is not the caller. */
      readonly for?: string;
    },
  ): Promise<string[]>;
  /** Where and when a job would start; nothing is submitted. */
  assess(thought: HypotheticalJob): Promise<readonly ProspectView[]>;
  job(id: string): Promise<JobView>;
  jobs(filter?: JobFilter): Promise<JobList>;
  act(id: string, verb: JobVerb): Promise<void>;
  why(id: string): Promise<WhyView>;
  /** Why a job of a cluster waits, by its id there. */
  whyThere(site: string, siteJob: string): Promise<SiteWhyView>;
  /** The queue of a cluster as the lines of a workload file. */
  queueThere(site: string): Promise<SiteQueueView>;
  /**
   * Tells of the job now and on every change; resolves with the final record. Reconnects when the
   * connection breaks; rejects when the server stays away, and at once when `signal` aborts.
   */
  watch(id: string, onChange: (job: JobView) => void, signal?: AbortSignal): Promise<JobView>;
  /** The file's bytes as they come. */
  readFile(id: string, name: string, options?: ReadOptions): AsyncIterable<Uint8Array>;
  files(id: string): Promise<readonly FileView[]>;
  /** Removes what a job that is over has left at its site; gives what is there still. */
  clearFiles(id: string): Promise<readonly FileView[]>;
  sites(): Promise<readonly SiteView[]>;
  site(name: string): Promise<SiteView>;
  /** The slots of one site. */
  slots(site: string): Promise<SlotSetView>;
  /** The slots of every site that the caller may see. */
  allSlots(): Promise<readonly SlotSetView[]>;
  /**
   * Tells of a site's slots now, after every change, and every minute; rejects as `watch` does, and when
   * `signal` aborts.
   */
  watchSlots(site: string, onChange: (slots: SlotSetView) => void, signal?: AbortSignal): Promise<void>;
  /** Adds a site; adding one that is there with the same spec is no mistake. */
  addSite(request: SiteRequest, options?: { readonly idempotencyKey?: string }): Promise<SiteView>;
  /** No new job goes there any more; gives the site as it then is. */
  drainSite(name: string): Promise<SiteView>;
  /** Jobs go there again. */
  reopenSite(name: string): Promise<SiteView>;
  /** Tries what works at a site; takes some seconds. */
  testSite(name: string): Promise<SiteTestView>;
  /** The same of a site that is not added. */
  testSiteSpec(spec: SiteSpecRequest): Promise<SiteTestView>;
  /** Removes a site at which no job is; with `clean` also what is ours there. Sent once. */
  removeSite(name: string, options?: { readonly clean?: boolean }): Promise<SiteRemovalView>;
  /** Makes a token; sent once, because its secret is said once. */
  createToken(request: TokenRequest): Promise<NewTokenView>;
  tokens(): Promise<readonly TokenView[]>;
  /** Gives the token as it then is. */
  revokeToken(id: string): Promise<TokenView>;
  /** Resolves when the broker answers. */
  health(): Promise<{ readonly status: "ok" }>;
  /** Closes idle connections. */
  close(): void;
}
