/**
 * Input and outcome of a simulation with an enforcer.
 */
import type {
  EnforcementAction,
  EnforcementRules,
  EnforcingSummary,
  MachineDiscipline,
  Policy,
  PriorityRules,
  StoppedRule,
} from "../../model/index.ts";
import type { SiteAmounts } from "../../policy/index.ts";
import type {
  FixedRectangle,
  Owner,
  ReservationHit,
  ReservationRefusal,
  TaskShape,
} from "../../queue/index.ts";
import type { Looks } from "../slots/sampler.ts";
import type { NodeSide } from "../workload/nodes-asked.ts";

/** A job with an owner. */
export interface OwnedJob {
  readonly id: string;
  /** `vo`, `vo/group`, `vo/group/user`. */
  readonly consumer: string;
  readonly submitMs: number;
  readonly need: SiteAmounts;
  readonly runtimeMs: number;
  /** At least the runtime. */
  readonly estimateMs: number;
  /** The pools that it may use, by index; all of them where absent. */
  readonly pools?: readonly number[];
  /** Division of the job into tasks, where the site has nodes. */
  readonly shape?: TaskShape;
  /** Owner of the job for a priority. */
  readonly owner?: Owner;
  /**
   * True for a job that runs at the beginning: it was not admitted by the enforcer, and precedes all others.
   */
  readonly isUnderWay?: boolean;
}

/** Capacity that goes down for a time; what runs there is stopped and starts anew. */
export interface CapacityLoss {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly cpu: number;
  /** The first pool where absent. */
  readonly pool?: number;
  /** The node that it is, where the site has nodes. */
  readonly node?: number;
  /** None where absent. */
  readonly gpu?: number;
  readonly memory?: number;
  /** Error for an overlap with an earlier loss; absent: the overlap loses nothing more. */
  readonly refusedAs?: () => Error;
}

/** A job is taken away, wherever it is. */
interface TakenAway {
  readonly atMs: number;
  readonly job: string;
}

/** A reservation of which policies say nothing. */
interface AskedReservation extends Omit<FixedRectangle, "need"> {
  readonly need: SiteAmounts;
  /** Makes the reservation on the nodes of the site, where it has nodes. */
  readonly onNodes?: () => void;
  /** Called with the reason of a refusal; throws. */
  readonly refused: (refusal: ReservationRefusal) => void;
}

/** A site under an enforcer, and what happens there. */
export interface EnforcingInput {
  /** The name by which policies know the site. */
  readonly site: string;
  readonly capacity: SiteAmounts;
  /** Capacity of each pool; one pool with all of it where absent. */
  readonly pools?: readonly SiteAmounts[];
  /** Nodes of the site, which then decide on starts. */
  readonly nodes?: NodeSide | undefined;
  /** In order of time; each replaces the one before. */
  readonly policies: readonly { readonly fromMs: number; readonly policies: readonly Policy[] }[];
  readonly rules: EnforcementRules;
  /** Of the queue behind the enforcer; first come, first served where absent. */
  readonly discipline?: MachineDiscipline;
  /** In order of submission. */
  readonly jobs: readonly OwnedJob[];
  /** Which of a consumer's jobs is let in first, and the order of the queue; by arrival where absent. */
  readonly priority?: PriorityRules | undefined;
  /** Made before anything happens. */
  readonly reservations?: readonly AskedReservation[];
  /** Periodic samples of the machine. */
  readonly sampling?: Looks | undefined;
  readonly losses?: readonly CapacityLoss[];
  /** Rule for jobs that ran on lost capacity; `requeue` where absent. */
  readonly stoppedJobs?: StoppedRule;
  /** In order of time. */
  readonly takenAway?: readonly TakenAway[];
  /** Instant from which the enforcer is silent: its holds end with its lease. */
  readonly silentFromMs?: number;
  /** End of the simulation, whatever waits or runs; absent: the last end. */
  readonly untilMs?: number;
  /** Asked at every instant; throws to stop. */
  readonly checkStop?: () => void;
}

/** Outcome of a job; an instant is null where its event did not happen. */
export interface EnforcedOutcome {
  readonly job: OwnedJob;
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Number of suspensions and requeues. */
  readonly stops: number;
  /** Intervals in which the job ran; `toMs` is null where it still runs at the end of the simulation. */
  readonly runs: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  /** The place in them of the run with which it last began anew. */
  readonly firstRun: number;
  /** Pool of the last run. */
  readonly pool: number | null;
  /** Reason why the job left the site without ending. */
  readonly gone: "lost" | "takenWaiting" | "takenRunning" | null;
  readonly goneAtMs: number | null;
}

/** Something that happened, in order. */
export type EnforcingNote = { readonly atMs: number } & (
  | { readonly kind: "submitted" | "started" | "ended" | "failed" | "taken"; readonly job: string }
  | { readonly kind: "acted"; readonly action: EnforcementAction }
  | { readonly kind: "applied" }
  | { readonly kind: "lost" | "returned"; readonly cpu: number }
  | { readonly kind: "leaseOver" }
);

/** Processors in use of a consumer from an instant on. */
export type UseSeries = readonly (readonly [atMs: number, cpu: number])[];

/** Effect of a node outage on a reservation. */
export interface NodeHit {
  readonly node: number;
  readonly atMs: number;
  readonly hit: ReservationHit;
}

/** Outcome of a simulation with an enforcer. */
export interface EnforcingOutcome {
  readonly jobs: readonly EnforcedOutcome[];
  readonly notes: readonly EnforcingNote[];
  /** By level of every consumer, and of the site itself under the empty path. */
  readonly courses: ReadonlyMap<string, UseSeries>;
  /** Number of passes of the enforcer. */
  readonly looks: number;
  /** Effects of node outages on reservations. */
  readonly hits: readonly NodeHit[];
  /** Reservations that were given up for what went down. */
  readonly brokenReservations: number;
  readonly endMs: number;
}

/** Outcome of a workload that was simulated with an enforcer. */
export interface EnforcedWorkload {
  /** In order of submission. */
  readonly outcomes: readonly EnforcedOutcome[];
  readonly summary: EnforcingSummary;
}
