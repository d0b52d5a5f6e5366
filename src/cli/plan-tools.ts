/** Capability of `stint plan`: its request and its answer, as plain data. */
import type {
  FrontSize,
  PlannerName,
  PlanningProgress,
  PlanningQuestion,
  PlanShortfall,
  StatedPlan,
  WorkflowMeasures,
} from "../plan/index.ts";

/** A workflow in a file, a platform, and what is wished of the plan. */
export interface PlanRequest extends PlanningQuestion {
  readonly file: string;
  /** Absent where the workflow's file names its own machine. */
  readonly platform?: string;
  /** Absent: `search` for PSPLIB projects, `heft` for other workflows. */
  readonly planner?: PlannerName;
  readonly isLenient: boolean;
  /** Runtime of tasks that state none. */
  readonly runtimeMs?: number;
}

/** Hooks of a planner at work. */
export interface PlanHooks {
  readonly onProgress: (progress: PlanningProgress) => void;
  /** True once the user has asked to stop: the best so far is the answer. */
  readonly isStopped: () => boolean;
}

/** A plan of the front. */
interface FrontPlan {
  readonly makespanSec: number;
  readonly planningCostSu: number;
  readonly packedCostSu: number;
  readonly isChosen: boolean;
}

/** A workflow in figures. */
export interface UnderstoodWorkflow extends WorkflowMeasures {
  readonly name: string;
  /** Name of its format. */
  readonly form: string;
  /** Capacities of the machine that a PSPLIB project names. */
  readonly resources?: Readonly<Record<string, number>>;
}

/** A plan with everything that was asked about it. */
export interface PlanAnswer extends StatedPlan {
  readonly workflow: UnderstoodWorkflow;
  readonly planner: PlannerName;
  readonly alpha: number;
  readonly seed: number;
  readonly evaluations: number;
  /** True where the search was stopped before its end. */
  readonly isStopped: boolean;
  readonly feasible: boolean;
  readonly shortfalls: readonly PlanShortfall[];
  readonly front: readonly FrontPlan[];
  readonly frontSize: FrontSize;
  readonly sites: readonly { readonly name: string; readonly procs: number }[];
}

/**
 * Plans a workflow.
 *
 * @throws Fault, or AggregateError of Faults, where a file is not in order or the platform is too small
 */
export type PlanWorkflow = (request: PlanRequest, hooks: PlanHooks) => Promise<PlanAnswer>;
