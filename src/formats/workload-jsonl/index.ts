export type {
  Amounts,
  CancelEntry,
  DownEntry,
  JobEntry,
  PeriodEntry,
  PoolEntry,
  ReservationEntry,
  WorkloadEntry,
} from "./entry.ts";
export { lineFault } from "./line-fields.ts";
export { liveLines } from "./live-lines.ts";
export { type PastJob, pastLines } from "./past-lines.ts";
export { readWorkloadLines, type WorkloadReader } from "./read.ts";
