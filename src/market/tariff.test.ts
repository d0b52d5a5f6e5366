import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainBase, plainTransaction } from "../../test/plain/price-rules.ts";
import { type PriceBook, type PriceRule, SLOT_KINDS, WEEKDAYS } from "../model/index.ts";
import { baseCharge, rateAt, relinquishedPrice, rulesUsed, tariffOf } from "./index.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ANYBODY = { consumer: "cms/ann", kind: "reservation" } as const;

function rule(name: string, change: Partial<PriceRule> = {}): PriceRule {
  return {
    ...{ name, clockMs: 0, fromMs: 0, untilMs: DAY, days: null, consumers: null, slots: null },
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0 },
    ...change,
  };
}

/** Nights cost 1, days 1.5 with 10 SU for each reservation, and Sundays all day 1. */
const NIGHT_AND_DAY: PriceBook = {
  unitPriceThousandths: 3000,
  transactionProcMs: 0,
  prices: [
    rule("sunday", { days: ["sun"] }),
    rule("night", { fromMs: 22 * HOUR, untilMs: 6 * HOUR }),
    rule("day", { unitPriceThousandths: 1500, transactionProcMs: 10 * HOUR }),
  ],
};

/** 20 November 2026 is a Friday. */
const FRIDAY = Date.UTC(2026, 10, 20);

describe("price rules", () => {
  it("MK-21 the first that applies counts, by its time of day and the day on which that begins", () => {
    const tariff = tariffOf(NIGHT_AND_DAY, ANYBODY);
    const nameAt = (hours: number) => rateAt(tariff, FRIDAY + hours * HOUR).rule;
    expect([0, 5.99, 6, 21.99, 22, 29.99, 30].map(nameAt)).toEqual([
      ...["night", "night", "day", "day", "night", "night", "day"],
    ]);
    expect([47.99, 48, 60, 71.99, 72, 78].map(nameAt)).toEqual([
      ...["night", "sunday", "sunday", "sunday", "night", "day"],
    ]);
    const nightOf = (days: PriceRule["days"]) =>
      tariffOf(
        { ...NIGHT_AND_DAY, prices: [rule("n", { fromMs: 22 * HOUR, untilMs: HOUR, days })] },
        ANYBODY,
      );
    expect(rateAt(nightOf(["fri"]), FRIDAY + 24.5 * HOUR).rule).toBe("n");
    expect(rateAt(nightOf(["sat"]), FRIDAY + 24.5 * HOUR).rule).toBeNull();
  });

  it("MK-21 apply to a consumer and all below it, and to a kind of slot; else the site's prices hold", () => {
    const prices = [
      rule("ours", { consumers: ["cms"], slots: ["together"], unitPriceThousandths: 2000 }),
      rule("queue", { slots: ["queued"], unitPriceThousandths: 1200 }),
    ];
    const book = { unitPriceThousandths: 1100, transactionProcMs: 7, prices };
    const rate = (consumer: string, kind: (typeof SLOT_KINDS)[number]) =>
      rateAt(tariffOf(book, { consumer, kind }), FRIDAY);
    expect(rate("cms/ann", "together").rule).toBe("ours");
    expect(rate("cms", "together").rule).toBe("ours");
    expect(rate("cmsx", "together")).toEqual({
      ...{ rule: null, unitPriceThousandths: 1100, transactionProcMs: 7 },
    });
    expect(rate("cms", "reservation").rule).toBeNull();
    expect(rate("atlas", "queued").unitPriceThousandths).toBe(1200);
  });

  it("MK-21 a slot through a night and a day is priced by both, exactly", () => {
    const tariff = tariffOf(NIGHT_AND_DAY, ANYBODY);
    const slot = { procs: 4, startMs: FRIDAY + 20 * HOUR, durationMs: 12 * HOUR };
    expect(baseCharge(slot, tariff)).toBe(4 * (2 * 1.5 + 8 + 2 * 1.5) * HOUR);
    expect(rulesUsed(tariff, slot)).toEqual([
      { rule: "day", unitPriceThousandths: 1500, durationMs: 4 * HOUR },
      { rule: "night", unitPriceThousandths: 1000, durationMs: 8 * HOUR },
    ]);
    expect(baseCharge({ procs: 1, startMs: FRIDAY + 6 * HOUR - 1, durationMs: 2 }, tariff)).toBe(3);
  });

  it("MK-15 a refund is the price for which the remaining time was sold", () => {
    const tariff = tariffOf(NIGHT_AND_DAY, ANYBODY);
    const slot = { procs: 4, startMs: FRIDAY + 20 * HOUR, durationMs: 4 * HOUR };
    const sold = { ...slot, baseProcMs: baseCharge(slot, tariff), penaltyPpm: 0 };
    expect(relinquishedPrice(sold, FRIDAY + 22 * HOUR, tariff).leftProcMs).toBe(8 * HOUR);
    expect(relinquishedPrice(sold, FRIDAY, tariff)).toEqual({
      leftProcMs: sold.baseProcMs,
      penaltyProcMs: 0,
    });
  });

  it("MK-21 equal the plain rule, minute by minute", () => {
    const timeOfDay = fc.integer({ min: 0, max: 1439 }).map((it) => it * MINUTE);
    const someOf = <Item>(all: readonly Item[]) =>
      fc.option(fc.subarray([...all], { minLength: 1 }), { nil: null });
    const rules = fc.array(
      fc.record({
        name: fc.constant(""),
        clockMs: fc.integer({ min: -899, max: 899 }).map((it) => it * MINUTE),
        fromMs: timeOfDay,
        untilMs: timeOfDay.map((it) => it + MINUTE),
        days: someOf(WEEKDAYS),
        consumers: someOf(["cms", "cms/ann", "atlas"]),
        slots: someOf(SLOT_KINDS),
        unitPriceThousandths: fc.integer({ min: 1000, max: 1_000_000 }),
        transactionProcMs: fc.nat(),
      }),
      { maxLength: 4 },
    );
    const slots = fc.record({
      procs: fc.integer({ min: 1, max: 1000 }),
      startMs: fc.integer({ min: -20_000, max: 40_000_000 }).map((it) => it * MINUTE),
      durationMs: fc.integer({ min: 1, max: 12_000 }).map((it) => it * MINUTE),
    });
    const askers = fc.record({
      consumer: fc.constantFrom("cms/ann", "atlas", "x"),
      kind: fc.constantFrom(...SLOT_KINDS),
    });
    fc.assert(
      fc.property(rules, slots, askers, (drawn, slot, asker) => {
        const prices = drawn.map((it, at) => ({ ...it, name: `rule ${at}` }));
        const book = { unitPriceThousandths: 1003, transactionProcMs: 5, prices };
        const tariff = tariffOf(book, asker);
        const plain = plainBase(book, asker, slot);
        expect(baseCharge(slot, tariff)).toBe(plain.baseProcMs);
        expect(new Map(rulesUsed(tariff, slot).map((it) => [it.rule, it.durationMs]))).toEqual(plain.usedMs);
        expect(rateAt(tariff, slot.startMs).transactionProcMs).toBe(
          plainTransaction(book, asker, slot.startMs),
        );
      }),
      draws(150),
    );
  });
});
