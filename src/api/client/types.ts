/**
 * What a program sees of a broker through the client: jobs, lists, explanations, as the API writes them.
 *
 * These shapes are the JSON of `/api/v1` and of `stint … -o json`; they are stable: only ever added.
 */
import type { Assumption, ClusterExplanation, Unfit } from "../../engine/index.ts";
import type {
  Explanation,
  JobDescription,
  JobState,
  JobVerb,
  ReservationRules,
  Role,
  Scope,
  SimulatedBackground,
  SimulatedDelays,
  SimulatedLosses,
  SimulatedSiteSpec,
  SiteSpec,
  SlurmSiteSpec,
} from "../../model/index.ts";
import type { Score, StartMethod } from "../../predict/index.ts";
import type { PricedStartView, ReservationCalls } from "./reservation-types.ts";
import type { TogetherCalls } from "./together-types.ts";

/** A job for people and scripts. Instants are ISO 8601 in UTC; `null` where there is nothing (yet). */
export interface JobView {
  readonly id: string;
  readonly state: JobState;
  readonly result: "ok" | "failed" | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether it ran into its time limit. */
  readonly timeLimit: boolean;
  readonly site: string | null;
  /** The reservation it runs in. */
  readonly reservation: string | null;
  /** A foreign site's own id for the present attempt. */
  readonly siteJob: string | null;
  readonly attempt: number;
  readonly consumer: string;
  readonly owner: string;
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly cpuNumber: number;
  readonly memoryBytes: number | null;
  /** The time limit it asked for; null: the site's default. */
  readonly wallTimeSec: number | null;
  readonly userTags: Readonly<Record<string, string>>;
  /** File names in the job's directory: its two streams, and what it wants home. */
  readonly stdOutput: string;
  readonly stdError: string;
  readonly outputSandbox: readonly string[];
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly cpuSec: number | null;
  /** Why it was ABORTED, in one sentence. */
  readonly reason: string | null;
}

