export { canonicalJson } from "./canonical-json.ts";
export { type ChainEnds, type ChainVerdict, emptyHead, verifyChain } from "./hash-chain.ts";
export { createMemoryLogbook } from "./memory-logbook.ts";
export {
  type Comparison,
  compareViews,
  type Project,
  rebuildViews,
  type ViewDifference,
} from "./rebuild.ts";
export { openSqliteSamples, type SqliteSamples } from "./samples/open-samples.ts";
export { openSqliteLogbook, type SqliteLogbook, type SqliteLogbookOptions } from "./sqlite/open.ts";
export { type LogbookSnapshot, snapshotSqliteLogbook } from "./sqlite/snapshot.ts";
