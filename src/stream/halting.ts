/**
 * Halts of a session whose storage is full: when they begin and end, and their closed forms.
 *
 * A session is halted at the mark H and resumes at L; inflow and processing are constant in the closed forms.
 * Source: [STREAM] 3.5 says that transfers are intermittent; the marks are ours.
 */

/** Marks of a session's storage. */
export interface HaltMarks {
  readonly haltBytes: number;
  readonly resumeBytes: number;
}

/** A session between halts. */
export interface Flow extends HaltMarks {
  readonly inflowBytesPerSec: number;
  readonly processedBytesPerSec: number;
}

/** Consequences of constant rates. */
export interface HaltCycle {
  readonly throughputBytesPerSec: number;
  /** Part of the time in which the processors work. */
  readonly busyFraction: number;
  /** Part of the time in which data arrive. */
  readonly receivingFraction: number;
  readonly meanInflowBytesPerSec: number;
  /** Seconds from the resume mark to the halt mark; `Infinity` where it is never reached. */
  readonly fillSec: number;
  /** Seconds from the halt mark to the resume mark. */
  readonly drainSec: number;
  readonly haltsPerHour: number;
}

const SECONDS_PER_HOUR = 3600;

/** True if a session is halted from now on; depends on its storage and on whether it was halted. */
export function isHaltedAt(occupiedBytes: number, wasHalted: boolean, { haltBytes, resumeBytes }: HaltMarks) {
  return wasHalted ? occupiedBytes > resumeBytes : occupiedBytes >= haltBytes;
}

/** The cycle of a session. */
export function haltCycle(flow: Flow): HaltCycle {
  const { inflowBytesPerSec: inflow, processedBytesPerSec: processed, haltBytes, resumeBytes } = flow;
  if (inflow <= processed) {
    return {
      throughputBytesPerSec: inflow,
      busyFraction: processed === 0 ? 0 : inflow / processed,
      receivingFraction: 1,
      meanInflowBytesPerSec: inflow,
      fillSec: Number.POSITIVE_INFINITY,
      drainSec: 0,
      haltsPerHour: 0,
    };
  }
  const between = haltBytes - resumeBytes;
  const fillSec = between / (inflow - processed);
  const drainSec = processed === 0 ? Number.POSITIVE_INFINITY : between / processed;
  return {
    throughputBytesPerSec: processed,
    busyFraction: 1,
    receivingFraction: processed / inflow,
    meanInflowBytesPerSec: processed,
    fillSec,
    drainSec,
    haltsPerHour: SECONDS_PER_HOUR / (fillSec + drainSec),
  };
}
