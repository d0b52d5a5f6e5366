export { type Bundle, bundleText, type EvidenceSource, hashesOf, type LogPart } from "./bundle.ts";
export {
  accountPath,
  consumerOf,
  NO_OWNERS,
  type Owners,
  readOwnersFile,
  userName,
} from "./owners.ts";
export { alterationsOf, alteredFault, readBundleFile, type SealedBundle } from "./read-bundle.ts";
export { readSacctAccounting } from "./sacct-accounting.ts";
export { readSwfAccounting } from "./swf-accounting.ts";
export { type SealedFindings, verifiedValue } from "./verified-value.ts";
