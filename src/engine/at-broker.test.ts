import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aNode, aPartition } from "../../test/cluster-scene.ts";
import { draws } from "../../test/draws.ts";
import { foreignSpec, HOUR, type Scene, scene } from "../../test/engine-scene.ts";
import type { HelpfulChange, JobDescription } from "../model/index.ts";
import { explain } from "./index.ts";
import { queueFacts } from "./site-selection/queue-facts.ts";

const LOST = { cause: "lost", exitCode: null } as const;

function why(play: Scene, id: string) {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`${id} is over`);
  const { causes, helpfulChanges } = explain(play.projection, job, play.now);
  return { causes, change: helpfulChanges[0] };
}

function placeable(change: HelpfulChange | undefined) {
  return change?.kind === "placeable" ? change : undefined;
}

/** A description with a change that was told. */
function changedBy(description: Partial<JobDescription>, change: HelpfulChange): Partial<JobDescription> {
  const { site, ...others } = description;
  const changes = placeable(change)?.changes ?? [];
  const requirements = changes.find((it) => it.kind === "requirements")?.requirements;
  return {
    ...(changes.some(({ kind }) => kind === "anySite") ? others : description),
    ...(requirements === undefined ? {} : { requirements }),
  };
}

function procsBy(procs: number, change: HelpfulChange): number {
  return (
    placeable(change)?.changes.reduce((now, it) => (it.kind === "procs" ? it.procs : now), procs) ?? procs
  );
}

/** Jobs of two programs are lost at a site, which is set aside. */
function makeSick(play: Scene, site: string): void {
  for (let i = 0; i < 5; i++) {
    play.submit(`lost${i}`, 1, { site, executable: i < 3 ? "a" : "b" });
    play.settle();
    play.running(`lost${i}`);
    play.ended(`lost${i}`, LOST);
    play.settle();
  }
}

