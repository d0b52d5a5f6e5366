import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { LiveQueue } from "../../model/index.ts";
import { liveLines, readWorkloadLines, type WorkloadEntry } from "./index.ts";

const NOW_MS = Date.UTC(2026, 4, 31, 12);
const HOUR_MS = 3_600_000;
const queue: LiveQueue = {
  ...{ atMs: NOW_MS, discipline: "conservative", countsMemory: true },
  pools: [
    { name: "main", capacity: [8, 16e9, 0] },
    { name: "gpu+main", capacity: [4, 8e9, 2] },
  ],
  running: [{ pool: 0, need: [2, 1e9, 0], startAtMs: NOW_MS, endAtMs: NOW_MS + HOUR_MS }],
  reserved: [{ pool: 1, need: [4, 8e9, 2], startAtMs: NOW_MS + HOUR_MS, endAtMs: NOW_MS + 2 * HOUR_MS }],
  waiting: [
    {
      ...{ siteJob: "17", queue: "main,gpu", user: "anna", account: null, need: [2, 1e9, 1] },
      ...{ limitMs: HOUR_MS, pools: [1], expectedStartAtMs: NOW_MS + HOUR_MS },
    },
  ],
  leftOut: { forTheirOwn: 0, tooWide: 0, inReservations: 0 },
};

async function readBack(lines: readonly string[]): Promise<readonly WorkloadEntry[]> {
  const file = join(temporaryFolder(), "queue.workload.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const entries: WorkloadEntry[] = [];
  for await (const some of readWorkloadLines(file, { lenient: false }).entries) entries.push(...some);
  return entries;
}

describe("a queue as lines", () => {
  it("FO-114 the lines read back as the queue", async () => {
    const entries = await readBack(liveLines(queue));
    expect(entries).toMatchObject([
      { kind: "period", fromMs: NOW_MS },
      { kind: "pool", name: "main", procs: 8, memoryBytes: 16e9, gpus: 0 },
      { kind: "pool", name: "gpu+main", gpus: 2 },
      { kind: "reservation", pool: "gpu+main", startMs: NOW_MS + HOUR_MS, durationMs: HOUR_MS, procs: 4 },
      { kind: "job", id: "running 1", recordedStartMs: NOW_MS - 1000, runtimeMs: HOUR_MS + 1000 },
      {
        ...{ kind: "job", id: "17", submitMs: NOW_MS, recordedStartMs: NOW_MS + HOUR_MS, limitMs: HOUR_MS },
        ...{ pools: ["gpu+main"], queue: "main,gpu", user: "anna", group: undefined, gpus: 1 },
      },
    ]);
  });

  it("FO-114 memory and GPUs that are not allocated are omitted", () => {
    const plain = liveLines({
      ...{ ...queue, countsMemory: false, reserved: [], waiting: [] },
      pools: [{ name: "main", capacity: [8, 16e9, 0] }],
    });
    expect(plain).toHaveLength(3);
    expect(plain.join("")).not.toMatch(/memory|gpus/);
  });
});
