import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { readQueueSnapshot } from "./read.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(
  readFileSync(join(root, "docs/schemas/queue-snapshot.schema.json"), "utf8"),
) as Schema;
const isValid = schemaJudge(schema);
const problemsOf = (text: string) =>
  readQueueSnapshot(text).problems.map(({ line, column, code, what }) => ({ line, column, code, what }));
const whole = (more: string) => `{"nowSec": 0, "procs": 8, "discipline": "easy", ${more}}`;

describe("a queue that somebody wrote down", () => {
  it("a snapshot is JSON or YAML, in seconds, exact to the millisecond", () => {
    const json = `{"nowSec": 1.5, "procs": 8, "discipline": "fcfs",
      "running": [{"id": "a", "procs": 2, "endSec": 10.0004}],
      "queued": [{"id": 7, "procs": 8, "estimateSec": 60, "user": "unknown here"}]}`;
    const expected = {
      nowMs: 1500,
      procs: 8,
      discipline: "fcfs",
      running: [{ id: "a", procs: 2, endMs: 10_000 }],
      queued: [{ id: "7", procs: 8, estimateMs: 60_000 }],
      reservations: [],
    };
    expect(readQueueSnapshot(json)).toEqual({ said: expected, problems: [] });
    const yaml =
      "nowSec: 1.5\nprocs: 8\ndiscipline: fcfs\nrunning: [{ id: a, procs: 2, endSec: 10 }]\n" +
      "queued: [{ id: 7, procs: 8, estimateSec: 60 }]\n";
    expect(readQueueSnapshot(yaml).said).toEqual(expected);
  });

  it.each([
    ["runing", "running"],
    ["Queued", "queued"],
    ["reservation", "reservations"],
  ])("FO-24 refuses %s where there is no %s", (word, list) => {
    const text = whole(`\n "${word}": []`);
    const [problem, ...rest] = readQueueSnapshot(text).problems;
    expect(problem).toMatchObject({
      code: "snapshotWord",
      line: 2,
      column: 2,
      what: `"${word}" is not a key of a snapshot`,
    });
    expect(problem.remedy).toContain(list);
    expect(rest).toEqual([]);
    expect(problemsOf(whole(`"${word}": [], "${list}": []`))).toEqual([]);
    expect(problemsOf(whole('"host": "a", "jobs": [], "version": 2'))).toEqual([]);
  });

  it("FO-22 reports all problems with their positions", () => {
    expect(
      problemsOf('{\n "nowSec": -1,\n "procs": 0,\n "discipline": "fifo",\n "queued": [{ "id": "a" }]\n}'),
    ).toEqual([
      { line: 2, column: 12, code: "outOfRange", what: 'nowSec: "-1" is out of range' },
      { line: 3, column: 11, code: "notCount", what: 'procs: "0" is not a valid number' },
      { line: 4, column: 16, code: expect.any(String), what: expect.stringContaining("fifo") },
      { line: 5, column: 13, code: "wordMissing", what: "queued[0].procs is missing" },
      { line: 5, column: 13, code: "wordMissing", what: "queued[0].estimateSec is missing" },
    ]);
    expect(problemsOf("")).toMatchObject([{ code: "nothingThere" }]);
    expect(problemsOf("[]")).toMatchObject([{ code: "wrongType" }]);
    expect(problemsOf('{"nowSec": 0,')[0]).toMatchObject({ line: 1 });
    expect(problemsOf(whole('"running": {}'))).toMatchObject([{ code: "wrongType" }]);
    expect(problemsOf("nowSec: 0\nprocs: 1\ndiscipline: easy\n---\nprocs: 2\n")).toMatchObject([
      { code: "secondDocument", line: 5 },
    ]);
  });

  it.each([
    ['"queued": [{"id": "w", "procs": 9, "estimateSec": 1}]', "widerThanMachine"],
    [
      '"queued": [{"id": 1, "procs": 1, "estimateSec": 1}, {"id": "1", "procs": 1, "estimateSec": 1}]',
      "idTwice",
    ],
    ['"running": [{"id": "a", "procs": 5, "endSec": 9}, {"id": "b", "procs": 4, "endSec": 9}]', "noRoom"],
    [
      '"running": [{"id": "a", "procs": 5, "endSec": 9}],' +
        '"reservations": [{"id": "r", "procs": 4, "startSec": 8.9, "durationSec": 1}]',
      "noRoom",
    ],
  ])("refuses %s", (more, code) => {
    expect(problemsOf(whole(more))).toMatchObject([{ code }]);
  });

  it("accepts ended entries, and entries that begin when another ends", () => {
    const more =
      '"running": [{"id": "a", "procs": 8, "endSec": 0}, {"id": "b", "procs": 8, "endSec": 5}],' +
      '"reservations": [{"id": "r", "procs": 8, "startSec": 5, "durationSec": 1}]';
    expect(problemsOf(whole(more))).toEqual([]);
  });

  it.each([
    whole('"running": []'),
    whole('"queued": [{"id": "a", "procs": 1, "estimateSec": 0.5}]'),
    whole('"queued": [{"id": "a", "procs": 1, "estimateSec": 0}]'),
    whole('"queued": [{"id": "a", "procs": 1}]'),
    whole('"reservations": [{"id": "a", "procs": 1.5, "startSec": 1, "durationSec": 1}]'),
    whole('"reservations": 7'),
    '{"nowSec": 0, "procs": 8}',
    readFileSync(join(root, "examples/quotes/queue.json"), "utf8"),
  ])("FO-31 agrees with the published schema on %s", (text) => {
    expect(problemsOf(text).length === 0).toBe(isValid(parse(text)));
  });
});
