export {
  MOST_WORKFLOW_BYTES,
  type ReadWorkflow,
  readWorkflowBytes,
  readWorkflowFile,
  workflowForm,
} from "./read-file.ts";
