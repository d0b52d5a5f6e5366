/**
 * Storage of a site's streams: quotas of those that run, and room for those that start.
 *
 * A stream that is admitted starts when the others have given up its minimum: quotas never fall below what is
 * occupied, so this can take until they have processed some of their data.
 */
import {
  isFinal,
  type StreamPoolSpec,
  type StreamRecord,
  storageBesideBlocks,
} from "../../../model/index.ts";
import { type ShiftedStream, STREAM_RULES, shiftStorage } from "../../../stream/index.ts";
import type { Projection } from "../../state/projection.ts";

/** Current activity of a stream, as reported by its wrapper. */
interface StreamNow {
  readonly isHalted: boolean;
  readonly occupiedBytes: number;
  readonly processedBytesPerSec?: number;
  /** Quota that its wrapper obeys, with the storage beside its blocks. */
  readonly quotaBytes?: number;
}

/** Quotas as they are, and whether a move is due. */
export interface StorageNow {
  readonly now: ReadonlyMap<string, StreamNow>;
  /** Quotas by stream; new streams have none. */
  readonly quotas?: ReadonlyMap<string, number>;
  readonly isMoveDue?: boolean;
}

/** A site's store and the streams there that are not over. */
export interface SiteStreams {
  readonly spec: StreamPoolSpec;
  readonly there: readonly StreamRecord[];
  readonly inboundBytesPerSec: number;
}

/** Minimum storage with the shares of unsent results and of outputs between stages. */
export function leastStorage(stream: StreamRecord["stream"]): number {
  return stream.minBytes + storageBesideBlocks(stream);
}

/** Next quotas of the streams that run, in their order. */
export function quotasAt(
  projection: Projection,
  { spec, there, inboundBytesPerSec }: SiteStreams,
  { now, quotas, isMoveDue = false }: StorageNow,
): readonly number[] {
  const running = there.filter(({ job }) => now.has(job));
  const shifted = running.map(({ job, stream }): ShiftedStream => {
    const { occupiedBytes = 0, processedBytesPerSec } = now.get(job) ?? {};
    const beside = storageBesideBlocks(stream);
    return {
      minBytes: leastStorage(stream),
      ...(stream.maxBytes === undefined ? {} : { maxBytes: stream.maxBytes + beside }),
      maxBytesPerSec: stream.maxBytesPerSec ?? inboundBytesPerSec,
      ...{ occupiedBytes, quotaBytes: quotas?.get(job) },
      ...(processedBytesPerSec === undefined ? {} : { processedBytesPerSec }),
    };
  });
  const { storageBytes } = spec;
  const startingBytes = startingMinima(projection, there, now);
  return shiftStorage(shifted, { storageBytes, startingBytes, isMoveDue, rules: STREAM_RULES });
}

/** True where the streams that run leave the minima of all admitted streams that do not run yet. */
export function mayStartAt(
  projection: Projection,
  { spec, there }: SiteStreams,
  now: StorageNow["now"],
): boolean {
  const held = there
    .filter(({ job }) => now.has(job))
    .map(({ job, stream }) => {
      const { occupiedBytes = 0, quotaBytes = 0 } = now.get(job) ?? {};
      return Math.max(leastStorage(stream), occupiedBytes, quotaBytes);
    });
  return totalOf(held) + startingMinima(projection, there, now) <= spec.storageBytes;
}

/** Minima of admitted streams that do not report yet. */
function startingMinima(
  { jobs }: Projection,
  there: readonly StreamRecord[],
  now: StorageNow["now"],
): number {
  const starting = there.filter(({ job, admittedAtMs }) => {
    const state = jobs.get(job)?.state;
    return admittedAtMs !== null && !now.has(job) && state !== undefined && !isFinal(state);
  });
  return totalOf(starting.map(({ stream }) => leastStorage(stream)));
}

function totalOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
