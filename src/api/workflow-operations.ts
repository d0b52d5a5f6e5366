/** Operations on workflows and what they are planned on; a part of the table of all operations. */
import type {
  PlansView,
  PlanTextRequest,
  PlatformFilter,
  PlatformView,
  WorkflowRequest,
  WorkflowSummary,
  WorkflowView,
} from "../contract/index.ts";
import { act, create, type Items, look, none, of, question } from "./operation-shapes.ts";

const workflow = of<WorkflowView>();

/** Rows of the table of operations. */
export const WORKFLOW_OPERATIONS = {
  getPlatform: { ...look, path: "/platform", query: of<PlatformFilter>(), answer: of<PlatformView>() },
  planWorkflow: { ...question, path: "/plans", body: of<PlanTextRequest>(), answer: of<PlansView>() },
  startWorkflow: { ...create, path: "/workflows", body: of<WorkflowRequest>(), answer: workflow },
  listWorkflows: { ...look, path: "/workflows", answer: of<Items<WorkflowSummary>>() },
  getWorkflow: { ...look, path: "/workflows/:id", answer: workflow },
  readWorkflowFile: { ...look, path: "/workflows/:id/files/:name", answer: none },
  cancelWorkflow: { ...act, path: "/workflows/:id/cancel", answer: workflow },
  continueWorkflow: { ...act, path: "/workflows/:id/continue", answer: workflow },
} as const;
