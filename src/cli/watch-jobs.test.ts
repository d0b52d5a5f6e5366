import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram } from "../../test/captured-program.ts";
import type { JobView, StintClient } from "../api/client/index.ts";

/** A job's life as a watcher is told it. */
const lives: Readonly<Record<string, readonly Partial<JobView>[]>> = {
  a: [{ state: "WAITING", site: null }, { state: "RUNNING" }, { state: "DONE", result: "ok" }],
  b: [{ state: "RUNNING" }, { state: "DONE", result: "failed", exitCode: 3 }],
};
const watch: StintClient["watch"] = async (id, onChange) => {
  const life = lives[id];
  if (life === undefined) throw aFault(id === "away" ? "unreachable" : "notFound");
  let job = aJob({ id });
  for (const change of life) {
    job = aJob({ id, ...change });
    onChange(job);
    await Promise.resolve();
  }
  return job;
};

describe("stint status --watch", () => {
  const program = capturedProgram({ watch });

  it("writes a line for each change and ends with 0 when all are over", async () => {
    const { code, out, err } = await program.call("status", "a", "b", "--watch");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\S* {2}a {2}WAITING$/);
    expect(out).toMatch(/ {2}a {2}RUNNING {2}at here\n/);
    expect(out).toMatch(/ {2}b {2}DONE \(exit 3\) {2}at here\n/);
    expect(out).not.toContain("\u001b");
  });

  it("draws the table anew on a terminal, in the order asked for", async () => {
    const terminal = capturedProgram({ watch }, { columns: 80 });
    const { out } = await terminal.call("status", "b", "a", "-w");
    const frames = out.split("\u001b[J");
    expect(frames).toHaveLength(5);
    expect(out).toContain("\u001b[2A\u001b[J");
    const last = frames.at(-1)?.trim().split("\n") ?? [];
    expect(last[0]).toMatch(/^ID +STATE/);
    expect(last.slice(1).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["b", "DONE (exit 3)"],
      ["a", "DONE (ok)"],
    ]);
  });

  it("in JSON writes a job a line", async () => {
    const { out } = await program.call("status", "a", "--watch", "-o", "json");
    const states = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).state);
    expect(states).toEqual(["WAITING", "RUNNING", "DONE"]);
  });

  it("refuses forms that are whole lists", async () => {
    for (const form of ["yaml", "csv", "name"]) {
      const { code, err } = await program.call("status", "a", "-w", "-o", form);
      expect(code).toBe(2);
      expect(err).toContain(form);
    }
  });

  it("CL-9 tells of one that cannot be watched, and goes on with the others", async () => {
    const { code, out, err } = await program.call("status", "nope", "b", "-w");
    expect(code).toBe(3);
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(err.match(/^stint: /gm)).toHaveLength(1);
    const away = await program.call("status", "away", "away", "-w");
    expect(away.code).toBe(69);
    expect(away.err.match(/^stint: /gm)).toHaveLength(1);
  });

  it("without ids watches what is not over", async () => {
    const items = [aJob({ id: "a" }), ...Array.from({ length: 99 }, () => aJob({ id: "b" }))];
    const listed = capturedProgram({ watch, jobs: async () => ({ items, next: "x" }) });
    const { out, err } = await listed.call("status", "-w", "-o", "json");
    expect(out.trim().split("\n")).toHaveLength(3 + 99 * 2);
    expect(err).toContain("newest 100");
    const none = capturedProgram({ watch, jobs: async () => ({ items: [], next: null }) });
    expect(await none.call("status", "-w")).toMatchObject({ code: 0, out: "" });
  });
});
