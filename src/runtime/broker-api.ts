/**
 * What the rest of the house may ask of a running broker.
 *
 * Routes translate to these calls and decide nothing. Every promise resolves when what it says is
 * durable.
 */

import type { Result } from "../base/index.ts";
import type {
  Advertisement,
  Answer,
  AnswerTo,
  ChoiceRow,
  ClusterExplanation,
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
  WhenAnswer,
} from "../engine/index.ts";
import type {
  AccountLevel,
  Command,
  CompiledShares,
  EnforcementObstacle,
  Explanation,
  HiddenPart,
  HostReport,
  JobRecord,
  JobState,
  LivePrice,
  LiveQueue,
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
import type { FilePart } from "./site.ts";
import type { TicketApi } from "./ticket-questions.ts";

/** Which jobs to list; all conditions hold. */
export interface JobQuery {
  readonly states?: readonly JobState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** Submitted at or after this instant. */
  readonly sinceMs?: number;
  /** Where the last page ended. */
  readonly after?: string;
  /** 1 … 1000, default 100; newest first. */
  readonly limit?: number;
}

/** One page of jobs. */
export interface JobPage {
  readonly items: readonly JobRecord[];
  readonly next: string | undefined;
}

/** A site as people see it. */
export interface SiteView {
  readonly name: string;
  readonly spec: SiteSpec;
  /** Of a foreign site as it was when it was last seen, others' jobs included. */
  readonly running: number;
  readonly waiting: number;
  readonly procsBusy: number;
  /** No new job goes there. */
  readonly isDraining: boolean;
  /** Of a foreign site: the instant of the last look at its queue; null before the first. */
  readonly seenAtMs: number | null;
  /** What keeps the site from being reached or used, in one sentence; null where nothing does. */
  readonly trouble: string | null;
  /** How soon it serves; null where nothing was said of that yet. */
  readonly response: SiteResponse | null;
  /** What keeps its enforcer from acting as the policies ask for. */
  readonly obstacles?: readonly EnforcementObstacle[];
  /** Of a foreign site: what other brokers have sent there. */
  readonly peers?: readonly PeerAtSite[];
}

/** How soon a site serves, as it was last said: the waits of a one-processor job. */
export interface SiteResponse extends ResponseAnswer {
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
}

/** The queue of a cluster as it is now. */
export interface ThereQueued {
  readonly queue: LiveQueue;
  /** What the look does not show. */
  readonly hidden: readonly HiddenPart[];
  /** Whether the cluster hides jobs of others from its users. */
  readonly areJobsPrivate: boolean;
}

/** Why a job waits at a cluster. */
export interface ThereExplained {
  /** Undefined where the cluster does not show such a job. */
  readonly explanation: ClusterExplanation | undefined;
  /** Whether the cluster hides users' jobs from each other. */
  readonly areJobsPrivate: boolean;
  /** By the broker's books, or the consumer of its account and user there; absent where nobody tells. */
  readonly whose?: { readonly owner: string; readonly consumer: string };
}

/** A site that is to be removed. */
export interface RemoveSiteRequest {
  readonly site: string;
  readonly by: string;
  /** Whether what is ours there, and the broker's record of it, goes too. */
  readonly isClean: boolean;
}

/** A job that is only thought of. */
export interface ProspectQuestion {
  readonly job: ThoughtOfJob;
  /** Whose it would be. */
  readonly owner: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** It is to start by then; null: nobody minds. */
  readonly deadlineMs: number | null;
  /** The consumer that it would count against; where absent no policy is asked. */
  readonly consumer?: string;
  /** Sites are recommended of which this is true; where absent all that would honour it. */
  readonly condition?: Condition;
  /** Which of them is taken; where absent the selector of the consumer's organisation, if it has one. */
  readonly selector?: SiteSelector;
}

/** What a site could do for it. */
export interface Prospect {
  readonly site: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  /** Whether jobs are submitted there now; one that is only looked at, or drained, takes none. */
  readonly takesJobs: boolean;
  /** Nothing runs there: it takes jobs that name it. */
  readonly imitates?: boolean;
  /** Why the site would never start it; null where it would. */
  readonly unfit: Unfit | null;
  /** What keeps the site from being asked, or from being up to date, in one sentence. */
  readonly trouble: string | null;
  /** When it would start; null where the site could not be asked, or would never start it. */
  readonly when: WhenAnswer | null;
  /** What the usage policies of the site say; null where none concerns it. */
  readonly policy?: PolicyVerdict | null;
  /** Its row of the choice table; absent where no consumer was named. */
  readonly choice?: Choice;
  /** Of a foreign site: what other brokers have sent there. */
  readonly peers?: readonly PeerAtSite[];
}

/** A site in the choice table, and what came of choosing. */
export interface Choice {
  readonly row: ChoiceRow;
  /** It would honour the job, takes jobs, and meets the condition. */
  readonly isRecommended: boolean;
  /** It is the one that the selector takes. */
  readonly isChosen: boolean;
}

/** A slot that is wanted where none need be sold: a job that is submitted early enough to run then. */
export interface VirtualReservationQuestion {
  readonly procs: number;
  /** In all; 0 where none is asked for. */
  readonly memoryBytes: number;
  /** A whole second. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Whose it would be. */
  readonly owner: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** From 0 to 1: submitted at the last moment that is so sure; null: at the surest. */
  readonly enough: number | null;
}

/** What a site could do for it. */
export interface VirtualReservationQuote {
  readonly site: string;
  /** Of a cluster: the partition that was asked. */
  readonly partition: string | null;
  readonly takesJobs: boolean;
  /** Why the site would never start its job; null where it would. */
  readonly unfit: Unfit | null;
  /** What keeps the site from being asked, or from being up to date, in one sentence. */
  readonly trouble: string | null;
  /** The site's rule in the way. */
  readonly hindrance: ReservationHindrance | null;
  /** Where too little is known of past starts: how many are known of how many that are needed. */
  readonly noRecord: { readonly settled: number; readonly needed: number } | null;
  /** Null where one of the others says why. */
  readonly plan: ProvenPlan | null;
}

/** What a slot costs, here or there. */
export interface QuoteQuestion {
  readonly procs: number;
  /** In all; 0 where none is asked for. */
  readonly memoryBytes: number;
  /** A part of a store or link instead; then there are no processors, and sites that have it answer. */
  readonly resource?: SlotResource;
  readonly durationMs: number;
  readonly when: WantedWhen;
  /** Whose it would be. */
  readonly consumer: string;
  /** All where absent. */
  readonly sites?: readonly string[];
  /** The ticket that it is wanted under. */
  readonly ticket?: PresentedTicket;
}

/** What slots at several sites cost that are had at the same time, all or none. */
export interface CoReservationQuestion extends Pick<QuoteQuestion, "durationMs" | "when" | "consumer"> {
  /** At different sites, or of different stores and links. */
  readonly parts: readonly (Pick<QuoteQuestion, "procs" | "memoryBytes" | "resource" | "ticket"> & {
    readonly site: string;
  })[];
}

/** Which reservations to list; all conditions hold. */
export interface ReservationQuery {
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

/** How a consumer's accounts stand. */
export interface AccountView {
  readonly consumer: string;
  /** At every site (or the one asked for), each level of the path, from the top. */
  readonly levels: readonly AccountLevel[];
  readonly sites: readonly SiteAccounts[];
  /** The newest postings to this consumer or below it, newest first; at most 100. */
  readonly postings: readonly PostingRecord[];
}

/** What a query is asked with: nothing where it needs nothing. */
type Asked<Name extends QueryName> = undefined extends Question<Name> ? [] : [question: Question<Name>];

/** A running broker. */
export interface BrokerApi extends TicketApi {
  /** Asks for something; resolves with what was done when it is recorded for good, or with why not. */
  ask(command: Command): Promise<Answer>;
  /** Asks the state of the broker, as it is now. */
  query<Name extends QueryName>(name: Name, ...question: Asked<Name>): AnswerTo<Name>;
  /** One job, whether it is over or not. */
  job(id: string): Promise<JobRecord | undefined>;
  /** Ids that begin so, of these jobs; at most `limit`, for telling whether an abbreviation is unique. */
  idsBeginning(prefix: string, limit: number, among?: ObservedJob): Promise<readonly string[]>;
  jobs(query: JobQuery): Promise<JobPage>;
  explain(id: string): Promise<Explanation | undefined>;
  /**
   * Why a job waits, by its id at a site, whoever submitted it.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  explainThere(site: string, siteJob: string): Promise<ThereExplained | "notACluster">;
  /**
   * What is in a cluster's queue, to be played forward.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  queueThere(site: string): Promise<ThereQueued | "notACluster">;
  /** Where and when a job could start that is only thought of; nothing is recorded. */
  assess(question: ProspectQuestion): Promise<readonly Prospect[]>;
  sites(): readonly SiteView[];
  /**
   * Has the response times of sites (all where none are named) said anew where they are old; waits for
   * those that were never said, or long ago, and for no longer than a second.
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
   * Removes a site at which no job of ours is; says what went with it, and what stays where.
   *
   * @throws Fault where something was to go and cannot: the site is then still there
   */
  removeSite(request: RemoveSiteRequest): Promise<Result<SiteRemovalReport, Refusal>>;
  /** The slots of a site as they are now, advisory; undefined where there is no such site. */
  slots(site: string): Promise<Advertisement | undefined>;
  /** What a slot costs at sites as they are now; nothing is kept aside and nothing recorded. */
  quote(question: QuoteQuestion): Promise<readonly SiteQuote[]>;
  /**
   * The starts at which all of several slots are possible; nothing is kept aside and nothing recorded.
   * Empty also where one of the sites is not known, or cannot be asked.
   */
  quoteCoReservation(question: CoReservationQuestion): Promise<readonly PriceCoReservation[]>;
  /** Virtual reservations as they could be made now; nothing is recorded. */
  quoteVirtualReservation(question: VirtualReservationQuestion): Promise<readonly VirtualReservationQuote[]>;
  reservation(id: string): Promise<ReservationRecord | undefined>;
  reservations(query: ReservationQuery): Promise<ReservationPage>;
  /** What more time for a reservation costs; undefined where there is none of that id that is not over. */
  quoteExtension(reservation: string, moreMs: number): Promise<LivePrice | undefined>;
  account(consumer: string, site?: string): Promise<AccountView>;
  /** A grant, a charge or a refund, however long ago. */
  posting(id: string): Promise<PostingRecord | undefined>;
  /** All versions that were ever applied, newest first. */
  policyVersions(): Promise<readonly PolicyVersion[]>;
  /** What enforcers did to jobs, or would have done. */
  actions(query: ActionQuery): Promise<ActionPage>;
  /**
   * The policies that hold at a cluster in the words of its own batch system, and what differs from what it
   * has; undefined where there is no such site, `notACluster` where it knows no shares.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  compiledShares(site: string): Promise<CompiledShares | "notACluster" | undefined>;
  /**
   * Changes the cluster's own shares to the policies that hold, or takes back what was changed so; says what
   * became of each change, and stops making them at the first that fails.
   *
   * @throws Fault `compileNotGranted` before anything is done; where the cluster cannot be looked at
   */
  changeShares(request: ChangeSharesRequest): Promise<Result<readonly ShareStep[], Refusal> | "notACluster">;
  /** What consumers use at a site, against what they may; undefined where there is no such site. */
  usage(site: string): SiteUsage | undefined;
  /** What was used over a period; undefined where there is no such site. */
  usageHistory(question: UsageHistoryQuestion): Promise<UsageHistory | undefined>;
  /** What sensors saw on hosts; undefined where there is no such site. */
  hosts(question: HostQuestion): Promise<readonly HostView[] | undefined>;
  /** Takes what a sensor saw, each reading once; undefined where there is no such site. */
  takeReadings(report: HostReport): Promise<ReadingsTaken | undefined>;
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
  /** Removes what a job that is over has left at its site. */
  clearFiles(id: string, by: string): Promise<Answer>;
  /** The files of a job at its site. */
  listFiles(id: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  /** Tells of every changed job record, once durable; gives what ends the telling. */
  onJobChange(listener: (record: JobRecord) => void): () => void;
}
