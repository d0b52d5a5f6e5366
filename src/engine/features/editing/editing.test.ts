import { describe, expect, it } from "vitest";
import { type Scene, scene } from "../../../../test/engine-scene.ts";
import type { JobChange } from "../../../model/index.ts";

const edit = (play: Scene, job: string, change: JobChange) =>
  play.ask({ kind: "editJob", job, change, by: "u1" });

/** A site of four processors that are all taken, and a job of as many that waits there. */
function waiting(): Scene {
  const play = scene({ here: 4, there: 2 });
  play.submit("first", 4);
  play.settle();
  play.submit("a", 4);
  play.settle();
  return play;
}

/** A cluster of eight processors with a job of as many in its queue. */
function atCluster(): Scene {
  const play = waiting();
  play.foreign("far", 8);
  play.look("far");
  play.submit("c", 8);
  play.settle();
  play.tell({ kind: "attemptQueued", job: "c", attempt: 1, siteJob: "17" });
  return play;
}

describe("editing waiting jobs", () => {
  it("a smaller job is placed anew and starts where there is room", () => {
    const play = waiting();
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", site: "here" });
    expect(edit(play, "a", { procs: 2, wallTimeMs: 60_000 })).toBe("ok");
    expect(play.settle()).toEqual(["a"]);
    expect(play.records.get("a")).toMatchObject({
      site: "there",
      description: { procs: 2, wallTimeMs: 60_000 },
    });
    // Nothing of the former request is left in the queue that it has left.
    play.running("first");
    play.ended("first");
    play.submit("b", 4);
    expect(play.settle()).toEqual(["b"]);
  });

  it("a name or a tag leaves it where it is", () => {
    const play = waiting();
    const before = play.records.get("a");
    expect(edit(play, "a", { name: "night", userTags: { run: "7" } })).toBe("ok");
    expect(play.records.get("a")).toMatchObject({
      attempt: before?.attempt,
      site: "here",
      state: "SCHEDULED",
    });
    expect(play.records.get("a")?.description).toMatchObject({ name: "night", userTags: { run: "7" } });
  });

  it("a held job stays held with its new values, and starts with them once released", () => {
    const play = waiting();
    play.act("hold", "a");
    expect(edit(play, "a", { procs: 1, site: "there" })).toBe("ok");
    expect([play.settle(), play.state("a")]).toEqual([[], "HELD"]);
    play.act("release", "a");
    expect(play.settle()).toEqual(["a"]);
  });

  it("what could not be submitted so is refused, and the job stays as it was", () => {
    const play = waiting();
    expect(edit(play, "a", { procs: 5 })).toBe("widerThanAnySite");
    expect(edit(play, "a", { site: "nowhere" })).toBe("unknownSite");
    expect(edit(play, "a", { site: "there" })).toBe("widerThanAnySite");
    expect(play.records.get("a")?.description).toMatchObject({ procs: 4 });
    expect(play.records.get("a")?.description.site).toBeUndefined();
  });

  it("a priority is for a job in a cluster's queue alone, and changes nothing else", () => {
    const play = waiting();
    expect(edit(play, "a", { priority: 5 })).toBe("notEditable");
    expect(edit(play, "first", { priority: 5 })).toBe("notEditable");
    play.foreign("far", 8);
    play.look("far");
    play.submit("c", 8);
    play.settle();
    expect(edit(play, "c", { priority: 5 })).toBe("notEditable");
    play.tell({ kind: "attemptQueued", job: "c", attempt: 1, siteJob: "17" });
    const before = play.records.get("c");
    expect(edit(play, "c", { priority: 5 })).toBe("ok");
    expect(play.records.get("c")).toEqual(before);
    expect(edit(play, "c", { priority: 5, procs: 1 })).toBe("notEditable");
    expect(edit(play, "c", { priority: 5, name: "night" })).toBe("ok");
    play.act("hold", "c");
    expect(edit(play, "c", { priority: 5 })).toBe("notEditable");
  });

  it("at a cluster the change takes effect when the job has left its queue", () => {
    const play = atCluster();
    expect(edit(play, "c", { procs: 6, name: "night" })).toBe("ok");
    expect(play.records.get("c")).toMatchObject({
      isLeaving: true,
      pendingChange: { procs: 6 },
      description: { procs: 8, name: "night" },
    });
    expect(edit(play, "c", { wallTimeMs: 60_000 })).toBe("ok");
    play.tell({ kind: "attemptHeld", job: "c", attempt: 1 });
    expect(play.records.get("c")).toMatchObject({ isRecalled: true });
    play.ended("c", { cause: "cancelled", exitCode: null });
    const { pendingChange, isLeaving, description, state } = play.records.get("c") ?? {};
    expect({ pendingChange, isLeaving, state }).toEqual({ state: "WAITING" });
    expect(description).toMatchObject({ procs: 6, wallTimeMs: 60_000, name: "night" });
    expect(play.records.get("c")?.retried).toBeUndefined();
    play.settle();
    expect(play.records.get("c")).toMatchObject({ site: "far", attempt: 2 });
  });

  it("at a cluster the change is dropped if the job starts there first", () => {
    const play = atCluster();
    edit(play, "c", { procs: 6 });
    play.running("c");
    expect(play.records.get("c")).toMatchObject({ state: "RUNNING", description: { procs: 8 } });
    expect(play.records.get("c")?.pendingChange).toBeUndefined();
    expect(edit(play, "c", { procs: 1 })).toBe("notEditable");
  });

  it("a job held at a cluster leaves once the cluster shows it as held, and stays held", () => {
    const play = atCluster();
    play.act("hold", "c");
    edit(play, "c", { procs: 6 });
    const shown = {
      ...({ token: "c/1", siteJob: "17", state: "held" } as const),
      ...{ procs: 8, memoryBytes: 0, limitMs: 1000 },
      ...{ submittedAtMs: 1000, startedAtMs: null, reason: null, user: null, account: null },
    } as const;
    expect(play.look("far", { jobs: [shown] })).toEqual([]);
    play.now += 120_000;
    expect(play.look("far", { jobs: [shown] })).toMatchObject([{ kind: "attemptHeld", job: "c" }]);
    play.ended("c", { cause: "cancelled", exitCode: null });
    expect(play.records.get("c")).toMatchObject({ state: "HELD", site: null, description: { procs: 6 } });
  });

  it("one that was started, or is over, is refused", () => {
    const play = waiting();
    expect(edit(play, "first", { procs: 1 })).toBe("notEditable");
    play.act("cancel", "a");
    expect(edit(play, "a", { procs: 1 })).toBe("unknownJob");
  });
});
