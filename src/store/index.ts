export { type ArchivableLogbook, archiveEvents } from "./archive/archive-events.ts";
export { chainText, verifyArchive } from "./archive/verify-archives.ts";
export { canonicalJson } from "./canonical-json.ts";
export { emptyHead, verifyChain } from "./hash-chain.ts";
export { createMemoryLogbook } from "./memory-logbook.ts";
export {
  compareViews,
  rebuildViews,
} from "./rebuild.ts";
export { openSqliteSamples, type SqliteSamples } from "./samples/open-samples.ts";
export { copyDatabases } from "./sqlite/copy.ts";
export { logbookOwner } from "./sqlite/directory.ts";
export { openSqliteLogbook } from "./sqlite/open.ts";
export { type LogbookSnapshot, snapshotSqliteLogbook } from "./sqlite/snapshot.ts";
