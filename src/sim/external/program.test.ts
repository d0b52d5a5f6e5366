import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { type SwfJob, swfText } from "../../../test/swf-text.ts";
import type { Fault } from "../../base/index.ts";
import type { SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
let files = 0;

/** Greets as it should, and does `body` with each later message `m`; `say` answers. */
const greeting = (body: string): string => `
  const say = (answer) => console.log(JSON.stringify(answer));
  const each = (m) => { ${body} };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    require("node:fs").appendFileSync(process.argv[2], line + "\\n");
    if (m.kind === "hello") say({ protocol: 1 });
    else each(m);
  });`;

/** Starts everything at once, which suits a machine that is wide enough. */
const STARTS_ALL = `
  const come = (m.events ?? []).filter((e) => e.kind === "submitted");
  if (m.events) say({ start: come.map((e) => e.id) });`;

const THREE_JOBS: readonly SwfJob[] = [
  { id: 7, submit: 0, runtime: 10, procs: 3, requested: 20 },
  { id: 8, submit: 5, runtime: 10.5, procs: 3, requested: 10.5 },
  { id: 9, submit: 5, runtime: 10, procs: 1 },
];

async function run(script: string, jobs = THREE_JOBS, more: Partial<SimulationRequest> = {}) {
  const place = join(folder, String(++files));
  writeFileSync(`${place}.cjs`, script);
  writeFileSync(`${place}.swf`, swfText(jobs, 4));
  let stderr = "";
  const { report } = await simulateFile(
    {
      trace: `${place}.swf`,
      discipline: `exec:"${process.execPath}" '${place}.cjs' "${place}.heard"`,
      estimates: "requested",
      overrun: "extend",
      lenient: false,
      jobsOut: `${place}.csv`,
      ...more,
    },
    { version: "test", writeError: (text) => (stderr += text) },
  );
  const lines = (file: string): string[] => readFileSync(file, "utf8").trimEnd().split("\n");
  const starts = lines(`${place}.csv`)
    .slice(1)
    .map((row) => Number(row.split(",")[2]));
  return { report, starts, stderr, heard: lines(`${place}.heard`).map((line) => JSON.parse(line)) };
}

async function faultOf(script: string, jobs = THREE_JOBS, more: Partial<SimulationRequest> = {}) {
  const fault: Fault = await run(script, jobs, more).then(
    () => expect.fail("the run was expected to fail"),
    (error) => error,
  );
  return { code: fault.code, text: `${fault.what}\n${fault.why}` };
}

/** First come, first served; jobs wait in `q`. */
const FCFS = `
  const s = (globalThis.s ??= { free: 4, q: [], procs: {} });
  if (m.kind === "goodbye") return;
  for (const e of m.events) {
    if (e.kind === "submitted") { s.q.push(e); s.procs[e.id] = e.procs; }
    if (e.kind === "ended") s.free += s.procs[e.id];
  }
  const start = [];
  while (s.q.length > 0 && s.q[0].procs <= s.free) { s.free -= s.q[0].procs; start.push(s.q.shift().id); }
  say({ start });`;

describe("a program that is the discipline", () => {
  it("SI-20 SI-22 the program receives each instant as one line, and its starts take place", async () => {
    const { starts, heard } = await run(greeting(FCFS));
    expect(starts).toEqual([0, 10, 10]);
    expect(heard).toEqual([
      {
        kind: "hello",
        protocol: 1,
        stint: "test",
        pools: [{ procs: 4 }],
        estimates: "requested",
        overrun: "extend",
      },
      {
        kind: "instant",
        now: 0,
        events: [{ kind: "submitted", id: 7, procs: 3, estimate: 20, user: 7 }],
      },
      {
        kind: "instant",
        now: 5,
        events: [
          { kind: "submitted", id: 8, procs: 3, estimate: 10.5, user: 7 },
          { kind: "submitted", id: 9, procs: 1, estimate: 10, user: 7 },
        ],
      },
      { kind: "instant", now: 10, events: [{ kind: "ended", id: 7 }] },
      { kind: "instant", now: 20, events: [{ kind: "ended", id: 9 }] },
      { kind: "instant", now: 20.5, events: [{ kind: "ended", id: 8 }] },
      { kind: "goodbye" },
    ]);
  });

  it("the report names the command line", async () => {
    const { report } = await run(greeting(FCFS));
    expect(report).toMatchObject({ jobs: 3, discipline: expect.stringMatching(/^exec:"/) });
  });

  it.each([
    { discipline: "exec:" as const, why: "nothing comes after" },
    { discipline: "exec:python3 'mine.py" as const, why: "open" },
  ])("an empty command line is refused: $discipline", async (more) => {
    const { code, text } = await faultOf("", THREE_JOBS, more);
    expect(code).toBe("programNotNamed");
    expect(text).toContain(more.why);
  });

  it("an unsorted trace starts the program once", async () => {
    const [first, second] = THREE_JOBS;
    const { heard, report } = await run(greeting(FCFS), [second, first]);
    expect(report.unsorted).toBe(1);
    expect(heard.filter(({ kind }) => kind === "hello")).toHaveLength(1);
  });

  it("SI-20 a wake-up takes place unless an event precedes it; each answer replaces it", async () => {
    const { heard, starts } = await run(
      greeting(`
        if (m.now === 0) say({ wakeAt: 3.25 });
        else if (m.now === 3.25) say({ wakeAt: 100 });
        else if (m.now === 5) say({ wakeAt: 6 });
        else if (m.now === 6) say({ start: [9] });
        else if (m.now === 16) say({ start: [8] });
        else if (m.now === 26.5) say({ start: [7] });
        else if (m.events) say({});`),
    );
    const instants = heard.filter(({ kind }) => kind === "instant").map(({ now }) => now);
    expect(instants).toEqual([0, 3.25, 5, 6, 16, 26.5, 36.5]);
    expect(starts).toEqual([26.5, 16, 6]);
  });

  it("SI-20 reservations are events of the first instant", async () => {
    const reservations = join(folder, "reservations.csv");
    writeFileSync(reservations, "id,start,duration,procs\nupkeep,100,10,4\n");
    const { heard } = await run(greeting(FCFS), THREE_JOBS, { reservations });
    expect(heard[1].events[0]).toEqual({
      kind: "reserved",
      id: 0,
      pool: 0,
      procs: 4,
      start: 100,
      duration: 10,
    });
  });

  it.each([
    ["does not fit", STARTS_ALL, "answer 3, at 5 s: job 8 cannot start", "2 of them are not free now"],
    ["is unknown", "say({ start: [5] });", "answer 2, at 0 s: job 5 cannot start", "no such job"],
    ["is to come", "say({ start: [8] });", "answer 2, at 0 s: job 8 cannot start", "not been submitted yet"],
    ["runs", "say({ start: [7, 7] });", "answer 2, at 0 s: job 7 cannot start", "it runs already"],
    [
      "wakes in the past",
      "say({ start: [7], wakeAt: 0 });",
      "answer 2, at 0 s: it wants to be woken",
      "after",
    ],
  ])("SI-22 an impossible decision ends the run: %s", async (_, body, what, why) => {
    const { code, text } = await faultOf(greeting(body));
    expect(code).toBe("programDecisionWrong");
    expect(text).toContain(what);
    expect(text).toContain(why);
  });

  it("SI-22 a start that overlaps a reservation is refused with the instant", async () => {
    const reservations = join(folder, "soon.csv");
    writeFileSync(reservations, "id,start,duration,procs\nupkeep,15,10,4\n");
    const { text } = await faultOf(greeting(STARTS_ALL), THREE_JOBS, { reservations });
    expect(text).toContain("3 of them are not free at 15 s, before its estimated end");
  });

  it.each([
    ["garbage", `console.log("starting 7");`, "programAnswerUnreadable", 'answer 2, at 0 s: "starting 7"'],
    ["a list", "say([7]);", "programAnswerUnreadable", "no object"],
    ["a misspelling", "say({ starts: [7] });", "programAnswerUnreadable", 'nothing is called "starts"'],
    ["ids that are texts", `say({ start: ["7"] });`, "programAnswerUnreadable", "whole numbers"],
    [
      "two lines at once",
      `process.stdout.write('{"start":[7]}\\n{}\\n');`,
      "programSpokeUnasked",
      "answer 3, at 5 s",
    ],
    [
      "a line too many",
      `if (m.kind === "goodbye") return say({}); ${FCFS}`,
      "programSpokeUnasked",
      "after the last instant",
    ],
    ["an end", `console.error("why\\nso"); process.exit(3);`, "programEnded", "exit code 3; the last"],
    ["its own killing", `process.kill(process.pid, "SIGKILL");`, "programEnded", "ended by SIGKILL"],
    [
      "jobs left behind",
      "if (m.events) say({});",
      "programLeftJobs",
      "3 jobs were never started, the first is 7",
    ],
    ["waking for ever", "if (m.events) say({ wakeAt: m.now + 1 });", "programLeftJobs", "3 jobs were never"],
  ])("SI-22 %s is an error with the instant", async (_, body, code, says) => {
    const fault = await faultOf(greeting(body));
    expect(fault).toMatchObject({ code, text: expect.stringContaining(says) });
  });

  it("SI-22 its last lines of stderr are in the error and were forwarded", async () => {
    const { text } = await faultOf(greeting(`console.error("why\\nso"); process.exit(3);`));
    expect(text).toMatch(/exit code 3; the last it wrote to stderr:\nwhy\nso$/);
    const { stderr } = await run(greeting(`console.error("at", m.now); ${FCFS}`));
    expect(stderr).toMatch(/^at 0\nat 5\n/);
  });

  it.each([
    ["no answer", greeting(""), "programSilent", "answer 2, at 0 s: the program gave no response within 3 s"],
    [
      "deafness to SIGTERM",
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 9);`,
      "programSilent",
      "answer 1, to the hello",
    ],
  ])("SI-22 %s in time is an error, and the program is terminated", async (_, script, code, says) => {
    const pidFile = join(folder, `${++files}.pid`);
    const file = JSON.stringify(pidFile);
    const noted = `require("node:fs").writeFileSync(${file}, String(process.pid)); ${script}`;
    const fault = await faultOf(noted, THREE_JOBS, { answerLimitMs: 3_000 });
    expect(fault).toMatchObject({ code, text: expect.stringContaining(says) });
    expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow("ESRCH");
  });

  it("SI-22 another protocol, a failure after the goodbye, and a missing program", async () => {
    expect(await faultOf(`console.log('{"protocol":2}'); process.stdin.resume();`)).toMatchObject({
      code: "programAnswerUnreadable",
      text: expect.stringContaining("this says 2"),
    });
    expect(await faultOf(greeting(`if (m.kind === "goodbye") process.exit(4); ${FCFS}`))).toMatchObject({
      code: "programFailed",
      text: expect.stringContaining("exit code 4"),
    });
    expect(await faultOf("", THREE_JOBS, { discipline: "exec:./no-such-program" })).toMatchObject({
      code: "programNotBegun",
    });
  });

  it("SI-22 jobs with the same number are refused", async () => {
    const twins = [THREE_JOBS[0], THREE_JOBS[0]];
    expect(await faultOf(greeting("if (m.events) say({});"), twins)).toMatchObject({ code: "jobIdInUse" });
  });
});
