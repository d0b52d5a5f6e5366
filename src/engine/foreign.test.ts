import { describe, expect, it } from "vitest";
import { HOUR, PATIENCE, type Scene, scene, shown } from "../../test/engine-scene.ts";
import type { AttemptEnd, Explanation, StintEvent } from "../model/index.ts";
import { decide, explain, type Survey, type SurveyedEnd, type SurveyedJob } from "./index.ts";

/** A foreign site of four processors that was seen empty. */
function atForeign(procs = 4): Scene {
  const play = scene({});
  play.foreign("far", procs);
  play.look("far");
  return play;
}

/** A scene with a job of one processor at the site, as its job 7. */
function withJob(): Scene {
  const play = atForeign();
  play.submit("a", 1);
  play.settle();
  play.report({ kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now });
  return play;
}

function withRunning(): Scene {
  const play = withJob();
  play.look("far", { jobs: [running("7", "a/1")] });
  return play;
}

const running = (siteJob: string, token: string | null, more: Partial<SurveyedJob> = {}): SurveyedJob =>
  shown(siteJob, token, { state: "running", startedAtMs: 500, ...more });

function ended(siteJob: string, token: string, end: Partial<AttemptEnd> = {}): SurveyedEnd {
  const body = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null, ...end } as const;
  return { token, siteJob, startedAtMs: 500, endedAtMs: 900, end: body };
}

const kinds = (events: readonly StintEvent[]): string[] => events.map(({ kind }) => kind);

/** Looks again after a while. */
/** What a look makes of jobs; what it makes of money is said elsewhere. */
function later(play: Scene, ms: number, survey: Partial<Survey> = {}): string[] {
  play.now += ms;
  return kinds(play.look("far", survey)).filter((kind) => kind !== "posted");
}

function explained(play: Scene, id: string): Explanation {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`${id} is not over`);
  return explain(play.projection, job, play.now);
}

describe("being handed over", () => {
  it("EN-17 READY, then SCHEDULED with the site's id, then RUNNING", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    expect(play.records.get("a")).toMatchObject({ state: "READY", site: "far", siteJob: null, attempt: 1 });
    const queued = { kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now } as const;
    expect([play.report(queued), play.report({ ...queued, siteJob: "8" })]).toEqual([1, 0]);
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", siteJob: "7" });
    play.now += 1000;
    play.look("far", { jobs: [running("7", "a/1", { startedAtMs: play.now - 500 })] });
    expect(play.records.get("a")).toMatchObject({ state: "RUNNING", startedAtMs: play.now - 500 });
  });

  it("EN-17 a job that was accepted in doubt is found by its token", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    expect(later(play, 1, { jobs: [shown("9", "a/1", { state: "held" })] })).toEqual(["attemptQueued"]);
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", siteJob: "9" });
  });

  it("EN-17 a job with our site id but not our token is not ours", () => {
    const play = withJob();
    expect(later(play, 1, { jobs: [running("7", null), shown("8", "a/2")] })).toEqual([]);
    expect(play.state("a")).toBe("SCHEDULED");
    expect(later(play, PATIENCE, { jobs: [running("7", null)] })).toEqual(["attemptEnded"]);
    expect(play.records.get("a")).toMatchObject({ state: "ABORTED", abortReason: { kind: "lost" } });
  });

  it("EN-17 a job held during handover stays held; released before that, it is READY again", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    play.act("hold", "a");
    expect(play.act("release", "a")).toBe("ok");
    expect(play.state("a")).toBe("READY");
    play.act("hold", "a");
    play.report({ kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now });
    expect(play.records.get("a")).toMatchObject({ state: "HELD", siteJob: "7" });
  });

  it("EN-7 a job at a foreign site ends when the site says so, however it was cancelled", () => {
    const play = withJob();
    expect(play.act("cancel", "a")).toBe("ok");
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", isCancelRequested: true });
    later(play, 1, { ended: [ended("7", "a/1", { cause: "cancelled", exitCode: null })] });
    expect(play.state("a")).toBe("CANCELLED");
    const ready = atForeign();
    ready.submit("b", 1);
    ready.settle();
    ready.act("cancel", "b");
    expect(ready.records.get("b")).toMatchObject({ state: "READY", isCancelRequested: true });
  });
});

