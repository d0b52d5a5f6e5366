/**
 * The experiments that reproduce the sources, in a small version; and in full where the traces are.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXPERIMENTS } from "../experiments/experiments.ts";
import { jobsOf, withinDays } from "../experiments/jobs-of.ts";
import { listPlannedAnew } from "../experiments/pricing/planned-anew.ts";
import { drawnBy, play, pricedOf } from "../experiments/pricing/play.ts";
import { lookAlikes, recordedClusters } from "../experiments/slots/clusters.ts";
import { runSlots } from "../experiments/slots/run-slots.ts";
import { combinedOf } from "../experiments/var/cases.ts";
import { pricesOfBoth } from "../experiments/var/tally.ts";
import { certain, controlled, isLess, type Outcome, outcomeOfAll, summary } from "../experiments/verdict.ts";
import { PLAIN_PRICE, type PricedStart, priceList } from "../src/market/index.ts";
import { createMachine, createReplay, prepareImpact } from "../src/queue/index.ts";
import { hasSharedData, tracePath, withoutSharedData } from "./shared-data.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const HOUR = 3_600_000;

describe("prices and users, [PROV] figures 23 to 49", () => {
  it.each([
    ["pricing", 16, ["Fig. 23", "Fig. 24", "Fig. 25", "Fig. 26", "Fig. 27", "Fig. 28", "Fig. 29", "Fig. 30"]],
    ["var", 120, ["Fig. 38", "Fig. 39", "Fig. 40", "Fig. 41", "Fig. 43", "Fig. 44", "Fig. 46", "Fig. 49"]],
    ["plans", 38, ["Table 2", "Fig. 13", "Fig. 14", "Fig. 15", "Fig. 16", "Fig. 18", "Fig. 19", "Fig. 56"]],
    ["users", 1, ["Load balancing", "Strategic users"]],
    ["decision-points", 1, ["Decision points"]],
    ["streams", 1, ["Streams"]],
  ] as const)(
    "%s run in a quick version, with a verdict for each figure",
    async (name, pictures, figures) => {
      const out = join(folder, `${name}.html`);
      const clusters = await lookAlikes(folder, 400);
      const verdicts = await EXPERIMENTS[name](
        { clusters, everyMs: HOUR, isQuick: true, submissions: 1, out },
        () => undefined,
      );
      expect(verdicts.map(({ figure }) => figure)).toEqual(expect.arrayContaining([...figures]));
      const report = readFileSync(out, "utf8");
      expect(report.match(/<svg viewBox="0 0 720/g)).toHaveLength(pictures);
      expect(report).toMatch(
        /to look alike|The source has no experiment|no figures of them|a figure of the source/,
      );
      expect(report).not.toMatch(/<script|NaN|undefined|src=/);
    },
  );

  it.each([
    [undefined, 3, 3],
    [2, undefined, 2],
    [2, 0, 0],
    [2, 3, 2.3],
    [2, 2.1, 2.1],
    [undefined, undefined, undefined],
  ])("the combined scheme of VAR at %s and a price of %s costs %s", (virtual, priced, combined) => {
    const slot = { procs: 1, durationMs: 1000, startMs: 5000 };
    const startedMs = virtual === undefined ? undefined : 5000 - 1000 * virtual;
    expect(combinedOf(slot, startedMs, priced && 1000 * priced)).toBe(combined);
  });

  it("say nothing of what was not measured", () => {
    expect(outcomeOfAll([isLess(Number.NaN, 1), isLess(1, Number.NaN)])).toBe("not measured");
    expect(outcomeOfAll([isLess(Number.NaN, 1), isLess(1, 2)])).toBe("reproduced");
    expect(outcomeOfAll([isLess(2, 1), isLess(1, 2)])).toBe("partly");
    const verdict = { figure: "", claim: "", numbers: "" };
    const outcomes = ["reproduced", "partly", "not measured"] as const;
    expect(summary(outcomes.map((outcome) => ({ ...verdict, outcome })))).toBe(
      "1 of 3 claims are reproduced, 1 in part; of 1 nothing was measured.",
    );
  });

  it("count a claim only where its control fails, and none that holds by construction", () => {
    const claim = { figure: "Fig. 1", claim: "a half each" };
    const found = (outcome: Outcome) => ({ outcome, numbers: "" });
    const nobody = (outcome: Outcome) => ({ system: "nobody enforces", ...found(outcome) });
    const judged = (own: Outcome, ...controls: Outcome[]) =>
      controlled(claim, found(own), controls.map(nobody)).outcome;
    expect(judged("reproduced", "not reproduced", "partly")).toBe("reproduced");
    expect(judged("reproduced", "not reproduced", "reproduced")).toBe("control passes too");
    expect(judged("not reproduced", "reproduced")).toBe("not reproduced");
    expect(certain({ ...claim, ...found("reproduced") }).outcome).toBe("by construction");
    expect(certain({ ...claim, ...found("not reproduced") }).outcome).toBe("not reproduced");
    const outcomes: Outcome[] = ["reproduced", "control passes too", "by construction"];
    expect(summary(outcomes.map((outcome) => ({ ...claim, ...found(outcome) })))).toBe(
      "1 of 2 claims are reproduced; 1 hold without the mechanism too, and do not count; " +
        "1 more hold by construction, and are not counted.",
    );
  });

  it("compare prices of 64 and of 32 processors over the days on which both can be had", () => {
    const one = { hours: 1, ahead: 1, probability: 1, virtual: 1, combined: 1 } as const;
    const cases = [
      { ...one, day: 0, procs: 32, priced: 2 },
      { ...one, day: 0, procs: 64, priced: 4 },
      { ...one, day: 1, procs: 32, priced: 100 },
      { ...one, day: 1, procs: 64, priced: undefined },
    ];
    expect(pricesOfBoth(cases)[0]).toEqual([4, 2]);
    expect(pricesOfBoth(cases)[1]).toEqual([Number.NaN, Number.NaN]);
  });

  it("price by the letter with all jobs planned anew: against a start that nobody was promised", () => {
    const machine = createMachine([[3]], { discipline: "conservative" });
    const { steps } = createReplay(machine, { finished: () => undefined });
    // The first ends early. The third keeps its promise of 10, though planned anew it would start at 8.
    const jobs = [
      [2, 10, 1],
      [1, 3, 3],
      [3, 4, 4],
      [1, 7, 7],
    ] as const;
    for (const [id, [procs, estimateMs, runtimeMs]] of jobs.entries())
      steps.expect({ id, submitMs: 0, need: [procs], estimateMs, runtimeMs });
    for (const atMs of [0, 1]) {
      steps.happen(atMs);
      steps.settle(atMs);
    }
    const shape = { pool: 0, need: [1], durationMs: 2 };
    const tried = prepareImpact(machine);
    const at = (list: readonly PricedStart[]) => list.find(({ startMs }) => startMs === 8)?.fixedProcMs;
    expect(at(priceList(tried, shape, { kind: "whenever" }, PLAIN_PRICE))).toBe(0);
    expect(at(listPlannedAnew(tried, shape))).toBe(2 * 3);
  });

  it.skipIf(!hasSharedData)(`prices fall to nothing as α grows${withoutSharedData}`, async () => {
    const prices: number[][] = [];
    for (const { trace, procs } of await recordedClusters(dirname(tracePath("CTC-SP2")))) {
      const jobs = withinDays(await jobsOf({ trace, procs, estimates: "exact" }), 30);
      const discipline = "conservative";
      const at = (alphaPpm: number) =>
        pricedOf(play({ jobs, procs, discipline, alphaOf: drawnBy({ sharePpm: 100_000, alphaPpm }, 1) }));
      prices.push([0, 500_000, 1_000_000].map((alphaPpm) => at(alphaPpm).fixedSu));
    }
    for (const [first, middle, last] of prices) {
      expect(first).toBeGreaterThan(middle);
      expect(middle).toBeGreaterThan(last);
      expect(last).toBe(0);
    }
    expect(prices[1][0]).toBeGreaterThan(prices[0][0]);
  });
});

describe("slots, [PROV] figures 4 to 8", () => {
  it("run on workloads that look alike, and the report says that they do", async () => {
    const out = join(folder, "small.html");
    const clusters = await lookAlikes(folder, 300);
    const told: string[] = [];
    const verdicts = await runSlots({ clusters, everyMs: HOUR, out }, (text) => told.push(text));
    expect(told).toHaveLength(8);
    expect(new Set(verdicts.map(({ figure }) => figure))).toEqual(
      new Set(["3.1", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8"]),
    );
    // What holds of slots whatever the workload.
    const certain = verdicts.filter(({ figure }) => figure === "Fig. 5");
    expect(certain.map(({ outcome }) => outcome)).toEqual(["reproduced", "reproduced"]);
    const report = readFileSync(out, "utf8");
    expect(report.match(/<svg viewBox="0 0 (720|460)/g)).toHaveLength(8);
    expect(report.match(/to look alike/g)).toHaveLength(2);
    expect(report).not.toMatch(/<script|NaN|undefined|src=/);
  });

  it("a folder without the logs is refused", async () => {
    await expect(recordedClusters(folder)).rejects.toThrow("no log of CTC is here");
  });

  it.skipIf(!hasSharedData)(`on the recorded logs${withoutSharedData}`, async () => {
    const clusters = await recordedClusters(dirname(tracePath("CTC-SP2")));
    const out = join(folder, "full.html");
    // Every tenth hour is enough for the verdicts; the full version is for people.
    const verdicts = await runSlots({ clusters, everyMs: 10 * HOUR, out }, () => undefined);
    const good = ["reproduced", "by construction"];
    // How fast it is hangs on the machine.
    const judged = verdicts.filter(({ figure }) => figure !== "3.1");
    const failing = judged.filter(({ outcome }) => !good.includes(outcome)).map(({ claim }) => claim);
    const placements = verdicts.filter(({ claim }) => claim.includes("each timed singly"));
    expect(placements.map(({ numbers }) => /of \d{5},/.test(numbers))).toEqual([true, true]);
    expect(failing).toEqual(["CTC: 27 slots are advertised on average"]);
  });
});

describe("usage policies, [UP] figures 2 to 21, Grid3, ART and AJC", () => {
  it("run in a quick version, with a verdict for each figure", async () => {
    const out = join(folder, "policies.html");
    const order = { clusters: [], everyMs: HOUR, isQuick: true, submissions: 1, out };
    const verdicts = await EXPERIMENTS.policies(order, () => undefined);
    const figures = new Set(verdicts.map(({ figure }) => figure));
    expect([...figures]).toEqual([
      "Fig. 2–5",
      "Fig. 6–9",
      "Fig. 10–11",
      "Fig. 12",
      "Fig. 13",
      "Fig. 14–21",
      "Slide 28",
      "Slide 29",
    ]);
    const bad = ["not reproduced", "control passes too"];
    const failing = verdicts.filter(({ outcome }) => bad.includes(outcome)).map(({ claim }) => claim);
    expect(failing.filter((claim) => !claim.includes("(ART"))).toEqual([]);
    // Every claim is held against a system without what it is about, and fails there.
    expect(verdicts.filter(({ controls = [] }) => controls.length === 0)).toEqual([]);
    const passing = verdicts.flatMap(({ controls = [] }) => controls.map(({ outcome }) => outcome));
    expect(passing).not.toContain("reproduced");
    const report = readFileSync(out, "utf8");
    expect(report).not.toMatch(/<script|NaN|undefined|src=/);
  });
});
