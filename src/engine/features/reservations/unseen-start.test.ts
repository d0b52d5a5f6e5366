import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene, shown } from "../../../../test/engine-scene.ts";
import { balanceOf } from "../../../market/index.ts";
import type { AttemptEnd } from "../../../model/index.ts";

const USER = "vo/group/user";

function charged({ projection }: Scene, site: string): number {
  const ledger = projection.sites.get(site)?.ledger;
  return ledger === undefined ? 0 : 0 - (balanceOf(ledger, USER) ?? 0);
}

/** Two processors from `now` on; the broker hears of it again half an hour later. */
function unseen(): Scene {
  const play = scene({ here: 4 });
  play.submit("a", 2);
  expect(play.settle()).toEqual(["a"]);
  play.now += HOUR / 2;
  return play;
}

describe("a job whose start was not reported", () => {
  it.each<AttemptEnd["cause"]>(["exited", "signalled", "timeLimit"])(
    "EN-39 reported to have %s, it is charged from the decided start",
    (cause) => {
      const play = unseen();
      play.ended("a", { cause });
      expect(charged(play, "here")).toBe(HOUR);
    },
  );

  it.each<AttemptEnd["cause"]>(["cancelled", "lost", "launchFailed"])(
    "EN-39 reported as %s and never seen running, it costs nothing",
    (cause) => {
      const play = unseen();
      play.ended("a", { cause, detail: "" });
      expect(charged(play, "here")).toBe(0);
    },
  );

  it("EN-39 is charged once, also if its start is reported after its end", () => {
    const play = unseen();
    play.ended("a");
    expect(play.running("a")).toBe(0);
    play.ended("a");
    expect(play.log.filter(({ kind }) => kind === "posted")).toHaveLength(1);
    expect(charged(play, "here")).toBe(HOUR);
  });

  it("EN-39 is charged from the start that a cluster reports with the end", () => {
    const play = scene({});
    play.foreign("far", 4);
    play.look("far");
    play.submit("a", 2);
    play.settle();
    play.look("far", { jobs: [shown("7", "a/1", { procs: 2 })] });
    const startedAtMs = play.now + HOUR / 4;
    play.now += HOUR / 2;
    const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
    play.look("far", { ended: [{ siteJob: "7", token: "a/1", startedAtMs, endedAtMs: play.now, end }] });
    expect(play.state("a")).toBe("DONE");
    expect(charged(play, "far")).toBe(HOUR / 2);
  });
});
