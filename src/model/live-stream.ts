/** A stream as it was submitted: what it needs, reads and runs. */

/** Where the data of a stream come from. */
interface LiveSource {
  /** Address, and those of mirrors. */
  readonly href: readonly string[];
  readonly checksum?: string;
  /** Kind of the address, if it is not that of the data. */
  readonly list?: "manifest" | "generator" | "prefix";
  /** Program whose output is the data, with its arguments; the address is `exec:` and its name. */
  readonly exec?: readonly string[];
  readonly endless?: boolean;
  /** End condition of a single growing file; absent: the stream is drained. */
  readonly end?: { readonly line?: string; readonly bytes?: number; readonly silenceMs?: number };
  /** File at the site with the keys of an S3 store. */
  readonly credentials?: string;
}

/** Utility of bandwidth to a stream: rates in units, by the weight of the stream where it has none. */
interface LiveUtility {
  readonly kind: "log" | "alpha" | "linear" | "sigmoid" | "step";
  readonly weight?: number;
  readonly unitBytesPerSec: number;
  /** α of an α-fair utility. */
  readonly a?: number;
  /** Steepness of a sigmoid. */
  readonly k?: number;
  /** Middle of a sigmoid, or where a step is. */
  readonly x0?: number;
}

/** Sink of a stream: address for its results, and storage for those that are not sent yet. */
interface LiveSink {
  readonly href: string;
  readonly storageBytes: number;
  /** append: all results are in one file, in the order of the blocks; absent: each is an object. */
  readonly mode?: "put" | "append";
}

/** Stage of a pipeline after the first. */
interface LiveStage {
  readonly name: string;
  readonly command: readonly string[];
  /** Storage for the output of the previous stage, until this stage acknowledges it. */
  readonly storageBytes: number;
}

/** Resources and programs of a stream. */
export interface LiveStream {
  readonly name: string;
  readonly weight: number;
  readonly weightStep: number;
  readonly weightPeriodMs: number;
  readonly procs: number;
  readonly minBytesPerSec: number;
  readonly maxBytesPerSec?: number;
  readonly minBytes: number;
  readonly maxBytes?: number;
  /** Logarithmic in MB/s where absent. */
  readonly utility?: LiveUtility;
  readonly sources: readonly LiveSource[];
  /** Sink for results; absent: the stream has none. */
  readonly sink?: LiveSink;
  readonly blockBytes: number;
  readonly connections: number;
  readonly ahead: number;
  readonly delivery: "lines" | "directory" | "bytes";
  readonly command: readonly string[];
  /** Name of the first stage of a pipeline, which runs `command`, and the stages after it. */
  readonly pipeline?: { readonly first: string; readonly next: readonly LiveStage[] };
  readonly environment: Readonly<Record<string, string>>;
  readonly restarts: number;
  /** Time limit of its job; the site's default where absent. */
  readonly wallTimeMs?: number;
  /** Architecture of its processors; any where absent. */
  readonly type?: string;
  /** Requirements on the ad of a class of processors, as the text of a ClassAd expression. */
  readonly requirements?: string;
  /** Time for which it is tried on a class of processors at most. */
  readonly trialMs?: number;
  /** Hash of its owner and its programs, under which measured rates are remembered. */
  readonly programHash?: string;
}
