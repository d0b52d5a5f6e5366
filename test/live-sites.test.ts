/** One broker with several sites: where jobs go, and what a site that loses submissions does to them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VIEWS } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { type LiveSetting, liveSetting } from "./live-setting.ts";

const forever = "setTimeout(() => undefined, 600000)";

describe("three sites", () => {
  const setting = liveSetting([
    "  - { name: local, type: managed, procs: 2 }",
    "  - { name: west, type: simulated, procs: 2, jobs: run }",
    "  - { name: east, type: simulated, procs: 4, jobs: run }",
  ]);
  const { ask, submitProgram, status, until } = setting;

  it("EN-5 a job goes where it starts earliest; ties go to the first in the configuration", async () => {
    const placed: (string | null)[] = [];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const id = submitProgram(forever, { lines: ["procs: 2"] });
      await until(id, "RUNNING");
      ids.push(id);
      placed.push(status(id).site);
    }
    expect(placed).toEqual(["local", "west", "east"]);
    const wide = submitProgram(forever, { lines: ["procs: 4"] });
    await until(wide, "SCHEDULED");
    expect(status(wide).site).toBe("east");
    ask("cancel", ...ids, wide);
    for (const id of [...ids, wide]) await until(id, "CANCELLED");
  });

  it("EN-21 a drained site gets no jobs and keeps its own", async () => {
    const there = submitProgram(forever, { lines: ["procs: 1", "site: local"] });
    await until(there, "RUNNING");
    expect(ask("site", "drain", "local").code).toBe(0);
    const elsewhere = submitProgram("");
    await until(elsewhere, "DONE");
    expect(status(elsewhere).site).toBe("west");
    expect(status(there).state).toBe("RUNNING");
    ask("site", "drain", "west");
    const third = submitProgram("");
    await until(third, "DONE");
    expect(status(third).site).toBe("east");
    ask("site", "drain", "east");
    const parked = submitProgram("");
    expect(status(parked).state).toBe("WAITING");
    ask("site", "drain", "--undo", "local");
    await until(parked, "DONE");
    expect(status(parked).site).toBe("local");
    ask("cancel", there);
    await until(there, "CANCELLED");
  });
});

describe.each([
  { what: "fails and doubts submissions", losses: "{ failed: 0.25, doubtful: 0.25 }", ends: ["DONE"] },
  { what: "loses jobs", losses: "{ doubtful: 0.2, vanished: 0.3 }", ends: ["ABORTED", "DONE"] },
])("a cluster that $what", ({ losses, ends }) => {
  const setting = liveSetting([
    `  - { name: shaky, type: simulated, procs: 16, jobs: run, losses: ${losses}, seed: 2 }`,
  ]);

  it("BR-8 BR-11 every job ends exactly once, and runs at most once", async () => {
    const marks = join(setting.folder, "marks");
    const program =
      `require('fs').appendFileSync(${JSON.stringify(marks)}, process.argv[1] + '\\n');` +
      "setTimeout(() => undefined, 300);";
    const ids = Array.from({ length: 10 }, (_, n) => setting.submitProgram(program, { words: [String(n)] }));
    const final: string[] = [];
    for (const id of ids) final.push(await finalState(setting, id));
    await setting.end("SIGTERM");
    // Whom it hits depends on the jobs' ids, which differ in every run.
    for (const state of final) expect(ends).toContain(state);
    expect(await endsIn(setting)).toEqual(ids.toSorted());
    const marked = existsSync(marks) ? readFileSync(marks, "utf8").trim().split("\n") : [];
    expect(new Set(marked).size).toBe(marked.length);
    const done = ids.flatMap((_, n) => (final[n] === "DONE" ? [String(n)] : []));
    expect(done.filter((n) => !marked.includes(n))).toEqual([]);
    await setting.up();
  }, 400_000);
});

async function finalState({ status, until }: LiveSetting, id: string): Promise<string> {
  await until(id, ["DONE", "ABORTED", "CANCELLED"]);
  return status(id).state;
}

/** The jobs whose ends are in the log, once for each end. */
async function endsIn({ stateDirectory }: LiveSetting): Promise<string[]> {
  const logbook = await openSqliteLogbook({ directory: join(stateDirectory, "log"), views: VIEWS });
  const ended: string[] = [];
  for await (const { kind, body } of logbook.events(1)) {
    if (kind === "attemptEnded") ended.push(String(body.job));
  }
  await logbook.close();
  return ended.sort();
}
