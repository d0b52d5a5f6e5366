/**
 * Operations of a running broker for other folders.
 *
 * Routes translate to these calls and decide nothing. Every promise resolves when its result is durable.
 */
import type { Result } from "../base/index.ts";
import type {
  AdStamp,
  Advertisement,
  Answer,
  AnswerTo,
  ChoiceRow,
  Condition,
  ObservedJob,
  PeerAtSite,
  PolicyVersion,
  ProvenPlan,
  QueryName,
  Question,
  ResponseAnswer,
  SiteUsage,
  ThoughtOfJob,
  Unfit,
  UnmetClause,
  WhenAnswer,
} from "../engine/index.ts";
import type {
  AccountLevel,
  ArrayRecord,
  Command,
  CompiledShares,
  EnforcementObstacle,
  Explanation,
  HostReport,
  JobRecord,
  LivePrice,
  PostingRecord,
  PresentedTicket,
  PriceCoReservation,
  Refusal,
  ReservationHindrance,
  ReservationRecord,
  ReservationState,
  ShareStep,
  SiteAccounts,
  SiteCheck,
  SiteQuote,
  SiteRemovalReport,
  SiteSelector,
  SiteSpec,
  SlotResource,
  WantedWhen,
} from "../model/index.ts";
import type { PolicyVerdict } from "../policy/index.ts";
import type { ClusterApi } from "./cluster-questions.ts";
import type { DagApi } from "./dag-questions.ts";
import type { ArrayPage, ArrayQuery, JobPage, JobQuery, JobReportQuery, JobSums } from "./job-questions.ts";
import type { RecordedPage } from "./log-questions.ts";
import type { ArchivedStretch, EventSearch } from "./logbook.ts";
import type {
  ActionPage,
  ActionQuery,
  ChangeSharesRequest,
  HostQuestion,
  HostView,
  ReadingsTaken,
  UsageHistory,
  UsageHistoryQuestion,
} from "./policy-questions.ts";
import type { SavedStateApi } from "./saved-states.ts";
import type { ScheduleQuestion, SiteSchedule } from "./schedule.ts";
import type { AppendedPart, FilePart } from "./site.ts";
import type { StreamApi } from "./stream-questions.ts";
import type { TicketApi } from "./ticket-questions.ts";
import type { Uploads } from "./uploads.ts";

/** A site as people see it. */
export interface SiteView {
  readonly name: string;
  readonly spec: SiteSpec;
  /** Of a foreign site by the last survey, including jobs of others. */
  readonly running: number;
  readonly waiting: number;
  readonly procsBusy: number;
  /** No new job goes there. */
  readonly isDraining: boolean;
  /** Of a foreign site: the instant of the last look at its queue; null before the first. */
  readonly seenAtMs: number | null;
  /** Age and lifetime of its ad; absent: unknown. */
  readonly ad?: AdStamp;
  /** Why the site cannot be reached or used, in one sentence; null for none. */
  readonly trouble: string | null;
  /** Response time; null without one so far. */
  readonly response: SiteResponse | null;
  /** Obstacles that keep its enforcer from applying the policies. */
  readonly obstacles?: readonly EnforcementObstacle[];
  /** Of a foreign site: what other brokers have sent there. */
  readonly peers?: readonly PeerAtSite[];
}

/** Last computed response time of a site: waits of a one-processor job. */
export interface SiteResponse extends ResponseAnswer {
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
}

/** A site that is to be removed. */
export interface RemoveSiteRequest {
  readonly site: string;
  readonly by: string;
  /** True to remove our files there, and the broker's record of the site, too. */
  readonly isClean: boolean;
}

