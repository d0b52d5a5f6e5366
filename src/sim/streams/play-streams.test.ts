import { describe, expect, it } from "vitest";
import { haltCycle, type SceneStream, STREAM_VARIANTS, type StreamScene } from "../../stream/index.ts";
import { drawStreams, STREAM_POOL } from "./draw-streams.ts";
import { playStreams } from "./play-streams.ts";

const MB = 1_000_000;
const HOUR_MS = 3_600_000;
const stream = (said: Partial<SceneStream> = {}): SceneStream => ({
  ...{ id: "a", submittedMs: 0, weight: 1, weightStep: 1, weightPeriodMs: 600_000, procs: 1 },
  ...{ minBytesPerSec: 2 * MB, maxBytesPerSec: 20 * MB, storageBytes: 1000 * MB, blockBytes: MB },
  ...{ connections: 1, processedBytesPerSec: 10 * MB, dataBytes: Infinity },
  utility: { kind: "log", weight: 1, unitBytesPerSec: MB },
  ...said,
});
const scene = (streams: readonly SceneStream[], said: Partial<StreamScene> = {}): StreamScene => ({
  ...{ horizonMs: 10 * HOUR_MS, linkBytesPerSec: (20 * MB) / 0.95, storageBytes: 1112 * MB, streams },
  classes: [{ name: "x", procs: 4, speed: 1, type: "x86_64" }],
  ...said,
});
const play = (of: StreamScene, variant: (typeof STREAM_VARIANTS)[number] = "exact") =>
  playStreams({ scene: of, variant, seed: 1 });

describe("streams in virtual time", () => {
  it("SI-110 inflow above processing: throughput, busy fraction and halts of the closed form", () => {
    const quota = Math.floor(1112 * MB * 0.9);
    const { processedBytes, busyFraction, halts, overflowBytes, bandwidthUse } = play(scene([stream()]));
    const cycle = haltCycle({
      ...{ inflowBytesPerSec: 20 * MB, processedBytesPerSec: 10 * MB },
      ...{ haltBytes: quota - MB, resumeBytes: quota / 2 - MB / 2 },
    });
    expect(processedBytes / (36_000 * 10 * MB)).toBeCloseTo(1, 2);
    expect(busyFraction).toBeCloseTo(cycle.busyFraction, 3);
    expect(Math.abs(halts - 10 * cycle.haltsPerHour)).toBeLessThan(3);
    expect(bandwidthUse).toBeCloseTo(cycle.receivingFraction, 1);
    expect(overflowBytes).toBe(0);
  });

  it("SI-110 inflow below processing: no halts, and the processors wait for data", () => {
    const report = play(scene([stream({ maxBytesPerSec: 5 * MB })]));
    expect(report).toMatchObject({ halts: 0, processedBytes: 36_000 * 5 * MB });
    expect(report.busyFraction).toBeCloseTo(0.5, 6);
  });

  it("SI-111 a stream ends with its data, and the next one starts then", () => {
    const two = [
      stream({ procs: 4, dataBytes: 36_000 * MB, maxBytesPerSec: 10 * MB }),
      stream({ id: "b", procs: 4, dataBytes: 36_000 * MB, maxBytesPerSec: 10 * MB }),
    ];
    const report = play(scene(two));
    expect(report).toMatchObject({ accepted: 2, completed: 2, meanWaitSec: 1800, meanCompletionSec: 5400 });
  });

  it("SI-111 baselines: without halts data are lost and sent again; stages wait for each other", () => {
    const of = scene([stream()]);
    const plain = play(of, "equal-share");
    expect(plain.halts).toBe(0);
    expect(plain.overflowBytes / MB).toBeGreaterThan(100_000);
    expect(plain.processedBytes).toBeGreaterThan(0.99 * 36_000 * 10 * MB);
    // A block comes in half the time of its processing: 1/(1/20 + 1/10) MB/s.
    expect(play(of, "staged").processedBytes / (36_000 * MB)).toBeCloseTo(20 / 3, 1);
    expect(play(of, "reserved")).toMatchObject({ halts: 0, overflowBytes: 0 });
  });

  it("SI-112 drawn workloads: no overflow where storage is counted, and one seed gives one report", () => {
    const drawn = drawStreams({ ...STREAM_POOL, storageBytes: 300e9, load: 1.2, seed: 3 });
    for (const variant of STREAM_VARIANTS) {
      const report = play(drawn, variant);
      expect(report).toEqual(play(drawn, variant));
      if (!["processors-only", "equal-share"].includes(variant)) expect(report.overflowBytes).toBe(0);
      expect(report.bandwidthUse).toBeLessThanOrEqual(1);
      expect(report.storageOccupation).toBeLessThanOrEqual(1);
    }
  });
});
