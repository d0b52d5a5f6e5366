/**
 * States of Slurm's jobs. Source: squeue(1), JOB STATE CODES, of 22.05 to 24.11.
 *
 * A state that is not listed is data, kept as written.
 */
import type { ClusterJobState } from "../../model/index.ts";

const IN_QUEUE: Readonly<Record<string, ClusterJobState>> = {
  PENDING: "waiting",
  REQUEUED: "waiting",
  REQUEUE_FED: "waiting",
  POWER_UP_NODE: "waiting",
  REQUEUE_HOLD: "held",
  SPECIAL_EXIT: "held",
  RESV_DEL_HOLD: "held",
  CONFIGURING: "running",
  RUNNING: "running",
  RESIZING: "running",
  SIGNALING: "running",
  STOPPED: "suspended",
  SUSPENDED: "suspended",
  COMPLETING: "ending",
  STAGE_OUT: "ending",
};

const OVER = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "EXPIRING",
  "FAILED",
  "LAUNCH_FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "RECONFIG_FAIL",
  "REVOKED",
  "TIMEOUT",
]);

/** The first word: sacct writes `CANCELLED by 1000`, and marks a shortened one with `+`. */
export function stateWord(text: string): string {
  return (text.trim().split(/\s/)[0] ?? "").replace(/\+$/, "").toUpperCase();
}

/** True for a job that has ended. */
export function isOver(state: string): boolean {
  return OVER.has(stateWord(state));
}

/** A state in the queue; null where it is not known. A job that waits with priority 0 is held. */
export function queueState(
  state: string,
  reason: string | null,
  priority: number | null,
): ClusterJobState | null {
  const known = IN_QUEUE[stateWord(state)] ?? null;
  if (known !== "waiting") return known;
  return priority === 0 || /^JobHeld|held/i.test(reason ?? "") ? "held" : "waiting";
}