describe("the queue snapshot", () => {
  it("EN-18 predicts with others' jobs, and ours that are not shown yet", () => {
    const play = atForeign();
    const busy = running("1", null, { procs: 4, startedAtMs: play.now });
    play.look("far", { jobs: [busy] });
    play.submit("a", 4);
    play.submit("b", 4);
    play.settle();
    expect(explained(play, "a").predictedStartAtMs).toBe(play.now + HOUR);
    expect(explained(play, "b").predictedStartAtMs).toBe(play.now + 2 * HOUR);
    play.look("far", { jobs: [busy] });
    expect(explained(play, "b").predictedStartAtMs).toBe(play.now + 2 * HOUR);
    expect(explained(play, "b").causes).toContainEqual({ kind: "handingOver", site: "far" });
  });

  it("EN-18 is not recorded, and causes no wake-up", () => {
    const play = atForeign();
    const before = play.log.length;
    play.look("far", { jobs: [running("1", null), shown("2", null)] });
    expect(play.log.length).toBe(before);
    expect(decide(play.projection, play.now)).toEqual({ events: [], wakeAtMs: Number.POSITIVE_INFINITY });
  });

  const odd: readonly (readonly [string, readonly SurveyedJob[]])[] = [
    ["more in use than it has", [1, 2, 3, 4, 5, 6].map((i) => running(`${i}`, null, { procs: 3 }))],
    ["a job wider than itself", [running("1", null, { procs: 99 }), shown("2", null, { procs: 99 })]],
    ["more memory than it has", [running("1", null, { memoryBytes: 2 ** 40 })]],
    ["a waiting job with too much memory", [shown("1", null, { memoryBytes: 2 ** 40 })]],
    ["a job beyond its limit", [running("1", null, { limitMs: 1, startedAtMs: 0 })]],
    ["a start in the future", [running("1", null, { startedAtMs: 10 ** 9 })]],
    ["no start, no limit", [running("1", null, { startedAtMs: null, limitMs: null })]],
    ["a limit of nothing", [running("1", null, { limitMs: 0 }), shown("2", null, { limitMs: 0 })]],
    ["no processors", [running("1", null, { procs: 0 }), shown("2", null, { procs: 0 })]],
    ["one id twice", [running("1", null), running("1", null), shown("1", null), shown("1", null)]],
    ["states of all kinds", ["held", "suspended", "unknown"].map((s) => shown(s, null, stateOf(s)))],
  ];
  it.each(odd)("EN-18 copes with a site that shows %s", (_, jobs) => {
    const play = scene({ here: 1 });
    play.foreign("far", 4);
    play.look("far", { jobs });
    for (const job of ["a", "b", "c", "d"]) play.submit(job, 1);
    play.settle();
    play.look("far", { jobs });
    for (const job of ["a", "b", "c", "d"]) expect(explained(play, job).causes).not.toEqual([]);
    expect(new Set(["a", "b", "c", "d"].map((job) => play.records.get(job)?.site)).has("far")).toBe(true);
    for (const job of ["a", "b", "c", "d"]) {
      if (play.records.get(job)?.site === "far") {
        expect(explained(play, job).predictedStartAtMs).toBeLessThan(play.now + 20 * HOUR);
      }
    }
  });

  it("EN-18 a snapshot older than the latest is ignored; one of the same instant counts", () => {
    const play = withRunning();
    const { now } = play;
    expect(later(play, 10, { atMs: now - 1, ended: [ended("7", "a/1")] })).toEqual([]);
    expect(play.projection.sites.get("far")?.observation.seenAtMs).toBe(now);
    expect(later(play, 10, { atMs: now, ended: [ended("7", "a/1")] })).toEqual(["attemptEnded"]);
  });

  it("EN-18 shows the site's own reason why a job waits", () => {
    const play = withJob();
    play.look("far", { jobs: [shown("7", "a/1", { reason: "QOSMaxJobsLimit" })] });
    expect(explained(play, "a").causes).toContainEqual({
      kind: "siteSays",
      site: "far",
      words: "QOSMaxJobsLimit",
    });
  });
});

function stateOf(name: string): Partial<SurveyedJob> {
  return { state: name as SurveyedJob["state"] };
}

