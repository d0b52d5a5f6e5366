import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { JOB_DEFAULTS, type Policy } from "../../model/index.ts";
import { policyVerdict } from "../../policy/index.ts";
import type { ChoiceRow } from "./choice-row.ts";
import { meets, readCondition } from "./condition.ts";
import { NO_FACTS, recommend, type SiteFacts, worthTaking } from "./recommend.ts";

function policy(provider: string, consumer: string, percent: number, burstPercent = 100): Policy {
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "forgive" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: burstPercent * 10_000 },
  };
}

function submit(play: Scene, job: string, site: string, procs: number): void {
  const description = { ...JOB_DEFAULTS, executable: "true", procs, site, wallTimeMs: HOUR };
  play.ask({ kind: "submit", job, description, consumer: "vo/g/u", owner: "u" });
}

/** Three sites: `a` gives the organisation half at any instant, `b` gives it nothing, `c` says nothing. */
function stage(): Scene {
  const play = scene({ a: 10, b: 10, c: 10 });
  const policies = [policy("a", "vo", 50, 50), policy("vo", "vo/g", 60, 60), policy("b", "else", 10)];
  const request = { kind: "applyPolicies", policies, by: "admin", note: "" } as const;
  play.ask({ ...request, effectiveFromMs: null, onVersion: null });
  return play;
}

function tableOf(play: Scene, procs: number, facts: Partial<SiteFacts> = {}): readonly ChoiceRow[] {
  const sites = [...play.projection.sites.values()];
  const need = { cpu: procs, gpu: 0, memory: 0 };
  const factsOf = () => ({ ...NO_FACTS, ...facts });
  return recommend(play.projection, { consumer: "vo/g/u", need, sites, factsOf }, play.now);
}

const told = (rows: readonly ChoiceRow[]) =>
  rows.map(({ site, honoured, because }) => `${site} ${honoured} ${because?.limit ?? ""}`.trim());

describe("the choice table", () => {
  it("EN-73 says whether each site would honour it, and which policy prevents it", () => {
    const play = stage();
    expect(told(tableOf(play, 2))).toEqual(["a now", "b never noPolicy", "c now"]);
    expect(told(tableOf(play, 4))).toEqual(["a never burst", "b never noPolicy", "c now"]);
    expect(told(tableOf(play, 11))).toEqual(["a never capacity", "b never noPolicy", "c never capacity"]);
    const [{ because }] = tableOf(play, 4);
    expect(because).toMatchObject({ level: "vo/g", policy: { provider: "vo", consumer: "vo/g" } });
  });

  it("EN-73 counts use and demand, updated with every event", () => {
    const play = stage();
    submit(play, "j1", "a", 2);
    submit(play, "j2", "c", 9);
    play.settle();
    expect(told(tableOf(play, 2))).toEqual(["a later burst", "b never noPolicy", "c later free"]);
    expect(tableOf(play, 2).map(({ usedPpm, freeProcs }) => [usedPpm, freeProcs])).toEqual([
      [200_000, 8],
      [0, 10],
      [900_000, 1],
    ]);
    submit(play, "j3", "c", 5);
    play.settle();
    expect(tableOf(play, 2)[2]).toMatchObject({ usedPpm: 1_400_000, freeProcs: 1 });
    play.act("cancel", "j3");
    play.running("j2");
    play.ended("j2");
    play.settle();
    expect(told(tableOf(play, 2))).toEqual(["a later burst", "b never noPolicy", "c now"]);
  });

  it("EN-73 without a policy, a predicted start decides", () => {
    const play = stage();
    expect(told(tableOf(play, 2, { startMs: play.now + 1 }))[2]).toBe("c later free");
    expect(told(tableOf(play, 2, { startMs: play.now }))[2]).toBe("c now");
    expect(told(tableOf(play, 2, { isUnfit: true }))).toEqual([
      "a never capacity",
      "b never capacity",
      "c never capacity",
    ]);
  });

  it("EN-73 a drained site takes no jobs; PO-21 a selector does not pick it", () => {
    const play = stage();
    play.ask({ kind: "drainSite", site: "c", by: "x" });
    expect(tableOf(play, 2).map(({ takesJobs }) => takesJobs)).toEqual([true, true, false]);
    expect(worthTaking(tableOf(play, 2)).map(({ site }) => site)).toEqual(["a"]);
  });

  it("what is honoured now comes before what is later, what never is does not come", () => {
    const rows = (...honoured: ChoiceRow["honoured"][]) =>
      worthTaking(honoured.map((it) => ({ honoured: it, takesJobs: true }))).map((it) => it.honoured);
    expect(rows("later", "now", "never", "now")).toEqual(["now", "now"]);
    expect(rows("never", "later")).toEqual(["later"]);
    expect(rows("never")).toEqual([]);
  });
});

describe("a condition", () => {
  const row = (more: Partial<ChoiceRow> = {}): ChoiceRow => ({
    ...{ site: "a", type: "managed", takesJobs: true, honoured: "now", because: null },
    ...{ predictedStartMs: 61_000, costProcMs: 3_600_000, usedPpm: 250_000, lastSentMs: null },
    ...{ freeProcs: 12, score: { kept: 19, missed: 1 } },
    ...more,
  });
  const isMet = (text: string, more: Partial<ChoiceRow> = {}): boolean => {
    const read = readCondition(text);
    if (!read.ok) throw new Error(read.refusal.what);
    return meets(read.value, row(more), 1000);
  };

  it.each([
    ['Honoured == "now" && FreeProcs >= 12', true],
    ['honoured == "later"', false],
    ["Price < 1.5 && UsedShare < 0.5", true],
    ["HonouredRate >= 0.95 && Followed == 20", true],
    ["PredictedStart == 61 && Wait == 60", true],
    ['Site =?= "a" && Type != "slurm"', true],
    ["Limit is undefined", true],
    ["Wait + 1", false],
    ["1/0 == 1", false],
  ])("%s: %s", (text, expected) => {
    expect(isMet(text)).toBe(expected);
  });

  it("a condition on an unknown value is not true", () => {
    const unknown = { predictedStartMs: null, costProcMs: null, score: { kept: 0, missed: 0 } };
    for (const text of ["Wait < 1000", "Wait >= 1000", "Price <= 1", "HonouredRate > 0"]) {
      expect(isMet(text, unknown)).toBe(false);
    }
    expect(isMet("Wait is undefined && Followed == 0", unknown)).toBe(true);
  });

  it("an error says where, why and what to do", () => {
    const problemOf = (text: string) => {
      const read = readCondition(text);
      return read.ok ? undefined : read.refusal;
    };
    expect(problemOf("FreeProcs >")).toMatchObject({ line: 1, column: 12 });
    expect(problemOf('Site == "FreeProc" && FreeProc > 1')).toMatchObject({
      ...{ code: "unknownAttribute", line: 1, column: 23, what: "a row has no FreeProc" },
      remedy: "did you mean FreeProcs?",
    });
  });
});

describe("a verdict from sums", () => {
  it("PO-21 does not look at jobs one by one", () => {
    const shares = { place: "a", nodes: new Map() };
    const amounts = { cpu: 10, gpu: 0, memory: 0 };
    const site = { capacity: amounts, available: amounts, shares, uses: new Map(), taken: amounts };
    const need = { cpu: 1, gpu: 0, memory: 0 };
    expect(policyVerdict(site, { consumer: "a", need }, 0)).toMatchObject({ when: "never" });
  });
});
