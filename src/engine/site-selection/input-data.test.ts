import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { JOB_DEFAULTS } from "../../model/index.ts";
import { explain, query } from "../index.ts";

const causesOf = (play: Scene, id: string) => {
  const job = play.projection.jobs.get(id);
  return job === undefined ? [] : explain(play.projection, job, play.now).causes;
};
const placeOf = (play: Scene, id: string) => play.records.get(id)?.site;

/** Managed sites of four processors, the first ones preferred; `/vo/f`, 45 GB, is at the last. */
function sitesWithData(...names: readonly string[]): Scene {
  const play = scene(Object.fromEntries(names.map((name) => [name, 4])));
  const at = names.at(-1) ?? "";
  const spec = play.projection.sites.get(at)?.spec;
  if (spec?.type === "managed") {
    play.ask({ kind: "changeSite", site: at, spec: { ...spec, stores: { disk: { sizeBytes: 1e12 } } } });
  }
  play.ask({ kind: "addReplica", name: "/vo/f", site: at, store: "disk", bytes: 45e9, by: "ann" });
  return play;
}

describe("input data in matching", () => {
  const inputData = ["/vo/f"];

  it("EN-281 by default a job goes where it would have started and have its data soonest", () => {
    const play = sitesWithData("a", "b");
    play.submit("plain", 1);
    play.submit("data", 1, { inputData });
    play.settle();
    expect(["plain", "data"].map((id) => placeOf(play, id))).toEqual(["a", "b"]);
    // 45 GB take six minutes at the assumed rate: a queue of an hour is worse than that.
    play.submit("wide", 3, { site: "b", wallTimeMs: HOUR });
    play.settle();
    play.submit("later", 3, { inputData });
    play.settle();
    expect(placeOf(play, "later")).toBe("a");
    expect(causesOf(play, "later")).toContainEqual(
      expect.objectContaining({ kind: "dataThere", site: "a", from: ["b"], transferMs: 360_000 }),
    );
  });

  it("EN-281 FuzzyRank draws the nearer site more often; the cost of data alone may be the rank", () => {
    const play = sitesWithData("a", "b");
    const ids = Array.from({ length: 40 }, (_, at) => `draw${at}`);
    for (const id of ids) {
      play.submit(id, 1, { inputData, fuzzyRank: true });
      play.settle();
      play.ask({ kind: "cancel", job: id });
    }
    const near = ids.filter((id) => placeOf(play, id) === "b").length;
    expect(near).toBeGreaterThan(20);
    expect(near).toBeLessThan(40);
    play.submit("cost", 1, { inputData, rank: "Other.dataAccessCost" });
    play.submit("close", 1, { inputData, rank: "other.CloseFiles" });
    play.submit("far", 1, { inputData, rank: "-other.CloseFiles" });
    play.settle();
    expect(["cost", "close", "far"].map((id) => placeOf(play, id))).toEqual(["b", "b", "a"]);
  });

  it("EN-281 a job waits until a copy of each of its files is known, and says which are missing", () => {
    const play = sitesWithData("a", "b");
    play.submit("j", 1, { inputData: ["/vo/f", "/vo/g"] });
    play.settle();
    expect(placeOf(play, "j")).toBe(null);
    expect(causesOf(play, "j")).toContainEqual({ kind: "dataMissing", names: ["/vo/g"], count: 1 });
    const description = { ...JOB_DEFAULTS, executable: "x", inputData: ["/vo/g"] };
    const question = { id: "", description, consumer: "vo", owner: "" };
    const { matches, clauses } = query(play.projection, { name: "matchTable", question }, play.now);
    expect(matches).toEqual([]);
    expect(clauses.at(-1)).toMatchObject({ verdicts: ["false", "false"] });
    play.ask({ kind: "addReplica", name: "/vo/g", site: "b", store: "disk", bytes: 1, by: "ann" });
    play.settle();
    expect(placeOf(play, "j")).toBe("b");
  });

  it("EN-281 requirements may ask for the time that the data take", () => {
    const play = sitesWithData("a", "b", "c");
    const requirements = "other.DataAccessCost < 60";
    play.submit("none", 1, { requirements });
    play.submit("j", 1, { requirements, inputData });
    play.settle();
    expect(["none", "j"].map((id) => placeOf(play, id))).toEqual([null, "c"]);
  });
});
