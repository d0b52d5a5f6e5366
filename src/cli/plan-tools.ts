/** Capability of `stint plan`: its request and its answer, as plain data. */
import type { WorkflowRequest } from "../api/client/index.ts";
import type {
  FrontSize,
  PlannerName,
  PlanningProgress,
  PlanningQuestion,
  PlanShortfall,
  Platform,
  RecordedRun,
  StatedPlan,
  WorkflowMeasures,
} from "../plan/index.ts";

/** The sites of a broker as they are now, and the instant at which plans on them begin. */
export interface LivePlatform {
  readonly platform: Platform;
  readonly beginAt: string;
}

/** Time from the beginning of a plan, or an instant in Unix ms. */
export type PlanDeadline = { readonly afterMs: number } | { readonly atMs: number };

/** Workflows in files, a platform, and what is wished of the plan. */
export interface PlanRequest extends Omit<PlanningQuestion, "parts" | "deadlineMs"> {
  /** Several are planned as one. */
  readonly files: readonly string[];
  /** One for all files, or one for each, in their order; none where the list is empty. */
  readonly deadlines: readonly PlanDeadline[];
  /** A file. Absent: the workflow's own machine where it names one, else the sites of the broker. */
  readonly platform?: string;
  /** Sites of the broker; asked where they are needed. */
  readonly livePlatform: () => Promise<LivePlatform>;
  /** Runs of the caller's ended jobs; asked where tasks state no runtime. */
  readonly recordedRuns: () => Promise<readonly RecordedRun[]>;
  /** Added to each runtime where the plan is made on live sites, as a part of it. */
  readonly slack: number;
  /** Absent: `search` for PSPLIB projects, `heft` for other workflows. */
  readonly planner?: PlannerName;
  /** True where it is to be executed: each task needs a program. */
  readonly isExecuted: boolean;
  /** Tasks sleep for this part of their runtimes, in place of their programs. */
  readonly sleepFactor?: number;
  /** Probability with which the deadline is to be kept. */
  readonly surely?: number;
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

/** One of several workflows in a plan. */
interface PlannedWorkflow extends UnderstoodWorkflow {
  readonly makespanSec: number;
  /** Deadline of the workflow, and by how much the plan misses it. */
  readonly deadlineSec?: number;
  readonly missedBySec?: number;
}

/** Results of simulated executions of a plan. */
interface PlanUncertainty {
  readonly executions: number;
  /** Part of the executions that kept the deadline; absent without one. */
  readonly deadlineProbability?: number;
  /** Part that kept it of the executions by which --surely chose the plan; all else is of others. */
  readonly choosingProbability?: number;
  readonly meanMakespanSec: number;
  /** Reservations, and what ran outside the planned times. */
  readonly meanCostSu: number;
  /** Each task was planned so long that it ends in its time with this probability; absent: as stated. */
  readonly runtimeProbability?: number;
  /** Additional cost of this plan, compared with one for the stated runtimes. */
  readonly suretyCostSu?: number;
}

/** A plan with everything that was asked about it. */
export interface PlanAnswer extends StatedPlan {
  readonly workflow: UnderstoodWorkflow;
  /** Where several workflows were planned as one: each of them. */
  readonly workflows?: readonly PlannedWorkflow[];
  /** Assumptions about the files and parts that were omitted, a sentence each. */
  readonly remarks?: readonly string[];
  /** Where the plan was made on the sites of a broker: when it begins. */
  readonly beginAt?: string;
  /** By how much runtimes were lengthened for that. */
  readonly slack?: number;
  readonly planner: PlannerName;
  readonly alpha: number;
  readonly seed: number;
  readonly evaluations: number;
  /** True where the search was stopped before its end. */
  readonly isStopped: boolean;
  /** Where runtimes are uncertain. */
  readonly uncertainty?: PlanUncertainty;
  readonly feasible: boolean;
  readonly shortfalls: readonly PlanShortfall[];
  /** Where the plan misses a limit: the earliest end and the lowest cost that were found, and by whom. */
  readonly bounds?: {
    readonly earliestSec: number;
    readonly earliestBy: PlannerName;
    readonly leastCostSu: number;
    readonly leastCostBy: PlannerName;
  };
  readonly front: readonly FrontPlan[];
  readonly frontSize: FrontSize;
  /** Of a plan on the sites of the broker whose tasks have programs. */
  readonly execution?: WorkflowRequest;
  readonly sites: readonly { readonly name: string; readonly procs: number }[];
}

/**
 * Plans a workflow.
 *
 * @throws Fault, or AggregateError of Faults, where a file is not in order or the platform is too small
 */
export type PlanWorkflow = (request: PlanRequest, hooks: PlanHooks) => Promise<PlanAnswer>;
