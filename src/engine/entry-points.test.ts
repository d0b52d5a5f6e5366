import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, scene } from "../../test/engine-scene.ts";
import type { JobDescription } from "../model/index.ts";
import { apply, createProjection, decide, explain, restore } from "./index.ts";

describe("submitting", () => {
  it("EN-1 a command is answered with events that carry it out", () => {
    const play = scene({ here: 4 });
    expect(play.submit("a", 2)).toBe("ok");
    expect(play.state("a")).toBe("WAITING");
    expect(play.settle()).toEqual(["a"]);
    expect(play.log.map(({ kind }) => kind)).toEqual([
      "siteAdded",
      "jobAccepted",
      "jobPlaced",
      "queueSettled",
    ]);
  });

  it.each<{ what: string; procs?: number; job?: string; more?: Partial<JobDescription>; says: string }>([
    { what: "an id that is taken", job: "a", says: "idInUse" },
    { what: "more processors than any site has", procs: 9, says: "widerThanAnySite" },
    { what: "more memory", more: { memoryBytes: 2 ** 40 }, says: "widerThanAnySite" },
    { what: "a site that is not there", more: { site: "x" }, says: "unknownSite" },
    { what: "too much for the site it names", procs: 3, more: { site: "small" }, says: "widerThanAnySite" },
    { what: "GPUs", more: { gpus: 1 }, says: "gpusNotOffered" },
  ])("EN-1 $what: refused as $says, without an event", ({ job = "b", procs = 1, more, says }) => {
    const play = scene({ here: 4, small: 2 });
    play.submit("a", 1);
    const before = play.log.length;
    expect(play.submit(job, procs, more)).toBe(says);
    expect(play.log.length).toBe(before);
  });

  it("without a site nothing can be submitted", () => {
    expect(scene({}).submit("a", 1)).toBe("noSite");
  });

  it("EN-5 a job goes where it would start earliest; ties go to the first site", () => {
    const play = scene({ one: 4, two: 4 });
    for (const job of ["a", "b", "c"]) play.submit(job, 3);
    play.submit("d", 3, { site: "one" });
    play.settle();
    const siteOf = (job: string) => play.records.get(job)?.site;
    expect(["a", "b", "c", "d"].map(siteOf)).toEqual(["one", "two", "one", "one"]);
  });
});

describe("what sites report", () => {
  it("EN-2 repeated and late reports, and those of other attempts, change nothing", () => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    play.settle();
    expect(play.running("a")).toBe(1);
    expect(play.running("a")).toBe(0);
    expect(play.report({ kind: "running", job: "a", attempt: 7, atMs: 0 })).toBe(0);
    expect(play.report({ kind: "running", job: "nobody", attempt: 1, atMs: 0 })).toBe(0);
    expect(play.ended("a")).toBe(1);
    expect(play.ended("a")).toBe(0);
    expect(play.running("a")).toBe(0);
  });

  it.each([
    { end: { exitCode: 0 }, gives: { state: "DONE", result: "ok", exitCode: 0 } },
    { end: { exitCode: 3 }, gives: { state: "DONE", result: "failed", exitCode: 3 } },
    {
      end: { cause: "signalled", exitCode: null, signal: "SIGSEGV" },
      gives: { state: "DONE", result: "failed", signal: "SIGSEGV" },
    },
    {
      end: { cause: "timeLimit", exitCode: null },
      gives: { state: "DONE", result: "failed", isTimeLimit: true },
    },
    {
      end: { cause: "launchFailed", exitCode: null, detail: "no such program" },
      gives: { state: "ABORTED", abortReason: { kind: "launchFailed", detail: "no such program" } },
    },
    {
      end: { cause: "lost", exitCode: null },
      gives: { state: "ABORTED", abortReason: { kind: "lost", detail: "" } },
    },
  ] as const)("EN-9 $end gives $gives", ({ end, gives }) => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    play.settle();
    play.ended("a", end);
    expect(play.records.get("a")).toMatchObject(gives);
    expect(play.projection.jobs.size).toBe(0);
  });
});

