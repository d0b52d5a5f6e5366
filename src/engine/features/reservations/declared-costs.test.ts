import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene } from "../../../../test/engine-scene.ts";
import { accept, at, RULES, record, request, START, site } from "../../../../test/reservation-scene.ts";
import { refusalText } from "../../../model/index.ts";
import { answer, livePrices, restore } from "../../index.ts";

const BUDGETS = { ...RULES, delayBudgets: { vo: 40 } };
const LIMIT = { wallTimeMs: HOUR - 15_000 };

/** a runs on all four for an hour; b waits for four and has declared a delay cost. */
function busy(play: Scene, delayCostSuPerHour: number): void {
  play.submit("a", 4, LIMIT);
  play.settle();
  play.running("a");
  expect(play.submit("b", 4, { ...LIMIT, delayCostSuPerHour })).toBe("ok");
  play.settle();
}

function fixedNow(play: Scene): number | undefined {
  const here = play.projection.sites.get("here");
  if (here === undefined) throw new Error("no site");
  const { consumer, procs, memoryBytes, durationMs, startMs } = request("?");
  const asked = { consumer, procs, memoryBytes, durationMs, when: { kind: "at", startMs } } as const;
  return livePrices(play.projection, here, asked, play.now)[0]?.fixedProcMs;
}

describe("EN-85 a declared delay cost", () => {
  it("is what a slot in front of the job has to pay, instead of its processors", () => {
    for (const [declared, hours] of [
      [20, 20],
      [1, 1],
      [0, 0],
    ] as const) {
      const play = site(BUDGETS);
      busy(play, declared);
      expect(fixedNow(play)).toBe(hours * HOUR);
      expect(play.ask(request("r1"))).toBe("ok");
      expect(play.ask(accept("r1"))).toBe("ok");
      expect(record(play)).toMatchObject({ fixedProcMs: hours * HOUR, delaysJobs: 1 });
    }
  });

  it("is refused beyond the budget, with what was declared; who has started counts no more", () => {
    const play = site(BUDGETS);
    busy(play, 34);
    const more = { ...LIMIT, delayCostSuPerHour: 15 };
    const refused = answer(
      play.projection,
      {
        ...{ kind: "submit", job: "c", consumer: "vo/x", owner: "u" },
        description: { ...play.projection.jobs.get("b")?.description, procs: 4, ...more },
      } as Parameters<typeof answer>[1],
      play.now,
    );
    expect(refused).toEqual({
      ok: false,
      refusal: {
        ...{ kind: "delayCostOverBudget", site: "here", consumer: "vo", declaredSuPerHour: 15, procs: 4 },
        ...{ usedSuPerHour: 30, budgetSuPerHour: 40 },
      },
    });
    if (refused.ok) return;
    expect(refusalText(refused.refusal)).toEqual({
      what: "a delay cost of 15 SU an hour cannot be declared",
      why:
        "it declares 11 SU an hour in addition to one per processor; " +
        "waiting jobs of vo may declare 40 in all at here, and have 30",
      remedy:
        "declare at most 14, wait until other jobs have started, or ask the site's administrator " +
        "(delayBudgets)",
    });
    expect(play.submit("d", 4, { ...LIMIT, delayCostSuPerHour: 14 })).toBe("ok");
    play.act("cancel", "d");
    play.now = START + HOUR;
    play.ended("a");
    expect(play.settle()).toEqual(["b"]);
    expect(play.submit("e", 4, { ...LIMIT, delayCostSuPerHour: 44 })).toBe("ok");
  });

  it("may be whatever its processors are without a budget, and nothing beyond", () => {
    const play = site(RULES);
    expect(play.submit("a", 4, { delayCostSuPerHour: 4 })).toBe("ok");
    expect(play.submit("b", 4, { delayCostSuPerHour: 5 })).toBe("delayCostOverBudget");
  });

  it("takes the job to a site that allows it, and counts there alone; also after a restart", () => {
    const play = site(BUDGETS);
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) throw new Error("no site");
    const { reservations: _, ...plain } = spec;
    expect(play.ask({ kind: "addSite", site: "first", spec: plain })).toBe("ok");
    busy(play, 30);
    expect(play.projection.jobs.get("b")?.site).toBe("here");
    const again = restore(
      {
        ...NOTHING_STORED,
        sites: [{ name: "here", spec, order: 1, isDraining: false }],
        jobs: [...play.projection.jobs.values()],
      },
      at(play, START + 1).length + play.now,
    );
    const command = {
      ...{ kind: "submit", job: "z", consumer: "vo", owner: "u" },
      description: { ...play.projection.jobs.get("b")?.description, delayCostSuPerHour: 45 },
    } as Parameters<typeof answer>[1];
    expect(answer(again, command, play.now)).toMatchObject({ refusal: { usedSuPerHour: 26 } });
  });
});
