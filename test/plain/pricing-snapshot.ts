/**
 * The plain quote on the documented snapshot, in seconds, one column: what `stint quote --snapshot` must say.
 */
import { type PlainQuestion, plainQuote } from "./pricing.ts";
import type { PlainState } from "./pricing-schedule.ts";

/** The snapshot as it stands in the file. */
export interface PlainSnapshot {
  readonly nowSec: number;
  readonly procs: number;
  readonly discipline: PlainState["discipline"];
  readonly running: readonly { readonly id: string; readonly procs: number; readonly endSec: number }[];
  readonly queued: readonly { readonly id: string; readonly procs: number; readonly estimateSec: number }[];
  readonly reservations: readonly {
    readonly id: string;
    readonly procs: number;
    readonly startSec: number;
    readonly durationSec: number;
  }[];
}

/** What the command line asks. */
export interface PlainSnapshotQuestion {
  readonly procs: number;
  readonly durationSec: number;
  readonly startSec?: number;
  readonly fromSec?: number;
}

/** A row as the command line writes it. */
export interface PlainSnapshotRow {
  readonly startSec: number;
  readonly unitPrice: number;
  readonly fixedSu: number;
  readonly delaysJobs: number;
  readonly delaySu: number;
}

/** The state of a snapshot. */
export function plainSnapshotState(snapshot: PlainSnapshot): PlainState {
  return {
    nowMs: millis(snapshot.nowSec),
    capacity: [snapshot.procs],
    discipline: snapshot.discipline,
    running: snapshot.running.map(({ id, procs, endSec }) => ({ id, need: [procs], endMs: millis(endSec) })),
    queued: snapshot.queued.map(({ id, procs, estimateSec }) => ({
      id,
      need: [procs],
      estimateMs: millis(estimateSec),
    })),
    reservations: snapshot.reservations.map(({ id, procs, startSec, durationSec }) => ({
      id,
      need: [procs],
      startMs: millis(startSec),
      durationMs: millis(durationSec),
    })),
  };
}

/** The rows, by start; none where the asked start is impossible. */
export function plainQuoteSnapshot(
  snapshot: PlainSnapshot,
  { procs, durationSec, startSec, fromSec }: PlainSnapshotQuestion,
): readonly PlainSnapshotRow[] {
  const rows = plainQuote(
    plainSnapshotState(snapshot),
    [procs],
    millis(durationSec),
    questionOf(startSec, fromSec),
  );
  return rows.map(({ startMs, unitPrice, fixedSu, delaysJobs, delaySu }) => ({
    startSec: startMs / 1000,
    unitPrice,
    fixedSu,
    delaysJobs,
    delaySu,
  }));
}

function questionOf(startSec: number | undefined, fromSec: number | undefined): PlainQuestion {
  if (startSec !== undefined) return { startMs: millis(startSec) };
  return fromSec === undefined ? {} : { fromMs: millis(fromSec) };
}

function millis(seconds: number): number {
  return Math.round(seconds * 1000);
}
