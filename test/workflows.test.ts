/**
 * Workflows as people execute them, at a real broker: planned on its sites, confirmed, run by pilots.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const shares = "share: 1, consumerShare: 1, offerShare: 1, farShare: 1";
const POLL_MS = 500;

describe("workflows at a live broker", () => {
  const live = liveSetting([
    `  - { name: lab, type: managed, procs: 4, reservations: { ${shares} } }`,
    `  - { name: far, type: simulated, procs: 8, jobs: run, reservations: { ${shares}, unitPrice: 2 } }`,
  ]);
  const file = (name: string, ...lines: string[]): string => {
    const path = join(live.folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  };
  const execute = (...words: string[]): string => {
    const ran = live.ask("plan", ...words, "--execute", "-o", "json");
    expect(ran).toMatchObject({ code: 0 });
    return JSON.parse(ran.out).id;
  };
  const ended = async (id: string) => {
    for (;;) {
      const now = await live.client().workflow(id);
      if (now.state !== "RUNNING") return now;
      await setTimeout(POLL_MS);
    }
  };
  const trail = join(live.folder, "trail");
  const task = (id: string, ...parents: string[]): string =>
    `  - { id: ${id}, runtime: 20s, parents: [${parents.join(", ")}], executable: sh, ` +
    `arguments: [-c, "echo '${id}' >> ${trail}"] }`;

  it("a plan is reserved as a whole and run by pilots, parents before children", async () => {
    const flow = file(
      "flow.yaml",
      "workflow: small",
      "tasks:",
      task("a"),
      task("b", "a"),
      task("c", "a"),
      task("d", "b", "c"),
    );
    const done = await ended(execute(flow));
    expect(done).toMatchObject({ state: "DONE", counts: { done: 4 }, departures: { failed: 0, lost: 0 } });
    const lines = readFileSync(trail, "utf8").trim().split("\n");
    expect([lines[0], lines.slice(1, 3).toSorted(), lines[3]]).toEqual(["a", ["b", "c"], "d"]);
    expect(done.reservations.length).toBeGreaterThan(0);
    expect(done.costSu).toBeLessThanOrEqual(done.promisedSu ?? -1);
    const shown = live.ask("workflow", "status", done.id).out;
    expect(shown).toContain("4 of 4 tasks done");
    expect(live.ask("workflow", "list").out).toContain("small");
    expect(live.ask("status", done.id).out).toContain(`${done.id}  small  DONE: 4 of 4 tasks done`);
    const why = live.ask("why", done.id.slice(0, 8));
    expect(why.err).toContain(`${done.id} is the workflow small`);
  });

  it("a failed workflow is continued and repeats nothing, after a kill of the broker", async () => {
    const fixed = join(live.folder, "fixed");
    const second = `  - { id: needs, runtime: 20s, parents: [first], executable: ls, arguments: [${fixed}] }`;
    const flow = file(
      "failing.yaml",
      "workflow: failing",
      "tasks:",
      task("first"),
      second,
      task("last", "needs"),
    );
    const id = execute(flow);
    await live.end("SIGKILL");
    await live.up();
    const failed = await ended(id);
    expect(failed).toMatchObject({ state: "FAILED", counts: { done: 1, failed: 1, waiting: 1 } });
    writeFileSync(fixed, "");
    expect(live.ask("workflow", "continue", id).code).toBe(0);
    expect(await ended(id)).toMatchObject({ state: "DONE", counts: { done: 3 } });
    const lines = readFileSync(trail, "utf8").trim().split("\n");
    expect(lines.filter((line) => line === "first")).toHaveLength(1);
  });

  it("EN-215 files pass between two sites through a kill of the broker; the result is brought", async () => {
    writeFileSync(join(live.folder, "seed"), "seed\n");
    const flow = file(
      "files.yaml",
      "workflow: files",
      "tasks:",
      "  - { id: a, runtimes: { lab: 8s }, executable: sh, inputs: [seed], outputs: [x],",
      '      arguments: [-c, "sleep 2; cat seed > x; echo a >> x"] }',
      "  - { id: b, runtimes: { far: 8s }, executable: sh, inputs: [x], outputs: [y],",
      '      arguments: [-c, "cat x > y; echo b >> y"] }',
      "  - { id: c, runtimes: { lab: 8s }, executable: sh, inputs: [x, y], outputs: [end/z],",
      '      arguments: [-c, "cat x y > end/z"] }',
    );
    const id = execute(flow);
    const first = async () => (await live.client().workflow(id)).tasks[0].state;
    await expect.poll(first).toBe("RUNNING");
    await live.end("SIGKILL");
    await live.up();
    const done = await ended(id);
    expect(done).toMatchObject({ state: "DONE", counts: { done: 3 }, departures: { failed: 0, lost: 0 } });
    expect(done.tasks.map(({ site }) => site)).toEqual(["lab", "far", "lab"]);
    expect(live.ask("output", id, "--to", join(live.folder, "brought")).code).toBe(0);
    expect(readFileSync(join(live.folder, "brought/end/z"), "utf8")).toBe("seed\na\nseed\na\nb\n");
    const files = async () => (await live.client().workflow(id)).files.map(({ sites }) => sites.join());
    await expect.poll(files).toEqual(["", "", "", ""]);
    expect(live.ask("workflow", "status", id).out).toContain("RESULT");
  });

  it("EN-215 a DAG with files, a PRE script and a retry is executed by its plan", async () => {
    file("main.sub", "executable = main.sh", "transfer_input_files = words", "output = out", "queue");
    file("main.sh", "#!/bin/sh", "cat words pre-words");
    file("pre.sh", "#!/bin/sh", "echo pre > pre-words", '[ "$1" = 1 ]');
    file("words", "words");
    chmodSync(join(live.folder, "main.sh"), 0o755);
    const dag = file("flow.dag", "JOB A main.sub", "SCRIPT PRE A pre.sh $RETRY", "RETRY A 1");
    const done = await ended(execute(dag, "--runtime", "5s"));
    expect(done).toMatchObject({ state: "DONE", departures: { failed: 1 }, tasks: [{ attempt: 2 }] });
    expect(live.ask("output", done.id, "--to", join(live.folder, "dag")).code).toBe(0);
    expect(readFileSync(join(live.folder, "dag/A/out"), "utf8")).toBe("words\npre\n");
  });

  it("PL-41 runtimes that a DAG does not state are taken from the jobs of earlier runs", async () => {
    file("sum.sub", "executable = /bin/sleep", "arguments = 0.2", "transfer_executable = false", "queue");
    const dag = file("known.dag", ...["A", "B", "C"].map((name) => `JOB ${name} sum.sub`));
    expect(live.ask("plan", dag)).toMatchObject({
      code: 2,
      err: expect.stringContaining("task A has no runtime"),
    });
    expect(live.ask("submit", dag).code).toBe(0);
    const ended = async () => (await live.client().jobs({ state: ["DONE"], limit: 9 })).items;
    const ofSum = async () => (await ended()).filter((job) => job.executable === "/bin/sleep").length;
    await expect.poll(ofSum).toBe(3);
    const planned = live.ask("plan", dag);
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).toMatch(
      /note: runtime of A, B and C: .*median of your 3 successful jobs of \/bin\/sleep/,
    );
    expect(planned.out).toContain("simulated executions");
  });

  it("refuses what has no programs, runs it as sleeps, as best effort in jobs of its own", async () => {
    const flow = file(
      "trace.yaml",
      "tasks:",
      "  - { id: a, runtime: 100s }",
      "  - { id: b, runtime: 100s, parents: [a] }",
    );
    expect(live.ask("plan", flow, "--execute")).toMatchObject({
      code: 2,
      err: expect.stringContaining("2 of its 2 tasks have no program"),
    });
    const id = execute(flow, "--best-effort", "--as-sleeps", "0.001");
    const done = await ended(id);
    expect(done).toMatchObject({ state: "DONE", reservations: [], promisedEndAt: null });
    expect(done.tasks[1].job).toBe(`${id}-t1-1`);
  });

  it("a saved plan is executed as it is, and refused where it was edited or has lapsed", async () => {
    const flow = file("saved.yaml", "tasks:", task("s"));
    const plan = join(live.folder, "plan.json");
    expect(live.ask("plan", flow, "--save", plan).code).toBe(0);
    const saved = JSON.parse(readFileSync(plan, "utf8"));
    const edited = (change: object): string =>
      file("edited.json", JSON.stringify({ ...saved, execution: { ...saved.execution, ...change } }));
    const refusal = (change: object): string => live.ask("plan", edited(change), "--execute").err;
    expect(refusal({ beginAt: "2020-01-01T00:00:00Z" })).toContain("has expired");
    const [reservation] = saved.execution.reservations;
    expect(refusal({ reservations: [{ ...reservation, site: "gone" }] })).toContain("gone");
    expect(refusal({ reservations: [{ ...reservation, endSec: 1 }] })).toContain("within the time");
    expect(await ended(execute(plan))).toMatchObject({ state: "DONE" });
  });
});
