/** Input and results of simulations of streams: a pool, streams, how resources are shared, measures. */
import type { Utility } from "./utility.ts";

/** Ways to share a pool: ours, its variants, and the baselines of the experiments. */
export const STREAM_VARIANTS = [
  "exact",
  "genetic",
  "literal",
  "processors-only",
  "equal-share",
  "staged",
  "reserved",
] as const;

/** One of them. */
export type StreamVariant = (typeof STREAM_VARIANTS)[number];

/** Processors of one class. */
export interface SceneClass {
  readonly name: string;
  readonly procs: number;
  readonly speed: number;
  readonly type: string;
}

/** A stream in a simulation. */
export interface SceneStream {
  readonly id: string;
  readonly submittedMs: number;
  readonly weight: number;
  readonly weightStep: number;
  readonly weightPeriodMs: number;
  readonly procs: number;
  /** Architecture; absent: any. */
  readonly type?: string;
  readonly minBytesPerSec: number;
  readonly maxBytesPerSec: number;
  readonly storageBytes: number;
  readonly blockBytes: number;
  readonly connections: number;
  readonly utility: Utility;
  /** Rate of processing on processors of speed 1. */
  readonly processedBytesPerSec: number;
  /** `Infinity` for an endless stream. */
  readonly dataBytes: number;
}

/** A scenario of streams on one site. */
export interface StreamScene {
  readonly horizonMs: number;
  readonly classes: readonly SceneClass[];
  readonly linkBytesPerSec: number;
  readonly storageBytes: number;
  readonly streams: readonly SceneStream[];
}

/** Settings of the simulation of a scene. */
export interface StreamRun {
  readonly scene: StreamScene;
  readonly variant: StreamVariant;
  readonly seed: number;
  /** Assignment of processors: the fastest class by trial, or in drawn order. */
  readonly assignment?: "trial" | "random";
}

/** Results of one run. */
export interface StreamReport {
  readonly variant: StreamVariant;
  readonly processedBytes: number;
  readonly accepted: number;
  readonly completed: number;
  readonly meanWaitSec: number;
  /** Mean time from submission to completion, of those completed; null without any. */
  readonly meanCompletionSec: number | null;
  /** Part of the time of assigned processors in which they worked. */
  readonly busyFraction: number;
  /** Part of what streams may have of the link that carried data. */
  readonly bandwidthUse: number;
  /** Mean part of the store that was occupied. */
  readonly storageOccupation: number;
  readonly halts: number;
  /** Bytes that found no room and were sent again. */
  readonly overflowBytes: number;
  /** Lag of endless streams behind their sources at the end. */
  readonly lagBytes: number;
  /** Jain's index of the mean rates of processing, from 1/n to 1. */
  readonly fairness: number;
}

/** Reports of a scenario, one for each variant. */
export interface StreamSimulation {
  readonly streams: number;
  readonly horizonSec: number;
  readonly seed: number;
  readonly reports: readonly StreamReport[];
}
