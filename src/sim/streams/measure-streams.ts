/** Measures of a run of streams. */

import type { SceneStream, StreamReport, StreamRun } from "../../stream/index.ts";
import type { PlayingStream } from "./playing-stream.ts";

/** Sums during a run. */
export interface StreamTotals {
  readonly started: { readonly stream: SceneStream; readonly startedMs: number }[];
  readonly done: { readonly playing: PlayingStream; readonly endMs: number }[];
  occupiedByteMs: number;
  arrivedBytes: number;
}

const MS_PER_SECOND = 1000;

/** The report of a run at its horizon. */
export function measureStreams(
  { scene, variant }: StreamRun,
  totals: StreamTotals,
  end: { readonly playing: readonly PlayingStream[]; readonly inboundBytesPerSec: number },
): StreamReport {
  const { started, done } = totals;
  const { horizonMs, storageBytes } = scene;
  const ran = [
    ...done.map(({ playing, endMs }) => ({ playing, lengthMs: endMs - playing.startedMs })),
    ...end.playing.map((playing) => ({ playing, lengthMs: horizonMs - playing.startedMs })),
  ];
  const sum = (of: (playing: PlayingStream) => number) =>
    ran.reduce((all, { playing }) => all + of(playing), 0);
  const assigned = ran.reduce((all, { playing, lengthMs }) => all + playing.stream.procs * lengthMs, 0);
  const rates = ran.flatMap(({ playing, lengthMs }) =>
    lengthMs > 0 ? [playing.processedBytes / lengthMs] : [],
  );
  const lags = end.playing.map(({ stream, processedBytes, startedMs }) =>
    stream.dataBytes === Infinity
      ? Math.max(0, (stream.maxBytesPerSec * (horizonMs - startedMs)) / MS_PER_SECOND - processedBytes)
      : 0,
  );
  return {
    variant,
    processedBytes: Math.round(sum(({ processedBytes }) => processedBytes)),
    accepted: started.length,
    completed: done.length,
    meanWaitSec: meanOf(started.map(({ stream, startedMs }) => startedMs - stream.submittedMs)) ?? 0,
    meanCompletionSec: meanOf(done.map(({ playing, endMs }) => endMs - playing.stream.submittedMs)),
    busyFraction: assigned === 0 ? 0 : sum(({ busyMs, stream }) => busyMs * stream.procs) / assigned,
    bandwidthUse: totals.arrivedBytes / ((end.inboundBytesPerSec * horizonMs) / MS_PER_SECOND),
    storageOccupation: totals.occupiedByteMs / (storageBytes * horizonMs),
    halts: sum(({ halts }) => halts),
    overflowBytes: Math.round(sum(({ overflowBytes }) => overflowBytes)),
    lagBytes: Math.round(lags.reduce((all, lag) => all + lag, 0)),
    fairness: jain(rates),
  };
}

/** Mean in seconds, to the millisecond; null of nothing. */
function meanOf(lengthsMs: readonly number[]): number | null {
  if (lengthsMs.length === 0) return null;
  return Math.round(lengthsMs.reduce((sum, length) => sum + length, 0) / lengthsMs.length) / MS_PER_SECOND;
}

/** Jain's index: (Σx)² / (n·Σx²); 1 where all are equal, and of nothing. */
function jain(values: readonly number[]): number {
  const sum = values.reduce((all, value) => all + value, 0);
  const squares = values.reduce((all, value) => all + value ** 2, 0);
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares);
}