describe("ends", () => {
  it("EN-19 a job that ran and ended between two snapshots is recorded as both, once", () => {
    const play = withJob();
    const [startedAtMs, endedAtMs] = [play.now + 500, play.now + 900];
    const told = { ended: [{ ...ended("7", "a/1", { exitCode: 3 }), startedAtMs, endedAtMs }] };
    expect(later(play, 1000, told)).toEqual(["attemptRunning", "attemptEnded"]);
    expect(play.records.get("a")).toMatchObject({ state: "DONE", exitCode: 3, startedAtMs, endedAtMs });
    expect(later(play, 1, told)).toEqual([]);
  });

  it("EN-19 a job that ended before its acceptance was known is recorded as accepted, run and ended", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    const events = ["attemptQueued", "attemptRunning", "attemptEnded"];
    expect(later(play, 1, { ended: [ended("7", "a/1")] })).toEqual(events);
    expect(play.records.get("a")).toMatchObject({ state: "DONE", siteJob: "7" });
  });

  it("EN-19 a job that never started ends without having run", () => {
    const play = withJob();
    const end = { ...ended("7", "a/1", { cause: "cancelled", exitCode: null }), startedAtMs: null };
    expect(later(play, 1, { ended: [end] })).toEqual(["attemptEnded"]);
    expect(play.records.get("a")).toMatchObject({ state: "CANCELLED", startedAtMs: null });
  });

  it("EN-19 an end in the future is recorded as now", () => {
    const play = withJob();
    play.look("far", { ended: [{ ...ended("7", "a/1"), startedAtMs: 10 ** 9, endedAtMs: 10 ** 9 }] });
    expect(play.records.get("a")).toMatchObject({ startedAtMs: play.now, endedAtMs: play.now });
  });

  it("EN-19 the end of another attempt or another job is ignored", () => {
    const play = withRunning();
    const others = [ended("7", "a/0"), ended("8", "a/1"), ended("7", "b/1")];
    expect(later(play, 1, { jobs: [running("7", "a/1")], ended: others })).toEqual([]);
    expect(play.state("a")).toBe("RUNNING");
  });

  it.each(["before", "after"])("EN-19 a stray's end, reported %s its own, does not hide it", (place) => {
    const play = withRunning();
    const own = ended("7", "a/1", { exitCode: 5 });
    const stray = ended("8", "a/1", { cause: "cancelled", exitCode: null });
    const told = place === "before" ? [stray, own] : [own, stray];
    expect(later(play, 1, { ended: told })).toEqual(["attemptEnded"]);
    expect(play.records.get("a")).toMatchObject({ state: "DONE", exitCode: 5 });
  });

  it("EN-19 missing once, it goes on; missing for the patience, it is lost", () => {
    const play = withRunning();
    const there = { jobs: [running("7", "a/1")] };
    expect(later(play, 1)).toEqual([]);
    expect(later(play, PATIENCE, there)).toEqual([]);
    expect(later(play, 1)).toEqual([]);
    expect(later(play, PATIENCE - 1)).toEqual([]);
    expect(later(play, 1)).toEqual(["attemptEnded"]);
    expect(play.records.get("a")).toMatchObject({ state: "ABORTED", abortReason: { kind: "lost" } });
  });

  it("EN-19 missing, seen to start, missing again: the patience starts again", () => {
    const play = withJob();
    expect(later(play, 1)).toEqual([]);
    expect(later(play, PATIENCE, { jobs: [running("7", "a/1")] })).toEqual(["attemptRunning"]);
    expect(later(play, PATIENCE)).toEqual([]);
    expect(play.state("a")).toBe("RUNNING");
  });

  it("EN-19 missing after a cancellation request, it is cancelled", () => {
    const play = withJob();
    play.act("cancel", "a");
    later(play, 1);
    later(play, PATIENCE);
    expect(play.state("a")).toBe("CANCELLED");
  });

  it("EN-19 while it is READY its absence means nothing", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    for (let i = 0; i < 5; i++) expect(later(play, PATIENCE)).toEqual([]);
    expect(play.state("a")).toBe("READY");
  });
});