/** A job that is only thought of. */
export interface ProspectQuestion {
  readonly job: ThoughtOfJob;
  /** Owner of the hypothetical job. */
  readonly owner: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** Latest acceptable start; null for any. */
  readonly deadlineMs: number | null;
  /** The consumer that it would count against; where absent no policy is asked. */
  readonly consumer?: string;
  /** Sites are recommended of which this is true; where absent all that would honour it. */
  readonly condition?: Condition;
  /** Which of them is taken; where absent the selector of the consumer's organisation, if it has one. */
  readonly selector?: SiteSelector;
  /** Sites that do not match the job, with the clauses that keep it from there; where absent all match. */
  readonly unmatched?: ReadonlyMap<string, readonly UnmetClause[]>;
  /** Queue that the job would name, by site; where absent, the site chooses. */
  readonly queues?: ReadonlyMap<string, string>;
  /** Preferred queues of the job, in order; at an observed site the first one that exists is used. */
  readonly preferredQueues?: readonly string[];
  /** Predicted transfer time of the input data, by site; absent: no input data. */
  readonly transferMs?: ReadonlyMap<string, number>;
}

/** Prospect of the job at a site. */
export interface Prospect {
  readonly site: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  /** False for a site that is only observed, or drained. */
  readonly takesJobs: boolean;
  /** Nothing runs there: it takes jobs that name it. */
  readonly imitates?: boolean;
  /** Why the site would never start it; null where it would. */
  readonly unfit: Unfit | null;
  /** Why the site cannot be asked, or its data are old, in one sentence. */
  readonly trouble: string | null;
  /** Predicted start; null where the site could not be asked, or would never start the job. */
  readonly when: WhenAnswer | null;
  /** Verdict of the site's usage policies; null where none applies. */
  readonly policy?: PolicyVerdict | null;
  /** Row of the choice table; absent without a consumer. */
  readonly choice?: Choice;
  /** Of a foreign site: what other brokers have sent there. */
  readonly peers?: readonly PeerAtSite[];
}

/** A site in the choice table, and what came of choosing. */
export interface Choice {
  readonly row: ChoiceRow;
  /** True for a site that admits the job, takes jobs, and meets the condition. */
  readonly isRecommended: boolean;
  /** True for the selector's choice. */
  readonly isChosen: boolean;
}

/** A slot that is wanted where none need be sold: a job that is submitted early enough to run then. */
export interface VirtualReservationQuestion {
  readonly procs: number;
  /** Total of the slot; 0 if none is requested. */
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  /** A whole second. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Owner of the reservation. */
  readonly owner: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** From 0 to 1: submitted at the last moment that is so sure; null: at the surest. */
  readonly enough: number | null;
}

/** Quote of one site. */
export interface VirtualReservationQuote {
  readonly site: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  readonly takesJobs: boolean;
  /** Why the site would never start its job; null where it would. */
  readonly unfit: Unfit | null;
  /** Why the site cannot be asked, or its data are old, in one sentence. */
  readonly trouble: string | null;
  /** The site's rule in the way. */
  readonly hindrance: ReservationHindrance | null;
  /** Where too little is known of past starts: how many are known of how many that are needed. */
  readonly noRecord: { readonly settled: number; readonly needed: number } | null;
  /** Null where another field has the reason. */
  readonly plan: ProvenPlan | null;
}

/** Request for the price of a slot, at one site or several. */
export interface QuoteQuestion {
  readonly procs: number;
  /** Total of the slot; 0 if none is requested. */
  readonly memoryBytes: number;
  /** In all; absent: none. */
  readonly gpus?: number;
  /** A part of a store or link instead; then there are no processors, and sites that have it answer. */
  readonly resource?: SlotResource;
  readonly durationMs: number;
  readonly when: WantedWhen;
  /** Consumer that would pay. */
  readonly consumer: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** The ticket that it is wanted under. */
  readonly ticket?: PresentedTicket;
}

/** Request for slots at several sites at the same time, all or none. */
export interface CoReservationQuestion extends Pick<QuoteQuestion, "durationMs" | "when" | "consumer"> {
  /** At different sites, or of different stores and links. */
  readonly parts: readonly (Pick<QuoteQuestion, "procs" | "memoryBytes" | "gpus" | "resource" | "ticket"> & {
    readonly site: string;
  })[];
}

