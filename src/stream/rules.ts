/** Parameters of a pool and of its streams, with their defaults: all are configuration. */

/** Settings of a pool; lengths in milliseconds, parts as fractions. */
export interface StreamRules {
  readonly allocationPeriodMs: number;
  /** Part of a link that streams are not given. */
  readonly linkMargin: number;
  /** Part of a store that is kept for newcomers. */
  readonly newcomerMargin: number;
  /** Width of the groups of weights. */
  readonly groupWidth: number;
  readonly storageMove: {
    readonly periodMs: number;
    readonly highMark: number;
    readonly lowMark: number;
    /** Part of the giver's free storage that moves at once. */
    readonly step: number;
  };
  /** Part of the quota at which a halted stream resumes. */
  readonly resumeMark: number;
  /** Time for which storage should hold data. */
  readonly needHorizonMs: number;
  readonly drawTries: number;
  readonly reservation: {
    /** Weight periods without a start after which a stream may reserve. */
    readonly afterPeriods: number;
    /** Streams that may reserve at a time. */
    readonly atOnce: number;
    readonly lifeMs: number;
  };
  readonly leaseMs: number;
  /** Age at which a remembered rate is forgotten. */
  readonly rememberMs: number;
  readonly trial: { readonly mostMs: number; readonly mostBlocks: number };
}

const HOUR_MS = 3_600_000;

/** Defaults of every setting. */
export const STREAM_RULES: StreamRules = {
  allocationPeriodMs: 5_000,
  linkMargin: 0.05,
  newcomerMargin: 0.1,
  groupWidth: 1,
  storageMove: { periodMs: 10_000, highMark: 0.8, lowMark: 0.3, step: 0.1 },
  resumeMark: 0.5,
  needHorizonMs: 60_000,
  drawTries: 1_000_000,
  reservation: { afterPeriods: 2, atOnce: 1, lifeMs: HOUR_MS },
  leaseMs: 15_000,
  rememberMs: 30 * 24 * HOUR_MS,
  trial: { mostMs: 30_000, mostBlocks: 3 },
};

/** Defaults of a stream's description. */
export const STREAM_DEFAULTS = {
  weight: 1,
  weightStep: 1,
  weightPeriodMs: 600_000,
  unitBytesPerSec: 1_000_000,
  blockBytes: 64_000_000,
  blocksAhead: 2,
  connections: 1,
  trialMs: 30_000,
  restarts: 3,
} as const;
