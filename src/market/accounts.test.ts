import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  balanceOf,
  baseCharge,
  cancellationPenalty,
  chargeEntries,
  constantTariff,
  createLedger,
  grantEntries,
  incomeOf,
  levelsOf,
  post,
  refundEntries,
  relinquishedPrice,
  shortageOf,
} from "./index.ts";

const HOUR_MS = 3_600_000;
const su = (amount: number) => amount * HOUR_MS;

describe("charges", () => {
  it("the base price is n·d·c, rounded up", () => {
    const at = (unitPriceThousandths: number) =>
      constantTariff({ unitPriceThousandths, transactionProcMs: 0 });
    const slot = { procs: 64, startMs: 7, durationMs: 4 * HOUR_MS };
    expect(baseCharge(slot, at(1000))).toBe(su(256));
    expect(baseCharge(slot, at(1250))).toBe(su(320));
    expect(baseCharge({ procs: 1, startMs: 7, durationMs: 1 }, at(1001))).toBe(2);
  });

  it("MK-15 cancelling costs p·f and, where the rules say so, a part of the base price", () => {
    const charge = { baseProcMs: su(256), fixedProcMs: su(14) };
    expect(cancellationPenalty(charge, { penaltyPpm: 100_000, basePenaltyPpm: 0 })).toBe(su(1.4));
    expect(cancellationPenalty(charge, { penaltyPpm: 100_000, basePenaltyPpm: 50_000 })).toBe(su(14.2));
    expect(
      cancellationPenalty({ ...charge, fixedProcMs: 0 }, { penaltyPpm: 100_000, basePenaltyPpm: 0 }),
    ).toBe(0);
  });

  it("MK-15 an early release refunds the base price of the remaining time, less p of it", () => {
    const slot = { procs: 64, startMs: HOUR_MS, durationMs: 4 * HOUR_MS };
    const sold = { baseProcMs: su(256), penaltyPpm: 100_000, ...slot };
    expect(relinquishedPrice(sold, 2 * HOUR_MS)).toEqual({ leftProcMs: su(192), penaltyProcMs: su(19.2) });
    const nothing = { leftProcMs: 0, penaltyProcMs: 0 };
    expect(relinquishedPrice(sold, 5 * HOUR_MS)).toEqual(nothing);
    expect(relinquishedPrice(sold, 9 * HOUR_MS)).toEqual(nothing);
  });
});

describe("accounts", () => {
  it("MK-19 a charge counts against every level, and is the site's income", () => {
    const ledger = createLedger();
    post(ledger, grantEntries("physics", su(1000)));
    post(ledger, grantEntries("physics/solid", su(100)));
    post(ledger, chargeEntries("physics/solid/ada", { base: su(32), delays: su(6) }));
    post(ledger, refundEntries("physics/solid/ada", { base: su(32), delays: su(5.4) }));
    post(ledger, chargeEntries("chemistry", { base: su(2) }));
    expect(
      ["physics", "physics/solid", "physics/solid/ada", "chemistry"].map((it) => balanceOf(ledger, it)),
    ).toEqual([su(999.4), su(99.4), su(-0.6), su(-2)]);
    expect(incomeOf(ledger)).toEqual({ base: su(2), delays: su(0.6), penalties: 0 });
  });

  it("MK-19 before the first grant nothing is refused, after it what a level does not cover", () => {
    const ledger = createLedger();
    expect(shortageOf(ledger, "physics/solid/ada", su(1e6))).toBeUndefined();
    post(ledger, grantEntries("physics", su(1000)));
    expect(shortageOf(ledger, "physics/solid/ada", su(1000))).toBeUndefined();
    expect(shortageOf(ledger, "physics/solid/ada", su(1001))).toEqual({
      consumer: "physics",
      balanceProcMs: su(1000),
      neededProcMs: su(1001),
    });
    expect(shortageOf(ledger, "chemistry/bo", 1)).toEqual({
      consumer: "chemistry/bo",
      balanceProcMs: 0,
      neededProcMs: 1,
    });
    post(ledger, grantEntries("physics/solid", su(100)));
    expect(shortageOf(ledger, "physics/solid/ada", su(101))?.consumer).toBe("physics/solid");
    expect(shortageOf(ledger, "physics/liquid", su(101))).toBeUndefined();
    expect(shortageOf(ledger, "chemistry/bo", 0)).toBeUndefined();
  });

  it("MK-17 every transaction sums to zero in each book, and a balance is the sum of its entries", () => {
    const paths = fc.constantFrom("a", "a/b", "a/b/c", "a/d", "e");
    const amounts = fc.integer({ min: 0, max: 1e12 });
    const income = fc.record({ base: amounts, delays: amounts, penalties: amounts }, { requiredKeys: [] });
    const postings = fc.oneof(
      fc
        .tuple(paths, fc.integer({ min: -1e12, max: 1e12 }))
        .map(([path, procMs]) => grantEntries(path, procMs)),
      fc.tuple(paths, income).map(([path, parts]) => chargeEntries(path, parts)),
      fc.tuple(paths, income).map(([path, parts]) => refundEntries(path, parts)),
    );
    fc.assert(
      fc.property(fc.array(postings, { maxLength: 30 }), (all) => {
        const ledger = createLedger();
        for (const entries of all) post(ledger, entries);
        const entries = all.flat();
        for (const book of [1, 2, 3]) {
          const inBook = [...ledger.balances].filter(([key]) => key.startsWith(`${book} `));
          expect(inBook.reduce((sum, [, balance]) => sum + balance, 0n)).toBe(0n);
        }
        for (const path of ["a", "a/b", "a/b/c", "a/d", "e"]) {
          const own = entries.filter(({ account }) => account === `consumer ${path}`);
          expect(balanceOf(ledger, path) ?? 0).toBe(own.reduce((sum, { procMs }) => sum + procMs, 0));
        }
      }),
    );
    expect(() => post(createLedger(), [{ book: 1, account: "base", procMs: 1 }])).toThrow("sum to zero");
  });

  it("MK-19 the levels of a path are its prefixes", () => {
    expect(levelsOf("a/b/c")).toEqual(["a", "a/b", "a/b/c"]);
  });
});