describe("verbs on jobs", () => {
  it("EN-7 cancelling ends a job that has not started; a running one ends when its site reports it", () => {
    const play = scene({ here: 4 });
    play.submit("a", 4);
    play.submit("b", 4);
    play.settle();
    expect(play.act("cancel", "b")).toBe("ok");
    expect(play.state("b")).toBe("CANCELLED");
    expect(play.act("cancel", "a")).toBe("ok");
    expect(play.act("cancel", "a")).toBe("ok");
    expect(play.state("a")).toBe("SCHEDULED");
    play.ended("a", { cause: "cancelled", exitCode: null });
    expect(play.state("a")).toBe("CANCELLED");
    expect(play.log.filter(({ kind }) => kind === "cancelRequested")).toHaveLength(1);
  });

  it("EN-7 a program that ended before the cancellation reached it is DONE", () => {
    const play = scene({ here: 4 });
    play.submit("a", 4);
    play.settle();
    play.act("cancel", "a");
    play.ended("a");
    expect(play.state("a")).toBe("DONE");
  });

  it("EN-8 a held job keeps its place in the order", () => {
    const play = scene({ here: 4 }, "fcfs");
    for (const job of ["a", "b", "c"]) play.submit(job, 4);
    play.settle();
    play.act("hold", "b");
    play.settle();
    play.act("release", "b");
    play.settle();
    play.ended("a");
    expect(play.settle()).toEqual(["b"]);
  });

  it("EN-8 a job held at once after its submission starts only when it is released", () => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    play.act("hold", "a");
    expect(play.settle()).toEqual([]);
    play.act("release", "a");
    expect(play.settle()).toEqual(["a"]);
  });

  it("EN-8 a suspended job releases its processors, and starts again with the remaining time", () => {
    const play = scene({ here: 4 });
    play.submit("a", 4);
    play.submit("b", 4);
    play.settle();
    play.running("a");
    play.now += HOUR / 2;
    expect(play.act("suspend", "a")).toBe("ok");
    expect(play.settle()).toEqual(["b"]);
    play.running("b");
    play.act("resume", "a");
    expect(play.settle()).toEqual([]);
    play.now += 1000;
    play.ended("b");
    expect(play.settle()).toEqual(["a"]);
    expect(play.state("a")).toBe("RUNNING");
    expect(play.records.get("a")?.restMs).toBe(HOUR / 2 + 15_000);
  });

  it.each([
    { verb: "release", to: "WAITING" },
    { verb: "resume", to: "WAITING" },
    { verb: "suspend", to: "WAITING" },
  ] as const)("EN-1 $verb does not apply to a job that is $to", ({ verb }) => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    expect(play.act(verb, "a")).toBe("wrongState");
    expect(play.act(verb, "nobody")).toBe("unknownJob");
  });

  it("EN-1 a job whose start is decided counts as running, though nothing has reported yet", () => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    play.settle();
    expect(play.state("a")).toBe("SCHEDULED");
    expect(play.act("hold", "a")).toBe("wrongState");
  });
});

