import { describe, expect, it } from "vitest";
import { declaredBeyond, delayBudgetShortage } from "./index.ts";

const budgets = { cms: 64, "cms/higgs": 16 };

const using = (used: Readonly<Record<string, number>>) => (level: string) =>
  Object.hasOwn(used, level) ? used[level] : 0;

describe("budgets of declared delay costs", () => {
  it.each([
    ["cms/higgs/ann", 16, {}, undefined],
    ["cms/higgs/ann", 17, {}, { consumer: "cms/higgs", usedSuPerHour: 0, budgetSuPerHour: 16 }],
    [
      ...(["cms/higgs", 8, { cms: 60, "cms/higgs": 8 }] as const),
      { consumer: "cms", usedSuPerHour: 60, budgetSuPerHour: 64 },
    ],
    ["cms/top", 64, { cms: 0 }, undefined],
    ["atlas/x", 1, {}, { consumer: "atlas/x", usedSuPerHour: 0, budgetSuPerHour: null }],
    ["atlas/x", 0, {}, undefined],
    ["constructor", 1, {}, { consumer: "constructor", usedSuPerHour: 0, budgetSuPerHour: null }],
  ])("%s declares %d SU per hour beyond the job's processors", (consumer, beyondSuPerHour, used, short) => {
    expect(delayBudgetShortage(budgets, { consumer, beyondSuPerHour }, using(used))).toEqual(short);
  });

  it("a declaration up to the processors uses no budget", () => {
    expect([0, 4, 5].map((declared) => declaredBeyond(declared, 4))).toEqual([0, 0, 1]);
  });
});
