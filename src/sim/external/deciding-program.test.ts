import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import {
  createArrivals,
  createDrive,
  createOperations,
  createOrderedSite,
  driveWithProgram,
  observeEnds,
  type ReplayOperation,
} from "../../queue/index.ts";
import type { TraceJob } from "../trace-job.ts";
import { beginDecidingProgram } from "./deciding-program.ts";
import { submitted } from "./site-events.ts";

const folder = temporaryFolder();

/** Starts jobs as this table says, and tells on stderr what it hears of each instant. */
const PROGRAM = `
  const starts = { 0: [1], 5: [1], 6: [3] };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.kind === "hello") console.log('{"protocol":1}');
    if (m.kind !== "instant") return;
    console.error(m.now + " " + m.events.map((e) => Object.values(e).join(" ")).join(", "));
    console.log(JSON.stringify({ start: starts[m.now] ?? [] }));
  });`;

const job = (id: number, estimateMs: number): TraceJob => ({
  id,
  order: id - 1,
  submitMs: 0,
  need: [1],
  estimateMs,
  runtimeMs: estimateMs,
  user: -1,
  group: -1,
  queue: -1,
  partition: -1,
  isCut: false,
  row: undefined,
});

const OPERATIONS: readonly ReplayOperation[] = [
  {
    kind: "reserve",
    reservation: 4,
    fixed: { pool: 0, need: [2], startMs: 50_000, durationMs: 1_500 },
    atMs: 0,
  },
  { kind: "suspend", job: 1, atMs: 2_000 },
  { kind: "hold", job: 3, atMs: 3_000 },
  { kind: "release", job: 3, atMs: 4_000 },
  { kind: "resume", job: 1, atMs: 5_000 },
  { kind: "cancel", job: 2, atMs: 6_000 },
  { kind: "cancelReservation", reservation: 4, atMs: 7_000 },
];

describe("a replay by a program", () => {
  it("SI-20 every operation is reported, ends first, arrivals last", async () => {
    const path = join(folder, "program.cjs");
    writeFileSync(path, PROGRAM);
    let heard = "";
    const ended: string[] = [];
    const { site, submit } = createOrderedSite<TraceJob>({ capacity: [[2]], discipline: "external" });
    const program = await beginDecidingProgram({
      program: {
        command: "exec:test",
        words: [process.execPath, path],
        answerLimitMs: 60_000,
        writeError: (text) => (heard += text),
      },
      facts: { version: "test", pools: [{ procs: 2 }], estimates: "requested", overrun: "extend" },
      ...{ site, submitted },
    });
    observeEnds(site, (it) => ended.push(`${it.job.id} ${it.startMs} ${it.endMs}`));
    const arrivals = createArrivals<TraceJob>(submit);
    for (const one of [job(1, 8_500), job(2, 10_000), job(3, 1_000)]) arrivals.expect(one);
    const operations = createOperations(site, OPERATIONS, program);
    await driveWithProgram(createDrive(site, [operations, arrivals, program]), Number.POSITIVE_INFINITY);
    await program.leave();
    expect(heard.trimEnd().split("\n")).toEqual([
      "0 reserved 4 2 50 1.5, submitted 1 1 8.5 -1, submitted 2 1 10 -1, submitted 3 1 1 -1",
      "2 suspended 1",
      "3 held 3",
      "4 released 3",
      "5 resumed 1 6.5",
      "6 cancelled 2",
      "7 ended 3, reservationCancelled 4",
      "11.5 ended 1",
    ]);
    expect(ended).toEqual(["3 6000 7000", "1 0 11500"]);
  });
});
