import type { JobView } from "../app/client.ts";
import { StateWord } from "./state-word.tsx";

/** States of jobs, in the order of a job's life. */
export const JOB_STATES: readonly JobView["state"][] = [
  ...(["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const),
  ...(["DONE", "ABORTED", "CANCELLED", "CLEARED", "PURGED"] as const),
];

/** State of a job in the words of the command line, with a sign and a colour. */
export function JobState({ job }: { readonly job: Pick<JobView, "state" | "result" | "exitCode"> }) {
  const isFailed = job.state === "DONE" && job.result === "failed";
  if (!isFailed) return <StateWord state={job.state} />;
  return (
    <StateWord state="FAILED" text={`FAILED${job.exitCode === null ? "" : ` (exit code ${job.exitCode})`}`} />
  );
}
