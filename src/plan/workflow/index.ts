export { type WorkflowProblem, workflowOf } from "./check.ts";
export { type Dependency, withDependencies } from "./dependencies.ts";
export type { ParentDraft, StagedFile, TaskDraft, TaskProgram, WorkflowDraft } from "./draft.ts";
export { cyberShake, layeredWorkflow } from "./generate.ts";
export { areSame, joinedWorkflow, type WorkflowPart } from "./join.ts";
export { measuresOf, type WorkflowMeasures } from "./measures.ts";
export { type RecordedRun, wantsRecords, withRecordedRuntimes } from "./recorded-runtimes.ts";
export type { Workflow } from "./workflow.ts";
