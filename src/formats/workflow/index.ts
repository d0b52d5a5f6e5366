export {
  MOST_WORKFLOW_BYTES,
  type ReadWorkflow,
  readWorkflowBytes,
  readWorkflowFile,
  readWorkflowText,
  workflowForm,
} from "./read-file.ts";
