export {
  type DeclaredProvider,
  type KnownNames,
  knownFrom,
  NOTHING_KNOWN,
  type ProviderCapacity,
} from "./known.ts";
export { type FileRemarks, type PolicyReading, policiesAt, readPolicies } from "./read.ts";
export { readPolicyFiles, readRequestsFile } from "./read-file.ts";
export {
  type AdmissionRequest,
  type ExactDecimal,
  exactDecimal,
  type RequestsReading,
  readRequests,
} from "./read-requests.ts";
export type { WrittenPolicy } from "./settle.ts";
export { agreementForm, type LongForm, longForm, percentText } from "./written.ts";
