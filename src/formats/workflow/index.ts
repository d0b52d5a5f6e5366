export { type ReadWorkflow, readWorkflowFile, workflowForm } from "./read-file.ts";