describe("deciding", () => {
  it("EN-3 changes nothing, and returns when to ask again", () => {
    const play = scene({ here: 4 });
    play.submit("a", 4, { wallTimeMs: 60_000 });
    play.submit("b", 4);
    play.settle();
    const before = JSON.stringify([...play.projection.jobs]);
    const { events, wakeAtMs } = decide(play.projection, play.now);
    expect({ events, wakeAtMs }).toEqual({ events: [], wakeAtMs: 1000 + 60_000 + 15_000 });
    expect(JSON.stringify([...play.projection.jobs])).toBe(before);
  });

  it("EN-10 a job beyond its limit and margin no longer counts as using the site", () => {
    const play = scene({ here: 4 });
    play.submit("a", 4, { wallTimeMs: 60_000 });
    play.submit("b", 4);
    play.settle();
    play.running("a");
    play.now += 75_000;
    expect(play.settle()).toEqual(["b"]);
    expect(play.state("a")).toBe("RUNNING");
    play.now += 10_000;
    play.ended("a", { cause: "timeLimit" });
    expect(play.settle()).toEqual([]);
    expect(play.state("a")).toBe("DONE");
  });

  it("EN-4 applying the log again gives the same records", () => {
    const play = scene({ one: 4, two: 3 });
    for (const [i, procs] of [3, 3, 2, 1, 4].entries()) play.submit(`j${i}`, procs);
    play.settle();
    play.running("j0");
    play.act("suspend", "j0");
    play.act("cancel", "j3");
    play.now += 5000;
    play.ended("j1", { exitCode: 2 });
    play.settle();
    const again = createProjection();
    const records = new Map(
      play.log.flatMap((event) =>
        apply(again, event).flatMap((change) =>
          change.kind === "job" ? [[change.record.id, change.record] as const] : [],
        ),
      ),
    );
    expect([...records]).toEqual(
      [...play.records].sort((a, b) => [...records.keys()].indexOf(a[0]) - [...records.keys()].indexOf(b[0])),
    );
  });

  it("EN-4 a state restored from records continues as the original would", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3, { wallTimeMs: 600_000 });
    play.submit("b", 4);
    play.submit("c", 1, { wallTimeMs: 60_000 });
    play.submit("d", 1);
    play.settle();
    play.running("a");
    play.act("hold", "d");
    play.settle();
    const sites = [...play.projection.sites.values()].map(({ name, spec }) => ({ name, spec }));
    const stored = { ...NOTHING_STORED, sites, jobs: [...play.projection.jobs.values()], accepted: 4 };
    const restored = restore(JSON.parse(JSON.stringify(stored)), play.now + 10);
    const settled = decide(restored, play.now + 10).events;
    expect(settled).toEqual([{ kind: "queueSettled", site: "here", starts: [], atMs: play.now + 10 }]);
    for (const event of settled) apply(restored, event);
    expect(decide(restored, play.now + 10).wakeAtMs).toBe(decide(play.projection, play.now).wakeAtMs);
  });
});

describe("explaining", () => {
  it("EN-11 names every cause at once, the predicted start, and what would start it now", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3, { wallTimeMs: 600_000 });
    play.submit("b", 4);
    play.submit("c", 2, { wallTimeMs: HOUR });
    play.settle();
    const job = play.projection.jobs.get("c");
    if (job === undefined) throw new Error("c waits");
    expect(explain(play.projection, job, play.now)).toEqual({
      job: "c",
      state: "SCHEDULED",
      causes: [
        { kind: "procsBusy", site: "here", needed: 2, free: 1 },
        { kind: "jobsAhead", site: "here", jobs: 1, procs: 4 },
      ],
      predictedStartAtMs: 1000 + 615_000 + HOUR + 15_000,
      method: "schedule",
      helpfulChanges: [{ kind: "fewerProcsAndShorterLimit", procs: 1, wallTimeMs: 600_000 }],
    });
  });

  it("EN-11 finds the largest width and the longest limit that would start now", () => {
    const play = scene({ here: 4 });
    play.submit("a", 2, { wallTimeMs: 600_000 });
    play.submit("b", 4);
    play.submit("c", 3, { wallTimeMs: 120_000 });
    play.submit("d", 2, { wallTimeMs: HOUR });
    play.settle();
    const explained = (id: string) => {
      const job = play.projection.jobs.get(id);
      if (job === undefined) throw new Error(`${id} waits`);
      return explain(play.projection, job, play.now).helpfulChanges;
    };
    expect(explained("c")).toEqual([{ kind: "fewerProcs", procs: 2 }]);
    expect(explained("d")).toEqual([{ kind: "shorterLimit", wallTimeMs: 600_000 }]);
    // Neither is enough for one that is wider than what is free, and longer than until b's start.
    play.submit("e", 3, { wallTimeMs: HOUR });
    play.settle();
    const kind = "fewerProcsAndShorterLimit";
    expect(explained("e")).toEqual([{ kind, procs: 2, wallTimeMs: 600_000 }]);
  });

  it.each([
    { verb: "hold", cause: "held" },
    { verb: "suspend", cause: "suspended" },
  ] as const)("EN-11 a job on $verb says so", ({ verb, cause }) => {
    const play = scene({ here: 4 });
    play.submit("a", 4);
    play.submit("b", 1);
    play.settle();
    play.running("a");
    const id = verb === "hold" ? "b" : "a";
    expect(play.act(verb, id)).toBe("ok");
    const job = play.projection.jobs.get(id);
    if (job === undefined) throw new Error("it is not over");
    expect(explain(play.projection, job, play.now).causes).toEqual([{ kind: cause }]);
  });
});
