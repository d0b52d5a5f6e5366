/**
 * What a program sees of a broker through the client: jobs, lists, explanations, as the API writes them.
 *
 * These shapes are the JSON of `/api/v1` and of `stint … -o json`; they are stable: only ever added.
 */
import type { Assumption, ClusterExplanation, Unfit } from "../../engine/index.ts";
import type {
  EnforcementRules,
  Explanation,
  JobDescription,
  JobState,
  ReservationRules,
  Role,
  Scope,
  SimulatedBackground,
  SimulatedDelays,
  SimulatedLosses,
  SimulatedSiteSpec,
  SiteSelector,
  SiteSpec,
  SlurmSiteSpec,
} from "../../model/index.ts";
import type { Score, StartMethod } from "../../predict/index.ts";
import type { PeerAtSiteView } from "./peer-types.ts";
import type { PricedStartView } from "./reservation-types.ts";

/** What is known of a start before any method has a record of such forecasts. */
export interface UnrecordedView {
  readonly settled: number;
  readonly needed: number;
  /** By the site's schedule; null where it says nothing. */
  readonly scheduled: {
    readonly waitMs: number;
    readonly startAt: string;
    readonly assumptions: readonly string[];
  } | null;
}

/** A job for people and scripts. Instants are ISO 8601 in UTC; `null` where there is nothing (yet). */
export interface JobView {
  readonly id: string;
  readonly state: JobState;
  readonly result: "ok" | "failed" | "imitated" | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether it ran into its time limit. */
  readonly timeLimit: boolean;
  readonly site: string | null;
  /** The reservation it runs in. */
  readonly reservation: string | null;
  /** The ticket that it was taken under, `vo/id`; absent where there is none. */
  readonly ticket?: string;
  /** Of a virtual reservation: it is submitted, and begins, at these instants. */
  readonly virtual: VirtualReservationJobView | null;
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
  /** What an hour of delay costs it, as it has declared; null: its processors. */
  readonly delayCostSuPerHour: number | null;
  readonly userTags: Readonly<Record<string, string>>;
  /** File names in the job's directory: its two streams, and what it wants home. */
  readonly stdOutput: string;
  readonly stdError: string;
  readonly outputSandbox: readonly string[];
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** For how long it has run and stopped running: suspended time does not count. */
  readonly ranSec: number;
  /** Since when it has been running; null while it does not. */
  readonly runningSince: string | null;
  readonly cpuSec: number | null;
  /** Why it was ABORTED, or CANCELLED without anybody asking for it, in one sentence. */
  readonly reason: string | null;
}

