import { describe, expect, it } from "vitest";
import { foreignSpec, type Scene, scene, shown } from "../../test/engine-scene.ts";
import { type Explanation, SLURM_DEFAULTS, type StintEvent } from "../model/index.ts";
import { decide, explain, noteTrouble } from "./index.ts";

/** A foreign site of four processors with a job of one processor, which is the site's job 7. */
function withJob(): Scene {
  const play = scene({});
  play.foreign("far", 4);
  play.look("far");
  play.submit("a", 1);
  play.settle();
  play.report({ kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now });
  return play;
}

const kinds = (events: readonly StintEvent[]): string[] => events.map(({ kind }) => kind);

function explained(play: Scene, id: string): Explanation {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`${id} is not over`);
  return explain(play.projection, job, play.now);
}

describe("sites that are not open", () => {
  it("EN-5 a foreign site gets no jobs before it was seen, while in trouble, or drained", () => {
    const play = scene({});
    play.foreign("far", 4);
    play.submit("a", 1);
    play.settle();
    expect(explained(play, "a").causes).toEqual([
      { kind: "noSiteOpen", draining: [], away: ["far"], readOnly: [] },
    ]);
    noteTrouble(play.projection, "far", "no answer");
    play.settle();
    expect(play.state("a")).toBe("WAITING");
    play.ask({ kind: "drainSite", site: "far", by: "u1" });
    play.look("far");
    play.settle();
    expect(explained(play, "a").causes).toEqual([
      { kind: "noSiteOpen", draining: ["far"], away: [], readOnly: [] },
    ]);
    play.ask({ kind: "reopenSite", site: "far", by: "u1" });
    play.settle();
    expect(play.records.get("a")).toMatchObject({ state: "READY", site: "far" });
  });

  it("EN-5 jobs are parked once, and placed in order of submission when a site opens", () => {
    const play = scene({});
    play.foreign("far", 4);
    for (const job of ["a", "b", "c"]) play.submit(job, 1);
    play.settle();
    play.submit("d", 1);
    play.settle();
    expect(kinds(play.log).filter((kind) => kind === "jobsParked")).toHaveLength(2);
    expect(decide(play.projection, play.now).events).toEqual([]);
    play.look("far");
    play.settle();
    const placed = play.log.flatMap((event) => (event.kind === "jobPlaced" ? [event.job] : []));
    expect(placed).toEqual(["a", "b", "c", "d"]);
  });

  it("EN-5 a job parked for the site it names goes to no other", () => {
    const play = scene({ here: 4 });
    play.foreign("far", 4);
    play.submit("a", 1, { site: "far" });
    play.submit("b", 1);
    expect(play.settle()).toEqual(["b"]);
    expect(play.state("a")).toBe("WAITING");
    play.look("far");
    play.settle();
    expect(play.records.get("a")?.site).toBe("far");
  });

  it("EN-5 a parked job can be held, released and cancelled", () => {
    const play = scene({});
    play.foreign("far", 4);
    for (const job of ["a", "b"]) play.submit(job, 1);
    play.settle();
    play.act("hold", "a");
    play.act("cancel", "b");
    play.look("far");
    play.settle();
    expect([play.state("a"), play.state("b")]).toEqual(["HELD", "CANCELLED"]);
    play.act("release", "a");
    play.settle();
    expect(play.state("a")).toBe("READY");
  });

  it("EN-5 a job placed in the same round counts, even if it named its site", () => {
    const play = scene({ one: 4, two: 4 });
    play.submit("a", 4, { site: "one" });
    play.submit("b", 4);
    play.settle();
    expect(play.records.get("b")?.site).toBe("two");
  });

  it("EN-5 a site's trouble is a cause for its jobs, and ends with the next snapshot", () => {
    const play = withJob();
    noteTrouble(play.projection, "far", "no answer");
    expect(explained(play, "a").causes).toContainEqual({
      kind: "siteTrouble",
      site: "far",
      trouble: "no answer",
    });
    play.look("far", { jobs: [shown("7", "a/1")] });
    expect(explained(play, "a").causes.map(({ kind }) => kind)).not.toContain("siteTrouble");
  });
});

