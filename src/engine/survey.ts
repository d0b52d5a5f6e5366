/**
 * What a look at a foreign site's queue shows.
 */
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
  /** Its time limit; null where the site does not say. */
  readonly limitMs: number | null;
  readonly submittedAtMs: number;
  readonly startedAtMs: number | null;
  /** Why it waits, in the site's own words. */
  readonly reason: string | null;
  /** Whose it is and in which queue (the first of several), where the site shows it. */
  readonly user?: string | null;
  readonly queue?: string | null;
  /** Whom the site charges for it: an account or a project, where the site shows one. */
  readonly account?: string | null;
  /** Absent: none, or the site knows of none. */
  readonly gpus?: number;
  /** The site's name of somebody else's reservation that it is in, or waits for. */
  readonly setAside?: string;
  /** From when on it may start; null: not settled yet. Absent where the site knows no such thing. */
  readonly eligibleAtMs?: number | null;
}

/** How a job stands in a site's queue. `unknown`: a state that the adapter does not know. */
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

/** What a site sets aside for others, an administrator's work included. Instants are Unix milliseconds. */
export interface ExternalReservation {
  /** The site's name for it. */
  readonly name: string;
  readonly procs: number;
  readonly startMs: number;
  readonly endMs: number;
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
  /** What is set aside for others and not over; absent where the site shows no such thing. */
  readonly setAside?: readonly ExternalReservation[];
}
