import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { createRandom } from "../base/index.ts";
import {
  allocateStorage,
  drawStorage,
  giveRoom,
  haltCycle,
  haltMarkBytes,
  isHaltedAt,
  makeRoom,
  moveStorage,
  type Partition,
  type ShiftedStream,
  STREAM_RULES,
  type StorageDraw,
  type StoredStream,
  shiftStorage,
} from "./index.ts";

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const stored = (minBytes: number, said: Partial<StoredStream> = {}): StoredStream => ({
  ...{ minBytes, occupiedBytes: 0, maxBytesPerSec: 10, ...said },
});

describe("quotas", () => {
  const allocate = (streams: readonly StoredStream[], shares: "need" | "equal" = "need") =>
    allocateStorage(streams, { storageBytes: 1000, rules: STREAM_RULES, shares });

  it("STR-20 the minimum, and of what the margin leaves a part by min(B, v)", () => {
    expect(allocate([stored(100), stored(200, { maxBytesPerSec: 30, processedBytesPerSec: 20 })])).toEqual([
      300, 600,
    ]);
    expect(allocate([stored(100), stored(200)], "equal")).toEqual([400, 500]);
    expect(allocate([stored(100, { maxBytes: 150 }), stored(200)])).toEqual([150, 750]);
    expect(allocate([stored(100, { occupiedBytes: 700 }), stored(200)])).toEqual([700, 200]);
    expect(allocate([])).toEqual([]);
  });

  it("STR-20 sums, minima and occupied bytes are kept", () => {
    const some = fc.record({
      minBytes: fc.integer({ min: 0, max: 100 }),
      more: fc.integer({ min: 0, max: 60 }),
      maxBytesPerSec: fc.integer({ min: 0, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), (all) => {
        const streams = all.map(({ more, ...it }) =>
          stored(it.minBytes, { ...it, occupiedBytes: it.minBytes + more - 30 }),
        );
        const quotas = allocate(streams);
        expect(total(quotas)).toBeLessThanOrEqual(1000);
        for (const [at, { minBytes, occupiedBytes }] of streams.entries()) {
          expect(quotas[at]).toBeGreaterThanOrEqual(Math.max(minBytes, occupiedBytes));
        }
      }),
      draws(500),
    );
  });
});

describe("the source's draws", () => {
  const oddsOf = (minima: readonly number[], draw: StorageDraw, rounds: number) => {
    const random = createRandom(2026);
    const asked = { storageBytes: 1e12, minimaBytes: minima.map((part) => part * 1e12), draw, random };
    let hits = 0;
    for (let round = 0; round < rounds; round++) {
      if (drawStorage({ ...asked, tries: 1 }).quotasBytes !== undefined) hits++;
    }
    return hits / rounds;
  };
  const equal = (count: number, part: number) => Array.from({ length: count }, () => part / count);
  /** Four standard errors of a rate. */
  const error = (rate: number, rounds: number) => 4 * Math.sqrt((rate * (1 - rate)) / rounds) + 0.0006;

  it.each([
    [2, 0.5, 0.667, 0.5],
    [5, 0.5, 0.207, 0.0625],
    [5, 0.8, 0.015, 0.0016],
    [10, 0.5, 0.029, 0.002],
  ])("STR-21 %i streams that need %f of the store", (count, part, uniform, exponential) => {
    const rounds = 20_000;
    const odds = (draw: StorageDraw) => oddsOf(equal(count, part), draw, rounds);
    expect(Math.abs(odds("uniform") - uniform)).toBeLessThan(error(uniform, rounds));
    expect(Math.abs(odds("exponential") - exponential)).toBeLessThan(error(exponential, rounds));
    expect(exponential).toBeCloseTo((1 - part) ** (count - 1), 3);
  });

  it("STR-21 unequal minima are worse for uniform numbers; tries are bounded", () => {
    const unequal = [...Array.from({ length: 9 }, () => 0.01), 0.4];
    const rounds = 30_000;
    const expected = (1 - 0.49) ** 9;
    expect(Math.abs(oddsOf(unequal, "exponential", rounds) - expected)).toBeLessThan(error(expected, rounds));
    expect(oddsOf(unequal, "uniform", rounds)).toBeLessThan(0.0001);
    const asked = { storageBytes: 1000, draw: "uniform" as const, random: createRandom(1) };
    expect(drawStorage({ ...asked, minimaBytes: [600, 600], tries: 50 })).toEqual({
      ...{ quotasBytes: undefined, tries: 50 },
    });
    const { quotasBytes = [] } = drawStorage({ ...asked, minimaBytes: [300, 300], tries: 1000 });
    expect(Math.min(...quotasBytes)).toBeGreaterThanOrEqual(300);
    expect(total(quotasBytes)).toBeLessThanOrEqual(1000);
  });
});

describe("storage that moves", () => {
  const part = (quotaBytes: number, occupiedBytes: number, minBytes = 10): Partition => ({
    ...{ quotaBytes, occupiedBytes, minBytes },
  });
  const { storageMove } = STREAM_RULES;

  it("STR-22 a tenth of the free part goes from empty partitions to full ones", () => {
    expect(moveStorage([part(100, 90), part(200, 0), part(100, 50)], storageMove)).toEqual([120, 180, 100]);
    expect(moveStorage([part(100, 50), part(200, 0)], storageMove)).toEqual([100, 200]);
    expect(moveStorage([part(100, 90), part(200, 0, 195)], storageMove)).toEqual([105, 195]);
    expect(moveStorage([{ ...part(100, 90), maxBytes: 104 }, part(200, 0)], storageMove)).toEqual([104, 196]);
  });

  it("STR-22 on arrival the largest shrink to one level, never below what they hold", () => {
    expect(makeRoom([part(400, 0), part(300, 0), part(100, 0)], 800, 200)).toEqual({
      ...{ quotasBytes: [250, 250, 100], shortBytes: 0 },
    });
    expect(makeRoom([part(400, 390), part(300, 0)], 700, 200)).toEqual({
      ...{ quotasBytes: [390, 110], shortBytes: 0 },
    });
    expect(makeRoom([part(400, 390), part(300, 290)], 700, 50)).toEqual({
      ...{ quotasBytes: [390, 290], shortBytes: 30 },
    });
  });

  it("STR-22 on departure the smallest grow to one level, up to the margin", () => {
    expect(giveRoom([part(100, 0), part(200, 0), part(500, 0)], 1000, 0.1)).toEqual([200, 200, 500]);
    expect(giveRoom([part(100, 0), { ...part(110, 0), maxBytes: 120 }], 1000, 0.1)).toEqual([780, 120]);
    expect(giveRoom([part(950, 0)], 1000, 0.1)).toEqual([950]);
  });

  it("STR-22 sums, minima and occupied bytes are kept", () => {
    const some = fc
      .tuple(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
      )
      .map(([quota, occupied, least]) =>
        part(quota, Math.floor((quota * occupied) / 100), Math.floor((quota * least) / 100)),
      );
    const kept = (before: readonly Partition[], quotas: readonly number[]) => {
      for (const [at, { minBytes, occupiedBytes }] of before.entries()) {
        expect(quotas[at]).toBeGreaterThanOrEqual(Math.max(minBytes, occupiedBytes));
      }
    };
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 500 }),
        (all, need) => {
          const storageBytes = total(all.map(({ quotaBytes }) => quotaBytes)) + 100;
          const moved = moveStorage(all, storageMove);
          expect(total(moved)).toBe(storageBytes - 100);
          kept(all, moved);
          const { quotasBytes, shortBytes } = makeRoom(all, storageBytes, need);
          expect(total(quotasBytes) - shortBytes).toBeLessThanOrEqual(Math.max(storageBytes - need, 0));
          kept(all, quotasBytes);
          const given = giveRoom(all, storageBytes, 0.1);
          expect(total(given)).toBeLessThanOrEqual(storageBytes);
          kept(all, given);
        },
      ),
      draws(500),
    );
  });
});

