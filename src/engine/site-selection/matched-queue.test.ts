import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { explanationText, JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import { explain, query } from "../index.ts";
import type { SurveyedQueue } from "../survey.ts";

const queue = (name: string, more: Partial<SurveyedQueue> = {}): SurveyedQueue => ({
  ...{ queue: name, isDefault: false, status: "Production", procs: 8, freeProcs: 8 },
  ...more,
});
const QUEUES = [
  queue("main", { isDefault: true, maxWallTimeMs: 2 * HOUR, nodeMemoryBytes: 2 ** 30 }),
  queue("long", { maxWallTimeMs: 100 * HOUR, nodeMemoryBytes: 2 ** 30 }),
  queue("fat", { procs: 2, freeProcs: 1, maxWallTimeMs: 50 * HOUR, nodeMemoryBytes: 2 ** 40 }),
];
const DAY = "other.GlueCEPolicyMaxWallClockTime >= 24 * 60";

function clustered(queues: readonly SurveyedQueue[] = QUEUES): Scene {
  const play = scene({});
  play.foreign("far", 16);
  play.look("far", { queues });
  return play;
}

function placed(play: Scene, more: Partial<JobDescription>, procs = 1) {
  play.submit("j", procs, more);
  play.settle();
  const { site, queue } = play.records.get("j") ?? {};
  return [site, queue];
}

describe("EN-283 queues that match", () => {
  it("a job that only a queue's ad fulfils goes to it; one that the site fulfils names none", () => {
    const byMemory = "other.NodeMemory >= 1024 * 100";
    expect(placed(clustered(), { requirements: byMemory })).toEqual(["far", "fat"]);
    expect(placed(clustered(), { requirements: 'other.GlueCEName == "long"' })).toEqual(["far", "long"]);
    expect(placed(clustered(), { requirements: "other.GlueCEInfoTotalCPUs >= 16" })).toEqual([
      "far",
      undefined,
    ]);
    expect(placed(clustered(), { requirements: "other.GlueCEInfoTotalCPUs >= 8" })).toEqual([
      "far",
      undefined,
    ]);
    expect(placed(clustered(), {})).toEqual(["far", undefined]);
  });

  it("of several the one with the best rank is taken, without one the default queue if it matches", () => {
    expect(placed(clustered(), { requirements: DAY })).toEqual(["far", "long"]);
    const rank = "-other.GlueCEStateFreeCPUs";
    expect(placed(clustered(), { requirements: DAY, rank })).toEqual(["far", "fat"]);
    const any = "other.GlueCEPolicyMaxWallClockTime >= 60";
    expect(placed(clustered(), { requirements: any })).toEqual(["far", "main"]);
  });

  it("a preferred queue that is there and matches comes first; another one has no effect", () => {
    expect(placed(clustered(), { preferredQueues: ["gone", "long", "main"] })).toEqual(["far", "long"]);
    expect(placed(clustered(), { preferredQueues: ["gone"] })).toEqual(["far", undefined]);
    expect(placed(clustered(), { preferredQueues: ["fat"] }, 3)).toEqual(["far", undefined]);
    expect(placed(clustered(), { preferredQueues: ["fat"], requirements: DAY })).toEqual(["far", "fat"]);
    expect(placed(clustered(), { preferredQueues: ["main"], requirements: DAY })).toEqual(["far", "long"]);
    expect(placed(scene({ here: 4 }), { preferredQueues: ["long"] })).toEqual(["here", undefined]);
  });

  it("a queue that is too small, too short or closed for the job does not match", () => {
    const memory = { requirements: "other.NodeMemory >= 1024 * 100" };
    expect(placed(clustered(), memory, 3)).toEqual([null, undefined]);
    expect(placed(clustered(), { ...memory, wallTimeMs: 51 * HOUR })).toEqual([null, undefined]);
    const closed = clustered([queue("fat", { status: "Closed", nodeMemoryBytes: 2 ** 40 })]);
    expect(placed(closed, memory)).toEqual([null, undefined]);
    expect(placed(clustered([]), memory)).toEqual([null, undefined]);
  });

  it("jobs of one class with other sizes are told apart in one decision", () => {
    const play = clustered();
    const requirements = "other.NodeMemory >= 1024 * 100";
    play.submit("small", 1, { requirements });
    play.submit("wide", 3, { requirements });
    play.settle();
    expect(play.records.get("small")?.queue).toBe("fat");
    expect(play.state("wide")).toBe("WAITING");
  });

  it("a waiting job is placed when a look shows a queue that matches, and told so", () => {
    const play = clustered([]);
    expect(placed(play, { requirements: DAY })).toEqual([null, undefined]);
    play.now += 1000;
    play.look("far", { queues: QUEUES });
    play.settle();
    const job = play.records.get("j") ?? expect.fail("no job");
    expect(job).toMatchObject({ site: "far", queue: "long" });
    const why = explanationText(explain(play.projection, job, play.now), String).join("\n");
    expect(why).toContain("at far it is in the queue long, chosen by its requirements");
  });

  it("an attempt at another place names its queue no more", () => {
    const play = clustered();
    const requirements = `${DAY} || other.Name == "near"`;
    expect(placed(play, { requirements, retryCount: 1 })).toEqual(["far", "long"]);
    play.running("j");
    play.foreign("near", 4);
    play.look("near");
    play.ended("j", { cause: "lost", exitCode: null, detail: "gone" });
    play.settle();
    expect(play.records.get("j")).toMatchObject({ attempt: 2, site: "near" });
    expect(play.records.get("j")?.queue).toBeUndefined();
  });

  it("the table of matches has the verdicts on the queue, and names it", () => {
    const description = { ...JOB_DEFAULTS, executable: "x", requirements: DAY };
    const question = { id: "", description, consumer: "vo", owner: "" };
    const play = clustered();
    const table = query(play.projection, { name: "matchTable", question }, play.now);
    expect(table.sites).toMatchObject([{ name: "far", queue: "long" }]);
    expect(table.matches).toMatchObject([{ name: "far" }]);
    expect(table.clauses.map(({ verdicts }) => verdicts)).toEqual([["true"], ["true"]]);
  });
});
