export { readQueueSnapshot, readQueueSnapshotFile } from "./read.ts";
