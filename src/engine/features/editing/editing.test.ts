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
    play.act("hold", "c");
    expect(edit(play, "c", { priority: 5 })).toBe("notEditable");
  });

  it("one that was started or sent to a cluster, or is over, is refused", () => {
    const play = waiting();
    expect(edit(play, "first", { procs: 1 })).toBe("notEditable");
    play.foreign("far", 8);
    play.look("far");
    play.submit("c", 8);
    play.settle();
    expect(play.records.get("c")).toMatchObject({ site: "far" });
    expect(edit(play, "c", { procs: 1 })).toBe("notEditable");
    play.act("cancel", "a");
    expect(edit(play, "a", { procs: 1 })).toBe("unknownJob");
  });
});
