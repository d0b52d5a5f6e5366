/**
 * The published schema and the reader say the same about what a line of a workload is.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { readWorkloadLines } from "./index.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/workload.schema.json"), "utf8")) as Schema;
const folder = temporaryFolder();
const isValid = schemaJudge(schema);

describe("the published schema of workloads", () => {
  it.each([
    ['{"pool": "a", "procs": 4, "memory": "8G", "gpus": 0, "nodes": 2}', true],
    ['{"job": 7, "submit": "2026-03-01T08:00:00Z", "runtime": "1h30m", "limit": 60, "procs": 1}', true],
    ['{"job": "a", "submit": 0, "submitted": 0, "recordedStart": 2, "procs": 2, "tasksPerNode": 1}', true],
    ['{"job": "a", "submit": 0, "procs": 2, "pools": ["p"], "queue": "q", "user": "u", "group": "g"}', true],
    ['{"cancel": "a", "at": 5}', true],
    ['{"down": "p", "node": 0, "at": 0, "until": 9}', true],
    ['{"down": "p", "procs": 2, "memory": 5, "at": 0, "until": 9}', true],
    ['{"reservation": "r", "pool": "p", "start": 0, "duration": "1h", "procs": 2, "nodes": 2}', true],
    ['{"period": 0, "until": 5}', true],
    ['{"job": true, "submit": 0, "procs": 1}', false],
    ['{"job": 1.5, "submit": 0, "procs": 1}', false],
    ['{"job": "", "submit": 0, "procs": 1}', false],
    ['{"job": "a", "submit": -1, "procs": 1}', false],
    ['{"job": "a", "submit": 0, "procs": "1"}', false],
    ['{"job": "a", "submit": 0, "procs": 1, "pools": []}', false],
    ['{"job": "a", "submit": 0, "procs": 1, "limit": 0}', false],
    ['{"job": "a", "submit": 0, "procs": 1, "nodes": 0}', false],
    ['{"down": "p", "at": 0, "until": 9}', false],
    ['{"pool": "a"}', false],
    ['{"cancel": "a", "until": 5}', false],
  ])("FO-31 %s: schema and reader both say %j", async (line, isRight) => {
    expect(isValid(JSON.parse(line))).toBe(isRight);
    const file = join(folder, "a.jsonl");
    writeFileSync(file, line);
    const reader = readWorkloadLines(file, { lenient: true });
    for await (const entries of reader.entries) expect(entries).toHaveLength(isRight ? 1 : 0);
    expect(reader.malformed).toBe(isRight ? 0 : 1);
  });

  it("FO-31 the example is valid, and a mistake in it is not", () => {
    const text = readFileSync(join(root, "examples/two-pools.workload.jsonl"), "utf8");
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !isValid(JSON.parse(line)))).toEqual([]);
    expect(isValid({ job: "a", submit: 0, procs: 1, memroy: 5 })).toBe(false);
  });
});
