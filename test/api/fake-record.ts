/** A job as a fake broker has it. */
import { JOB_DEFAULTS, type JobRecord } from "../../src/model/index.ts";

/** A waiting job of the caller. @param age jobs of a greater one came later */
export function recordOf(id: string, age: number): JobRecord {
  return {
    id,
    state: "WAITING",
    description: { ...JOB_DEFAULTS, executable: "true" },
    consumer: "local/me",
    owner: "me",
    submittedAtMs: Date.UTC(2026, 10, 20, 8) + age,
    order: age,
    restMs: 0,
    attempt: 0,
    site: null,
    siteJob: null,
    startDecidedAtMs: null,
    startedAtMs: null,
    endedAtMs: null,
    result: null,
    ...{ exitCode: null, signal: null, isTimeLimit: false, cpuMs: null },
    isCancelRequested: false,
    abortReason: null,
  };
}
