/**
 * The port to a foreign site: a batch system with a queue of its own. Stint submits and observes.
 *
 * An adapter translates and decides nothing: it turns these calls into commands of its batch system, and
 * their output into surveys. The engine derives from a survey what runs, what ended, what was lost, and which
 * ids are reused; the broker decides on resubmission.
 *
 * A job is identified by its token, which the adapter puts into the job's name; the site's own id may be
 * reused. Every call ends: an adapter gives up on a batch system that hangs.
 */
import type { Survey } from "../engine/index.ts";
import type {
  ClusterPastJob,
  ClusterSnapshot,
  EnforcementVerb,
  JobDescription,
  RefusalAbout,
} from "../model/index.ts";
import type { SiteShares } from "./native-shares.ts";
import type { PilotQuestion, PilotSight } from "./pilots.ts";
import type { AttemptToken, LaunchOrder, SiteCapacity, SiteFiles } from "./site.ts";

/** An order to a batch system: what to run, and what it needs to be scheduled. */
export interface SubmitOrder extends LaunchOrder {
  /** Name for people, as the user gave it or of the program; any text, not unique. */
  readonly name: string;
  readonly procs: number;
  /** 0: not asked for. */
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  /** The queue that it names; absent: the one of the site's configuration, or the batch system's choice. */
  readonly queue?: string;
  /** Nodes over which its processors are spread, how many are on each, and whether it has them alone. */
  readonly hosts?: Pick<JobDescription, "hostNumber" | "smpGranularity" | "wholeNodes">;
  /** Nodes of the site on which it is not to run; absent: none. */
  readonly avoidedNodes?: readonly string[];
  /** The token of the reservation in which it runs, and nowhere else; null: in the queue like any other. */
  readonly reservation: ReservationToken | null;
  /** Pilot that is to run the job; absent: the job is put into the queue. */
  readonly pilot?: PlacedAttempt;
  /** Local account under which the pilot runs the job; absent: the pilot's own account. */
  readonly account?: string;
  /** Place in an array of jobs: a site that has arrays may submit equal elements together. */
  readonly element?: { readonly array: string; readonly index: number };
}

/** Identifies a reservation of ours: 1 to 40 of `a-z`, `0-9` and `-`. */
export type ReservationToken = string;

/** A rectangle that a site is to keep free for jobs of ours. Instants are Unix milliseconds. */
export interface ReservationOrder {
  readonly token: ReservationToken;
  readonly procs: number;
  /** 0: none in particular. */
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  /** One that has passed: at once. */
  readonly startMs: number;
  readonly endMs: number;
}

/** One of our jobs in a site's queue: acted upon only where the site's job has the token. */
export interface PlacedAttempt {
  readonly token: AttemptToken;
  readonly siteJob: string;
  /** Pilot that runs the job; absent: the job is in the queue. */
  readonly pilot?: Omit<PlacedAttempt, "pilot">;
}

/** Orders for a job at a site. */
export type SiteVerb = "cancel" | "hold" | "release" | "suspend" | "resume";

/** Order of an enforcer for jobs of a site, of any user, by the site's own ids. */
export interface EnforcementOrder {
  readonly verb: EnforcementVerb;
  readonly siteJobs: readonly string[];
  /**
   * Of a hold: the site lets the jobs go by itself at this instant, a lease that holding again renews.
   * Unix ms; without meaning for other verbs.
   */
  readonly untilMs: number;
}

/** Outcome of an enforcer's order. */
export interface EnforcementAnswer {
  /** The literal commands that were given, for the log. */
  readonly commands: readonly string[];
  /**
   * Jobs for which it was not done, with the site's words. Jobs that are over, or to which it does not apply
   * any more, are not among them.
   */
  readonly refused: readonly {
    readonly siteJob: string;
    readonly why: string;
    /** Default: the job. */
    readonly about?: RefusalAbout;
  }[];
}

/** Optional abilities of batch systems, or of their adapters. */
export const SITE_ABILITIES = [
  "submit",
  "suspend",
  "signal",
  "requeue",
  "setPriority",
  "snapshot",
  "history",
  "reserve",
  "enforce",
] as const;
/** See {@link SITE_ABILITIES}. What is not among them every foreign site can. */
export type SiteAbility = (typeof SITE_ABILITIES)[number];

/** Input files at a site that elements of an array share, sent with the first of them. */
export interface SharedInputs {
  /** Arrays with files at the site. */
  arrays(): readonly string[];
  /** Removes the files of an array that is over. */
  drop(array: string): Promise<void>;
}

/** Parts of a survey in addition to the jobs. */
export interface SurveyQuestion {
  /** True if somebody has asked for the ads of the queues since the last survey; absent: true. */
  readonly areQueuesAsked?: boolean;
}

