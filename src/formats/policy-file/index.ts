export {
  knownFrom,
  NOTHING_KNOWN,
} from "./known.ts";
export { type PolicyReading, policiesAt, readPolicies } from "./read.ts";
export { readPolicyFiles, readRequestsFile } from "./read-file.ts";
export {
  type AdmissionRequest,
  exactDecimal,
} from "./read-requests.ts";
export type { WrittenPolicy } from "./settle.ts";
export { agreementForm, type LongForm, longForm } from "./written.ts";
