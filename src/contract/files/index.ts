export { adAttributesShape } from "./ad-attributes.ts";
export { applicationsShape } from "./applications.ts";
export { FILE_SHAPES, type FileShape } from "./files.ts";
export { outputDatum } from "./input-data.ts";
export { jobShape } from "./job.ts";
export { ownersShape } from "./owners.ts";
export { platformShape } from "./platform.ts";
export { agreementShape, policyBetweenShape, policyFileShape, policyShape } from "./policy.ts";
export { priorityShapes } from "./priority.ts";
export { queueSnapshotShape } from "./queue-snapshot.ts";
export { reservationsShape } from "./reservation-rules.ts";
export { s3CredentialsShape } from "./s3-credentials.ts";
export { scenarioShape, scenarioSiteShape } from "./scenario.ts";
export { scenarioFileShape, scenarioNameShape, workloadShape } from "./scenario-workload.ts";
export {
  type AnyShape,
  caseOf,
  type Mismatch,
  type Notations,
  nothingSaid,
  type Read,
  type ShapeOf,
} from "./shape.ts";
export { linksShape, siteShape, stintShape, storesShape } from "./stint.ts";
export { streamFileShape, streamShape } from "./stream.ts";
export { streamScenarioShape } from "./stream-scenario.ts";
export { streamControlShape, streamWrapperShape } from "./stream-wrapper.ts";
export { CONSUMER_PATTERN } from "./texts.ts";
export { workflowShape } from "./workflow.ts";
export { workloadLineShapes } from "./workload.ts";
