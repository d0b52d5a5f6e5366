/**
 * Workflows that the broker executes (rules EN-210 … EN-214): tasks run in pilots, each a job in a
 * reservation, or as jobs of their own; what departs from the plan is recorded, and planned again.
 */
import type { WorkflowFile, WorkflowRecord, WorkflowTask } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import type { Projection } from "../../state/projection.ts";
import { workflowAnswers } from "./answer-workflow.ts";
import { noteJobs, workflowApplies } from "./apply-workflow.ts";
import { decideWorkflows, workflowsWakeAtMs } from "./decide-workflow.ts";
import { livePlatform } from "./live-platform.ts";
import { remainderOf } from "./remainder.ts";
import { strandedTasks } from "./stranded.ts";
import { tasksOf } from "./task-changes.ts";
import { dueMoves, filesOf } from "./workflow-files.ts";

export const workflows = {
  name: "workflows",
  answers: workflowAnswers,
  applies: workflowApplies,
  after: (projection, event, jobs) => noteJobs(projection, jobs, event.atMs),
  decide: decideWorkflows,
  wakeAtMs: workflowsWakeAtMs,
  queries: {
    livePlatform,
    /** All workflows, the oldest first. */
    workflows: ({ books }: Projection): readonly WorkflowRecord[] => [...books.workflows.values()],
    /** The tasks of a workflow by their number; none for an unknown one. */
    workflowTasks: (projection: Projection, workflow: string): readonly WorkflowTask[] => {
      const record = projection.books.workflows.get(workflow);
      return record === undefined ? [] : tasksOf(projection, record);
    },
    /** The files of a workflow by their number; none for an unknown one. */
    workflowFiles: (projection: Projection, workflow: string): readonly WorkflowFile[] => {
      const record = projection.books.workflows.get(workflow);
      return record === undefined ? [] : filesOf(projection, record);
    },
    workflowMoves: dueMoves,
    workflowRemainder: remainderOf,
    /** Tasks that are to leave their sites, for which `leaveSites` is to be asked. */
    workflowStranded: strandedTasks,
  },
} as const satisfies Feature;
