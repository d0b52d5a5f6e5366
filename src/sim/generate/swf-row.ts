/**
 * A drawn job as a line of SWF.
 */
import { swfField, swfFieldCount } from "../../formats/index.ts";
import type { DrawnJob } from "./workload-model.ts";

/** SWF status of a job that came to its end. */
const STATUS_COMPLETED = 1;

/** The 18 fields; what a model does not know is -1. */
export function swfRow(job: DrawnJob, id: number, submitSec: number): Float64Array {
  const row = new Float64Array(swfFieldCount).fill(-1);
  row[swfField.jobNumber] = id;
  row[swfField.submit] = submitSec;
  row[swfField.runtime] = job.runtimeSec;
  row[swfField.allocatedProcs] = job.procs;
  row[swfField.requestedProcs] = job.procs;
  row[swfField.requestedTime] = job.requestSec;
  row[swfField.status] = STATUS_COMPLETED;
  row[swfField.user] = job.user;
  return row;
}
