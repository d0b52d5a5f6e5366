/** A cluster that only imitates jobs beside this machine: what goes there, and what is said of it. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("a site that imitates jobs", () => {
  const setting = liveSetting([
    "  - { name: local, type: managed, procs: 1 }",
    "  - { name: far, type: simulated, procs: 64, jobs: imitate }",
  ]);
  const { ask, submit, submitProgram, status, until } = setting;

  it("takes no work that does not name it, however free it is", async () => {
    const busy = submitProgram("setTimeout(() => undefined, 600000)");
    await until(busy, "RUNNING");
    const behind = submitProgram("");
    await until(behind, "SCHEDULED");
    expect(status(behind).site).toBe("local");
    ask("cancel", busy);
    await until(behind, "DONE");
    const { code, out } = ask("run", "--", "echo", "it ran");
    expect([code, out]).toEqual([0, "it ran\n"]);
  });

  it("refuses what only such a site would be large enough for, and says how to have it imitated", () => {
    const { code, err } = ask("run", "-n", "8", "--", "true");
    expect(code).toBe(125);
    expect(err).toContain("no site can run the job");
    expect(err).toContain("--site far");
  });

  it("ends what names it as imitated, and `run` with 125", async () => {
    const { code, err } = ask("run", "--site", "far", "-t", "200ms", "--", "echo", "no");
    expect(code).toBe(125);
    expect(err).toContain("was imitated: nothing ran");
    const id = submit(
      "executable: x",
      "wallTime: 10m",
      "site: far",
      "environment: { STINT_IMITATED_RUNTIME: 0s }",
    );
    await until(id, "DONE");
    expect(JSON.parse(ask("status", id, "-o", "json").out)).toMatchObject({ result: "imitated" });
    expect(ask("list", "--limit", "1").out).toContain("DONE (imitated)");
  });

  it("is not what `when` recommends, unless it is asked about", () => {
    const table = (...words: string[]) =>
      JSON.parse(ask("when", "-n", "1", "-t", "1h", ...words, "-o", "json").out).items;
    const choices = (...words: string[]) =>
      Object.fromEntries(
        table(...words).map(({ site, choice }: { site: string; choice: { isRecommended: boolean } }) => [
          site,
          choice.isRecommended,
        ]),
      );
    expect(choices()).toEqual({ local: true, far: false });
    expect(choices("--site", "far")).toEqual({ far: true });
    expect(ask("when", "-n", "1", "-t", "1h").out).toContain("far only simulates jobs");
  });
});