describe("storage of running streams over time", () => {
  const stream = (quotaBytes: number | undefined, occupiedBytes: number, more: object = {}) => ({
    ...{ quotaBytes, occupiedBytes, minBytes: 100, maxBytesPerSec: 10 },
    ...more,
  });
  const shift = (streams: readonly ShiftedStream[], { startingBytes = 0, isMoveDue = false } = {}) =>
    shiftStorage(streams, { storageBytes: 1000, startingBytes, isMoveDue, rules: STREAM_RULES });

  it("STR-23 the first has all but the margin; a newcomer takes its share from the largest", () => {
    expect(shift([stream(undefined, 0)])).toEqual([900]);
    expect(shift([stream(900, 0), stream(undefined, 0)])).toEqual([450, 450]);
    expect(shift([stream(900, 700), stream(undefined, 0)])).toEqual([700, 200]);
  });

  it("STR-23 quotas shrink to what is occupied for one that starts, and grow when one has left", () => {
    expect(shift([stream(900, 850)], { startingBytes: 400 })).toEqual([850]);
    expect(shift([stream(850, 500)], { startingBytes: 400 })).toEqual([600]);
    expect(shift([stream(300, 0), stream(200, 0)])).toEqual([450, 450]);
  });

  it("STR-23 storage moves to full partitions only when a move is due", () => {
    const streams = [stream(450, 440), stream(450, 0)];
    expect(shift(streams)).toEqual([450, 450]);
    expect(shift(streams, { isMoveDue: true })).toEqual([495, 405]);
  });

  it("STR-23 minima and occupied bytes are kept, and the store is never exceeded", () => {
    const one = fc.record({
      minBytes: fc.integer({ min: 1, max: 100 }),
      occupiedBytes: fc.integer({ min: 0, max: 150 }),
      maxBytesPerSec: fc.integer({ min: 1, max: 100 }),
      quotaBytes: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 200 }),
        fc.boolean(),
        (streams, startingBytes, isMoveDue) => {
          const quotas = shift(streams, { startingBytes, isMoveDue });
          for (const [at, { minBytes, occupiedBytes }] of streams.entries())
            expect(quotas[at]).toBeGreaterThanOrEqual(Math.max(minBytes, occupiedBytes));
          expect(total(quotas)).toBeLessThanOrEqual(1000 - startingBytes);
        },
      ),
      draws(500),
    );
  });
});

