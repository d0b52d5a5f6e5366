/** A job of a simulation with an enforcer: its state, and its outcome. */
import type { EnforcedJob, EnforcedJobState } from "../../policy/index.ts";
import type { ReplayJob } from "../../queue/index.ts";
import type { EnforcedOutcome, OwnedJob } from "./enforced-input.ts";

/** A job under way, as the machine takes it; its id is its place in the order of submission. */
export interface PlayedJob extends ReplayJob {
  readonly job: OwnedJob;
  /** State of the job; null before it is submitted and when it has ended. */
  state: EnforcedJobState | null;
  handle: number;
  begunAtMs: number | null;
  /** Remaining estimate at the next start. */
  restEstimateMs: number;
  stops: number;
  readonly stoppedFor: string[];
  readonly runs: { readonly fromMs: number; toMs: number | null }[];
  /** Index of the run with which the job last began anew. */
  firstRun: number;
  startMs: number | null;
  endMs: number | null;
  /** Pool of the last run. */
  pool: number | null;
  gone: EnforcedOutcome["gone"];
  goneAtMs: number | null;
  /** The enforcer's view of the job; null after a change. */
  seen: EnforcedJob | null;
}
