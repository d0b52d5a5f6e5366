export { type ReadWorkflow, readWorkflowFile, workflowForm } from "./read-file.ts";
export type { ReadingRules, WorkflowForm } from "./reading.ts";
