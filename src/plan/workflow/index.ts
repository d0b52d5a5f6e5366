export { type WorkflowProblem, workflowOf } from "./check.ts";
export type { ParentDraft, TaskDraft, WorkflowDraft } from "./draft.ts";
export { cyberShake, type LayeredWorkflow, layeredWorkflow } from "./generate.ts";
export { levelsOf, measuresOf, type WorkflowMeasures } from "./measures.ts";
export type { Workflow, WorkflowTask } from "./workflow.ts";
