/** How reports of a managed site are dated where our own clock is behind the job's start. */
import { expect, it } from "vitest";
import { scene } from "../../test/engine-scene.ts";

it("an end is not dated before its start, though the broker's clock is behind it after a restart", () => {
  const play = scene({ here: 4 });
  play.submit("a", 1);
  play.settle();
  const about = { job: "a", attempt: 1 } as const;
  play.now += 1000;
  play.report({ ...about, kind: "running", atMs: play.now });
  const startedAtMs = play.now;
  play.now -= 900;
  const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: 0, detail: null } as const;
  play.report({ ...about, kind: "ended", atMs: play.now, end });
  expect(play.records.get("a")).toMatchObject({ state: "DONE", startedAtMs, endedAtMs: startedAtMs });
});
