/**
 * Cost of a virtual reservation beside the work: the time for which its job waits for its program's start.
 */
import type { JobRecord } from "./job.ts";
import type { VirtualReservationSlot } from "./virtual-reservation.ts";

/** T₂ … S, in ms; shorter where it ended before; 0 while it has not started, and of one that started late. */
export function idleMsOf(
  { startedAtMs, endedAtMs }: Pick<JobRecord, "startedAtMs" | "endedAtMs">,
  { startMs }: Pick<VirtualReservationSlot, "startMs">,
): number {
  return startedAtMs === null ? 0 : Math.max(0, Math.min(startMs, endedAtMs ?? startMs) - startedAtMs);
}