/** One page of jobs, newest first. */
export interface JobList {
  readonly items: readonly JobView[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** Which jobs to list; all conditions hold. */
export interface JobFilter {
  readonly states?: readonly JobState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** Submitted at or after: Unix ms. */
  readonly sinceMs?: number;
  /** 1 … 1000, default 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
}

/**
 * A description as it is submitted: what is not said has the defaults of `JOB_DEFAULTS`. Input
 * sandbox paths are absolute.
 */
export type JobSubmission = Pick<JobDescription, "executable"> & Partial<JobDescription>;

/** A job that is only thought of: what is not said has the defaults. */
export interface JobThought extends Partial<JobDescription> {
  /** These sites alone; all where absent. */
  readonly sites?: readonly string[];
  /** Of clusters; the usual one where absent. */
  readonly partition?: string;
  /** ISO 8601: it is to start by then. */
  readonly deadline?: string;
}

/** What one method says of a start, with its record. */
export interface ForecastView {
  readonly method: StartMethod;
  /** "It starts within `waitMs` with this probability." */
  readonly promises: readonly {
    readonly probability: number;
    readonly waitMs: number;
    readonly startAt: string;
  }[];
  readonly score: Pick<Score, "of" | "kept" | "medianErrorMs">;
  readonly hasBeenWrong: boolean;
  readonly assumptions: readonly Assumption[];
}

/** What a site could do for a job that is only thought of. */
export interface ProspectView {
  readonly site: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  /** Whether jobs are submitted there now. */
  readonly takesJobs: boolean;
  /** Null: the site could not be asked. */
  readonly fits: boolean | null;
  /** Why it would never start there, with the facts beside `text`. */
  readonly refusal: (Unfit & { readonly text: string }) | null;
  /** What keeps the site from being asked or from being up to date. */
  readonly trouble: string | null;
  /** By the method that was best there; null where nothing can be said. */
  readonly forecast: ForecastView | null;
  readonly otherMethods: readonly ForecastView[];
  /** Where no method has a record: how many forecasts came true or not, and how many are needed. */
  readonly noRecord: { readonly settled: number; readonly needed: number } | null;
  /** That it starts by the deadline: at least so likely; null without one. */
  readonly probabilityByDeadline: number | null;
  /** What a reservation would cost at the start that is as likely as not; null where it is not to be had. */
  readonly slot: PricedStartView | null;
  /** How many submissions were learnt from, of the site's past and since. */
  readonly learnt: { readonly past: number; readonly live: number } | null;
}

/** The answer to "why", also in words. */
export interface WhyView extends Explanation {
  /** The explanation in sentences, in the order in which to print them. */
  readonly lines: readonly string[];
}

/** The answer to "why" for a job of a cluster, also in words. */
export interface SiteWhyView extends Omit<ClusterExplanation, "atMs"> {
  readonly site: string;
  /** Of which instant it is true. */
  readonly at: string;
  readonly lines: readonly string[];
}

/** A file of a job at its site. */
export interface FileView {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A site with its load; of a foreign site as it was when it was last seen, others' jobs included. */
export interface SiteView {
  readonly name: string;
  readonly spec: SiteSpec;
  /** `trouble` where there is any, else whether it takes new jobs. */
  readonly state: "open" | "draining" | "read-only" | "trouble";
  readonly running: number;
  readonly waiting: number;
  readonly procsBusy: number;
  /** Whether no new job goes there. */
  readonly draining: boolean;
  /** When a foreign site was last seen; null for this machine, and before the first look. */
  readonly seenAt: string | null;
  /** What keeps it from being reached or used, in one sentence. */
  readonly trouble: string | null;
}

/** What a new site is to be. */
export type SiteSpecWish = SimulatedSiteWish | SlurmSiteWish;

/** A cluster under Slurm; everything but `type` may be left out: how large it is it says itself. */
export type SlurmSiteWish = Pick<SlurmSiteSpec, "type"> &
  Partial<Omit<SlurmSiteSpec, "reservations">> &
  ReservingWish;

/** Who may reserve at it: what is left out has the careful defaults. */
interface ReservingWish {
  readonly reservations?: Partial<ReservationRules>;
}

/** A cluster that is played; everything but `type` and `procs` may be left out. */
export type SimulatedSiteWish = Pick<SimulatedSiteSpec, "procs"> &
  Partial<Omit<SimulatedSiteSpec, "type" | "background" | "delays" | "losses" | "reservations">> &
  ReservingWish & {
    /** `managed` is refused: this machine is named in the broker's configuration. */
    readonly type: Exclude<SiteSpec["type"], "slurm">;
    readonly background?: (Pick<SimulatedBackground, "trace"> & Partial<SimulatedBackground>) | null;
    readonly delays?: Partial<SimulatedDelays>;
    readonly losses?: Partial<SimulatedLosses>;
  };

/** A site that is wished for. */
export interface SiteWish {
  /** Up to 63 letters, digits and `.` `_` `-`. */
  readonly name: string;
  readonly spec: SiteSpecWish;
}

/** A token, without its secret. */
export interface TokenView {
  readonly id: string;
  readonly state: "valid" | "expired" | "revoked";
  readonly role: Role;
  readonly consumer: string;
  /** Of a site admin. */
  readonly site: string | null;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

/** A new token: `token` is all of it, and is never said again. */
export interface NewTokenView extends TokenView {
  readonly token: string;
}

/** One thing that was tried at a site. */
export interface SiteCheckView {
  readonly what: string;
  /** Null where it cannot be told. */
  readonly works: boolean | null;
  /** Whether the site as it is configured takes it. */
  readonly needed: boolean;
  readonly why: string;
  /** What to do, or which right would change it. */
  readonly remedy: string | null;
}

/** What works at a site and what does not. */
export interface SiteTestView {
  readonly checks: readonly SiteCheckView[];
}

/** What went with a site, and what stays where; a sentence each. */
export interface SiteRemovalView {
  readonly name: string;
  readonly removed: readonly string[];
  readonly left: readonly string[];
}

/** A free rectangle of a site. */
export interface SlotView {
  readonly start: string;
  readonly procs: number;
  readonly durationSec: number;
  readonly divisible: boolean;
  readonly extensible: boolean;
}

/** What a site's whole queue leaves free; advisory. */
export interface SlotSetView {
  readonly site: string;
  /** Grows when the set has changed, not when time has passed. */
  readonly sequence: number;
  readonly at: string;
  readonly slots: readonly SlotView[];
}

/** What a token is wished to be. */
export interface TokenWish {
  readonly role: Role;
  /** `vo/group/user`; the caller's own where absent. */
  readonly consumer?: string;
  /** The site of a site admin. */
  readonly site?: string;
  /** All where absent. */
  readonly scopes?: readonly Scope[];
  readonly label?: string;
  /** ISO 8601; in 30 days where absent. */
  readonly expiresAt?: string;
}

/** Which part of a file to read. */
export interface ReadOptions {
  /** From this byte on; default 0. */
  readonly from?: number;
  /** Wait for more until the job is over and all of it has been sent. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * A broker as a program sees it. Ids may be abbreviated while unique. Everything rejects with a
 * `Fault`: `serverUnreachable` (kind `unreachable`) where nobody answers, else what the server said.
 */
export interface StintClient extends ReservationCalls, TogetherCalls {
  /** Submits all or, on the first refusal, tells which was refused; ids in the order of descriptions. */
  submit(
    descriptions: readonly JobSubmission[],
    options?: { readonly idempotencyKey?: string },
  ): Promise<string[]>;
  /** Where and when a job would start; nothing is submitted. */
  assess(thought: JobThought): Promise<readonly ProspectView[]>;
  job(id: string): Promise<JobView>;
  jobs(filter?: JobFilter): Promise<JobList>;
  act(id: string, verb: JobVerb): Promise<void>;
  why(id: string): Promise<WhyView>;
  /** Why a job of a cluster waits, by its id there. */
  whyThere(site: string, siteJob: string): Promise<SiteWhyView>;
  /**
   * Tells of the job now and on every change; resolves with the final record. Reconnects when the
   * connection breaks; rejects when the server stays away, and at once when `signal` aborts.
   */
  watch(id: string, onChange: (job: JobView) => void, signal?: AbortSignal): Promise<JobView>;
  /** The file's bytes as they come. */
  readFile(id: string, name: string, options?: ReadOptions): AsyncIterable<Uint8Array>;
  files(id: string): Promise<readonly FileView[]>;
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
  addSite(wish: SiteWish, options?: { readonly idempotencyKey?: string }): Promise<SiteView>;
  /** No new job goes there any more; gives the site as it then is. */
  drainSite(name: string): Promise<SiteView>;
  /** Jobs go there again. */
  reopenSite(name: string): Promise<SiteView>;
  /** Tries what works at a site; takes some seconds. */
  testSite(name: string): Promise<SiteTestView>;
  /** The same of a site that is not added. */
  testSiteSpec(spec: SiteSpecWish): Promise<SiteTestView>;
  /** Removes a site at which no job is; with `clean` also what is ours there. Sent once. */
  removeSite(name: string, options?: { readonly clean?: boolean }): Promise<SiteRemovalView>;
  /** Makes a token; sent once, because its secret is said once. */
  createToken(wish: TokenWish): Promise<NewTokenView>;
  tokens(): Promise<readonly TokenView[]>;
  /** Gives the token as it then is. */
  revokeToken(id: string): Promise<TokenView>;
  /** Resolves when the broker answers. */
  health(): Promise<{ readonly status: "ok" }>;
  /** Closes idle connections. */
  close(): void;
}

/** Where a broker is: its Unix domain socket, or its URL; without a token only its owner is let in. */
export type BrokerPlace =
  | { readonly socketPath: string; readonly token?: string }
  /** `http://` of this machine: tokens do not go over a network in the clear. */
  | { readonly url: string; readonly token: string };

/** How to reach a broker. */
export type ClientOptions = BrokerPlace & {
  /** How long `watch` goes on trying to reach a server that went away; default 30 s. */
  readonly patienceMs?: number;
};
