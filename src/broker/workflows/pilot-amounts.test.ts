import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { WorkflowTask } from "../../model/index.ts";
import { pilotProgram } from "./pilot-script.ts";
import { DISMISSAL, orderText, readReports } from "./pilot-words.ts";

const RECORD = { id: "wwwwwwwwwwww", directory: null };
const GIB = 2 ** 30;

interface Need {
  readonly procs?: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
}

/** Spans of tasks of half a second in a pilot of this size, and the GPUs that each saw. */
async function run(size: Need & { readonly procs: number }, needs: readonly Need[], devices?: string) {
  const work = mkdtempSync(join(tmpdir(), "stint-pilots-"));
  const program = {
    executable: "sh",
    arguments: ["-c", "echo $CUDA_VISIBLE_DEVICES; sleep 0.5"],
    environment: {},
  };
  const tasks = needs.map((need, at) => ({
    task: { at, attempt: 1, procs: 1, ...need, program } as unknown as WorkflowTask,
    ...{ inputs: [], outputs: [] },
  }));
  writeFileSync(join(work, "orders.1"), orderText(tasks, RECORD));
  writeFileSync(join(work, "orders.2"), DISMISSAL);
  const [shell = "", ...words] = pilotProgram(size);
  const { CUDA_VISIBLE_DEVICES: _, ...environment } = process.env;
  const env = devices === undefined ? environment : { ...environment, CUDA_VISIBLE_DEVICES: devices };
  const child = spawn(shell, words, { cwd: work, stdio: "ignore", detached: true, env });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  });
  await once(child, "exit");
  const { reports } = readReports(readFileSync(join(work, "reports")));
  return needs.map((need, at) => {
    const [begin, end] = reports.filter(({ task }) => task === at);
    expect(end).toMatchObject({ exitCode: 0 });
    const seen = readFileSync(join(work, `tasks/${at}.1/stdout`), "utf8").trim();
    return { need, fromMs: begin?.atMs ?? 0, toMs: end?.atMs ?? 0, seen };
  });
}

/** The largest sum of an amount at the begin of a task. */
function peak(spans: Awaited<ReturnType<typeof run>>, amount: keyof Need): number {
  const sums = spans.map(({ fromMs }) =>
    spans.reduce(
      (sum, it) => sum + (it.fromMs <= fromMs && fromMs < it.toMs ? (it.need[amount] ?? 0) : 0),
      0,
    ),
  );
  return Math.max(...sums);
}

describe("EN-211 amounts of tasks in a pilot", () => {
  it("a task begins when processors, memory and GPUs for it are free at once", async () => {
    const size = { procs: 4, memoryBytes: 8 * GIB, gpus: 2 };
    const needs = [
      ...[{ memoryBytes: 5 * GIB }, { memoryBytes: 3 * GIB, gpus: 1 }, { memoryBytes: GIB }],
      ...[{ memoryBytes: GIB, gpus: 2 }, { procs: 3 }, { gpus: 1 }, { memoryBytes: 8 * GIB, gpus: 1 }],
    ].map((need) => ({ procs: 1, ...need }));
    const spans = await run(size, needs, "4,7");
    for (const amount of ["procs", "memoryBytes", "gpus"] as const) {
      expect(peak(spans, amount)).toBeLessThanOrEqual(size[amount]);
    }
    expect(spans[1]?.fromMs).toBeLessThan(spans[0]?.toMs ?? 0);
    expect(spans[3]?.seen.split(",").toSorted()).toEqual(["4", "7"]);
    expect(spans.map(({ seen }) => seen.split(",").filter((it) => it !== "").length)).toEqual([
      0, 1, 0, 2, 0, 1, 1,
    ]);
  });

  it("tasks that run at once have different GPUs, numbered from 0 where the site names none", async () => {
    const spans = await run({ procs: 2, gpus: 2 }, [{ gpus: 1 }, { gpus: 1 }]);
    expect(spans.map(({ seen }) => seen).toSorted()).toEqual(["0", "1"]);
  });
});
