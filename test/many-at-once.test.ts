/** Commands on many jobs at once, selected by name, tag, state and site, on a real broker. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("many jobs at once", () => {
  const { ask, folder, until } = liveSetting(["  - { name: here, type: managed, procs: 1 }"]);
  const submitted = (...words: string[]): string => ask("submit", ...words).out.trim();
  const stateOf = (id: string): string => JSON.parse(ask("status", id, "-o", "json").out).state;

  it("output and logs of a selection, each job by itself; clear removes them", () => {
    const ids = ["one", "two"].map((word) => submitted("--tag", "sweep=1", "--", "echo", word));
    const other = submitted("--tag", "sweep=2", "--", "echo", "other");
    expect(ask("wait", "--tag", "sweep").code).toBe(0);
    const fetched = ask("output", "--tag", "sweep=1", "--to", "results");
    expect(fetched).toMatchObject({ code: 0, err: "stint: output of 2 of 2 jobs\n" });
    expect(readdirSync(join(folder, "results")).sort()).toEqual(ids.toSorted());
    const texts = ids.map((id) => readFileSync(join(folder, "results", id, "stdout"), "utf8"));
    expect(texts).toEqual(["one\n", "two\n"]);
    const [first = "", second = ""] = ids;
    expect(ask("logs", "--tag", "sweep=1").out).toBe(`==> ${first} <==\none\n==> ${second} <==\ntwo\n`);
    expect(ask("logs", other).out).toBe("other\n");
    // The second time its files are there already: nothing is overwritten, and the exit code tells.
    const again = ask("output", first, other, "--to", "results");
    expect(again.code).toBe(5);
    expect(again.err).toMatch(/exists already[\s\S]*stint: output of 1 of 2 jobs\n$/);
    expect(ask("clear", "--tag", "sweep=1").out).toBe(`${first}: cleared\n${second}: cleared\n`);
    expect(ask("output", "--tag", "sweep=1", "--to", "later").err).toContain(`job ${first} left no files`);
  });

  it("holds, releases and cancels those to which it applies, and says how many", async () => {
    const running = submitted("--name", "night", "--", "sleep", "600");
    const waiting = [1, 2].map(() => submitted("--name", "night", "--tag", "batch", "--", "sleep", "600"));
    const other = submitted("--name", "day", "--", "sleep", "600");
    await until(running, "RUNNING");
    const held = ask("hold", "--name", "night");
    expect(held).toMatchObject({ code: 0, err: "stint: 2 of 2 jobs: held\n" });
    expect(held.out).toBe(waiting.map((id) => `${id}: held\n`).join(""));
    expect([running, ...waiting, other].map(stateOf)).toEqual(["RUNNING", "HELD", "HELD", "SCHEDULED"]);
    expect(ask("hold", "--name", "night").err).toContain("no job with the name night in the state WAITING");
    expect(ask("release", "--tag", "batch").code).toBe(0);
    const partly = ask("hold", running, "--tag", "batch");
    expect(partly.code).not.toBe(0);
    expect(partly.err).toMatch(/stint: 2 of 3 jobs: held\n$/);
    expect(ask("cancel", "--state", "held", "--site", "here").err).toBe(
      "stint: 2 of 2 jobs: cancel requested\n",
    );
    expect(ask("cancel", "--all").err).toBe("stint: 2 of 2 jobs: cancel requested\n");
    expect(ask("wait", "--name", "night").code).toBe(1);
    expect([running, ...waiting, other].map(stateOf)).toEqual(Array(4).fill("CANCELLED"));
    expect(ask("cancel", "--all").code).toBe(3);
    expect(ask("cancel")).toMatchObject({ code: 2 });
  });
});