describe("why a job waits at the broker", () => {
  it("EN-193 all that keeps it from each site is told at once, first what its user can change", () => {
    const play = scene({ other: 8, small: 2, sick: 8, shut: 8 });
    makeSick(play, "sick");
    play.ask({ kind: "drainSite", site: "shut", by: "ann" });
    play.submit("j", 4, { requirements: 'other.Name != "other"' });
    play.settle();
    const { causes } = why(play, "j");
    expect(causes.map(({ kind }) => kind)).toEqual(["noMatch", "tooSmall", "siteSetAside", "noSiteOpen"]);
    expect(causes).toMatchObject([
      { sites: 3, clauses: [{ of: "job", text: 'other.Name != "other"', sites: 1 }] },
      { sites: ["small"] },
      { site: "sick" },
      { draining: ["shut"] },
    ]);
  });

  it("EN-193 that a closed site were open is no change of the requirements", () => {
    const play = scene({ a: 8 });
    play.ask({ kind: "drainSite", site: "a", by: "ann" });
    play.submit("j", 1, { requirements: "other.Gpus >= 1" });
    play.settle();
    expect(why(play, "j").causes).toMatchObject([{ kind: "noMatch", changes: [] }, { kind: "noSiteOpen" }]);
  });

  it("EN-193 where a site is left, nothing that keeps it from others is a cause", () => {
    const play = scene({ free: 8, small: 2 });
    play.ask({ kind: "drainSite", site: "free", by: "ann" });
    play.submit("j", 4);
    play.settle();
    expect(why(play, "j").causes.map(({ kind }) => kind)).toEqual(["tooSmall", "noSiteOpen"]);
    play.ask({ kind: "reopenSite", site: "free", by: "ann" });
    expect(why(play, "j").causes).toEqual([{ kind: "placing" }]);
  });

  it("EN-193 the smallest change after which a site takes it has been tried on everything", () => {
    const play = scene({ big: 64, mid: 8, sick: 64 });
    makeSick(play, "sick");
    play.ask({ kind: "drainSite", site: "big", by: "ann" });
    play.submit("wide", 16);
    play.submit("named", 4, { site: "big" });
    play.submit("picky", 4, { requirements: "other.GlueCEInfoTotalCPUs >= 32 && CpuNumber < 5" });
    play.settle();
    const changeOf = (id: string) => why(play, id).change;
    expect(changeOf("wide")).toEqual({
      ...{ kind: "placeable", changes: [{ kind: "procs", procs: 8 }], sites: ["mid"] },
    });
    expect(changeOf("named")).toEqual({ kind: "placeable", changes: [{ kind: "anySite" }], sites: ["mid"] });
    expect(changeOf("picky")).toMatchObject({
      kind: "placeable",
      changes: [
        {
          requirements: "(other.GlueCEInfoTotalCPUs >= 8) && (CpuNumber < 5)",
          difference: "other.GlueCEInfoTotalCPUs >= 8 instead of other.GlueCEInfoTotalCPUs >= 32",
        },
      ],
      sites: ["mid"],
    });
  });

  it("EN-193 a change for a job that names a site opens that site alone, also an imitated one", () => {
    const play = scene({ west: 8 });
    for (const [site, spec] of [
      ["east", foreignSpec(8)],
      ["simu", { ...foreignSpec(8), jobs: "imitate" as const }],
    ] as const) {
      play.ask({ kind: "addSite", site, spec });
      play.look(site, {});
    }
    const requirements = "other.GlueCEInfoTotalCPUs >= 16";
    for (const site of ["east", "simu"]) play.submit(site, 4, { site, requirements });
    play.submit("free", 4, { requirements });
    play.settle();
    const changeOf = (id: string) => why(play, id).change;
    const changes = [{ kind: "requirements" }];
    for (const site of ["east", "simu"]) {
      expect(changeOf(site)).toMatchObject({ kind: "placeable", changes, sites: [site] });
    }
    expect(changeOf("free")).toMatchObject({ kind: "placeable", changes, sites: ["west", "east"] });
  });

  it("EN-193 where no queue is large enough, the nearest limits of one are the change, with its name", () => {
    const nodes = [aNode("n1", { procs: 4 }), aNode("n2", { procs: 16 })];
    const queues = [
      aPartition("wide", ["n2"], { maxTimeMs: HOUR }),
      aPartition("long", ["n1"], { maxTimeMs: 9 * HOUR }),
    ].map((it) => queueFacts(it, { nodes, jobs: [] }));
    const play = scene({});
    const spec = { ...foreignSpec(20), memoryBytes: 2 ** 40 };
    play.ask({ kind: "addSite", site: "far", spec });
    play.look("far", { queues: [{ ...queues[0], maxWallTimeMs: 9 * HOUR }] });
    play.ask({ kind: "drainSite", site: "far", by: "ann" });
    play.submit("j", 8, { wallTimeMs: 5 * HOUR, memoryBytes: 2 ** 20 });
    play.settle();
    play.look("far", { queues });
    play.ask({ kind: "reopenSite", site: "far", by: "ann" });
    play.settle();
    expect(why(play, "j").causes).toMatchObject([{ kind: "fitsNoQueue" }]);
    expect(why(play, "j").change).toEqual({
      ...{ kind: "placeable", changes: [{ kind: "wallTime", wallTimeMs: HOUR }], sites: ["far"] },
      queue: { site: "far", queue: "wide" },
    });
    play.submit("changed", 8, { wallTimeMs: HOUR, memoryBytes: 2 ** 20 });
    play.settle();
    expect(play.records.get("changed")?.site).toBe("far");
    const { spec: now } = play.projection.sites.get("far") ?? expect.fail("no site");
    play.ask({ kind: "changeSite", site: "far", spec: { ...now, publish: "aggregates" } });
    expect(why(play, "j").change).not.toHaveProperty("queue");
  });

  it("EN-193 another protocol for its data, or another store for what it leaves, is a change", () => {
    const play = scene({ west: 8, east: 8 });
    const stores = { disk: { sizeBytes: 1e9, directory: "/d" }, tape: { sizeBytes: 1e9 } };
    const spec = play.projection.sites.get("west")?.spec ?? expect.fail("no site");
    play.ask({ kind: "changeSite", site: "west", spec: { ...spec, stores } });
    const copy = { site: "west", store: "disk", bytes: 1, by: "ann", url: "file:///d/a" };
    play.ask({ kind: "addReplica", name: "/vo/a", ...copy });
    play.submit("reads", 1, { inputData: ["/vo/a"], dataAccessProtocol: ["gsiftp"] });
    play.submit("none", 1, { inputData: ["/vo/a", "/vo/b"], dataAccessProtocol: ["gsiftp"] });
    play.submit("leaves", 1, { outputData: [{ file: "a", store: "tape" }] });
    play.submit("picks", 1, { outputSE: "se", requirements: 'other.Name == "west"' });
    play.submit("both", 1, {
      ...{ inputData: ["/vo/a"], dataAccessProtocol: ["gsiftp"], outputSE: "se" },
    });
    play.settle();
    const changes = (id: string) => placeable(why(play, id).change);
    const protocols = { kind: "protocols", protocols: ["gsiftp", "file"] };
    const store = { kind: "store", store: "disk" };
    expect(changes("reads")).toMatchObject({ changes: [protocols], sites: ["west", "east"] });
    expect(changes("none")).toBeUndefined();
    expect(changes("leaves")).toMatchObject({ changes: [store], sites: ["west"] });
    expect(changes("picks")).toMatchObject({ changes: [store], sites: ["west"] });
    expect(changes("both")).toMatchObject({ changes: [protocols, store], sites: ["west"] });
    play.submit("changed", 1, { outputSE: "disk", inputData: ["/vo/a"], dataAccessProtocol: ["file"] });
    play.settle();
    expect(play.records.get("changed")?.site).toBe("west");
  });

  it("EN-193 a job changed as is told goes to a site that was named", () => {
    const clause = fc.constantFrom(
      "other.GlueCEInfoTotalCPUs >= 32",
      'other.Name != "a"',
      'regexp("z", other.Name)',
      "other.Gpus >= 1",
      'other.GlueCEInfoTotalCPUs < 6 || other.Name == "zz"',
    );
    const job = fc.record({
      procs: fc.integer({ min: 1, max: 16 }),
      clauses: fc.array(clause, { maxLength: 3 }),
      site: fc.constantFrom(undefined, "a", "c"),
    });
    fc.assert(
      fc.property(job, fc.subarray(["a", "b", "c"]), ({ procs, clauses, site }, shut) => {
        const play = scene({ a: 4, b: 8, c: 16 });
        for (const name of shut) play.ask({ kind: "drainSite", site: name, by: "ann" });
        const requirements = clauses.map((text) => `(${text})`).join(" && ");
        const description = {
          wallTimeMs: HOUR,
          ...(clauses.length === 0 ? {} : { requirements }),
          ...(site === undefined ? {} : { site }),
        };
        if (play.submit("j", procs, description) !== "ok") return;
        play.settle();
        if (play.records.get("j")?.site !== null) return;
        const { causes, change } = why(play, "j");
        expect(causes).not.toContainEqual({ kind: "placing" });
        if (change === undefined) {
          // Some site is open to it only if its own clauses cannot be changed for it.
          expect(shut).toHaveLength(3);
          return;
        }
        play.submit("changed", procsBy(procs, change), changedBy(description, change));
        play.settle();
        expect(placeable(change)?.sites).toContain(play.records.get("changed")?.site);
      }),
      draws(200),
    );
  });
});