/** What a job keeps of its virtual reservation. */
export interface VirtualReservationJobView {
  readonly startAt: string;
  readonly durationSec: number;
  readonly submitAt: string;
  /** As it was predicted when it was made. */
  readonly probability: number;
  readonly besides: string | null;
  /** What it holds, or held, idle until its start; 0 before it has its processors. */
  readonly idleSu: number;
  readonly idleProcMs: number;
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
export interface HypotheticalJob extends Partial<JobDescription> {
  /** These sites alone; all where absent. */
  readonly sites?: readonly string[];
  /** Of clusters; the usual one where absent. */
  readonly partition?: string;
  /** ISO 8601: it is to start by then. */
  readonly deadline?: string;
  /** A ClassAd expression over the rows: sites are recommended of which it is true. */
  readonly condition?: string;
  /** Which of those that are recommended is taken. */
  readonly select?: SiteSelector;
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
  /** What other brokers have sent there; absent where there is none. */
  readonly peers?: readonly PeerAtSiteView[];
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  /** Whether jobs are submitted there now. */
  readonly takesJobs: boolean;
  /** Nothing runs there: it takes only jobs that name it, and lets them take time. */
  readonly imitates?: boolean;
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
  readonly noRecord: UnrecordedView | null;
  /** That it starts by the deadline: at least so likely; null without one. */
  readonly probabilityByDeadline: number | null;
  /** What a reservation would cost at the start that is as likely as not; null where it is not to be had. */
  readonly slot: PricedStartView | null;
  /** How many submissions were learnt from, of the site's past and since. */
  readonly learnt: { readonly past: number; readonly live: number } | null;
  /** What the usage policies of the site say; absent where none concerns it. */
  readonly policy?: {
    readonly when: "now" | "later" | "never";
    /** Which limit speaks against it, and of which consumer. */
    readonly limit: string | null;
    readonly level: string | null;
    readonly text: string;
  };
  /** Its row of the choice table. */
  readonly choice?: ChoiceView;
}

/** A site's row of the choice table. */
export interface ChoiceView {
  /** Whether the job would be honoured there. */
  readonly honoured: "now" | "later" | "never";
  /** What speaks against it, whose limit it is, and by which policy. */
  readonly limit: string | null;
  readonly level: string | null;
  readonly policy: {
    readonly resource: string;
    readonly provider: string;
    readonly consumer: string;
  } | null;
  /** What the job costs there if it uses its whole limit. */
  readonly priceSu: number | null;
  /** In use or asked for, as a part of the site; above 1 where jobs queue. */
  readonly usedShare: number;
  readonly freeProcs: number;
  /** How often the site did as its row said, of so many placements that were followed. */
  readonly honouredRate: number | null;
  readonly followed: number;
  readonly isRecommended: boolean;
  /** The selector takes it; of no site where none was named and the organisation has none. */
  readonly isChosen: boolean;
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
  /** What keeps its enforcer from acting as the policies ask for; absent where nothing does. */
  readonly cannotAct?: string;
  /** How soon it serves; null where nothing was said of that yet. */
  readonly responseTimes: ResponseTimesView | null;
  /** What other brokers have sent there; absent where there is none. */
  readonly peers?: readonly PeerAtSiteView[];
}

/** How soon a site serves, as it was last said: the waits of a job of one processor. */
export interface ResponseTimesView {
  /** Of which instant it is true. */
  readonly at: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  /** The mean of many simulated starts, else the start by schedule; null where neither says it. */
  readonly estimated: ResponseTimeView | null;
  /** Within it the job starts with a probability of 0.95; null where nothing says it. */
  readonly worst: ResponseTimeView | null;
}

/** A response time, the method that says it, and how often that was right here. */
export interface ResponseTimeView {
  readonly waitMs: number;
  readonly method: StartMethod;
  /** Null: the method has no record here yet. */
  readonly score: Pick<Score, "of" | "kept" | "medianErrorMs"> | null;
}

/** What a new site is to be. */
export type SiteSpecRequest = SimulatedSiteRequest | SlurmSiteRequest;

/** A cluster under Slurm; everything but `type` may be left out: how large it is it says itself. */
export type SlurmSiteRequest = Pick<SlurmSiteSpec, "type"> &
  Partial<Omit<SlurmSiteSpec, keyof RulesRequest>> &
  RulesRequest;

/** Who may reserve at it, and how far policies are enforced: what is left out has the careful defaults. */
interface RulesRequest {
  readonly reservations?: Partial<ReservationRules>;
  readonly enforcement?: Partial<EnforcementRules>;
}

/** A cluster that is played; everything but `type` and `procs` may be left out. */
export type SimulatedSiteRequest = Pick<SimulatedSiteSpec, "procs"> &
  Partial<Omit<SimulatedSiteSpec, "type" | "background" | "delays" | "losses" | keyof RulesRequest>> &
  RulesRequest & {
    /** `managed` is refused: this machine is named in the broker's configuration. */
    readonly type: Exclude<SiteSpec["type"], "slurm">;
    readonly background?: (Pick<SimulatedBackground, "trace"> & Partial<SimulatedBackground>) | null;
    readonly delays?: Partial<SimulatedDelays>;
    readonly losses?: Partial<SimulatedLosses>;
  };

/** A site that is requested. */
export interface SiteRequest {
  /** Up to 63 letters, digits and `.` `_` `-`. */
  readonly name: string;
  readonly spec: SiteSpecRequest;
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

/** What a token is requested to be. */
export interface TokenRequest {
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

/** Where a broker is: its Unix domain socket, or its URL; without a token only its owner is let in. */
export type BrokerPlace =
  | { readonly socketPath: string; readonly token?: string }
  /**
   * `https://`, or `http://` of this machine: tokens do not go over a network in the clear. `ca` has the
   * certificates in PEM by which the server is known, instead of the system's.
   */
  | { readonly url: string; readonly token: string; readonly ca?: string };

/** How to reach a broker. */
export type ClientOptions = BrokerPlace & {
  /** How long `watch` goes on trying to reach a server that went away; default 30 s. */
  readonly patienceMs?: number;
};
