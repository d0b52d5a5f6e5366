import { describe, expect, it } from "vitest";
import { RESERVATION_DEFAULTS, type ReservationRules, type SiteSpec } from "../../model/index.ts";
import { readStintYaml } from "./read.ts";
import { readRules } from "./read-site.ts";
import { writtenSettings } from "./written.ts";

const read = (text: string) => readStintYaml(text, { folder: "/", fileState: () => "readable" });
const HOUR = 3_600_000;

describe("price rules", () => {
  it("an omitted condition always fits, an omitted price is c = 1, f₀ = 0; and it reads back", () => {
    const { value: rules, problems } = readRules(`
prices:
  - { name: weekend, days: [sun, sat], clock: "+01:30" }
  - { name: night, from: "22:00", until: "06:00", consumers: [cms], slots: [together, reservation] }
  - { name: day, unitPrice: 1.5, transaction: 0.5, slots: queued, until: "24:00" }
`);
    expect(problems).toEqual([]);
    const always = { clockMs: 0, fromMs: 0, untilMs: 24 * HOUR, days: null, consumers: null, slots: null };
    const usual = { ...always, unitPriceThousandths: 1000, transactionProcMs: 0 };
    expect(rules?.prices).toEqual([
      { ...usual, name: "weekend", days: ["sat", "sun"], clockMs: 1.5 * HOUR },
      {
        ...{ ...usual, name: "night", fromMs: 22 * HOUR, untilMs: 6 * HOUR, consumers: ["cms"] },
        slots: ["reservation", "together"],
      },
      { ...usual, name: "day", unitPriceThousandths: 1500, transactionProcMs: HOUR / 2, slots: ["queued"] },
    ]);
    const reservations = { ...RESERVATION_DEFAULTS, ...rules } as ReservationRules;
    const spec: SiteSpec = {
      ...{ type: "managed", procs: 4, memoryBytes: 1, discipline: "fcfs", defaultWallTimeMs: HOUR },
      reservations,
    };
    const written = new Map<string, unknown>(writtenSettings(spec));
    const again = JSON.stringify({ prices: written.get("reservations.prices") });
    expect(readRules(again)).toEqual({ value: rules, problems: [] });
  });

  it.each([
    ["{ name: 7 }, { name: 7 }", "nameTwice", "another name"],
    ["{ from: '22:00' }", "wordMissing", "name: night"],
    ["{ name: n, from: '25:00' }", "badTimeOfDay", "22:00"],
    ["{ name: n, from: 22 }", "badTimeOfDay", "22:00"],
    ["{ name: n, from: '06:00', until: '06:00' }", "noTime", "omit from and until"],
    ["{ name: n, from: '24:00' }", "badTimeOfDay", "22:00"],
    ["{ name: n, days: [mo] }", "valueUnknown", "mon"],
    ["{ name: n, days: [] }", "ruleFitsNothing", "omit it"],
    ["{ name: n, slots: gpu }", "valueUnknown", "slots: [reservation]"],
    ["{ name: n, consumers: [a//b] }", "badConsumer", "cms"],
    ["{ name: n, clock: Europe/Paris }", "badClock", "+01:00"],
    ["{ name: n, unitPrice: 0.5 }", "notFraction", "unitPrice: 1.5"],
    ["{ name: n, transaction: -1 }", "notFraction", "transaction: 0.5"],
    ["{ name: n, price: 2 }", "wordUnknown", "one of these"],
    ["{ name: ' ' }", "badName", "night"],
    ["{ name: a, unitPrice: 2 }, { name: b }", "ruleUnreached", "before a"],
    ["7", "wrongType", "name: night"],
  ])("[%s] is a problem with line, reason and remedy: %s", (rules, code, remedy) => {
    const text = `sites:\n  - name: w\n    type: managed\n    reservations:\n      prices: [${rules}]\n`;
    const { problems, configuration } = read(text);
    expect(problems).toMatchObject([
      { line: 5, code, why: expect.stringMatching(/./), remedy: expect.stringContaining(remedy) },
    ]);
    expect(configuration.sites).toEqual([]);
  });

  it("at most 100 price rules are accepted", () => {
    const names = Array.from({ length: 101 }, (_, at) => `{ name: r${at}, days: mon }`);
    expect(readRules(`prices: [${names.slice(1)}]`).problems).toEqual([]);
    expect(readRules(`prices: [${names}]`).problems).toMatchObject([{ code: "tooManyRules" }]);
    expect(readRules("prices: night").problems).toMatchObject([{ code: "wrongType" }]);
  });

  it("delay budgets are whole SU per hour, by consumer path", () => {
    expect(readRules("delayBudgets: { cms: 64, cms/higgs: 0 }").value?.delayBudgets).toEqual({
      ...{ cms: 64, "cms/higgs": 0 },
    });
    const codes = (text: string) => readRules(text).problems.map(({ code }) => code);
    expect(codes("delayBudgets: { a//b: 1 }")).toEqual(["badConsumer"]);
    expect(codes("delayBudgets: { a: 1.5, b: -1 }")).toHaveLength(2);
    expect(codes("delayBudgets: 7")).toEqual(["wrongType"]);
  });
});
