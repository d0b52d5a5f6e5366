import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { foreignSpec, type Scene, scene, shown } from "../../../test/engine-scene.ts";
import { query } from "../index.ts";
import type { SurveyedQueue } from "../survey.ts";

const ADS = { C: "GlueCEStateFreeCPUs" };

function withSite(name: string, ads: Readonly<Record<string, string>> = ADS): Scene {
  const play = scene({});
  play.ask({ kind: "addSite", site: name, spec: { ...foreignSpec(8), ads } });
  return play;
}

/** A look that shows so many free processors, and so many waiting jobs. */
function look(play: Scene, site: string, { free = 8, waiting = 0, queues = [] as readonly SurveyedQueue[] }) {
  const jobs = [
    ...(free < 8 ? [shown("r", null, { state: "running", procs: 8 - free })] : []),
    ...Array.from({ length: waiting }, (_, at) => shown(`w${at}`, null, { procs: 8 })),
  ];
  play.look(site, { jobs, queues });
}

const matches = (play: Scene): number =>
  query(play.projection, { name: "waitingMatches", question: undefined }, play.now);

/** Waiting jobs that match an open site, by matching all of them. */
function missed(play: Scene): readonly string[] {
  return [...play.projection.parked].filter((id) => {
    const { description, consumer, owner } = play.projection.jobs.get(id) ?? expect.fail("no job");
    const question = { id, description, consumer, owner };
    return query(play.projection, { name: "matchTable", question }, play.now).matches.length > 0;
  });
}

describe("EN-288 jobs that matched no site", () => {
  it("are matched again, a class at a time, only when an attribute that they refer to has changed", () => {
    const play = withSite("far");
    look(play, "far", { free: 0 });
    for (let at = 0; at < 30; at++) {
      play.submit(`a${at}`, 1, { requirements: `other.GlueCEStateFreeCPUs > ${1 + (at % 3)}` });
      play.submit(`b${at}`, 1, { requirements: "other.GlueCEStateWaitingJobs > 5" });
      play.submit(`c${at}`, 1, { requirements: "other.C > 5" });
    }
    play.settle();
    const before = matches(play);
    for (let again = 0; again < 5; again++) {
      play.now += 1000;
      look(play, "far", { free: 0 });
      play.settle();
    }
    expect(matches(play)).toBe(before);
    look(play, "far", { free: 1 });
    play.settle();
    // Three classes name what has changed, and one that names it through C.
    expect(matches(play) - before).toBe(4);
    look(play, "far", { free: 1, waiting: 2 });
    play.settle();
    expect(matches(play) - before).toBe(5);
    look(play, "far", { free: 2, waiting: 2 });
    play.settle();
    expect(play.records.get("a0")?.site).toBe("far");
    expect(play.records.get("c0")?.site).toBeNull();
    expect(missed(play)).toEqual([]);
  });

  it("a job that comes after all others were settled is matched again when its time comes", () => {
    const play = withSite("far");
    look(play, "far", {});
    play.submit("a", 1, { requirements: "other.Missing > 1" });
    play.settle();
    play.submit("b", 1, { requirements: `time() >= ${Math.ceil(play.now / 1000) + 5}` });
    play.settle();
    expect(play.records.get("b")?.site).toBeNull();
    play.now += 10_000;
    play.settle();
    expect(play.records.get("b")?.site).toBe("far");
  });

  it("are all matched again after five minutes", () => {
    const play = withSite("far");
    look(play, "far", {});
    play.submit("a", 1, { requirements: "other.Missing > 1" });
    play.settle();
    const before = matches(play);
    play.now += 301_000;
    play.settle();
    expect(matches(play)).toBe(before + 1);
  });

  it("whatever changes, no match is missed: after each decision none of them matches an open site", () => {
    const site = fc.constantFrom("w", "e");
    const queue = fc.record({
      ...{ queue: fc.constantFrom("main", "long"), isDefault: fc.boolean() },
      ...{ status: fc.constantFrom("Production" as const, "Draining" as const), procs: fc.constant(8) },
      nodeProcs: fc.integer({ min: 1, max: 8 }),
      maxWallTimeMs: fc.constantFrom(60_000, 7_200_000),
    });
    const seen = fc.record({
      ...{ kind: fc.constant("look" as const), site, free: fc.integer({ min: 0, max: 8 }) },
      ...{ waiting: fc.integer({ min: 0, max: 2 }), queues: fc.array(queue, { maxLength: 2 }) },
    });
    const step = fc.oneof(
      { arbitrary: seen, weight: 6 },
      fc.record({ kind: fc.constant("drainSite" as const), site }),
      fc.record({ kind: fc.constant("reopenSite" as const), site }),
      fc.record({ kind: fc.constant("later" as const), ms: fc.integer({ min: 1, max: 400_000 }) }),
    );
    const requirements = fc.constantFrom(
      "other.C > 5",
      "other.D == 2",
      "other.NodeProcs >= 4",
      "other.GlueCEStateFreeCPUs > CpuNumber + 5",
      'eval("other.C") == 2',
      "time() % 2 == 1 && other.C > 1",
      'other["C"] == 2',
      "Own > 1",
    );
    const job = fc.record({ requirements, procs: fc.integer({ min: 1, max: 3 }) });
    const ads = fc.constantFrom(
      ADS,
      { ...ADS, D: "C - GlueCEStateWaitingJobs" },
      {
        ...{ ...ADS, Requirements: "Load < other.CpuNumber" },
        Load: "GlueCEStateWaitingJobs",
      },
    );
    fc.assert(
      fc.property(
        ads,
        fc.array(job, { minLength: 1, maxLength: 6 }),
        fc.array(step),
        (given, jobs, steps) => {
          const play = withSite("w", given);
          play.ask({ kind: "addSite", site: "e", spec: { ...foreignSpec(8), ads: ADS } });
          for (const name of ["w", "e"]) look(play, name, { free: 0, waiting: 1 });
          for (const [at, { requirements: text, procs }] of jobs.entries()) {
            play.submit(`j${at}`, procs, { requirements: text, attributes: { Own: "other.C" } });
          }
          play.settle();
          for (const one of steps) {
            if (one.kind === "later") play.now += one.ms;
            else if (one.kind === "look") look(play, one.site, one);
            else play.ask({ kind: one.kind, site: one.site, by: "ann" });
            play.settle();
            expect(missed(play)).toEqual([]);
          }
        },
      ),
      draws(50),
    );
  });
});
