import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SteppableClock, steppableClock } from "../../../test/steppable-clock.ts";
import type { Survey } from "../../engine/index.ts";
import type { SimulatedSiteSpec } from "../../model/index.ts";
import type { ForeignSite, SubmitOrder } from "../../runtime/index.ts";
import { IMITATED_EXIT_CODE, IMITATED_RUNTIME, openSimulatedSite } from "./index.ts";

const START_MS = 1_000_000;
const SPEC: SimulatedSiteSpec = {
  type: "simulated",
  procs: 4,
  memoryBytes: 2 ** 30,
  discipline: "easy",
  defaultWallTimeMs: 60_000,
  jobs: "imitate",
  speedUp: 1,
  background: null,
  delays: { orderMs: 0, startMs: 0 },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  seed: 7,
};

let directory: string;
let clock: SteppableClock;
let site: ForeignSite;
let spec: SimulatedSiteSpec;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-simulated-"));
  await begin({});
});
afterEach(async () => {
  await site.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Opens a cluster that begins now, in a directory of its own. */
async function begin(changes: Partial<SimulatedSiteSpec>): Promise<void> {
  spec = { ...SPEC, ...changes };
  clock = steppableClock(START_MS);
  if (site !== undefined) await site.close();
  rmSync(journal(), { force: true });
  site = await openSimulatedSite({ name: "sim", spec, directory, clock });
}

async function nextLife(): Promise<void> {
  await site.close();
  site = await openSimulatedSite({ name: "sim", spec, directory, clock });
}

const journal = (): string => join(directory, "journal.jsonl");

function order(token: string, more: Partial<SubmitOrder> = {}): SubmitOrder {
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  const plain = { command: ["true"], environment: {}, limitMs: 60_000, inputFiles: [], ...streams };
  return { token, ...plain, procs: 1, memoryBytes: 0, reservation: null, name: "n", ...more };
}

async function submitAndRelease(token: string, more: Partial<SubmitOrder> = {}): Promise<string> {
  const siteJob = await site.submit(order(token, more));
  await site.act("release", { token, siteJob });
  return siteJob;
}

/** Advances the clock and surveys the site. */
async function later(ms: number): Promise<Survey> {
  clock.moveTo(clock.nowMs() + ms);
  return site.survey();
}

const said = ({ jobs }: Survey): string[] =>
  jobs.map(({ siteJob, state, reason }) => [siteJob, state, reason].filter((it) => it !== null).join(" "));

/** SWF rows as [submit s, runtime s, procs, requested s]. */
function trace(rows: readonly (readonly [number, number, number, number])[]): string {
  const rest = "-1 1 1 1 1 1 -1 -1 -1";
  const lines = rows.map(
    ([submit, runtime, count, asked], i) =>
      `${i + 1} ${submit} -1 ${runtime} ${count} -1 -1 ${count} ${asked} ${rest}`,
  );
  return `${lines.join("\n")}\n`;
}

function traceFile(rows: readonly (readonly [number, number, number, number])[]): string {
  const file = join(directory, "others.swf");
  writeFileSync(file, trace(rows));
  return file;
}

describe("others' jobs", () => {
  it("SS-1 come from the trace, from where it is told to begin, faster, over and over", async () => {
    const file = traceFile([
      [0, 50, 1, 100],
      [100, 50, 2, 60],
      [200, 30, 3, -1],
      [300, 10, 5, 10],
    ]);
    await begin({ speedUp: 10, background: { trace: file, skipMs: 100_000 } });
    expect((await later(1)).jobs).toMatchObject([
      { token: null, state: "running", procs: 2, limitMs: 6000, submittedAtMs: START_MS, siteJob: "1" },
    ]);
    expect((await later(9999)).jobs).toMatchObject([]);
    expect((await later(1)).jobs).toMatchObject([{ procs: 3, limitMs: 3000, siteJob: "2" }]);
    // The fourth is wider than the site; after 200 s and a gap of 100 s the trace begins again.
    expect((await later(10_000)).jobs).toMatchObject([
      { procs: 1, limitMs: 10_000, submittedAtMs: START_MS + 20_000, siteJob: "3" },
    ]);
  });

  it("SS-1 last at least a millisecond, and keep their instants after a restart", async () => {
    const file = join(directory, "others.swf.gz");
    writeFileSync(
      file,
      gzipSync(
        trace([
          [0, 1, 1, 1],
          [10, 1, 1, 1],
        ]),
      ),
    );
    await begin({ speedUp: 1_000_000, background: { trace: file, skipMs: 0 } });
    await later(77);
    await nextLife();
    const { jobs } = await later(1000);
    expect(jobs.length).toBeLessThanOrEqual(2);
    for (const { limitMs } of jobs) expect(limitMs).toBe(1);
  });

  it("a trace that cannot be played is a fault at opening that names it", async () => {
    const background = { trace: join(directory, "none.swf"), skipMs: 0 };
    const open = (trace: string) =>
      openSimulatedSite({ name: "x", spec: { ...spec, background: { trace, skipMs: 0 } }, directory, clock });
    await expect(open(background.trace)).rejects.toMatchObject({ code: "traceUnusable", kind: "badInput" });
    await expect(open(background.trace)).rejects.toThrow(/none\.swf/);
    writeFileSync(background.trace, "this is no trace\n");
    await expect(open(background.trace)).rejects.toMatchObject({ code: "traceUnusable" });
    writeFileSync(background.trace, trace([[0, 10, 99, 10]]));
    await expect(open(background.trace)).rejects.toThrow(/none of its jobs fits/);
  });
});

describe("imitated jobs", () => {
  it("SS-4 take the time they say, or half their limit, and give the exit code they say", async () => {
    const environment = { [IMITATED_RUNTIME]: "20s", [IMITATED_EXIT_CODE]: "3" };
    await submitAndRelease("1/1", { environment });
    await submitAndRelease("2/1");
    await submitAndRelease("3/1", { environment: { [IMITATED_RUNTIME]: "2m" } });
    const { ended, jobs } = await later(60_001);
    expect(jobs).toEqual([]);
    const at = (ms: number) => ({ startedAtMs: START_MS, endedAtMs: START_MS + ms });
    expect(ended).toMatchObject([
      { token: "1/1", ...at(20_000), end: { cause: "exited", exitCode: 3 } },
      { token: "2/1", ...at(30_000), end: { cause: "exited", exitCode: 0 } },
      { token: "3/1", ...at(60_000), end: { cause: "timeLimit", exitCode: null } },
    ]);
    expect(await site.listFiles("1/1")).toEqual([
      { name: "stdout", sizeBytes: 0 },
      { name: "stderr", sizeBytes: 0 },
    ]);
    expect(await site.readFile("1/1", "stdout", 0, 9)).toMatchObject({ sizeBytes: 0 });
    expect(await site.readFile("1/1", "other", 0, 9)).toBeUndefined();
    await site.purge("1/1");
    expect(await site.listFiles("1/1")).toEqual([]);
  });

  it("SS-4 are as much faster as the site is, and suspended their clock stands", async () => {
    await begin({ speedUp: 10 });
    const attempt = { token: "1/1", siteJob: await submitAndRelease("1/1") };
    expect((await later(1000)).jobs).toMatchObject([{ state: "running", limitMs: 6000 }]);
    await site.act("suspend", attempt);
    expect((await later(50_000)).jobs).toMatchObject([{ state: "suspended" }]);
    await site.act("resume", attempt);
    expect((await later(2000)).jobs).toMatchObject([{ state: "running", startedAtMs: START_MS }]);
    expect((await later(1)).ended).toMatchObject([{ endedAtMs: START_MS + 53_000 }]);
  });

  it("what can never be a job is refused before anything is written", async () => {
    const before = readFileSync(journal());
    const bad: [Partial<SubmitOrder>, string][] = [
      [{ token: "../../etc" }, "badAttemptToken"],
      [{ procs: 0 }, "badSubmitOrder"],
      [{ memoryBytes: -1 }, "badSubmitOrder"],
      [{ limitMs: 0 }, "badSubmitOrder"],
      [{ command: [] }, "badSubmitOrder"],
      [{ environment: { [IMITATED_RUNTIME]: "soon" } }, "badSubmitOrder"],
      [{ environment: { [IMITATED_EXIT_CODE]: "-1" } }, "badSubmitOrder"],
      [{ procs: 5 }, "widerThanSite"],
      [{ memoryBytes: 2 ** 31 }, "widerThanSite"],
    ];
    for (const [more, code] of bad) {
      await expect(site.submit(order("1/1", more))).rejects.toMatchObject({ code });
    }
    expect(readFileSync(journal())).toEqual(before);
  });
});

describe("the queue", () => {
  it("is shown whole: running, waiting in queue order, suspended, held, with reasons", async () => {
    await submitAndRelease("1/1", { procs: 2 });
    await later(10);
    const stopped = await submitAndRelease("2/1", { procs: 2 });
    await later(10);
    await site.act("suspend", { token: "2/1", siteJob: stopped });
    await later(10);
    await submitAndRelease("3/1", { procs: 2 });
    await submitAndRelease("4/1", { procs: 4 });
    await submitAndRelease("5/1", { procs: 4 });
    await site.submit(order("6/1"));
    expect(said(await later(10))).toEqual([
      "1 running",
      "3 running",
      "4 waiting Resources",
      "5 waiting Priority",
      "2 suspended",
      "6 held JobHeldUser",
    ]);
  });

  it("ids are small, and used again after 32,767", async () => {
    const first = await submitAndRelease("1/1");
    await later(60_000);
    const file = traceFile(Array.from({ length: 400 }, (_, i) => [i, 1, 1, 1] as const));
    await begin({ speedUp: 1000, background: { trace: file, skipMs: 0 } });
    const id = await site.submit(order("1/1"));
    expect([first, id]).toEqual(["1", "1"]);
    clock.moveTo(clock.nowMs() + 32_000);
    const before = Number(await site.submit(order("2/1")));
    clock.moveTo(clock.nowMs() + 2000);
    const next = Number(await site.submit(order("3/1")));
    expect(before).toBeGreaterThan(30_000);
    expect(next).toBeLessThan(before);
    expect(next).toBeGreaterThan(1);
  });

  it("SS-6 an order takes effect after the site's delay, and the call takes as long", async () => {
    await begin({ delays: { orderMs: 500, startMs: 0 } });
    let siteJob = "";
    const submitted = site.submit(order("1/1")).then((id) => {
      siteJob = id;
    });
    expect((await later(499)).jobs).toEqual([]);
    expect(siteJob).toBe("");
    expect(said(await later(2))).toEqual(["1 held JobHeldUser"]);
    await submitted;
    expect(siteJob).toBe("1");
    const released = site.act("release", { token: "1/1", siteJob });
    expect(said(await later(499))).toEqual(["1 held JobHeldUser"]);
    expect(said(await later(2))).toEqual(["1 running"]);
    await released;
  });
});

describe("the journal", () => {
  it("half a line at its end was never accepted, and it is for its user alone", async () => {
    await submitAndRelease("1/1");
    await site.close();
    appendFileSync(journal(), '{"kind":"submitted","atMs":');
    site = await openSimulatedSite({ name: "sim", spec, directory, clock });
    await site.submit(order("2/1"));
    await nextLife();
    expect(said(await later(10))).toEqual(["1 running", "2 held JobHeldUser"]);
    expect(statSync(journal()).mode & 0o777).toBe(0o600);
  });

  it("what is over leaves it when it has grown long, and at the next opening", async () => {
    for (let i = 1; i <= 600; i++) await submitAndRelease(`${i}/1`, { limitMs: 10 });
    await later(10_000);
    for (let i = 1; i <= 600; i++) {
      await site.acknowledge(`${i}/1`);
      await site.purge(`${i}/1`);
    }
    expect((await site.survey()).ended).toEqual([]);
    expect(readFileSync(journal(), "utf8").split("\n").length).toBeLessThan(1000);
    await nextLife();
    expect(readFileSync(journal(), "utf8").trimEnd().split("\n")).toHaveLength(1);
    expect(await site.submit(order("601/1"))).toBe("601");
  });

  it("another cluster's history is not taken for its own; other losses and delays are", async () => {
    const changed = (changes: Partial<SimulatedSiteSpec>) =>
      openSimulatedSite({ name: "sim", spec: { ...spec, ...changes }, directory, clock });
    await submitAndRelease("1/1");
    await site.close();
    await expect(changed({ procs: 8 })).rejects.toMatchObject({ code: "simulatedSiteChanged" });
    site = await changed({ seed: 9, delays: { orderMs: 5, startMs: 5 } });
    expect(said(await later(10))).toEqual(["1 running"]);
  });
});

it("a look at 10,000 jobs takes less than 20 ms", async () => {
  const file = traceFile(Array.from({ length: 10_000 }, () => [0, 1000, 1, 1000] as const));
  await begin({ background: { trace: file, skipMs: 0 } });
  await later(1);
  const times: number[] = [];
  for (let i = 0; i < 30; i++) {
    const began = performance.now();
    expect((await site.survey()).jobs.length).toBe(10_000);
    times.push(performance.now() - began);
  }
  expect(Math.min(...times)).toBeLessThan(20);
});