/** A site whose queue is its own. */
export interface ForeignSite extends SiteFiles {
  readonly name: string;
  /** Minimum interval of surveys, unless something must be found out at once. */
  readonly surveyEveryMs: number;
  /** From now to the next survey, 0 or less: now; where that depends on what else the site was asked. */
  nextSurveyMs?(): number;
  /** For how long a job may be missing from its surveys before it counts as lost. */
  readonly lostAfterMs: number;
  /** Abilities as configured, whether or not the necessary rights exist. */
  readonly abilities: ReadonlySet<SiteAbility>;
  /** True where elements of an array that are handed over at the same time become one submission. */
  readonly hasArrays?: boolean;
  /** Input files that elements of an array share; absent where each element has its own. */
  readonly sharedInputs?: SharedInputs;
  capacity(): Promise<SiteCapacity>;
  /**
   * Puts an attempt into the queue, held: it does not start before it is released. Gives the site's id.
   *
   * @throws Fault of kind `refused` or `badInput` where it is certain that nothing was accepted and that
   *   asking again would not help; any other error leaves it open whether it was accepted
   */
  submit(order: SubmitOrder): Promise<string>;
  /**
   * Gives an order for a job. One that the site does not have (any more), or that does not apply in its
   * present state, is ignored: the next survey shows its state.
   *
   * @throws where the site cannot be reached, or refuses the right to do so
   */
  act(verb: SiteVerb, attempt: PlacedAttempt): Promise<void>;
  /** Sends a signal to what runs. */
  signal(attempt: PlacedAttempt, name: string): Promise<void>;
  /**
   * Ends a running attempt and returns it to the queue: the same attempt under the same id, whose program
   * restarts at its next start. The end of the former run is not reported. Ignored for one that does not run.
   *
   * @throws where the site cannot be reached, or refuses the right to do so
   */
  requeue?(attempt: PlacedAttempt): Promise<void>;
  /**
   * Gives a job that waits a priority, in the site's own numbers; larger is sooner. What the site does to
   * priorities afterwards is its own. Ignored where the job does not wait.
   *
   * @throws Fault of kind `notAllowed` where that takes a right that we have not, or is a raise without
   * `mayRaise`
   */
  setPriority?(attempt: PlacedAttempt, priority: number, mayRaise: boolean): Promise<void>;
  /**
   * Replaces the nodes on which a job that waits is not to run; none: it may run on all. Ignored where the
   * job does not wait. Absent where jobs cannot name nodes.
   *
   * @throws where the site cannot be reached, or does not know one of the nodes
   */
  avoidNodes?(attempt: PlacedAttempt, nodes: readonly string[]): Promise<void>;
  /**
   * Gives an enforcer's order for jobs of any user. Held jobs are released at the end of their lease,
   * requested or not; holds and delays by the job's own user remain. Idempotent.
   *
   * @throws Fault of kind `notAllowed` or `unreachable` where nothing of it could be done
   */
  enforce?(order: EnforcementOrder): Promise<EnforcementAnswer>;
  /** The batch system's own shares; absent where it has none. */
  readonly shares?: SiteShares;
  /**
   * Reserves a rectangle for jobs of ours, or changes the end of the reservation with the order's token:
   * later, or sooner. Idempotent. When it ends, jobs that run in it are ended.
   *
   * @returns the site's name for it
   * @throws Fault `reservationConflict` where the site cannot keep it free, `siteMayNotReserve` where that
   *   takes a right that we have not, or nobody there can, `badReservationOrder`. Only kind `unreachable`
   *   leaves open what happened; all others are certain: nothing was reserved or changed
   */
  reserve(order: ReservationOrder): Promise<string>;
  /**
   * Gives a reservation up: jobs in it that run are ended by the site's own way, those that wait for it are
   * cancelled. Where the site has none of this token, nothing happens.
   *
   * @throws where the site cannot be reached, or refuses the right to do so
   */
  unreserve(token: ReservationToken): Promise<void>;
  /**
   * The queue as it is now, with the ends of our attempts that are not acknowledged, and the reservations
   * of ours that are there.
   */
  survey(question?: SurveyQuestion): Promise<Survey>;
  /**
   * States of pilots and their payloads, read from their files. Payloads are in no survey, and their ends
   * are not acknowledged but reported at each call. Absent where the site can have no pilots.
   *
   * @throws where the site cannot be reached
   */
  lookAtPilots?(question: PilotQuestion): Promise<PilotSight>;
  /** Everything that the batch system shows of itself; absent where it shows no more than its queue. */
  snapshot?(): Promise<ClusterSnapshot>;
  /**
   * Jobs of all users in the site's accounting since an instant, in order of `eligibleAtMs`; absent for a
   * site without an accounting.
   *
   * @throws where it cannot be asked; what may not be seen is simply not there
   */
  history?(sinceMs: number): Promise<readonly ClusterPastJob[]>;
  /** Confirms a recorded end, which need not be reported again. Output files stay. */
  acknowledge(token: AttemptToken): Promise<void>;
  /** Stops observing. Jobs go on. */
  close(): Promise<void>;
}
