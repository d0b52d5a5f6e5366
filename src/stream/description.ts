/**
 * Description of a stream: what it runs, what it needs, where its data come from and where results go.
 *
 * Source: [STREAM] 2 and 3.1 for minima, executable, processors and sources; the rest is ours. A stream may
 * be a pipeline of stages, which is admitted as one: its processors are the sum over the stages.
 */
import type { Utility } from "./utility.ts";

/** Order of reading several sources: one after the other, in turns, or matched by key or time. */
type SourceOrder = "sequence" | "interleave" | "align";

/** One source of data. */
export interface StreamSource {
  /** Exactly one of these five says what is read. */
  readonly href?: string;
  readonly manifest?: string;
  readonly prefix?: string;
  readonly generator?: string;
  readonly exec?: string;
  /** `adler32:…`, `md5:…` or `sha256:…`. */
  readonly checksum?: string;
  /** Rate at which the source delivers at most. */
  readonly bytesPerSec?: number;
  /** True for a source that grows until its end marker. */
  readonly isEndless: boolean;
  /** End condition of a single growing file. */
  readonly end?: { readonly line?: string; readonly bytes?: number; readonly silenceMs?: number };
  readonly delegation?: string;
  /** File at the site with the keys of an S3 store. */
  readonly credentials?: string;
  readonly mirrors: readonly string[];
}

/** Where results go. */
interface StreamSink {
  readonly href: string;
  readonly mode: "put" | "append";
  readonly minBytesPerSec: number;
  /** Share of the storage for results that are not sent yet. */
  readonly storageBytes: number;
}

/** A stage of a pipeline. */
export interface StreamStage {
  readonly name: string;
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly count: number;
  /** Storage for its output that the next stage has not processed; one block where absent. */
  readonly storageBytes?: number;
  /** True where acknowledgement waits for the next stage. */
  readonly isAckThrough: boolean;
}

/** A described stream; amounts in bytes and bytes/s, lengths in milliseconds. */
export interface StreamSpec {
  readonly name: string;
  readonly weight: number;
  /** Growth of the weight per {@link weightPeriodMs} of waiting. */
  readonly weightStep: number;
  readonly weightPeriodMs: number;
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly inputSandbox: readonly string[];
  readonly virtualOrganisation?: string;
  readonly delegation?: string;
  readonly processors: {
    readonly count: number;
    /** Bounds between which an elastic stream may change. */
    readonly min: number;
    readonly max: number;
    /** Architecture, as `x86_64`. */
    readonly type?: string;
    /** A ClassAd expression over the class of processors. */
    readonly requirements?: string;
  };
  readonly bandwidth: { readonly minBytesPerSec: number; readonly maxBytesPerSec?: number };
  readonly storage: { readonly minBytes: number; readonly maxBytes?: number };
  readonly utility: Utility;
  readonly sources: { readonly order: SourceOrder; readonly list: readonly StreamSource[] };
  readonly sink?: StreamSink;
  readonly blocks: {
    readonly sizeBytes: number;
    /** Most files in a block. */
    readonly files?: number;
    /** Blocks fetched ahead of the application. */
    readonly ahead: number;
    readonly connections: number;
  };
  readonly processing: {
    readonly rateHintBytesPerSec?: number;
    readonly trialMs: number;
    readonly ack: "line" | "file" | "exit" | "bytes";
  };
  readonly pipeline: readonly StreamStage[];
  readonly limits: {
    readonly wallTimeMs?: number;
    /** Deadline, in milliseconds from the submission. */
    readonly deadlineMs?: number;
    readonly maxLagBytes?: number;
    readonly restarts: number;
  };
}

/** Processors of a stream: those it names, or the sum over its stages ([STREAM] 3.1). */
export function procsOf({ processors, pipeline }: Pick<StreamSpec, "processors" | "pipeline">): number {
  if (pipeline.length === 0) return processors.count;
  return pipeline.reduce((sum, { count }) => sum + count, 0);
}

/** Storage that admission counts: the minimum, and what unsent results and outputs between stages take. */
export function storageNeedBytes({ storage, sink, blocks, pipeline }: StreamSpec): number {
  const between = pipeline.slice(0, -1).map(({ storageBytes }) => storageBytes ?? blocks.sizeBytes);
  return between.reduce((sum, bytes) => sum + bytes, storage.minBytes + (sink?.storageBytes ?? 0));
}

/**
 * Storage level at which a stream is halted: one block per connection may still arrive after it, so that
 * overflow is impossible.
 */
export function haltMarkBytes(
  quotaBytes: number,
  blocks: Pick<StreamSpec["blocks"], "sizeBytes" | "connections">,
) {
  return Math.max(0, quotaBytes - blocks.sizeBytes * blocks.connections);
}
