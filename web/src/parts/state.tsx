import { Text } from "@mantine/core";
import type { JobView } from "../app/client.ts";

const signs: Readonly<Record<JobView["state"], readonly [sign: string, colour: string]>> = {
  WAITING: ["○", "waiting"],
  READY: ["◔", "waiting"],
  SCHEDULED: ["◑", "waiting"],
  RUNNING: ["▶", "running"],
  SUSPENDED: ["❚❚", "held"],
  HELD: ["❚❚", "held"],
  DONE: ["✓", "done"],
  ABORTED: ["✕", "failed"],
  CANCELLED: ["⊘", "quiet"],
};

/** States of jobs, in the order of a job's life. */
export const JOB_STATES = Object.keys(signs) as JobView["state"][];

/** State of a job in the words of the command line, with a sign and a colour. */
export function JobState({ job }: { readonly job: Pick<JobView, "state" | "result" | "exitCode"> }) {
  const isFailed = job.state === "DONE" && job.result === "failed";
  const [sign, colour] = isFailed ? ["✕", "failed"] : signs[job.state];
  const word = isFailed ? `FAILED${job.exitCode === null ? "" : ` (exit code ${job.exitCode})`}` : job.state;
  return (
    <Text span size="sm" fw={600} c={`var(--stint-${colour})`} style={{ whiteSpace: "nowrap" }}>
      <span aria-hidden="true">{sign} </span>
      {word}
    </Text>
  );
}
