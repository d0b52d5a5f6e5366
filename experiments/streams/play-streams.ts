/** The runs behind the claims on streams: spec workload, ten seeds, three loads, every variant. */

import { createRandom, drawFraction, drawInteger } from "../../src/base/index.ts";
import { drawStreams, STREAM_POOL } from "../../src/sim/streams/draw-streams.ts";
import { playStreams } from "../../src/sim/streams/play-streams.ts";
import {
  allocateBandwidth,
  STREAM_VARIANTS,
  type StreamReport,
  type StreamVariant,
} from "../../src/stream/index.ts";

/** Loads of the tightest resource. */
export const LOADS = [0.6, 0.9, 1.2] as const;

/** Reports by load and variant, one for each seed. */
export interface Played {
  readonly load: number;
  readonly variant: StreamVariant;
  readonly reports: readonly StreamReport[];
}

/** Plays all variants at all loads. */
export function playAll(seeds: number, tell: (text: string) => void): readonly Played[] {
  return LOADS.flatMap((load) => {
    const scenes = Array.from({ length: seeds }, (_, seed) =>
      drawStreams({ ...STREAM_POOL, load, seed: seed + 1 }),
    );
    return STREAM_VARIANTS.map((variant) => {
      tell(`load ${load}, ${variant}\n`);
      const reports = scenes.map((scene, seed) => playStreams({ scene, variant, seed: seed + 1 }));
      return { load, variant, reports };
    });
  });
}

/** Largest loss of the genetic algorithm against the exact optimum, as a part of it, over random cases. */
export function geneticLoss(cases: number, sessions: number): number {
  const random = createRandom(2026);
  let worst = 0;
  for (let round = 0; round < cases; round++) {
    const drawn = Array.from({ length: sessions }, () => {
      const minBytesPerSec = (1 + 4 * drawFraction(random)) * 1e6;
      const weight = drawInteger(random, 1, 5);
      return {
        ...{ minBytesPerSec, maxBytesPerSec: 4 * minBytesPerSec },
        utility: { kind: "log" as const, weight, unitBytesPerSec: 1e6 },
      };
    });
    const minima = drawn.reduce((sum, it) => sum + it.minBytesPerSec, 0);
    const asked = { inboundBytesPerSec: minima * (1.05 + 2.5 * drawFraction(random)) };
    const exact = allocateBandwidth(drawn, asked).utility;
    const genetic = { isEnvelopeSeeded: false };
    const found = allocateBandwidth(drawn, { ...asked, method: "genetic", random, genetic }).utility;
    worst = Math.max(worst, (exact - found) / exact);
  }
  return worst;
}

/** Throughput by trial over throughput at random: one stream at a time on processors that are never short. */
export function trialGain(seeds: number): { readonly measured: number; readonly expected: number } {
  const classes = [
    { name: "fast", procs: 4, speed: 1, type: "x86_64" },
    { name: "slow", procs: 4, speed: 0.6, type: "x86_64" },
  ];
  const stream = {
    ...{ id: "a", submittedMs: 0, weight: 1, weightStep: 1, weightPeriodMs: 600_000, procs: 1 },
    ...{ minBytesPerSec: 1e6, maxBytesPerSec: 50e6, storageBytes: 10e9, blockBytes: 64e6, connections: 1 },
    ...{ processedBytesPerSec: 10e6, dataBytes: Number.POSITIVE_INFINITY },
    utility: { kind: "log" as const, weight: 1, unitBytesPerSec: 1e6 },
  };
  const scene = {
    horizonMs: 3_600_000,
    classes,
    linkBytesPerSec: 125e6,
    storageBytes: 100e9,
    streams: [stream],
  };
  const sum = (assignment: "trial" | "random") =>
    Array.from(
      { length: seeds },
      (_, seed) => playStreams({ scene, variant: "exact", seed, assignment }).processedBytes,
    ).reduce((all, bytes) => all + bytes, 0);
  return { measured: sum("trial") / sum("random"), expected: 1 / 0.8 };
}
