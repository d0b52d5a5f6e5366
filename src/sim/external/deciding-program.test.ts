import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import {
  type Actor,
  cancelAt,
  createArrivals,
  createDrive,
  createOrderedSite,
  driveWithProgram,
  observeEnds,
  resume,
  suspendAt,
} from "../../queue/index.ts";
import { wordsFor } from "../workload/program-words.ts";
import type { WorkloadJob } from "../workload/workload.ts";
import { beginDecidingProgram, decideAt } from "./deciding-program.ts";

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

const job = (id: number, estimateMs: number): WorkloadJob => ({
  ...{ id, name: String(id), submitMs: 0, need: [1], estimateMs, runtimeMs: estimateMs },
  ...{ user: "-1", group: "-1", queue: "-1", isCut: false },
});

describe("a replay by a program", () => {
  it("SI-20 what becomes of a job is told, ends first, arrivals last", async () => {
    const path = join(folder, "program.cjs");
    writeFileSync(path, PROGRAM);
    let heard = "";
    const ended: string[] = [];
    const { site, submit } = createOrderedSite<WorkloadJob>({ capacity: [[2]], discipline: "external" });
    const begun = await beginDecidingProgram({
      request: {
        discipline: `exec:${process.execPath} ${path}`,
        ...{ answerLimitMs: 60_000, estimates: "requested", overrun: "extend" },
      },
      hooks: { version: "test", writeError: (text) => (heard += text) },
      pools: [{ procs: 2 }],
    });
    const program = decideAt(begun, site, wordsFor({ isTrace: true }));
    observeEnds(site, (it) => ended.push(`${it.job.id} ${it.startMs} ${it.endMs}`));
    const arrivals = createArrivals<WorkloadJob>(submit);
    const jobs = [job(1, 8_500), job(2, 10_000), job(3, 1_000)];
    for (const one of jobs) arrivals.expect(one);
    const instants = [2_000, 5_000, 6_000];
    const changes: Actor = {
      nextMs: () => instants[0] ?? Number.POSITIVE_INFINITY,
      changes(atMs) {
        if (atMs !== instants[0]) return;
        instants.shift();
        const [first, second] = [0, 1].map((at) => site.jobs.indexOf(jobs[at]));
        if (atMs === 2_000) {
          suspendAt(site, first, atMs);
          program.tellOf(jobs[0], { kind: "suspended" });
        } else if (atMs === 5_000) {
          resume(site.machine, first, atMs);
          program.tellOf(jobs[0], { kind: "resumed", estimate: 6.5 });
        } else cancelAt(site, second, atMs);
      },
    };
    await driveWithProgram(createDrive(site, [changes, arrivals, program]), Number.POSITIVE_INFINITY);
    await program.leave();
    expect(heard.trimEnd().split("\n")).toEqual([
      "0 submitted 1 1 8.5 -1, submitted 2 1 10 -1, submitted 3 1 1 -1",
      "2 suspended 1",
      "5 resumed 6.5 1",
      "6 cancelled 2",
      "7 ended 3",
      "11.5 ended 1",
    ]);
    expect(ended).toEqual(["3 6000 7000", "1 0 11500"]);
  });
});