describe("halts", () => {
  const flow = (inflow: number, processed: number) =>
    haltCycle({
      ...{ inflowBytesPerSec: inflow, processedBytesPerSec: processed },
      ...{ haltBytes: 1_000e6, resumeBytes: 500e6 },
    });

  it("STR-13 the example: 20 MB/s in, 10 MB/s processed, 500 MB between the marks", () => {
    expect(flow(20e6, 10e6)).toEqual({
      ...{ throughputBytesPerSec: 10e6, busyFraction: 1, receivingFraction: 0.5 },
      ...{ meanInflowBytesPerSec: 10e6, fillSec: 50, drainSec: 50, haltsPerHour: 36 },
    });
  });

  it("STR-13 no halts where processing keeps up", () => {
    expect(flow(5e6, 10e6)).toMatchObject({ throughputBytesPerSec: 5e6, busyFraction: 0.5, haltsPerHour: 0 });
  });

  it("STR-13 halted from H down to L; H leaves room for a block of each connection", () => {
    const marks = { haltBytes: 100, resumeBytes: 50 };
    expect([99, 100].map((bytes) => isHaltedAt(bytes, false, marks))).toEqual([false, true]);
    expect([51, 50].map((bytes) => isHaltedAt(bytes, true, marks))).toEqual([true, false]);
    expect(haltMarkBytes(1000, { sizeBytes: 100, connections: 2 })).toBe(800);
  });
});
