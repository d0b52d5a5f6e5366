export { readQueueSnapshot, type SnapshotReading } from "./read.ts";
export { readQueueSnapshotFile } from "./read-file.ts";
