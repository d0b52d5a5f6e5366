import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueueSnapshot } from "../model/index.ts";
import {
  balanceOf,
  baseCharge,
  chargeEntries,
  constantTariff,
  createLedger,
  grantEntries,
  incomeOf,
  isCounted,
  MOST_PROC_MS,
  post,
  quoteOf,
  shortageOf,
} from "./index.ts";

describe("amounts beyond 2^53 − 1", () => {
  it("MK-37 a base price is exact, or the largest amount", () => {
    const amounts = fc.maxSafeInteger().map(Math.abs);
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.integer({ min: 1000, max: 1_000_000 }), (n, s, d, c) => {
        const tariff = constantTariff({ unitPriceThousandths: c, transactionProcMs: 0 });
        const charged = baseCharge({ procs: n, startMs: s, durationMs: d }, tariff);
        const endMs = BigInt(s + d);
        const exact = (BigInt(n) * (endMs - BigInt(s)) * BigInt(c) + 999n) / 1000n;
        expect(BigInt(charged)).toBe(exact < BigInt(MOST_PROC_MS) ? exact : BigInt(MOST_PROC_MS));
        expect(isCounted(charged)).toBe(exact < BigInt(MOST_PROC_MS));
      }),
    );
  });

  it("MK-37 a fixed price is exact, or the largest amount", () => {
    const wide: QueueSnapshot = {
      ...{ nowMs: 0, procs: 2 ** 30, discipline: "conservative", running: [], reservations: [] },
      queued: [{ id: "q", procs: 2 ** 30, estimateMs: 1000 }],
    };
    const [now] = quoteOf(wide, { procs: 1, durationMs: 2 ** 30 });
    expect(now).toMatchObject({ fixedProcMs: MOST_PROC_MS, delaysJobs: 1, delayProcMs: MOST_PROC_MS });
  });

  it("MK-17 MK-37 balances are exact beyond the largest amount", () => {
    const ledger = createLedger();
    for (let time = 0; time < 3; time++) post(ledger, grantEntries("vo", MOST_PROC_MS));
    expect(balanceOf(ledger, "vo")).toBe(3 * MOST_PROC_MS);
    for (let time = 0; time < 3; time++) post(ledger, chargeEntries("vo", { base: MOST_PROC_MS }));
    expect(incomeOf(ledger).base).toBe(3 * MOST_PROC_MS);
    expect([...ledger.balances.values()]).toEqual([
      ...[-3n * BigInt(MOST_PROC_MS), 0n, 3n * BigInt(MOST_PROC_MS)],
    ]);
    expect(shortageOf(ledger, "vo", 1)).toMatchObject({ balanceProcMs: 0 });
  });
});
