import { describe, expect, it } from "vitest";
import { type Scene, scene } from "../../test/engine-scene.ts";
import { eventSummary, type JobDescription } from "../model/index.ts";
import { explain } from "./index.ts";

const saved = { cause: "exited", exitCode: 85, signal: null } as const;
const lost = { cause: "lost", exitCode: null, signal: null, detail: "gone" } as const;

/** Ends an attempt of `j` so. */
function end(play: Scene, how: object): string | undefined {
  play.settle();
  play.running("j");
  play.ended("j", how);
  return play.state("j");
}
const jobOf = (play: Scene) => play.records.get("j") ?? expect.fail("no job");
const begun = (more: Partial<JobDescription>) => {
  const play = scene({ a: 4 });
  play.submit("j", 1, more);
  return play;
};

describe("EN-186 a program that saved its state and asks to go on", () => {
  it("gets a further attempt, until it ends with another code", () => {
    const play = begun({ checkpointExitCode: 85 });
    expect([end(play, saved), end(play, saved)]).toEqual(["WAITING", "WAITING"]);
    const ranBefore = { attempt: 2, site: "a", hasAsked: true };
    expect(jobOf(play)).toMatchObject({ ranBefore, retried: { deep: 0, shallow: 0, resumed: 2 } });
    const { causes } = explain(play.projection, jobOf(play), play.now);
    expect(causes).toContainEqual({ kind: "retried", deep: 0, shallow: 0, at: [], resumed: 2 });
    expect(end(play, { ...saved, exitCode: 3 })).toBe("DONE");
    const texts = play.log.filter(({ kind }) => kind === "attemptEnded").map((it) => eventSummary(it).text);
    expect(texts[0]).toContain("it requests another attempt from its saved state");
    expect(texts[2]).not.toContain("saved");
  });

  it("goes on from the attempt that ran last, also after a loss; which counts by itself", () => {
    const play = begun({ checkpointExitCode: 85, retryCount: 1 });
    expect([end(play, saved), end(play, lost)]).toEqual(["WAITING", "WAITING"]);
    expect(jobOf(play)).toMatchObject({
      ranBefore: { attempt: 2, site: "a" },
      retried: { deep: 1, resumed: 1 },
    });
    expect(jobOf(play).ranBefore).not.toHaveProperty("hasAsked");
    expect(end(play, lost)).toBe("ABORTED");
  });

  it("is over after 1000 times", () => {
    const play = begun({ checkpointExitCode: 85 });
    let times = 0;
    while (end(play, saved) === "WAITING" && times < 2000) times++;
    expect(times).toBe(1000);
    expect(jobOf(play)).toMatchObject({ state: "DONE", exitCode: 85 });
  });

  it("says nothing without the attribute, of another code, or by a signal", () => {
    expect(end(begun({ checkpointable: true }), saved)).toBe("DONE");
    expect(end(begun({ checkpointExitCode: 84 }), saved)).toBe("DONE");
    expect(end(begun({ checkpointExitCode: 85 }), { cause: "timeLimit", exitCode: 85, signal: null })).toBe(
      "DONE",
    );
    const cancelled = begun({ checkpointExitCode: 85 });
    cancelled.settle();
    cancelled.running("j");
    cancelled.ask({ kind: "cancel", job: "j" });
    cancelled.ended("j", saved);
    expect(cancelled.state("j")).toBe("DONE");
  });

  it("is no failure of its site", () => {
    const play = begun({ checkpointExitCode: 85 });
    for (let time = 0; time < 10; time++) end(play, saved);
    expect(play.projection.books.siteHealth.get("a")?.failures ?? []).toEqual([]);
  });
});
