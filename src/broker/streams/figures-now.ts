/** Figures of a stream as they are now: the wrapper of a suspended job is stopped, and cannot report that. */
import type { JobRecord, StreamFigures } from "../../model/index.ts";

/** @param reported by its wrapper, last */
export function figuresNow(
  job: Pick<JobRecord, "state"> | undefined,
  reported: StreamFigures | undefined,
): StreamFigures | undefined {
  if (reported === undefined || job?.state !== "SUSPENDED") return reported;
  const rates = { allocatedBytesPerSec: 0, receivedBytesPerSec: 0, processedBytesPerSec: 0 };
  return { ...reported, ...rates, state: "suspended", trouble: null };
}
