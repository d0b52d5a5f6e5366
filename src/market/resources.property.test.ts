/** Parts of stores and links against the plain rules (test/plain/plain-resource.ts). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { basePriceOf, type PlainPart, startsOf, takenAt } from "../../test/plain/plain-resource.ts";
import { createNamedQueue, keepFree, prepareImpact, settle } from "../queue/index.ts";
import { baseCharge, constantTariff, PLAIN_PRICE, priceCoReservation, priceList } from "./index.ts";

const AMOUNT = 2 ** 41;
const part = (most: number): fc.Arbitrary<PlainPart> =>
  fc.record({
    amount: fc.integer({ min: 1, max: most }),
    startMs: fc.integer({ min: 0, max: 40 }),
    durationMs: fc.integer({ min: 1, max: 12 }),
  });

/** A store that holds the parts which fit beside the parts before them. */
function kept(capacity: number, parts: readonly PlainPart[], nowMs: number) {
  const queue = createNamedQueue([capacity], "fcfs", 0);
  const held = parts.filter(({ amount, ...span }, at) => {
    settle(queue, 0);
    return keepFree(queue, `r${at}`, { pool: 0, need: [amount], ...span }, 0) === undefined;
  });
  settle(queue, nowMs);
  return { held, queue, tried: prepareImpact(queue.machine) };
}

const scene = fc.record({
  capacity: fc.constantFrom(1, 7, AMOUNT),
  parts: fc.array(part(AMOUNT), { maxLength: 12 }),
  nowMs: fc.integer({ min: 0, max: 20 }),
  wanted: part(AMOUNT),
});

describe("a store or a link", () => {
  it("MK-26 has a slot where, and only where, the capacity is never exceeded", () => {
    fc.assert(
      fc.property(scene, ({ capacity, parts, nowMs, wanted }) => {
        const inside = ({ amount }: PlainPart) => ((amount - 1) % capacity) + 1;
        const those = parts.map((it) => ({ ...it, amount: inside(it) }));
        const { held, tried } = kept(capacity, those, nowMs);
        for (let atMs = 0; atMs < 60; atMs++) expect(takenAt({ held }, atMs)).toBeLessThanOrEqual(capacity);
        const size = { amount: inside(wanted), durationMs: wanted.durationMs };
        const shape = { pool: 0, need: [size.amount], durationMs: size.durationMs };
        const list = priceList(tried, shape, { kind: "whenever" }, PLAIN_PRICE);
        expect(list.map(({ startMs }) => startMs)).toEqual(startsOf({ capacity, held, nowMs }, size));
        expect(list.every(({ fixedProcMs, delayedJobs }) => fixedProcMs === 0 && delayedJobs === 0)).toBe(
          true,
        );
      }),
      draws(300),
    );
  });

  it("MK-26 starts, in a co-reservation, where both parts are possible", () => {
    fc.assert(
      fc.property(scene, scene, (one, other) => {
        const sides = [one, other].map(({ capacity, parts, wanted }) => {
          const inside = ({ amount }: PlainPart) => ((amount - 1) % capacity) + 1;
          const side = kept(
            capacity,
            parts.map((it) => ({ ...it, amount: inside(it) })),
            one.nowMs,
          );
          const shape = { pool: 0, need: [inside(wanted)], durationMs: one.wanted.durationMs };
          return { ...side, capacity, shape };
        });
        const asked = sides.map(({ tried, shape }) => ({ tried, shape, terms: PLAIN_PRICE }));
        const list = priceCoReservation(asked, { kind: "whenever" });
        const { nowMs } = one;
        const plain = sides.map(({ capacity, held, shape }) => {
          const size = { amount: shape.need[0], durationMs: shape.durationMs };
          return { resource: { capacity, held, nowMs }, size };
        });
        const candidates = new Set(
          sides.flatMap(({ held }) => held.flatMap((it) => [it.startMs, it.startMs + it.durationMs])),
        );
        const all = [nowMs, ...candidates].filter((atMs) => atMs >= nowMs);
        const both = [...new Set(all)].filter((startMs) =>
          plain.every(({ resource, size }) => {
            const untilMs = startMs + size.durationMs;
            for (let atMs = startMs; atMs < untilMs; atMs++) {
              if (takenAt(resource, atMs) + size.amount > resource.capacity) return false;
            }
            return true;
          }),
        );
        expect(list.map(({ startMs }) => startMs)).toEqual(both.sort((a, b) => a - b));
      }),
      draws(200),
    );
  });

  it("MK-26 costs amount in units × duration × c, rounded up once", () => {
    const amounts = fc.record({
      amount: fc.integer({ min: 1, max: AMOUNT }),
      durationMs: fc.integer({ min: 1, max: 1_000_000 }),
      perProc: fc.constantFrom(1, 1000, 125_000_000, 2 ** 40),
      unitPriceThousandths: fc.integer({ min: 1000, max: 9999 }),
    });
    fc.assert(
      fc.property(amounts, ({ amount, durationMs, perProc, unitPriceThousandths }) => {
        const tariff = constantTariff({ unitPriceThousandths, transactionProcMs: 0 });
        const plain = basePriceOf({ amount, durationMs }, { perProc, unitPriceThousandths });
        const price = baseCharge({ procs: amount, perProc, startMs: 77, durationMs }, tariff);
        expect(price).toBe(Math.min(plain, Number.MAX_SAFE_INTEGER));
      }),
    );
  });

  it("MK-26 costs one SU for a TiB and an hour, and for 1 Gbit/s and an hour", () => {
    const tariff = constantTariff({ unitPriceThousandths: 1000, transactionProcMs: 0 });
    const hour = { startMs: 0, durationMs: 3_600_000 };
    expect(baseCharge({ procs: 50 * 2 ** 30, perProc: 2 ** 40, ...hour }, tariff)).toBe(175_782);
    expect(baseCharge({ procs: 125_000_000, perProc: 125_000_000, ...hour }, tariff)).toBe(3_600_000);
  });
});
