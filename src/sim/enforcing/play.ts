/**
 * A simulation with an enforcer, from within: the jobs, the machine, and what was noted.
 */
import type { EnforcedJob, EnforcedJobState, UseKeeper } from "../../policy/index.ts";
import type { Machine } from "../../queue/index.ts";
import type { EnforcingInput, EnforcingNote, OwnedJob } from "./enforced-input.ts";
import type { Courses } from "./use-courses.ts";

/** A job under way. */
export interface PlayedJob {
  readonly job: OwnedJob;
  readonly order: number;
  /** Null before it is submitted and when it is over. */
  state: EnforcedJobState | null;
  handle: number;
  begunAtMs: number | null;
  /** What is left of its runtime and of its estimate when it next starts. */
  restMs: number;
  restEstimateMs: number;
  endsAtMs: number;
  stops: number;
  readonly stoppedFor: string[];
  readonly runs: { readonly fromMs: number; toMs: number | null }[];
  startMs: number | null;
  endMs: number | null;
  /** As the enforcer sees it; null since it last changed. */
  seen: EnforcedJob | null;
}

/** A play under way. */
export interface Play {
  readonly input: EnforcingInput;
  readonly machine: Machine;
  readonly jobs: readonly PlayedJob[];
  readonly byId: ReadonlyMap<string, PlayedJob>;
  readonly byHandle: Map<number, PlayedJob>;
  /** Those that are there, in order of submission. */
  readonly present: Set<PlayedJob>;
  readonly running: Set<PlayedJob>;
  keeper: UseKeeper;
  readonly notes: EnforcingNote[];
  readonly courses: Courses;
  /** The instants of the actions of the last hour that the budget counts. */
  acted: number[];
  next: { job: number; policies: number };
  downCpu: number;
  lookAtMs: number;
  looks: number;
  isLeaseOver: boolean;
}
