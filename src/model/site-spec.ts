/**
 * What a site offers and how it is reached, as it is configured.
 *
 * At a managed site Stint is the batch system; every other type is foreign: it has its own queue, Stint
 * submits and observes.
 */
import type { Discipline } from "./discipline.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementRules } from "./policy.ts";
import { RESERVATION_DEFAULTS, type ReservationRules } from "./reservation.ts";
import type { ResourceOffers } from "./slot-resource.ts";

/** What every site says of itself. Amounts in the order of the site machine's columns. */
export interface SiteOffer extends ResourceOffers {
  readonly procs: number;
  readonly memoryBytes: number;
  /** How its queue schedules; of a foreign site, what its predictions assume. */
  readonly discipline: Discipline;
  /** The time limit of jobs that name none. */
  readonly defaultWallTimeMs: number;
  /** Who may reserve how much of it, and what that costs; the careful defaults where absent. */
  readonly reservations?: ReservationRules;
  /** How far its usage policies are enforced; nothing is done where absent. */
  readonly enforcement?: EnforcementRules;
}

/** This machine. */
export interface ManagedSiteSpec extends SiteOffer {
  readonly type: "managed";
}

/** A cluster that is played: a queue of its own in real time, other people's jobs from a trace. */
export interface SimulatedSiteSpec extends SiteOffer {
  readonly type: "simulated";
  /**
   * What our jobs do when their turn comes. `run`: their program runs on this machine. `imitate`: nothing
   * runs; they take the time that they say in STINT_IMITATED_RUNTIME, or half their limit.
   */
  readonly jobs: "run" | "imitate";
  /** How much faster than real time others' jobs come and run, and ours that are imitated; 1 … 1,000,000. */
  readonly speedUp: number;
  /** Other people's jobs; null: none. */
  readonly background: SimulatedBackground | null;
  readonly delays: SimulatedDelays;
  readonly losses: SimulatedLosses;
  /** What is drawn by chance follows from this alone. */
  readonly seed: number;
}

/** Other people's jobs at a simulated site. */
interface SimulatedBackground {
  /** An SWF file, absolute path; jobs wider than the site are left out. It is played over and over. */
  readonly trace: string;
  /** Where in the trace the site begins, after its first submission. */
  readonly skipMs: number;
}

/** How slow a simulated site is; real time. */
interface SimulatedDelays {
  /** From a submission, or any order, to its taking effect in the queue. */
  readonly orderMs: number;
  /** From a start in the queue to the program's start. */
  readonly startMs: number;
}

/** What goes wrong at a simulated site, in parts per million of submissions. */
export interface SimulatedLosses {
  /** The submission fails and was not accepted. */
  readonly failedPpm: number;
  /** The submission is reported failed, though it was accepted. */
  readonly doubtfulPpm: number;
  /** The job is accepted, and has gone from the queue a while later, without a trace. */
  readonly vanishedPpm: number;
}

/**
 * A cluster under Slurm, reached with an ordinary account. What it may do is granted one by one: at first
 * it is only looked at.
 */
export interface SlurmSiteSpec extends SiteOffer {
  readonly type: "slurm";
  /** Looked at, explained, predicted; nothing is submitted or changed. */
  readonly readOnly: boolean;
  /** Through the system's ssh; null: its commands are on the broker's machine. */
  readonly sshHost: string | null;
  /** Its slurm.conf, absolute, where it is not the usual one. */
  readonly slurmConf: string | null;
  /** What jobs are submitted with; null: what Slurm takes by itself. */
  readonly account: string | null;
  readonly partition: string | null;
  readonly qos: string | null;
  /** Where jobs get their directories: absolute, on a file system that its nodes share. */
  readonly submitDirectory: string | null;
  /** Which consumer an account there is; where an account is not named, the one of its name. */
  readonly consumers?: Readonly<Record<string, string>>;
  /** How often a minute it may be asked how it stands. */
  readonly pollsPerMinute: number;
}

/** Any site. */
export type SiteSpec = ManagedSiteSpec | SimulatedSiteSpec | SlurmSiteSpec;

/** What holds at a Slurm site where nothing is said. */
export const SLURM_DEFAULTS = {
  discipline: "easy",
  defaultWallTimeMs: 3_600_000,
  readOnly: true,
  sshHost: null,
  slurmConf: null,
  account: null,
  partition: null,
  qos: null,
  submitDirectory: null,
  pollsPerMinute: 6,
} as const;

/** What a site says of reservations. */
export function reservationRulesOf({ reservations }: SiteSpec): ReservationRules {
  return reservations ?? RESERVATION_DEFAULTS;
}

/** How far a site's usage policies are enforced. */
export function enforcementRulesOf({ enforcement }: SiteSpec): EnforcementRules {
  return enforcement ?? ENFORCEMENT_DEFAULTS;
}

/** Whether a site has its own queue. */
export function isForeign(spec: SiteSpec): boolean {
  return spec.type !== "managed";
}

/** Whether jobs there run nothing and only take time: for those that ask for it by the site's name. */
export function isImitating(spec: SiteSpec): boolean {
  return spec.type === "simulated" && spec.jobs === "imitate";
}

/** Whether it is only looked at: no job goes there. */
export function isReadOnly(spec: SiteSpec): boolean {
  return spec.type === "slurm" && spec.readOnly;
}