describe("changing a site", () => {
  it.each(["", ".x", "a b", "../up", "x/y", "-x", "x".repeat(64)])("EN-21 %j is no name", (site) => {
    expect(scene({}).foreign(site, 4)).toBe("siteNameInvalid");
  });

  it("EN-21 a name is used once, and the type is permanent", () => {
    const play = scene({ here: 4 });
    expect(play.foreign("here", 4)).toBe("idInUse");
    expect(play.ask({ kind: "changeSite", site: "here", spec: foreignSpec(4) })).toBe("siteTypeFixed");
    expect(play.ask({ kind: "changeSite", site: "none", spec: foreignSpec(4) })).toBe("unknownSite");
  });

  it("EN-21 a change that changes nothing is not recorded", () => {
    const play = withJob();
    const before = play.log.length;
    expect(play.ask({ kind: "changeSite", site: "far", spec: foreignSpec(4) })).toBe("ok");
    expect(play.log.length).toBe(before);
  });

  it("EN-21 a site made smaller than its queue shows is still surveyed, explained and predicted", () => {
    const play = scene({ here: 4 });
    play.foreign("far", 8);
    play.look("far");
    for (const job of ["a", "b", "c"]) play.submit(job, 6, { site: "far" });
    play.settle();
    play.report({ kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now });
    play.act("hold", "c");
    expect(play.ask({ kind: "changeSite", site: "far", spec: foreignSpec(2) })).toBe("ok");
    play.look("far", { jobs: [shown("7", "a/1", { procs: 6 })] });
    play.act("release", "c");
    for (const job of ["d", "e"]) play.submit(job, 1);
    play.settle();
    for (const job of ["a", "b", "c"]) expect(explained(play, job).predictedStartAtMs).toBeNull();
  });

  it("EN-21 a site made larger takes jobs that were parked for their width alone", () => {
    const play = scene({ here: 8 });
    play.foreign("far", 2);
    play.look("far");
    play.ask({ kind: "drainSite", site: "here", by: "u1" });
    play.submit("a", 4);
    play.settle();
    expect(play.state("a")).toBe("WAITING");
    play.ask({ kind: "changeSite", site: "far", spec: foreignSpec(8) });
    play.settle();
    expect(play.records.get("a")?.site).toBe("far");
  });

  it("EN-21 a site is removed when no job of ours is there or waits for it; then its name is free", () => {
    const play = withJob();
    play.foreign("other", 4);
    const remove = { kind: "removeSite", site: "far", by: "u1" } as const;
    expect(play.ask(remove)).toBe("siteHasJobs");
    play.act("cancel", "a");
    play.ended("a", { cause: "cancelled" });
    play.ask({ kind: "drainSite", site: "far", by: "u1" });
    play.submit("b", 1, { site: "far" });
    play.settle();
    expect(play.ask(remove)).toBe("siteHasJobs");
    play.act("cancel", "b");
    expect(play.ask(remove)).toBe("ok");
    expect(play.log.at(-1)).toMatchObject({ kind: "siteRemoved", site: "far", by: "u1" });
    expect(play.ask(remove)).toBe("unknownSite");
    expect(play.foreign("far", 2)).toBe("ok");
    const orders = [...play.projection.sites.values()].map(({ name, order }) => [name, order]);
    expect(orders).toEqual([
      ["other", 2],
      ["far", 3],
    ]);
  });

  it("a job that only a read-only site could run says so", () => {
    const play = scene({});
    const readOnly = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 30 } as const;
    play.ask({ kind: "addSite", site: "seen", spec: readOnly });
    play.look("seen");
    play.submit("a", 1);
    play.settle();
    const [cause] = explained(play, "a").causes;
    expect(cause).toEqual({ kind: "noSiteOpen", draining: [], away: [], readOnly: ["seen"] });
  });

  it("EN-21 a drained site gets no new jobs and keeps its own; draining twice is draining once", () => {
    const play = withJob();
    const drain = { kind: "drainSite", site: "far", by: "u1" } as const;
    const before = play.log.length;
    expect([play.ask(drain), play.ask(drain)]).toEqual(["ok", "ok"]);
    expect(play.log.length).toBe(before + 1);
    play.submit("b", 1);
    play.settle();
    expect([play.state("a"), play.state("b")]).toEqual(["SCHEDULED", "WAITING"]);
    play.look("far", { jobs: [shown("7", "a/1", { state: "running", startedAtMs: play.now })] });
    expect(play.state("a")).toBe("RUNNING");
  });
});
