export { changesBetween, type PolicyChange } from "./changes.ts";
export { type HeldPlace, heldPlace, holdingAt } from "./holding.ts";
export {
  knownFrom,
  NOTHING_KNOWN,
} from "./known.ts";
export { excessNowAndLater, type OverProvisionRow } from "./over-provisioned.ts";
export { policyText } from "./policy-text.ts";
export { type PolicyReading, policiesAt, readPolicies } from "./read.ts";
export { readPolicyFiles, readRequestsFile } from "./read-file.ts";
export {
  type AdmissionRequest,
  exactDecimal,
} from "./read-requests.ts";
export { siteRemarks } from "./site-remarks.ts";
export { agreementForm, type LongForm, longForm } from "./written.ts";
