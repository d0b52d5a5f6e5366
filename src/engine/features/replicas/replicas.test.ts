import { describe, expect, it } from "vitest";
import { NOTHING_STORED, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS, outputsOf, type SimulatedSiteSpec } from "../../../model/index.ts";
import { query, restore } from "../../index.ts";
import { inputDataAt, missingData } from "../../state/input-data.ts";

const SPEC: SimulatedSiteSpec = {
  ...{ type: "simulated", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 1000 },
  ...{ jobs: "run", speedUp: 1, background: null, delays: { orderMs: 0, startMs: 0 }, seed: 1 },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  stores: { disk: { sizeBytes: 1e12 }, tape: { sizeBytes: 1e15 } },
};
const add = (name: string, site: string, more: object = {}) =>
  ({ kind: "addReplica", name, site, store: "disk", bytes: 100, by: "ann", ...more }) as const;
const remove = (name: string, at: { site: string; store: string } | null) =>
  ({ kind: "removeReplica", name, at, by: "ann" }) as const;

function play() {
  const it = scene({ bare: 4 });
  for (const site of ["west", "east"]) it.ask({ kind: "addSite", site, spec: SPEC });
  const listed = (under = "") => query(it.projection, { name: "replicas", question: under }, it.now);
  return { ...it, listed };
}

describe("EN-280 the replica catalogue", () => {
  it("a file has its copies in their order; an equal copy changes nothing", () => {
    const it = play();
    expect(it.ask(add("/cms/b", "west"))).toBe("ok");
    expect(it.ask(add("/cms/b", "east", { bytes: undefined, url: "file:///d/b" }))).toBe("ok");
    expect(it.ask(add("/atlas/a", "east", { store: "tape", checksum: "md5:0f" }))).toBe("ok");
    const before = it.log.length;
    expect(it.ask(add("/cms/b", "west"))).toBe("ok");
    expect(it.log).toHaveLength(before);
    expect(it.listed().map(({ name }) => name)).toEqual(["/atlas/a", "/cms/b"]);
    expect(it.listed("/cms/")).toEqual([
      {
        ...{ name: "/cms/b", bytes: 100 },
        copies: [
          { site: "west", store: "disk" },
          { site: "east", store: "disk", url: "file:///d/b" },
        ],
      },
    ]);
  });

  it("copies of one name are alike, in a store that their site has", () => {
    const it = play();
    expect(it.ask(add("/cms/b", "west", { bytes: undefined }))).toContain("replicaSizeNeeded");
    it.ask(add("/cms/b", "west", { checksum: "md5:0f" }));
    const before = it.log.length;
    expect(it.ask(add("/cms/b", "west"))).toBe("ok");
    expect(it.log).toHaveLength(before);
    expect(it.ask(add("/cms/b", "east", { bytes: 101 }))).toContain("replicaDiffers");
    expect(it.ask(add("/cms/b", "east", { checksum: "md5:1f" }))).toContain("replicaDiffers");
    expect(it.ask(add("/cms/b", "bare"))).toContain("unknownStore");
    expect(it.ask(add("/cms/b", "north"))).toContain("unknownSite");
    expect(it.listed()[0]?.copies).toHaveLength(1);
  });

  it("a name is gone with its last copy, copies with their site; a restart keeps the others", () => {
    const it = play();
    for (const site of ["west", "east"]) {
      it.ask(add("/cms/b", site));
      it.ask(add("/cms/c", site));
    }
    expect(it.ask(remove("/cms/b", { site: "west", store: "tape" }))).toContain("unknownReplica");
    expect(it.ask(remove("/cms/b", { site: "west", store: "disk" }))).toBe("ok");
    expect(it.listed()[0]?.copies).toEqual([{ site: "east", store: "disk" }]);
    const again = restore({ ...NOTHING_STORED, replicas: it.listed() }, it.now);
    expect([...again.books.replicas.values()]).toEqual(it.listed());
    it.ask({ kind: "removeSite", site: "east", by: "ann" });
    expect(it.listed()).toEqual([{ name: "/cms/c", bytes: 100, copies: [{ site: "west", store: "disk" }] }]);
    expect(it.ask(remove("/cms/c", null))).toBe("ok");
    expect(it.ask(remove("/cms/c", null))).toContain("unknownReplica");
    expect(it.listed()).toEqual([]);
  });
});