/** Which reservations to list; all conditions hold. */
export interface ReservationQuery extends Pick<ObservedJob, "of"> {
  readonly states?: readonly ReservationState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** Where the last page ended. */
  readonly after?: string;
  /** 1 … 1000, default 100; newest first. */
  readonly limit?: number;
}

/** One page of reservations. */
export interface ReservationPage {
  readonly items: readonly ReservationRecord[];
  readonly next: string | undefined;
}

/** Accounts of a consumer. */
export interface AccountView {
  readonly consumer: string;
  /** At every site (or the one asked for), each level of the path, from the top. */
  readonly levels: readonly AccountLevel[];
  readonly sites: readonly SiteAccounts[];
  /** The newest postings to this consumer or below it, newest first; at most 100. */
  readonly postings: readonly PostingRecord[];
}

/** Arguments of a query: none for a query without a question. */
type Asked<Name extends QueryName> = undefined extends Question<Name> ? [] : [question: Question<Name>];

/** A running broker. */
export interface BrokerApi extends ClusterApi, TicketApi, DagApi, StreamApi, SavedStateApi {
  readonly uploads: Uploads;
  /** Asks for something; resolves with what was done when it is recorded for good, or with why not. */
  ask(command: Command): Promise<Answer>;
  /** Asks the state of the broker, as it is now. */
  query<Name extends QueryName>(name: Name, ...question: Asked<Name>): AnswerTo<Name>;
  /** One job, whether it has ended or not. */
  job(id: string): Promise<JobRecord | undefined>;
  /** One array of jobs, whether it has ended or not. */
  array(id: string): Promise<ArrayRecord | undefined>;
  arrays(query: ArrayQuery): Promise<ArrayPage>;
  arraysBeginning(prefix: string, limit: number, among?: ObservedJob): Promise<readonly string[]>;
  /** Ids that begin so, of jobs in no array; at most `limit`, to tell whether an abbreviation is unique. */
  idsBeginning(prefix: string, limit: number, among?: ObservedJob): Promise<readonly string[]>;
  jobs(query: JobQuery): Promise<JobPage>;
  /** Sums of jobs by groups, in the order of their keys. @throws Fault `reportTooLarge` */
  reportJobs(query: JobReportQuery): Promise<readonly JobSums[]>;
  events(search: EventSearch): Promise<RecordedPage>;
  /** Archived stretches of the log, oldest first. */
  archives(): Promise<readonly ArchivedStretch[]>;
  explain(id: string): Promise<Explanation | undefined>;
  /** Where and when a job could start that is only thought of; nothing is recorded. */
  assess(question: ProspectQuestion): Promise<readonly Prospect[]>;
  sites(): readonly SiteView[];
  /**
   * Renews old response times of sites (by default of all); waits at most a second, for those that are
   * missing or very old.
   */
  refreshResponseTimes(sites?: readonly string[]): Promise<void>;
  /**
   * Tries what will work at a site, by its name or, before it is added, by its spec; changes nothing.
   * Undefined where there is no such site.
   *
   * @throws Fault where the spec cannot be right
   */
  testSite(which: string | SiteSpec): Promise<readonly SiteCheck[] | undefined>;
  /**
   * Removes a site without jobs of ours; reports what was removed, and what remains where.
   *
   * @throws Fault where something was to go and cannot: the site is then still there
   */
  removeSite(request: RemoveSiteRequest): Promise<Result<SiteRemovalReport, Refusal>>;
  /** The slots of a site as they are now, advisory; undefined where there is no such site. */
  slots(site: string): Promise<Advertisement | undefined>;
  /** Ended, running and waiting jobs, and reservations, of a site; undefined for an unknown site. */
  schedule(question: ScheduleQuestion): Promise<SiteSchedule | undefined>;
  /** Price of a slot at sites as they are now; nothing is reserved and nothing recorded. */
  quote(question: QuoteQuestion): Promise<readonly SiteQuote[]>;
  /**
   * Starts at which all of several slots are possible; nothing is reserved and nothing recorded. Empty also
   * where one of the sites is unknown, or cannot be asked.
   */
  quoteCoReservation(question: CoReservationQuestion): Promise<readonly PriceCoReservation[]>;
  /** Virtual reservations as they could be made now; nothing is recorded. */
  quoteVirtualReservation(question: VirtualReservationQuestion): Promise<readonly VirtualReservationQuote[]>;
  reservation(id: string): Promise<ReservationRecord | undefined>;
  reservations(query: ReservationQuery): Promise<ReservationPage>;
  /** Price of extending a reservation; undefined for an unknown or ended one. */
  quoteExtension(reservation: string, moreMs: number): Promise<LivePrice | undefined>;
  account(consumer: string, site?: string): Promise<AccountView>;
  /** A grant, a charge or a refund, however long ago. */
  posting(id: string): Promise<PostingRecord | undefined>;
  /** All versions that were ever applied, newest first. */
  policyVersions(): Promise<readonly PolicyVersion[]>;
  /** Actions of enforcers, carried out or not. */
  actions(query: ActionQuery): Promise<ActionPage>;
  /**
   * The policies in force at a cluster in the words of its batch system, and the differences to its settings;
   * undefined for an unknown site, `notACluster` where it has no shares.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  compiledShares(site: string): Promise<CompiledShares | "notACluster" | undefined>;
  /**
   * Changes the cluster's own shares to the policies in force, or reverts such changes; reports each change,
   * and stops at the first failure.
   *
   * @throws Fault `compileNotGranted` before anything is done; where the cluster cannot be looked at
   */
  changeShares(request: ChangeSharesRequest): Promise<Result<readonly ShareStep[], Refusal> | "notACluster">;
  /** Use by consumers at a site, against their limits; undefined for an unknown site. */
  usage(site: string): SiteUsage | undefined;
  /** Use over a period; undefined for an unknown site. */
  usageHistory(question: UsageHistoryQuestion): Promise<UsageHistory | undefined>;
  /** Readings of sensors on hosts; undefined for an unknown site. */
  hosts(question: HostQuestion): Promise<readonly HostView[] | undefined>;
  /** Takes what a sensor saw, each reading once; undefined where there is no such site. */
  takeReadings(report: HostReport): Promise<ReadingsTaken | undefined>;
  /** Bytes of a file of a workflow, by its name; undefined where the broker has no copy of it. */
  readWorkflowFile(workflow: string, name: string): AsyncIterable<Uint8Array> | undefined;
  /** A part of a file in the job's directory at its site; undefined where there is none (yet). */
  readFile(
    id: string,
    part: {
      readonly name: string;
      readonly fromByte: number;
      /** Perhaps fewer come at once, as the site's network policies have it; 0: only how large it is. */
      readonly maxBytes: number;
      /** The reader is gone: it rejects. */
      readonly signal?: AbortSignal;
    },
  ): Promise<FilePart | undefined>;
  /**
   * Appends to a file in the job's directory, as `SiteFiles.appendFile`; `unable` where its site cannot.
   *
   * @returns the file's size then; undefined where there is no such file (yet)
   */
  appendFile(id: string, name: string, part: AppendedPart): Promise<number | "unable" | undefined>;
  /** Removes what a job that is over has left at its site. */
  clearFiles(id: string, by: string): Promise<Answer>;
  /** Removes the files of an ended job, and marks it as PURGED. */
  purgeJob(id: string, by: string): Promise<Answer>;
  /** The files of a job at its site, within `LISTING_LIMITS`. */
  listFiles(id: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  /** Calls back with every changed job record, once durable; returns a function that ends this. */
  onJobChange(listener: (record: JobRecord) => void): () => void;
}
