import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS } from "../../../model/index.ts";
import { avoidedNodes, explain, query } from "../../index.ts";

const MINUTE = 60_000;
const LOST = { cause: "lost", exitCode: null } as const;

function submit(play: Scene, job: string, program = job): void {
  const description = { ...JOB_DEFAULTS, executable: program, procs: 1, wallTimeMs: HOUR };
  expect(play.ask({ kind: "submit", job, description, consumer: "vo/g/u1", owner: "u1" })).toBe("ok");
  play.settle();
}

/** A job that begins at once and ends after a second on a node. */
function run(play: Scene, job: string, node: string, end: object = {}): void {
  submit(play, job);
  play.running(job);
  play.now += 1000;
  play.ended(job, { ...end, node });
  play.settle();
}

/** Jobs end well on some nodes, and five are lost on n3. */
function withSickNode(): Scene {
  const play = scene({ far: 8 });
  for (const node of ["n1", "n2", "n3", "n4"]) run(play, `fine-${node}`, node);
  for (let i = 0; i < 5; i++) run(play, `lost${i}`, "n3", LOST);
  return play;
}

const troubled = (play: Scene) =>
  query(play.projection, { name: "nodesInTrouble", question: "far" }, play.now);

function avoids(play: Scene, job: string): readonly string[] {
  const record = play.records.get(job);
  return record === undefined ? [] : avoidedNodes(play.projection, record);
}

describe("nodes that fail jobs", () => {
  it("EN-195 a node is set aside by its own failures, and its site is not", () => {
    const play = withSickNode();
    expect(troubled(play)).toMatchObject([{ node: "n3", aside: { quick: 5, ended: 6 } }]);
    expect(play.projection.books.siteHealth.get("far")).toMatchObject({ aside: null, failures: [] });
    const window = play.projection.books.siteHealth.get("far")?.minutes ?? [];
    expect(window.map(({ ended, quick }) => [ended, quick])).toEqual([[3, 0]]);
    submit(play, "next");
    expect(avoids(play, "next")).toEqual(["n3"]);
    const next = play.records.get("next");
    const cause = { kind: "nodesAvoided", site: "far", nodes: ["n3"], count: 1 };
    expect(next && explain(play.projection, next, play.now).causes).toContainEqual(cause);
    // Jobs that were sent there before and are lost there do not count against the site.
    for (let i = 0; i < 6; i++) run(play, `late${i}`, "n3", LOST);
    expect(play.projection.books.siteHealth.get("far")).toMatchObject({ aside: null, failures: [] });
  });

  it("EN-195 one job at a time tests it, and two good tests readmit it to five jobs at a time", () => {
    const play = withSickNode();
    play.now += 10 * MINUTE;
    submit(play, "test1");
    submit(play, "other");
    expect([avoids(play, "test1"), avoids(play, "other")]).toEqual([[], ["n3"]]);
    play.running("test1");
    play.ended("test1", { ...LOST, node: "n3" });
    play.settle();
    expect(troubled(play)).toMatchObject([{ aside: { pauseMs: 20 * MINUTE, goodProbes: 0 } }]);
    play.now += 20 * MINUTE;
    for (const job of ["test2", "test3"]) {
      submit(play, job);
      expect(avoids(play, job)).toEqual([]);
      play.running(job);
      play.ended(job, { node: "n3" });
      play.settle();
    }
    expect(play.log.findLast(({ kind }) => kind === "nodeReadmitted")).toMatchObject({ by: null });
    const many = Array.from({ length: 6 }, (_, i) => `many${i}`);
    for (const job of many) submit(play, job);
    expect(many.filter((job) => avoids(play, job).length === 0)).toHaveLength(5);
    for (const job of many) {
      play.running(job);
      play.ended(job, { node: "n3" });
    }
    for (let i = 0; i < 14; i++) run(play, `well${i}`, "n3");
    expect(troubled(play)).toEqual([]);
  });

  it("EN-195 a test that ended on another node is followed by another test", () => {
    const play = withSickNode();
    play.now += 10 * MINUTE;
    run(play, "elsewhere", "n1");
    submit(play, "test");
    expect(avoids(play, "test")).toEqual([]);
    expect(troubled(play)).toMatchObject([{ aside: { goodProbes: 0 }, sent: ["test"] }]);
  });

  it("EN-195 a site fails as a whole on several nodes, on most of its nodes, and where none is named", () => {
    const many = scene({ far: 8 });
    for (let i = 1; i <= 8; i++) run(many, `fine${i}`, `n${i}`);
    for (let i = 0; i < 5; i++) run(many, `lost${i}`, `n${1 + (i % 3)}`, LOST);
    expect(many.projection.books.siteHealth.get("far")?.aside).not.toBeNull();
    expect(troubled(many)).toEqual([]);

    const two = scene({ far: 8 });
    for (let i = 1; i <= 8; i++) run(two, `fine${i}`, `n${i}`);
    for (let i = 0; i < 8; i++) run(two, `lost${i}`, `n${1 + (i % 2)}`, LOST);
    expect(two.projection.books.siteHealth.get("far")?.aside).toBeNull();
    for (let i = 8; i < 12; i++) run(two, `lost${i}`, `n${1 + (i % 2)}`, LOST);
    expect(troubled(two)).toMatchObject([{ node: "n1" }, { node: "n2" }]);

    const alone = scene({ far: 8 });
    for (let i = 0; i < 5; i++) run(alone, `lost${i}`, "n1", LOST);
    expect(alone.projection.books.siteHealth.get("far")?.aside).not.toBeNull();
    expect(troubled(alone)).toEqual([]);
  });

  it("EN-195 whoever reopens the site readmits its nodes; they go with it, and outlive a restart", () => {
    const play = withSickNode();
    play.restart();
    expect(troubled(play)).toMatchObject([{ node: "n3", aside: { quick: 5 } }]);
    expect(play.ask({ kind: "reopenSite", site: "far", by: "ann" })).toBe("ok");
    expect(play.log.at(-1)).toMatchObject({ kind: "nodeReadmitted", node: "n3", by: "ann" });
    expect(troubled(play)).toEqual([]);
    submit(play, "next");
    expect(avoids(play, "next")).toEqual([]);
    const gone = withSickNode();
    gone.ask({ kind: "removeSite", site: "far", by: "ann" });
    expect(gone.projection.books.nodeHealth.size).toBe(0);
  });
});
