/**
 * Configuration of a site: its resources and its access.
 *
 * At a managed site Stint is the batch system; every other type is foreign: it has its own queue, Stint
 * submits and observes.
 */
import type { Discipline } from "./discipline.ts";
import type { PilotRules } from "./features/pilots.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementRules } from "./policy.ts";
import { RESERVATION_DEFAULTS, type ReservationRules } from "./reservation.ts";
import type { ResourceOffers } from "./slot-resource.ts";

/** Setup of an application at a site, for jobs that request it. */
interface Application {
  /** Modules to load, in their order. */
  readonly modules?: readonly string[];
  /** Script that defines `module` for a POSIX shell: an absolute path; the usual one where absent. */
  readonly init?: string;
  /** Directories in front of PATH. */
  readonly path?: readonly string[];
  /** Variables; those that the job sets itself stay. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Words in front of the program: `srun`, `mpirun -n 4`. */
  readonly launcher?: readonly string[];
  /** Container image in which the program runs, by Apptainer. */
  readonly container?: string;
}

/** Properties of every site. Amounts in the order of the site machine's columns. */
export interface SiteOffer extends ResourceOffers {
  readonly procs: number;
  readonly memoryBytes: number;
  /** GPUs; absent: none. */
  readonly gpus?: number;
  /** Discipline of its queue; of a foreign site, the one that predictions assume. */
  readonly discipline: Discipline;
  /** The time limit of jobs that name none. */
  readonly defaultWallTimeMs: number;
  /** Rules and prices of reservations; absent: the restrictive defaults. */
  readonly reservations?: ReservationRules;
  /** Grants and limits of the enforcement of its usage policies; absent: none. */
  readonly enforcement?: EnforcementRules;
  /** Applications that jobs may ask for, by name; absent: none. */
  readonly applications?: Readonly<Record<string, Application>>;
  /** Attributes of the site's ads as ClassAd expressions, which replace observed values; absent: none. */
  readonly ads?: Readonly<Record<string, string>>;
  /** Published details of the site; absent: all. */
  readonly publish?: Publication;
}

/** What users see of a site; `aggregates`: totals and ranges, but no single partition, node or other job. */
export type Publication = "all" | "aggregates";

/** Values of `Publication`. */
export const PUBLICATIONS: readonly Publication[] = ["all", "aggregates"];

/** Syntax of names of attributes in ads. */
export const AD_ATTRIBUTE = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Syntax of names of applications. */
export const APPLICATION_NAME = /^[A-Za-z0-9][A-Za-z0-9._+/@-]{0,62}$/;

/** Syntax of what a job asks for: a name, or one with up to two bounds of its version, `gromacs >= 2023`. */
export const APPLICATION_ASKED = new RegExp(
  `${APPLICATION_NAME.source.slice(0, -1)}( *(>=|>|<=|<|==) *[A-Za-z0-9][A-Za-z0-9._+-]{0,31}){0,2}$`,
);

/** This machine. */
export interface ManagedSiteSpec extends SiteOffer {
  readonly type: "managed";
}

/** A simulated cluster: its own queue in real time, with other people's jobs from a trace. */
export interface SimulatedSiteSpec extends SiteOffer {
  readonly type: "simulated";
  /**
   * Behaviour of our jobs at their start. `run`: their program runs on this machine. `imitate`: nothing runs;
   * they take the time in STINT_IMITATED_RUNTIME, or half their limit.
   */
  readonly jobs: "run" | "imitate";
  /** Speed of others' jobs, and of our imitated ones, relative to real time; 1 … 1,000,000. */
  readonly speedUp: number;
  /** Other people's jobs; null: none. */
  readonly background: SimulatedBackground | null;
  readonly delays: SimulatedDelays;
  readonly losses: SimulatedLosses;
  /** Seed of all random draws. */
  readonly seed: number;
}

/** Other people's jobs at a simulated site. */
interface SimulatedBackground {
  /** An SWF file, absolute path; jobs wider than the site are left out. It is played over and over. */
  readonly trace: string;
  /** Where in the trace the site begins, after its first submission. */
  readonly skipMs: number;
}

/** Delays of a simulated site, in real time. */
interface SimulatedDelays {
  /** From a submission, or any order, to its taking effect in the queue. */
  readonly orderMs: number;
  /** From a start in the queue to the program's start. */
  readonly startMs: number;
}

/** Failures of a simulated site, in parts per million of submissions. */
export interface SimulatedLosses {
  /** The submission fails and was not accepted. */
  readonly failedPpm: number;
  /** The submission is reported failed, though it was accepted. */
  readonly doubtfulPpm: number;
  /** The job is accepted, and has gone from the queue a while later, without a trace. */
  readonly vanishedPpm: number;
}

/**
 * A cluster under Slurm, reached with an ordinary account. Rights are granted one by one: at first it is only
 * observed.
 */
export interface SlurmSiteSpec extends SiteOffer {
  readonly type: "slurm";
  /** Observation, explanation, prediction only; nothing is submitted or changed. */
  readonly readOnly: boolean;
  /** Through the system's ssh; null: its commands are on the broker's machine. */
  readonly sshHost: string | null;
  /** Absolute path of its slurm.conf; null: the default one. */
  readonly slurmConf: string | null;
  /** Account of submitted jobs; null: Slurm's default. */
  readonly account: string | null;
  readonly partition: string | null;
  readonly qos: string | null;
  /** Where jobs get their directories: absolute, on a file system that its nodes share. */
  readonly submitDirectory: string | null;
  /** Which consumer an account there is; where an account is not named, the one of its name. */
  readonly consumers?: Readonly<Record<string, string>>;
  /** Limit of polls per minute. */
  readonly pollsPerMinute: number;
  /** Pilots that run jobs there; absent: each job is in the cluster's queue. */
  readonly pilots?: PilotRules;
}

/** A batch system behind a program, which queues scripts and lists its queue. */
export interface ExecSiteSpec extends SiteOffer {
  readonly type: "exec";
  /** The program, by its absolute path, and its arguments. */
  readonly command: readonly string[];
  /** Where jobs get their directories: absolute, where the jobs run, too. */
  readonly submitDirectory: string;
  readonly pollsPerMinute: number;
}

/** Any site. */
export type SiteSpec = ManagedSiteSpec | SimulatedSiteSpec | SlurmSiteSpec | ExecSiteSpec;

/** Defaults of a site of type exec. */
export const EXEC_DEFAULTS = {
  discipline: "easy",
  defaultWallTimeMs: 3_600_000,
  pollsPerMinute: 12,
} as const;

/** Defaults of a Slurm site. */
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

/** A site's rules on reservations. */
export function reservationRulesOf({ reservations }: SiteSpec): ReservationRules {
  return reservations ?? RESERVATION_DEFAULTS;
}

/** Grants and limits of a site's enforcement. */
export function enforcementRulesOf({ enforcement }: SiteSpec): EnforcementRules {
  return enforcement ?? ENFORCEMENT_DEFAULTS;
}

/** True for a site with its own queue. */
export function isForeign(spec: SiteSpec): boolean {
  return spec.type !== "managed";
}

/** True where jobs run nothing and only take time; such a site must be named by the job. */
export function isImitating(spec: SiteSpec): boolean {
  return spec.type === "simulated" && spec.jobs === "imitate";
}

/** True where users see totals and ranges only. */
export function publishesAggregates({ publish }: Pick<SiteOffer, "publish">): boolean {
  return publish === "aggregates";
}

/** True for an observed site, to which no job is sent. */
export function isReadOnly(spec: SiteSpec): boolean {
  return spec.type === "slurm" && spec.readOnly;
}