describe("changes by somebody else", () => {
  const cases = [
    { does: "held", before: withJob, state: "held", event: "attemptHeld", gives: "HELD" },
    {
      does: "suspended",
      before: withRunning,
      state: "suspended",
      event: "attemptSuspended",
      gives: "SUSPENDED",
    },
    {
      does: "released",
      before: () => afterVerb(withJob(), "hold"),
      state: "waiting",
      event: "attemptReleased",
      gives: "SCHEDULED",
    },
    {
      does: "resumed",
      before: () => afterVerb(withRunning(), "suspend"),
      state: "running",
      event: "attemptResumed",
      gives: "RUNNING",
    },
  ] as const;
  it.each(cases)("EN-20 $does at the site: $gives after the patience", ({ before, state, event, gives }) => {
    const play = before();
    const there = { jobs: [running("7", "a/1", { state })] };
    expect(later(play, 1, there)).toEqual([]);
    expect(later(play, PATIENCE - 1, there)).toEqual([]);
    expect(later(play, 1, there)).toEqual([event]);
    expect(play.state("a")).toBe(gives);
    expect(later(play, 2 * PATIENCE, there)).toEqual([]);
  });

  it.each(["waiting", "held"] as const)(
    "EN-20 requeued there (%s), the same attempt waits and runs again",
    (state) => {
      const play = withRunning();
      const back = { jobs: [shown("7", "a/1", { state })] };
      expect(later(play, 1, back)).toEqual([]);
      expect(later(play, PATIENCE, back)).toEqual(["attemptRequeued"]);
      expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", attempt: 1, startedAtMs: null });
      expect(explained(play, "a").state).toBe("SCHEDULED");
      const again = play.now;
      later(play, 1, { jobs: [running("7", "a/1", { startedAtMs: again })] });
      expect(play.records.get("a")).toMatchObject({ state: "RUNNING", attempt: 1, startedAtMs: again });
      expect(later(play, 1, { ended: [ended("7", "a/1")] })).toEqual(["attemptEnded"]);
      expect(play.state("a")).toBe("DONE");
    },
  );

  it("EN-20 a state that lasts a moment is not recorded", () => {
    const play = withJob();
    for (const state of ["held", "waiting", "held", "waiting"] as const) {
      expect(later(play, PATIENCE, { jobs: [shown("7", "a/1", { state })] })).toEqual([]);
    }
  });

  it("EN-20 a recent order gets the whole patience", () => {
    const play = afterVerb(withJob(), "hold");
    const there = { jobs: [shown("7", "a/1")] };
    later(play, 1, there);
    play.now += PATIENCE;
    play.act("release", "a");
    play.act("hold", "a");
    expect(later(play, 1, there)).toEqual([]);
    expect(later(play, PATIENCE, there)).toEqual(["attemptReleased"]);
  });

  it("EN-20 running when it was to be resumed is recorded at once", () => {
    const play = afterVerb(withRunning(), "suspend");
    play.look("far", { jobs: [running("7", "a/1", { state: "suspended" })] });
    play.act("resume", "a");
    expect(play.state("a")).toBe("SCHEDULED");
    expect(later(play, 1, { jobs: [running("7", "a/1")] })).toEqual(["attemptResumed"]);
    expect(play.state("a")).toBe("RUNNING");
  });

  it("EN-20 held when it was to be resumed, but running: it is recorded as running", () => {
    const play = afterVerb(withRunning(), "suspend");
    play.act("resume", "a");
    expect(play.act("hold", "a")).toBe("ok");
    const there = { jobs: [running("7", "a/1")] };
    later(play, 1, there);
    later(play, PATIENCE, there);
    expect(play.state("a")).toBe("RUNNING");
  });

  it("EN-20 an unknown state changes nothing", () => {
    const play = withRunning();
    const there = { jobs: [shown("7", "a/1", { state: "unknown" })] };
    expect(later(play, 1, there)).toEqual([]);
    expect(later(play, 2 * PATIENCE, there)).toEqual([]);
    expect(play.act("suspend", "a")).toBe("ok");
    expect(explained(play, "a").causes).toEqual([{ kind: "suspended" }]);
  });

  it("EN-20 a second job with its token is a stray, reported once", () => {
    const play = withJob();
    const there = { jobs: [shown("8", "a/1"), shown("7", "a/1"), running("9", "a/1")] };
    expect(play.look("far", there)).toMatchObject([
      { kind: "strayFound", job: "a", attempt: 1, site: "far", siteJob: "8" },
      { kind: "strayFound", siteJob: "9" },
    ]);
    expect(later(play, 1, there)).toEqual([]);
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", siteJob: "7" });
  });

  it("EN-20 of two jobs found under one token the first is kept", () => {
    const play = atForeign();
    play.submit("a", 1);
    play.settle();
    expect(later(play, 1, { jobs: [shown("8", "a/1"), shown("9", "a/1")] })).toEqual([
      "attemptQueued",
      "strayFound",
    ]);
    expect(play.records.get("a")).toMatchObject({ siteJob: "8" });
    expect(later(play, 1, { jobs: [shown("9", "a/1"), shown("8", "a/1")] })).toEqual([]);
  });
});

function afterVerb(play: Scene, verb: "hold" | "suspend"): Scene {
  expect(play.act(verb, "a")).toBe("ok");
  return play;
}