describe("EN-282 output data", () => {
  const outputData = [{ file: "a", name: "/vo/a" }, { file: "d/b c", store: "Tape" }, { file: "c" }];
  const stores = {
    slow: { sizeBytes: 1 },
    disk: { sizeBytes: 9, directory: "/data" },
    tape: { sizeBytes: 9 },
  };

  function withOutputs() {
    const it = scene({ here: 4 });
    const spec = it.projection.sites.get("here")?.spec;
    if (spec === undefined) throw new Error("no site");
    it.ask({ kind: "changeSite", site: "here", spec: { ...spec, stores } });
    const due = () => [...it.projection.books.outputsDue.values()];
    return { ...it, due };
  }

  it("goes to the named store or the first that takes files; one without a name gets one", () => {
    const job = { id: "j1", consumer: "vo/x", description: { ...JOB_DEFAULTS, executable: "x", outputData } };
    expect(outputsOf(job, { stores })).toEqual([
      { file: "a", name: "/vo/a", store: "disk", path: "/data/vo/a" },
      { file: "d/b c", name: "/vo/x/j1/d/b_c", store: "tape", path: null },
      { file: "c", name: "/vo/x/j1/c", store: "disk", path: "/data/vo/x/j1/c" },
    ]);
  });

  it("is registered once, if the job succeeds; what it did not report or what differs is told", () => {
    const it = withOutputs();
    const left = [
      { name: "/vo/a", bytes: 5 },
      { name: "/vo/else", bytes: 1 },
    ];
    const only = { outputData: outputData.slice(0, 1) };
    const run = (id: string, exitCode: number) => {
      it.submit(id, 1, only);
      it.settle();
      it.running(id);
      it.ended(id, { exitCode });
    };
    run("bad", 1);
    expect(it.due()).toEqual([]);
    run("good", 0);
    expect(it.due()).toMatchObject([{ job: "good", attempt: 1, site: "here" }]);
    const again = restore({ ...NOTHING_STORED, outputsDue: it.due() }, it.now);
    expect([...again.books.outputsDue.keys()]).toEqual(["good"]);
    it.ask({ kind: "registerOutputs", job: "good", left });
    const copies = [{ site: "here", store: "disk", url: "file:///data/vo/a" }];
    const listed = () => query(it.projection, { name: "replicas", question: "" }, it.now);
    expect(listed()).toEqual([{ name: "/vo/a", bytes: 5, copies }]);
    expect(it.due()).toEqual([]);
    const before = it.log.length;
    it.ask({ kind: "registerOutputs", job: "good", left });
    expect(it.log).toHaveLength(before);
    run("other", 0);
    it.ask({ kind: "registerOutputs", job: "other", left: [{ name: "/vo/a", bytes: 6 }] });
    expect(it.log.at(-1)).toMatchObject({ names: [], failed: [{ name: "/vo/a" }] });
    run("mute", 0);
    it.ask({ kind: "registerOutputs", job: "mute", left: [] });
    expect(it.log.at(-1)).toMatchObject({ failed: [{ why: "the job did not report a copy" }] });
    expect(listed()[0]?.copies).toEqual(copies);
    run("late", 0);
    it.ask({ kind: "removeSite", site: "here", by: "ann" });
    expect(it.due()).toEqual([]);
  });
});

describe("EN-281 input data", () => {
  const MB = 1_000_000;
  const link = (megabytes: number) => ({ links: { wan: { rateBytesPerSec: megabytes * MB } } });

  /** Sites `west` and `east`, and `slow` without a store; big is at both, odd at east only. */
  function withData() {
    const it = scene({});
    const site = (name: string, more: object) =>
      it.ask({ kind: "addSite", site: name, spec: { ...SPEC, ...more } });
    site("slow", { stores: {}, ...link(10) });
    site("fast", { stores: {}, ...link(1000) });
    site("west", link(100));
    site("east", {});
    for (const at of ["west", "east"])
      it.ask(add("/cms/big", at, { bytes: 1000 * MB, url: `file:///${at}` }));
    it.ask(add("/cms/odd", "east", { bytes: 500 * MB, url: "https://east/odd" }));
    const seen = (name: string, asked: object) => {
      const found = it.projection.sites.get(name);
      return found && inputDataAt(it.projection, found, asked);
    };
    return { ...it, seen };
  }

  it("of each file the copy counts that is there soonest, at the least rate of the links between", () => {
    const { seen } = withData();
    const inputData = ["/cms/big", "/cms/odd"];
    expect(seen("east", { inputData })).toMatchObject({ nearFiles: 2, farFiles: 0, transferMs: 0, from: [] });
    expect(seen("west", { inputData })).toEqual({
      ...{ nearFiles: 1, nearBytes: 1000 * MB, farFiles: 1, farBytes: 500 * MB },
      ...{ from: ["east"], transferMs: 5000, isAssumed: false },
    });
    expect(seen("slow", { inputData })).toMatchObject({ nearFiles: 0, transferMs: 150_000 });
    expect(seen("fast", { inputData: ["/cms/big"] })).toMatchObject({ from: ["east"], transferMs: 1000 });
    expect(seen("slow", {})).toBeUndefined();
  });

  it("a rate is assumed where neither site declares links; copies of other protocols do not count", () => {
    const { seen, projection, ask } = withData();
    ask({ kind: "addSite", site: "bare", spec: { ...SPEC, stores: {} } });
    expect(seen("bare", { inputData: ["/cms/odd"] })).toMatchObject({ transferMs: 4000, isAssumed: true });
    const https = { inputData: ["/cms/odd", "/cms/big", "/cms/none"], dataAccessProtocol: ["HTTPS"] };
    expect(missingData(projection, https)).toEqual(["/cms/big", "/cms/none"]);
    expect(seen("west", https)).toMatchObject({ nearFiles: 0, farFiles: 1 });
  });
});
