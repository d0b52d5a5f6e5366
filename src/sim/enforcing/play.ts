/**
 * A simulation with an enforcer, from within: the jobs, the site that is driven, and what was noted.
 */
import type { SiteAmounts, SiteResource, UseKeeper, WaitingJobs } from "../../policy/index.ts";
import type { DrivenSite } from "../../queue/index.ts";
import type { DecidingProgram } from "../external/deciding-program.ts";
import type { AdmissionOrder } from "./admission-order.ts";
import type { CapacityLoss, EnforcingInput, EnforcingNote, NodeHit } from "./enforced-input.ts";
import type { PlayedJob } from "./played-job.ts";
import type { AllSeries } from "./use-courses.ts";

/** Something that comes about at an instant. */
export type PlayedSiteEvent = { readonly atMs: number } & (
  | { readonly kind: "lost" | "returned"; readonly id: number; readonly loss: CapacityLoss }
  | { readonly kind: "taken"; readonly job: string }
);

/** A play under way. */
export interface Play {
  readonly input: EnforcingInput;
  readonly site: DrivenSite<PlayedJob>;
  /** Puts a job that fits into one of the pools at least into the queue of the machine. */
  readonly submit: (played: PlayedJob, atMs: number) => void;
  /** Program that decides which of the admitted jobs start, where there is one. */
  readonly program: DecidingProgram<PlayedJob> | undefined;
  /** Order of the jobs before admission, where a priority gives one. */
  readonly admission: AdmissionOrder | undefined;
  /** Resources that the machine schedules, in the order of its vectors. */
  readonly resources: readonly SiteResource[];
  /** Capacity of each pool, in the order of `resources`. */
  readonly pools: readonly (readonly number[])[];
  /** In order of time. */
  readonly siteEvents: readonly PlayedSiteEvent[];
  readonly jobs: PlayedJob[];
  readonly byId: Map<string, PlayedJob>;
  /** Jobs that are at the site, in order of submission. */
  readonly present: Set<PlayedJob>;
  readonly running: Set<PlayedJob>;
  /** Jobs before admission, as the enforcer sees them. */
  waiting: WaitingJobs;
  waitingCount: number;
  keeper: UseKeeper;
  readonly notes: EnforcingNote[];
  readonly courses: AllSeries;
  /** The instants of the actions of the last hour that the budget counts. */
  acted: number[];
  next: { job: number; policies: number; happening: number };
  readonly down: { -readonly [Resource in keyof SiteAmounts]: number };
  /** The last instant that is over. */
  playedMs: number;
  /** True while a job that ran at the beginning arrives at this instant. */
  isUnderWayComing: boolean;
  brokenReservations: number;
  readonly hits: NodeHit[];
  lookAtMs: number;
  looks: number;
  isLeaseOver: boolean;
}
