import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aNode, aPartition } from "../../../test/cluster-scene.ts";
import { foreignSpec, HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { explanationText, JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import { answer, explain } from "../index.ts";
import { fittingQueues, tooSmallQueues } from "../state/queue-fit.ts";
import { queueFacts } from "./queue-facts.ts";

const GIB = 1024 ** 3;
const NODES = [
  aNode("s1", { procs: 4, memoryBytes: 2 * GIB }),
  aNode("s2", { procs: 4, memoryBytes: 2 * GIB }),
  aNode("g1", { procs: 8, memoryBytes: 16 * GIB, gpus: { a100: 2 } }),
];
const SHORT = aPartition("main", ["s1", "s2"], { maxTimeMs: HOUR });
const LONG = aPartition("long", ["s1", "s2"], { maxTimeMs: 9 * HOUR, maxNodes: 1 });
const GPU = aPartition("gpu", ["g1"], { maxTimeMs: 4 * HOUR, maxMemoryPerNodeBytes: 8 * GIB });

function clustered(nodes = NODES, partitions = [SHORT, LONG, GPU]): Scene {
  const play = scene({});
  const spec = { ...foreignSpec(16), gpus: 4, memoryBytes: 64 * GIB };
  play.ask({ kind: "addSite", site: "far", spec });
  play.look("far", { queues: partitions.map((it) => queueFacts(it, { nodes, jobs: [] })) });
  return play;
}

const siteOf = (play: Scene) => play.projection.sites.get("far") ?? expect.fail("no site");

function placed(more: Partial<JobDescription>, procs = 1) {
  const play = clustered();
  play.submit("j", procs, more);
  play.settle();
  const { site, queue } = play.records.get("j") ?? {};
  return [site, queue];
}

describe("EN-285 queues that are large enough", () => {
  it("a job goes to the default queue, or to the first that is large enough for it", () => {
    expect(placed({})).toEqual(["far", undefined]);
    expect(placed({ wallTimeMs: 5 * HOUR })).toEqual(["far", "long"]);
    expect(placed({ gpus: 1 })).toEqual(["far", "gpu"]);
    expect(placed({ memoryBytes: 3 * GIB })).toEqual(["far", "gpu"]);
    expect(placed({ memoryBytes: 4 * GIB }, 8)).toEqual(["far", undefined]);
    expect(placed({ memoryBytes: 4 * GIB + 8 }, 8)).toEqual(["far", "gpu"]);
  });

  it("a preferred queue that is too small has no effect; a site that matches is not enough", () => {
    expect(placed({ preferredQueues: ["main", "long"], wallTimeMs: 2 * HOUR })).toEqual(["far", "long"]);
    expect(placed({ preferredQueues: ["long"] }, 5)).toEqual(["far", undefined]);
    const requirements = "other.GlueCEInfoTotalCPUs >= 16";
    expect(placed({ requirements, gpus: 2 })).toEqual(["far", "gpu"]);
    expect(placed({ rank: "other.NodeProcs", wallTimeMs: 2 * HOUR })).toEqual(["far", "gpu"]);
  });

  it("one that no queue is large enough for is refused with the limit of each", () => {
    const play = clustered();
    const refused = (more: Partial<JobDescription>, procs: number) => {
      const description = { ...JOB_DEFAULTS, executable: "true", procs, ...more };
      const who = { consumer: "vo/user", owner: "u" };
      const answered = answer(play.projection, { kind: "submit", job: "j", description, ...who }, play.now);
      return answered.ok ? "taken" : answered.refusal;
    };
    expect(refused({ wallTimeMs: 5 * HOUR }, 6)).toEqual({
      kind: "fitsNoQueue",
      sites: [
        {
          site: "far",
          queues: [
            { queue: "main", of: "wallTime", most: HOUR },
            { queue: "long", of: "procs", most: 4 },
            { queue: "gpu", of: "wallTime", most: 4 * HOUR },
          ],
        },
      ],
    });
    expect(refused({ gpus: 3 }, 1)).toMatchObject({
      sites: [{ queues: [{ most: 0 }, { of: "gpus", most: 0 }, { of: "gpus", most: 2 }] }],
    });
    expect(refused({ memoryBytes: 20 * GIB }, 8)).toMatchObject({
      sites: [
        { queues: [{ of: "memory", most: 4 * GIB }, { of: "procs" }, { of: "memory", most: 8 * GIB }] },
      ],
    });
  });

  it("a queue whose nodes are out of service is large enough, and one in service comes first", () => {
    const down = NODES.map((node) => (node.name === "g1" ? { ...node, states: ["DOWN"] } : node));
    const play = clustered(down);
    play.submit("j", 1, { gpus: 1 });
    play.settle();
    expect(play.records.get("j")).toMatchObject({ site: "far", queue: "gpu" });
    const wide = aPartition("wide", ["g1", "s1"], { maxTimeMs: 9 * HOUR });
    const other = clustered(down, [SHORT, wide, LONG]);
    other.submit("j", 4, { wallTimeMs: 2 * HOUR, preferredQueues: ["gone"] });
    other.submit("k", 5, { wallTimeMs: 2 * HOUR });
    other.settle();
    expect([other.records.get("j")?.queue, other.records.get("k")?.queue]).toEqual(["wide", "wide"]);
  });

  it("a waiting job is told when the queues of its site have become too small", () => {
    const play = clustered([], []);
    play.submit("j", 1, { wallTimeMs: 5 * HOUR, requirements: "other.Never >= 1" });
    play.settle();
    play.now += 1000;
    play.look("far", { queues: [queueFacts(SHORT, { nodes: NODES, jobs: [] })] });
    play.settle();
    const job = play.records.get("j") ?? expect.fail("no job");
    const why = explanationText(explain(play.projection, job, play.now), String).join("\n");
    expect(why).toContain("it is too large for every queue at far (main: a time limit of at most 1h)");
  });

  it("equals a plain distribution of processors over nodes", () => {
    const node = fc.record({
      procs: fc.integer({ min: 1, max: 8 }),
      memoryBytes: fc.integer({ min: 0, max: 40 }),
      isOut: fc.boolean(),
    });
    const job = fc.record({
      procs: fc.integer({ min: 1, max: 12 }),
      memoryBytes: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(
        fc.array(node, { maxLength: 5 }),
        fc.option(fc.integer({ min: 1, max: 5 })),
        job,
        (all, maxNodes, need) => {
          const nodes = all.map(({ isOut, ...one }, at) =>
            aNode(`n${at}`, { ...one, states: [isOut ? "DOWN" : "IDLE"] }),
          );
          const partition = aPartition(
            "main",
            nodes.map(({ name }) => name),
            { maxNodes },
          );
          const site = siteOf(clustered(nodes, [partition]));
          const description = { executable: "x", ...need } as JobDescription;
          const inService = nodes.filter((_, at) => !all[at]?.isOut);
          expect(fittingQueues(site, description, "ever").length === 1).toBe(
            fitsPlainly(nodes, maxNodes, need),
          );
          expect(fittingQueues(site, description, "now").length === 1).toBe(
            fitsPlainly(inService, maxNodes, need),
          );
          const [lack] = tooSmallQueues(site, description);
          if (lack?.of !== "memory") return;
          expect(fitsPlainly(nodes, maxNodes, { ...need, memoryBytes: lack.most })).toBe(true);
          expect(fitsPlainly(nodes, maxNodes, { ...need, memoryBytes: lack.most + need.procs })).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Puts processors with their parts of the memory on nodes one by one, the ones with most room first. */
function fitsPlainly(
  nodes: readonly { readonly procs: number; readonly memoryBytes: number }[],
  maxNodes: number | null,
  { procs, memoryBytes }: { readonly procs: number; readonly memoryBytes: number },
): boolean {
  const rooms = nodes.map((node) => {
    let count = 0;
    while (count < node.procs && (count + 1) * memoryBytes <= node.memoryBytes * procs) count++;
    return count;
  });
  rooms.sort((a, b) => b - a);
  return rooms.slice(0, maxNodes ?? rooms.length).reduce((sum, room) => sum + room, 0) >= procs;
}
