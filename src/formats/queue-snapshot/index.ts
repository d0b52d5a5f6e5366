export { readQueueSnapshot } from "./read.ts";
export { readQueueSnapshotFile } from "./read-file.ts";
