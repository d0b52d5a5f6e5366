import { describe, expect, it } from "vitest";
import { HOUR, PATIENCE, type Scene, scene, shown } from "../../../../test/engine-scene.ts";
import { explain } from "../../explain.ts";

const queueTimeMs = 3 * HOUR;
const job = (play: Scene, id: string) => play.projection.jobs.get(id);

function causes(play: Scene, id: string) {
  const record = job(play, id);
  return record === undefined ? [] : explain(play.projection, record, play.now).causes;
}

/** Two managed sites that are full for ten hours, and a job in the queue of one. */
function fullSites(more = {}): Scene {
  const play = scene({ here: 4, there: 4 });
  for (const site of ["here", "there"]) {
    play.submit(`at-${site}`, 4, { site, wallTimeMs: 100 * HOUR, queueTimeMs });
    play.settle();
    play.running(`at-${site}`);
  }
  play.submit("a", 4, { queueTimeMs, ...more });
  play.settle();
  return play;
}

function later(play: Scene, byMs: number): void {
  play.now += byMs;
  play.settle();
}

describe("queue time at managed sites", () => {
  it("EN-320 a job that has not begun in time goes to another site; one that has begun stays", () => {
    const play = fullSites();
    const first = job(play, "a")?.site ?? "";
    expect(causes(play, "a")).toContainEqual({
      kind: "queueTime",
      site: first,
      queueTimeMs,
      leftMs: queueTimeMs,
    });
    later(play, queueTimeMs - 1);
    expect(job(play, "a")).toMatchObject({ site: first, attempt: 1 });
    play.restart();
    later(play, 1);
    expect(play.log).toContainEqual({ kind: "queueTimeOver", job: "a", site: first, atMs: play.now });
    const second = first === "here" ? "there" : "here";
    expect(job(play, "a")).toMatchObject({ site: second, attempt: 2, retried: { shallow: 1, at: [first] } });
    expect(play.log.filter(({ kind }) => kind === "queueTimeOver")).toHaveLength(1);
  });

  it("EN-320 without a retry left it has waited too long", () => {
    const play = fullSites({ shallowRetryCount: 1 });
    later(play, queueTimeMs);
    expect(play.state("a")).toBe("SCHEDULED");
    later(play, queueTimeMs);
    expect(play.records.get("a")).toMatchObject({
      ...{ state: "ABORTED", abortReason: { kind: "waitedTooLong" }, endedAtMs: play.now },
    });
    expect(play.projection.leaving.size).toBe(0);
  });

  it("EN-320 in a reservation a job stays, and a held one leaves after it was released", () => {
    const play = fullSites();
    const site = job(play, "a")?.site;
    play.act("hold", "a");
    later(play, 2 * queueTimeMs);
    expect(job(play, "a")).toMatchObject({ site, state: "HELD", attempt: 1 });
    play.act("release", "a");
    play.settle();
    expect(job(play, "a")).toMatchObject({ attempt: 2 });
  });
});

describe("queue time at clusters", () => {
  /** A job in the queue of a cluster whose queue time is over. */
  function over(): Scene {
    const play = scene({});
    play.foreign("far", 4);
    play.look("far");
    play.submit("a", 1, { queueTimeMs });
    play.settle();
    play.look("far", { jobs: [shown("7", "a/1")] });
    later(play, queueTimeMs);
    expect(job(play, "a")).toMatchObject({ isLeaving: true, state: "SCHEDULED" });
    expect(job(play, "a")?.isRecalled).not.toBe(true);
    return play;
  }

  it("EN-320 a job is held there first, then cancelled, and is matched again", () => {
    const play = over();
    const held = { jobs: [shown("7", "a/1", { state: "held" })] };
    play.look("far", held);
    play.now += PATIENCE;
    play.look("far", held);
    expect(job(play, "a")).toMatchObject({ isLeaving: true, isRecalled: true, state: "SCHEDULED" });
    play.restart();
    play.look("far");
    play.now += PATIENCE;
    play.look("far");
    play.settle();
    expect(job(play, "a")).toMatchObject({ site: "far", attempt: 2, retried: { shallow: 1, at: ["far"] } });
    expect(job(play, "a")?.isLeaving).toBeUndefined();
    expect(job(play, "a")?.leaveAtMs).toBe(play.now + queueTimeMs);
  });

  it("EN-320 a job that is held by its user while it leaves stays held, and is not cancelled", () => {
    const play = over();
    expect(play.act("hold", "a")).toBe("ok");
    expect(job(play, "a")).toMatchObject({ state: "HELD", site: "far" });
    expect(job(play, "a")?.isRecalled).not.toBe(true);
    play.restart();
    play.act("release", "a");
    play.settle();
    expect(job(play, "a")).toMatchObject({ state: "SCHEDULED", isLeaving: true });
  });

  it("EN-320 a job that is held by its user while its cluster cancels it is held when it comes back", () => {
    const play = over();
    const held = { jobs: [shown("7", "a/1", { state: "held" })] };
    play.look("far", held);
    play.now += PATIENCE;
    play.look("far", held);
    play.act("hold", "a");
    expect(job(play, "a")).toMatchObject({ state: "HELD", isRecalled: true });
    play.look("far");
    play.now += PATIENCE;
    play.look("far");
    play.settle();
    expect(job(play, "a")).toMatchObject({ state: "HELD", site: null, retried: { shallow: 1 } });
  });

  it("EN-320 one that began before it was held goes on", () => {
    const play = over();
    play.look("far", { jobs: [shown("7", "a/1", { state: "running", startedAtMs: play.now })] });
    expect(job(play, "a")).toMatchObject({ state: "RUNNING", isLeaving: false, isRecalled: false });
    later(play, queueTimeMs);
    expect(job(play, "a")).toMatchObject({ state: "RUNNING", attempt: 1 });
  });

  it("EN-320 one that is not handed over yet comes back at once", () => {
    const play = scene({});
    play.foreign("far", 4);
    play.look("far");
    play.submit("a", 1, { queueTimeMs });
    play.settle();
    later(play, queueTimeMs);
    expect(job(play, "a")).toMatchObject({ isLeaving: true, state: "READY" });
    play.ended("a", { cause: "cancelled" });
    play.settle();
    expect(job(play, "a")).toMatchObject({ attempt: 2, retried: { shallow: 1 } });
  });
});
