import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { WorkflowTask } from "../../model/index.ts";
import { pilotProgram } from "./pilot-script.ts";
import { DISMISSAL, type InputPlace, orderText, readReports } from "./pilot-words.ts";

const RECORD = { id: "wwwwwwwwwwww", directory: null };

/** A pilot that finds these orders, in a directory beside those of others. */
function pilot(root: string, job: string, orders: readonly string[]) {
  const work = join(root, `${job}_1`, "work");
  mkdirSync(work, { recursive: true });
  for (const [at, text] of orders.entries()) writeFileSync(join(work, `orders.${at + 1}`), text);
  const [program = "", ...words] = pilotProgram({ procs: 2 });
  const child: ChildProcess = spawn(program, words, { cwd: work, stdio: "ignore", detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  });
  return { work, ended: once(child, "exit") };
}

/** An order to run a line of shell with inputs and outputs. */
function order(
  at: number,
  line: string,
  inputs: readonly InputPlace[],
  outputs: readonly (readonly [file: number, name: string])[] = [],
): string {
  const program = { executable: "sh", arguments: ["-c", line], environment: {} };
  const task = { at, attempt: 1, procs: 1, program } as unknown as WorkflowTask;
  return orderText([{ task, inputs, outputs: outputs.map(([file, name]) => ({ file, name })) }], RECORD);
}

const reportsIn = (work: string) => readReports(readFileSync(join(work, "reports")));
const newRoot = (): string => mkdtempSync(join(tmpdir(), "stint-pilots-"));

describe("EN-215 files in pilots", () => {
  it("another pilot at the site reads what was written, by its checksum, and leaves no copy", async () => {
    const root = newRoot();
    const first = pilot(root, "a", [order(0, "printf abc > 'd x'", [], [[7, "d x"]]), DISMISSAL]);
    await first.ended;
    const { written, reports } = reportsIn(first.work);
    expect(written).toMatchObject([{ file: 7, task: 0, attempt: 1, bytes: 3 }]);
    expect(reports.map(({ exitCode }) => exitCode)).toEqual([undefined, 0]);
    const [{ checksum }] = written;
    const input = { file: 7, name: "sub/d x", path: "../../a_1/work/file.7", checksum };
    const second = pilot(root, "b", [order(1, "cat 'sub/d x' > e", [input], [[8, "e"]]), DISMISSAL]);
    await second.ended;
    expect(readFileSync(join(second.work, "file.8"), "utf8")).toBe("abc");
    expect(existsSync(join(second.work, "tasks/1.1/sub/d x"))).toBe(false);
  });

  it.each([
    ["damaged", "abd"],
    ["missing", undefined],
  ])("a task with an input that is %s does not begin, and says which", async (_, content) => {
    const root = newRoot();
    const input = { file: 7, name: "d", path: "file.7", checksum: "a".repeat(64) };
    mkdirSync(join(root, "a_1/work"), { recursive: true });
    if (content !== undefined) writeFileSync(join(root, "a_1/work/file.7"), content);
    const one = pilot(root, "a", [order(0, "touch begun", [input]), DISMISSAL]);
    await one.ended;
    const { missing, reports } = reportsIn(one.work);
    expect({ missing, reports }).toEqual({ missing: [{ file: 7, task: 0, attempt: 1 }], reports: [] });
    expect(existsSync(join(one.work, "file.7"))).toBe(false);
    expect(existsSync(join(one.work, "tasks/0.1/begun"))).toBe(false);
  });

  it("the directories of outputs exist when a task starts, whatever their names are", async () => {
    const root = newRoot();
    const path = "o $(touch made);\\/in/b";
    const line = `printf a > out/a && printf b > '${path}'`;
    const outputs = [
      [3, "out/a"],
      [4, path],
    ] as const;
    const one = pilot(root, "a", [order(0, line, [], outputs), DISMISSAL]);
    await one.ended;
    expect(reportsIn(one.work).reports.at(-1)).toMatchObject({ exitCode: 0 });
    expect([3, 4].map((file) => readFileSync(join(one.work, `file.${file}`), "utf8"))).toEqual(["a", "b"]);
    expect(existsSync(join(one.work, "tasks/0.1/made"))).toBe(false);
  });

  it("a task that does not write its outputs fails, and says why", async () => {
    const root = newRoot();
    const one = pilot(root, "a", [order(0, "true", [], [[1, "out"]]), DISMISSAL]);
    await one.ended;
    expect(reportsIn(one.work).reports.at(-1)).toMatchObject({ exitCode: 66 });
    expect(readFileSync(join(one.work, "tasks/0.1/stderr"), "utf8")).toContain("did not write out");
  });
});
