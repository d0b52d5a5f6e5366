/**
 * Draws a workload of streams: Poisson arrivals with uniform needs, at a load of the tightest resource.
 *
 * The experiments' workload is `WORKLOAD`; beside the drawn streams there is one endless stream of 1 TB a
 * day, the rate that [STREAM] 1 gives for LIGO.
 */
import { createRandom, drawExponential, drawFraction, drawInteger, type Random } from "../../base/index.ts";
import type { SceneClass, SceneStream, StreamScene } from "../../stream/index.ts";
import { STREAM_DEFAULTS } from "../../stream/index.ts";

/** Load, seed and length of a drawn workload. */
export interface StreamDraw {
  readonly load: number;
  readonly seed: number;
  readonly horizonMs: number;
  readonly classes: readonly SceneClass[];
  readonly linkBytesPerSec: number;
  readonly storageBytes: number;
}

const MB = 1_000_000;
const GB = 1_000 * MB;

/** The pool of the experiments, over 8 h. */
export const STREAM_POOL: Omit<StreamDraw, "load" | "seed"> = {
  horizonMs: 8 * 3_600_000,
  classes: [
    { name: "fast", procs: 32, speed: 1, type: "x86_64" },
    { name: "slow", procs: 24, speed: 0.6, type: "x86_64" },
    { name: "i386", procs: 8, speed: 0.5, type: "i386" },
  ],
  linkBytesPerSec: 125 * MB,
  storageBytes: 2_000 * GB,
};

/** Draws a scene. */
export function drawStreams({ load, seed, ...pool }: StreamDraw): StreamScene {
  const random = createRandom(seed);
  const perSec = arrivalsPerSec(load, pool);
  const streams: SceneStream[] = [endless()];
  let atMs = 0;
  for (let number = 1; ; number++) {
    atMs += Math.ceil(drawExponential(random, 1000 / perSec));
    if (atMs >= pool.horizonMs) return { ...pool, streams };
    streams.push(drawn(`s${number}`, atMs, random));
  }
}

/** Means of the drawn amounts. */
const MEAN = { procs: 7 / 3, storage: 55 * GB, processed: 11 * MB, least: 3 * MB, data: 275 * GB };

/** Arrivals at which the tightest of processors, link and store has this load. */
function arrivalsPerSec(
  load: number,
  { classes, linkBytesPerSec, storageBytes }: Omit<StreamDraw, "load" | "seed">,
) {
  const lengthSec = MEAN.data / Math.min(MEAN.processed, 4 * MEAN.least);
  const procs = classes.reduce((sum, { procs: count }) => sum + count, 0);
  const capacities = [
    procs / (MEAN.procs * lengthSec),
    linkBytesPerSec / MEAN.data,
    storageBytes / (MEAN.storage * lengthSec),
  ];
  return load * Math.min(...capacities);
}

function drawn(id: string, submittedMs: number, random: Random): SceneStream {
  const between = (from: number, to: number) => Math.round(from + drawFraction(random) * (to - from));
  const weight = drawInteger(random, 1, 5);
  const minBytesPerSec = between(1 * MB, 5 * MB);
  return {
    ...{ id, submittedMs, weight, weightStep: STREAM_DEFAULTS.weightStep },
    weightPeriodMs: STREAM_DEFAULTS.weightPeriodMs,
    procs: [1, 2, 4][drawInteger(random, 0, 2)],
    ...(drawInteger(random, 0, 7) === 0 ? {} : { type: "x86_64" }),
    ...{ minBytesPerSec, maxBytesPerSec: 4 * minBytesPerSec },
    storageBytes: between(10 * GB, 100 * GB),
    ...{ blockBytes: STREAM_DEFAULTS.blockBytes, connections: 1 },
    utility: { kind: "log", weight, unitBytesPerSec: STREAM_DEFAULTS.unitBytesPerSec },
    processedBytesPerSec: between(2 * MB, 20 * MB),
    dataBytes: between(50 * GB, 500 * GB),
  };
}

function endless(): SceneStream {
  return {
    ...{ id: "endless", submittedMs: 0, weight: 3, weightStep: 1, procs: 2, type: "x86_64" },
    weightPeriodMs: STREAM_DEFAULTS.weightPeriodMs,
    ...{ minBytesPerSec: 5 * MB, maxBytesPerSec: 11.6 * MB, storageBytes: 50 * GB },
    ...{ blockBytes: STREAM_DEFAULTS.blockBytes, connections: 1, dataBytes: Infinity },
    utility: { kind: "log", weight: 3, unitBytesPerSec: STREAM_DEFAULTS.unitBytesPerSec },
    processedBytesPerSec: 20 * MB,
  };
}
