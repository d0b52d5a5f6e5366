/** How what a site tells is dated where its clock is not ours. */
import { describe, expect, it } from "vitest";
import { type Scene, scene, shown } from "../../test/engine-scene.ts";
import type { Survey } from "./index.ts";

const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
const ended = { token: "a/1", siteJob: "7", startedAtMs: 1, endedAtMs: 2, end };

/** A job that a site has taken as its own job 7. */
function withJob(): Scene {
  const play = scene({});
  play.foreign("far", 4);
  play.look("far");
  play.submit("a", 1);
  play.settle();
  play.report({ kind: "queued", job: "a", attempt: 1, siteJob: "7", atMs: play.now });
  return play;
}

describe("a site whose clock is behind", () => {
  const running = shown("7", "a/1", { state: "running", startedAtMs: 1 });
  const looks: readonly { what: string; surveys: readonly Partial<Survey>[]; hasBegun: boolean }[] = [
    { what: "seen running", surveys: [{ jobs: [running] }, { ended: [ended] }], hasBegun: true },
    { what: "seen when it had ended", surveys: [{ ended: [ended] }], hasBegun: true },
    { what: "that never began", surveys: [{ ended: [{ ...ended, startedAtMs: null }] }], hasBegun: false },
  ];

  it.each(looks)("dates nothing of a job $what before its submission", ({ surveys, hasBegun }) => {
    const play = withJob();
    const submittedAtMs = play.now;
    for (const survey of surveys) {
      play.now += 1000;
      play.look("far", survey);
    }
    expect(play.records.get("a")).toMatchObject({
      startedAtMs: hasBegun ? submittedAtMs : null,
      endedAtMs: submittedAtMs,
    });
  });
});
