/**
 * Workflows that the broker executes: tasks with parents, the pilots that run them in reservations, and what
 * departed from the plan.
 */
import { sizeText, some, suText, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { NodeLimits, NodeRules } from "../node-rules.ts";
import type { SiteNeed } from "../site-amounts.ts";
import type { FileMoves, MissingFile, PlannedFile, WorkflowFile, WrittenFile } from "./workflow-file.ts";

/** Program of a task. */
interface TaskProgram {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A task as it is planned. Parents are numbers of tasks. Absent retries are those of the workflow; a final
 * task waits for its parents to end, with whatever result.
 */
interface PlannedTask extends NodeRules, SiteNeed {
  readonly id: string;
  /** Time that the plan allows for it. */
  readonly runtimeMs: number;
  readonly parents: readonly number[];
  readonly program: TaskProgram;
  /** Numbers of files that are in its directory when it begins; absent: none. */
  readonly reads?: readonly number[];
  /** Numbers of files that it leaves in its directory; absent: none. */
  readonly writes?: readonly number[];
}

/** Where and when a task runs; `pilot` is the number of a pilot. Unix ms. */
interface TaskPlace {
  readonly task: number;
  readonly pilot: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** State of a task. ORDERED: its pilot, or the queue, has been told to run it. */
type WorkflowTaskState = "WAITING" | "ORDERED" | "RUNNING" | "DONE" | "FAILED";

/** A task of a workflow, with what has become of it. Unix ms. */
export interface WorkflowTask extends PlannedTask {
  readonly workflow: string;
  /** Number of the task in its workflow, from 0. */
  readonly at: number;
  /** Null: it has no place in the plan, and is queued like any job, or planned again. */
  readonly place: Omit<TaskPlace, "task"> | null;
  readonly state: WorkflowTaskState;
  /** 1, 2 … once it was ordered. */
  readonly attempt: number;
  /** Attempts that count against the retries: not those that were lost, nor those before it was continued. */
  readonly tries: number;
  /** Attempts before the workflow was continued last; absent: none. */
  readonly attemptsBefore?: number;
  /** Number of the order to its pilot; 0: none. */
  readonly order: number;
  /** The job that runs it: its pilot's, or its own. */
  readonly job: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly exitCode: number | null;
  /** True once its lateness is recorded. */
  readonly isLate: boolean;
}

/** A job that runs tasks inside a reservation. */
interface WorkflowPilot extends SiteNeed {
  readonly job: string;
  readonly reservation: string;
  readonly site: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Number of orders that were given to it. */
  readonly orders: number;
  /** Bytes of its reports that were read. */
  readonly readBytes: number;
  /** DISMISSED: told to end with its last task. CLOSED: its job is over, and its reports are read. */
  readonly state: "OPEN" | "DISMISSED" | "CLOSED";
}

/** State of a workflow. */
type WorkflowState = "RUNNING" | "DONE" | "FAILED" | "CANCELLED";

/** A workflow, without its tasks. */
export interface WorkflowRecord {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly consumer: string;
  readonly state: WorkflowState;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly tasks: number;
  /** Times that a task may be run again after it failed. */
  readonly retries: number;
  /** Directory in which tasks run, at every site; null: one of its own for each. */
  readonly directory: string | null;
  readonly pilots: readonly WorkflowPilot[];
  /** Tasks without a place are queued like any job. */
  readonly isBestEffort: boolean;
  /** Promised end and cost of the plan; null without a plan. */
  readonly promised: { readonly endMs: number; readonly procMs: number } | null;
  readonly departures: { readonly late: number; readonly failed: number; readonly lost: number };
  /** Processor-milliseconds that were used in vain: by attempts that failed or were lost. */
  readonly lostProcMs: number;
  readonly replans: number;
  readonly replannedAtMs: number | null;
  /** Number of its files; absent: none. */
  readonly files?: number;
  /** Limits on the tasks that run at once; absent: none. */
  readonly limits?: NodeLimits;
  /** Tags of its jobs, beside the one that names it; absent: none. */
  readonly userTags?: Readonly<Record<string, string>>;
  /** Sites from which waiting tasks were withdrawn to be planned again elsewhere; absent: none. */
  readonly left?: readonly LeftSite[];
  /** Task whose exit code ended it early, and its result then; absent: none. */
  readonly aborted?: { readonly task: number; readonly result: number };
}

/** A site that waiting tasks left. */
interface LeftSite {
  readonly site: string;
  readonly why: string;
  /** Number of tasks. */
  readonly tasks: number;
  /** Numbers of the pilots in which they had their places. */
  readonly pilots: readonly number[];
}

/** Limits of planning again: so often, and not sooner than this after the last time. */
export const REPLANNING = { most: 5, everyMs: 30_000 } as const;

/** A report of a pilot on an attempt of a task. */
interface TaskReport {
  readonly task: number;
  readonly attempt: number;
  readonly atMs: number;
  /** Absent: it has begun. */
  readonly exitCode?: number;
}

/** A pilot to be: its reservation has been offered. */
type PilotRequest = SiteNeed & Pick<WorkflowPilot, "job" | "reservation" | "site" | "startMs" | "endMs">;

/** Pilots and the tasks in them; of a plan that is confirmed, all of it or none. */
export interface PlacedPlan {
  readonly pilots: readonly PilotRequest[];
  readonly places: readonly TaskPlace[];
  /** Most that the reservations may cost in all. */
  readonly mostProcMs: number | null;
}

/** Parts of a request that are stored unchanged. */
type Given = "name" | "owner" | "consumer" | "retries" | "directory" | "isBestEffort" | "limits" | "userTags";

type Command =
  | ({
      readonly kind: "startWorkflow";
      readonly workflow: string;
      readonly tasks: readonly PlannedTask[];
      readonly files?: readonly PlannedFile[];
      /** Paths or uploads of the user's files, named as in an input sandbox. */
      readonly sources?: readonly string[];
      readonly isByToken?: boolean;
    } & Pick<WorkflowRecord, Given> &
      PlacedPlan)
  /** What remains has been planned again; numbers of pilots go on after those that are there. */
  | ({ readonly kind: "replanWorkflow"; readonly workflow: string } & PlacedPlan)
  /** No plan was found for what remains: it is queued like any job. */
  | { readonly kind: "queueWorkflow"; readonly workflow: string; readonly why: string }
  /** Tasks that wait at sites which will not run them leave these. */
  | { readonly kind: "leaveSites"; readonly workflow: string }
  | {
      readonly kind: "reportTasks";
      readonly workflow: string;
      readonly pilot: number;
      readonly reports: readonly TaskReport[];
      readonly readBytes: number;
      /** True where its job is over, and nothing more will come. */
      readonly isOver: boolean;
      readonly written?: readonly WrittenFile[];
      readonly missing?: readonly MissingFile[];
    }
  | ({ readonly kind: "noteWorkflowFiles"; readonly workflow: string } & FileMoves)
  | { readonly kind: "cancelWorkflow" | "continueWorkflow"; readonly workflow: string; readonly by: string };

type Event =
  | ({
      readonly kind: "workflowStarted";
      readonly workflow: string;
      readonly tasks: readonly PlannedTask[];
      readonly files?: readonly PlannedFile[];
    } & Pick<WorkflowRecord, Given> &
      Pick<WorkflowRecord, "promised"> &
      Omit<PlacedPlan, "mostProcMs">)
  | ({ readonly kind: "workflowReplanned"; readonly workflow: string } & Omit<PlacedPlan, "mostProcMs"> &
      Pick<WorkflowRecord, "promised">)
  | { readonly kind: "workflowQueued"; readonly workflow: string; readonly why: string }
  /** A decision: a pilot, or (null) the queue, runs these tasks now. */
  | {
      readonly kind: "tasksOrdered";
      readonly workflow: string;
      readonly pilot: number | null;
      readonly tasks: readonly { readonly task: number; readonly job: string }[];
    }
  | {
      readonly kind: "tasksReported";
      readonly workflow: string;
      readonly pilot: number | null;
      readonly reports: readonly TaskReport[];
      readonly readBytes: number;
      readonly isOver: boolean;
      readonly written?: readonly WrittenFile[];
      readonly missing?: readonly MissingFile[];
    }
  | ({ readonly kind: "workflowFilesMoved"; readonly workflow: string } & FileMoves)
  /** Tasks that leave the plan, or end later than it says. */
  | {
      readonly kind: "workflowDeparted";
      readonly workflow: string;
      readonly late: readonly { readonly task: number; readonly byMs: number }[];
      /** Tasks whose pilots have no time left for them, or that leave their site. */
      readonly unplaced: readonly number[];
      readonly left?: readonly LeftSite[];
    }
  | { readonly kind: "pilotDismissed"; readonly workflow: string; readonly pilot: number }
  | {
      readonly kind: "workflowEnded";
      readonly workflow: string;
      readonly state: Exclude<WorkflowState, "RUNNING">;
      readonly by?: string;
    }
  | { readonly kind: "workflowContinued"; readonly workflow: string; readonly by: string }
  /** A workflow that ended long ago is dropped; its events stay in the log. */
  | { readonly kind: "workflowForgotten"; readonly workflow: string };

interface WorkflowsTypes {
  readonly command: Command;
  readonly event: Event;
  readonly refusal:
    | { readonly kind: "unknownWorkflow"; readonly workflow: string }
    | { readonly kind: "unknownWorkflowFile"; readonly workflow: string; readonly file: string }
    | {
        readonly kind: "workflowResultTooLarge";
        readonly workflow: string;
        readonly file: string;
        readonly bytes: number | null;
        readonly mostBytes: number;
        readonly sites: readonly string[];
      }
    | { readonly kind: "workflowInvalid"; readonly field: string; readonly why: string }
    | { readonly kind: "planLapsed"; readonly beginAtMs: number }
    | { readonly kind: "planDearer"; readonly neededProcMs: number; readonly mostProcMs: number }
    | {
        readonly kind: "wrongWorkflowState";
        readonly workflow: string;
        readonly verb: "cancel" | "continue" | "plan";
        readonly state: WorkflowState;
      };
  readonly books: {
    readonly workflows: WorkflowRecord;
    readonly workflowTasks: WorkflowTask;
    readonly workflowFiles: WorkflowFile;
  };
}

const DONE = { cancel: "cancelled", continue: "continued", plan: "planned again" } as const;

export const workflows: FeatureModel<WorkflowsTypes> = {
  events: {
    ...{ workflowStarted: 1, workflowReplanned: 1, workflowQueued: 1, tasksOrdered: 1, tasksReported: 1 },
    ...{ workflowDeparted: 1, pilotDismissed: 1, workflowEnded: 1, workflowContinued: 1 },
    ...{ workflowFilesMoved: 1, workflowForgotten: 1 },
  },
  refusals: {
    unknownWorkflow: {
      status: 404,
      text: ({ workflow }) => ({
        what: `there is no workflow ${workflow}`,
        why: "no workflow at this broker has this id; ended ones are forgotten after 30 days",
        remedy: "`stint workflow list` shows the workflows",
      }),
    },
    unknownWorkflowFile: {
      status: 404,
      text: ({ workflow, file }) => ({
        what: `workflow ${workflow} has no result ${file}`,
        why: "the broker has no file with this name; results are fetched when the task that writes them ends",
        remedy: `\`stint workflow status ${workflow}\` lists its files`,
      }),
    },
    workflowResultTooLarge: {
      status: 409,
      text: ({ workflow, file, bytes, mostBytes, sites }) => ({
        what: `result ${file} of workflow ${workflow} is not at the broker`,
        why:
          `it has ${bytes === null ? "more bytes than are left" : sizeText(bytes)}, and the broker stores ` +
          `at most ${sizeText(mostBytes)} of results for each workflow`,
        remedy: `copy it from the directory of its job at ${some(sites)}, or make it smaller`,
      }),
    },
    workflowInvalid: {
      status: 422,
      text: ({ field, why }) => ({
        what: "the workflow cannot be executed",
        why: `${field}: ${why}`,
        remedy: "correct the workflow; `stint check FILE` shows all errors of a file",
      }),
    },
    planLapsed: {
      status: 409,
      text: ({ beginAtMs }) => ({
        what: "the plan has expired",
        why: `its start was planned for ${utcText(beginAtMs)}, which has passed`,
        remedy: "plan again: stint plan FILE --execute",
      }),
    },
    planDearer: {
      status: 409,
      text: ({ neededProcMs, mostProcMs }) => ({
        what: "the plan now costs more than allowed",
        why: `its reservations now cost ${suText(neededProcMs)}, and the limit is ${suText(mostProcMs)}`,
        remedy: "plan again, or raise the limit: --budget",
      }),
    },
    wrongWorkflowState: {
      status: 409,
      text: ({ workflow, verb, state }) => ({
        what: `workflow ${workflow} cannot be ${DONE[verb]}`,
        why: `it is ${state}`,
        remedy: `see \`stint workflow status ${workflow}\``,
      }),
    },
  },
  books: {
    workflows: ({ id }) => id,
    workflowTasks: ({ workflow, at }) => `${workflow}/${at}`,
    workflowFiles: ({ workflow, at }) => `${workflow}/${at}`,
  },
};
