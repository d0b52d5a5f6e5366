import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { readWorkloadLines, type WorkloadEntry } from "./index.ts";
import { isWorkloadFile } from "./recognise.ts";

const folder = temporaryFolder();
let files = 0;

function fileWith(text: string | Uint8Array, ending = ".jsonl"): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

async function entriesOf(text: string | Uint8Array, lenient = false) {
  const reader = readWorkloadLines(fileWith(text), { lenient });
  const entries: WorkloadEntry[] = [];
  for await (const some of reader.entries) entries.push(...some);
  return { entries, reader };
}

const HOUR = 3_600_000;
const JOB = '{"job": "a", "submit": 0, "runtime": 10, "procs": 1}';

describe("a workload in JSON lines", () => {
  it.each([
    { text: JOB, ending: ".jsonl", is: true },
    { text: gzipSync(JOB), ending: ".workload.jsonl.gz", is: true },
    { text: `\n ${JOB}`, ending: ".txt", is: true },
    { text: "; MaxProcs: 4\n1 0 0 1", ending: ".txt", is: false },
    { text: JOB, ending: ".swf", is: false },
    { text: '{"name": "x"}', ending: "", is: false },
  ])("FO-21 is recognised by its name or its content: $ending, $is", async ({ text, ending, is }) => {
    expect(await isWorkloadFile(fileWith(text, ending))).toBe(is);
  });

  it("FO-21 a missing file is not recognised", async () => {
    expect(await isWorkloadFile(join(folder, "nowhere"))).toBe(false);
  });

  it("FO-51 each kind of line is read", async () => {
    const { entries } = await entriesOf(
      [
        '{"pool": "gpu", "nodes": 2, "procs": 32, "memory": "1G", "gpus": 4}',
        '{"job": 7, "submit": "1970-01-01T02:00:00+01:00", "runtime": "1h", "limit": "2-00:00:00",' +
          ' "procs": 4, "memory": 1024, "gpus": 2, ' +
          '"nodes": 2, "pools": ["gpu"], "user": "ada", "group": null}',
        '{"cancel": "7", "at": "1h30m"}',
        '{"down": "gpu", "node": 1, "at": 0.5, "until": 2}',
        '{"reservation": "m", "pool": "gpu", "start": 60, "duration": "1h", "procs": 3}',
      ].join("\r\n"),
    );
    expect(entries).toMatchObject([
      { kind: "pool", line: 1, name: "gpu", nodes: 2, procs: 32, memoryBytes: 1024 ** 3, gpus: 4 },
      {
        ...{ kind: "job", line: 2, id: "7", submitMs: HOUR, runtimeMs: HOUR, limitMs: 48 * HOUR },
        ...{ procs: 4, memoryBytes: 1024, gpus: 2, nodes: 2, pools: ["gpu"], user: "ada", group: undefined },
      },
      { kind: "cancel", line: 3, job: "7", atMs: 1.5 * HOUR },
      { kind: "down", line: 4, pool: "gpu", node: 1, atMs: 500, untilMs: 2000 },
      { kind: "reservation", line: 5, id: "m", pool: "gpu", startMs: 60_000, durationMs: HOUR, procs: 3 },
    ]);
  });

  it("FO-51 gzip, blank lines and a byte order mark change nothing", async () => {
    const plain = await entriesOf(`${JOB}\n`);
    const packed = await entriesOf(gzipSync(`\uFEFF${JOB}\n\n  \n`));
    expect(packed.entries).toEqual(plain.entries);
  });

  it.each([
    ["no object", "[1]", 1, "workloadSyntax"],
    ["an end too early", '{"job": "a"', 12, "workloadSyntax"],
    ["something behind it", "{} {}", 4, "workloadSyntax"],
    ["a nested object", '{"job": {}}', 9, "workloadSyntax"],
    ["a list of numbers", '{"pools": [1]}', 12, "workloadSyntax"],
    ["a number with a leading zero", '{"procs": 01}', 11, "workloadSyntax"],
    ["a bad escape", '{"job": "\\x"}', 9, "workloadSyntax"],
    ["a field twice", '{"job": "a", "job": "b"}', 14, "workloadSyntax"],
    ["no kind", '{"submit": 0}', 1, "workloadKind"],
    ["an unknown word", '{"job": "a", "sumbit": 0}', 14, "workloadWord"],
    ["a missing word", '{"job": "a", "submit": 0}', 1, "workloadFieldMissing"],
    ["no processors", '{"job": "a", "submit": 0, "procs": 0}', 36, "workloadField"],
    ["a bad size", '{"job": "a", "submit": 0, "procs": 1, "memory": "8X"}', 49, "workloadField"],
    ["a bad time", '{"job": "a", "submit": "soon", "procs": 1}', 24, "workloadField"],
    ["a limit of 0", '{"job": "a", "submit": 0, "procs": 1, "limit": 0}', 48, "workloadField"],
    ["unequal parts", '{"job": "a", "submit": 0, "procs": 3, "nodes": 2}', 36, "workloadField"],
    [
      "unequal parts of a reservation",
      '{"reservation": "a", "start": 0, "duration": 1, "procs": 3, "nodes": 2}',
      58,
      "workloadField",
    ],
    ["an end before its beginning", '{"down": "a", "at": 5, "until": 5, "procs": 1}', 33, "workloadField"],
    ["a control character", '{"job": "a\\u0007", "submit": 0, "procs": 1}', 9, "workloadField"],
  ])("FO-8 %s is an error with file, line and column", async (_, line, column, code) => {
    const text = `${JOB}\n\n${line}\n`;
    const error = await entriesOf(text).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code, kind: "badInput" });
    expect(String((error as Error).message)).toContain(`.jsonl:3:${column}: `);
  });

  it("FO-8 an overlong line is refused without being held in memory", async () => {
    const error = await entriesOf(`${JOB}\n{"job": "${"x".repeat(200_000)}"}\n`).catch(
      (fault: unknown) => fault,
    );
    expect(error).toMatchObject({ code: "workloadSyntax", what: expect.stringContaining(":2:1: ") });
  });

  it("FO-8 when lenient, malformed lines are skipped and counted, with the first five messages", async () => {
    const { entries, reader } = await entriesOf(`${"x\n".repeat(7)}${JOB}\n`, true);
    expect(entries).toHaveLength(1);
    expect(reader.malformed).toBe(7);
    expect(reader.malformedMessages).toHaveLength(5);
  });

  it("recorded times of a job, and the period of the record, are read", async () => {
    const said = '"submitted": 5, "submit": 10, "recordedStart": 20, "queue": "batch"';
    const { entries } = await entriesOf(
      `{"period": 8, "until": 90}\n{"job": "a", ${said}, "runtime": 10, "procs": 1}`,
    );
    expect(entries).toMatchObject([
      { kind: "period", fromMs: 8000, untilMs: 90_000 },
      { submittedMs: 5000, submitMs: 10_000, recordedStartMs: 20_000, queue: "batch" },
    ]);
  });

  it.each([
    {
      line: '{"job": "a", "submit": 10, "recordedStart": 9, "runtime": 1, "procs": 1}',
      says: "recordedStart",
    },
    { line: '{"job": "a", "submit": 10, "submitted": 11, "runtime": 1, "procs": 1}', says: "submitted" },
    { line: '{"period": 10, "until": 10}', says: "until" },
  ])("an impossible record is refused: $says", async ({ line, says }) => {
    await expect(entriesOf(line)).rejects.toThrow(`${says}: `);
  });
});
