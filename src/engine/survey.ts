/** Survey of a foreign site's queue. */
import type { SiteFacts } from "../match/index.ts";
import type { AttemptEnd } from "../model/index.ts";

/** A job in a site's queue, ours or not, in the order in which the site keeps them. */
export interface SurveyedJob {
  /** The site's id for it. */
  readonly siteJob: string;
  /** `job/attempt` where its name says that it is ours. */
  readonly token: string | null;
  readonly state: SurveyedState;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Time limit; null where the site does not give one. */
  readonly limitMs: number | null;
  readonly submittedAtMs: number;
  readonly startedAtMs: number | null;
  /** Reason why the job waits, in the site's own words. */
  readonly reason: string | null;
  /** User and queue (the first of several) of the job, where the site shows them. */
  readonly user?: string | null;
  readonly queue?: string | null;
  /** Account or project that the site charges; absent where it shows none. */
  readonly account?: string | null;
  /** Absent: none, or the site knows of none. */
  readonly gpus?: number;
  /** The site's name of somebody else's reservation that it is in, or waits for. */
  readonly setAside?: string;
  /** From when on it may start; null: not settled yet. Absent where the site knows no such thing. */
  readonly eligibleAtMs?: number | null;
}

/** State of a job in a site's queue. `unknown`: a state that the adapter does not know. */
export type SurveyedState = "waiting" | "held" | "running" | "suspended" | "unknown";

/** An attempt of ours that ended at a site. */
export interface SurveyedEnd {
  readonly token: string;
  readonly siteJob: string;
  /** Null where it never started. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  readonly end: AttemptEnd;
}

/** A reservation of ours at a site. */
export interface SurveyedReservation {
  /** Which of ours it is. */
  readonly token: string;
  /** The site's name for it. */
  readonly siteReservation: string;
  readonly procs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Resources that a site sets aside for other users or for maintenance. Instants are Unix milliseconds. */
export interface ExternalReservation {
  /** The site's name for it. */
  readonly name: string;
  readonly procs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A queue to which jobs may be submitted by name, as the ad of the site lists it. */
export interface SurveyedQueue extends Omit<SiteFacts, "site" | "system" | "queue" | "stores"> {
  readonly queue: string;
  /** True for the one into which jobs go that name none. */
  readonly isDefault: boolean;
  /** Nodes, those of equal size together; absent: unknown. */
  readonly nodeKinds?: readonly SurveyedNodes[];
  /** Maximum number of nodes of a job; absent: no limit. */
  readonly mostNodes?: number;
}

/** Nodes of a queue that have the same size, with the amounts that a job may have on each. */
export interface SurveyedNodes {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly all: number;
  readonly inService: number;
}

/** One look. */
export interface Survey {
  /** The instant of which it is true, at the latest. */
  readonly atMs: number;
  /** Everything that is in the queue; what is not here, the site does not have. */
  readonly jobs: readonly SurveyedJob[];
  /** Ends of our attempts, until they are acknowledged. */
  readonly ended: readonly SurveyedEnd[];
  /** Those of ours that are not over. */
  readonly reservations: readonly SurveyedReservation[];
  /** Current and future external reservations; absent where the site does not show them. */
  readonly setAside?: readonly ExternalReservation[];
  /** Queues that jobs may name, the default one first; absent where the site has none, or shows none. */
  readonly queues?: readonly SurveyedQueue[];
}
