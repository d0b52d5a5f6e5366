import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { running, type ScriptedSite, scriptedSite } from "../../../test/scripted-site.ts";
import { type SteppableClock, steppableClock } from "../../../test/steppable-clock.ts";
import type { Survey } from "../../engine/index.ts";
import type { SimulatedSiteSpec } from "../../model/index.ts";
import type { ForeignSite, PlacedAttempt, ReservationOrder, SubmitOrder } from "../../runtime/index.ts";
import { IMITATED_RUNTIME, openSimulatedSite } from "./index.ts";

const START_MS = 1_000_000;
const SPEC: SimulatedSiteSpec = {
  ...{ type: "simulated", procs: 4, memoryBytes: 100, discipline: "easy", defaultWallTimeMs: 60_000 },
  ...{ jobs: "imitate", speedUp: 1, background: null, delays: { orderMs: 0, startMs: 0 } },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  seed: 7,
};

let directory: string;
let clock: SteppableClock;
let programs: ScriptedSite;
let site: ForeignSite;
let spec: SimulatedSiteSpec;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-simulated-"));
  clock = steppableClock(START_MS);
  await begin({});
});
afterEach(async () => {
  await site.close();
  rmSync(directory, { recursive: true, force: true });
});

const journal = (): string => join(directory, "journal.jsonl");

/** Opens a cluster that begins now. */
async function begin(changes: Partial<SimulatedSiteSpec>): Promise<void> {
  spec = { ...SPEC, ...changes };
  if (site !== undefined) await site.close();
  rmSync(journal(), { force: true });
  await open();
}

async function open(): Promise<void> {
  programs = scriptedSite();
  site = await openSimulatedSite({ name: "sim", spec, directory, clock, programs });
}

/** Reservation order with start and end in ms after the beginning. */
function rectangle(fromMs: number, toMs: number, more: Partial<ReservationOrder> = {}): ReservationOrder {
  const times = { startMs: START_MS + fromMs, endMs: START_MS + toMs };
  return { token: "r-1", procs: 2, memoryBytes: 0, ...times, ...more };
}

async function submit(
  token: string,
  runtimeMs: number,
  more: Partial<SubmitOrder> = {},
): Promise<PlacedAttempt> {
  const environment = { [IMITATED_RUNTIME]: `${runtimeMs}ms` };
  const plain = {
    command: ["true"],
    environment,
    limitMs: runtimeMs,
    inputFiles: [],
    procs: 1,
    memoryBytes: 0,
  };
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  const siteJob = await site.submit({ token, ...plain, ...streams, name: "n", reservation: null, ...more });
  const attempt = { token, siteJob };
  await site.act("release", attempt);
  return attempt;
}

/** Sets the clock to an instant in ms after the beginning, and surveys the site. */
async function at(ms: number): Promise<Survey> {
  clock.moveTo(START_MS + ms);
  await nextTurn();
  return site.survey();
}

const said = ({ jobs }: Survey): string[] =>
  jobs.map(({ token, state, reason }) => [token, state, reason].filter((it) => it !== null).join(" "));
const starts = ({ jobs, ended }: Survey): Record<string, number> =>
  Object.fromEntries(
    [...jobs, ...ended].flatMap(({ token, startedAtMs }) =>
      startedAtMs === null ? [] : [[token, startedAtMs - START_MS]],
    ),
  );
const conflict = { kind: "refused", code: "reservationConflict" };
const inside = { reservation: "r-1" };

describe("the rectangle", () => {
  it("is there for what is ordered at the same instant, and once", async () => {
    const name = await site.reserve(rectangle(10, 20, { procs: 3 }));
    expect(await site.reserve(rectangle(10, 20, { procs: 3 }))).toBe(name);
    await expect(site.reserve(rectangle(15, 30, { token: "r-2" }))).rejects.toMatchObject(conflict);
    await site.unreserve("r-1");
    const other = await site.reserve(rectangle(15, 30, { token: "r-2", procs: 4 }));
    expect(other).not.toBe(name);
    expect((await at(1)).reservations).toEqual([
      { token: "r-2", siteReservation: other, procs: 4, startMs: START_MS + 15, endMs: START_MS + 30 },
    ]);
  });

  it("ordered again at the very instant of its end it is another one", async () => {
    await site.reserve(rectangle(10, 20));
    await at(20);
    expect(await site.reserve(rectangle(10, 30))).toBe("r2");
    expect((await at(21)).reservations).toMatchObject([{ siteReservation: "r2", startMs: START_MS + 20 }]);
  });

  it("is kept from the order on, though the answer takes its time", async () => {
    await begin({ delays: { orderMs: 50, startMs: 0 } });
    const answered: string[] = [];
    void site.reserve(rectangle(10, 200)).then((name) => answered.push(name));
    await expect(site.reserve(rectangle(10, 20, { token: "r-2", procs: 4 }))).rejects.toMatchObject(conflict);
    expect((await at(50)).reservations).toHaveLength(1);
    expect(answered).toEqual([]);
    await at(51);
    expect(answered).toEqual(["r1"]);
  });

  it("is of GPUs too, which no other job gets meanwhile", async () => {
    await begin({ gpus: 2 });
    await expect(site.reserve(rectangle(10, 20, { gpus: 3 }))).rejects.toMatchObject({
      ...conflict,
      why: expect.stringContaining("1 GPUs too few"),
    });
    await site.reserve(rectangle(10, 20, { procs: 1, gpus: 2 }));
    const beside = rectangle(10, 20, { token: "r-2", procs: 1, gpus: 1 });
    await expect(site.reserve(beside)).rejects.toMatchObject(conflict);
    await submit("a/1", 5, { gpus: 1, limitMs: 15 });
    await submit("b/1", 5, { gpus: 2, ...inside });
    await expect(submit("c/1", 5, { gpus: 3, ...inside })).rejects.toMatchObject({ code: "widerThanSite" });
    expect(starts(await at(25))).toEqual({ "b/1": 10, "a/1": 20 });
    await site.close();
    await open();
    expect(starts(await at(25))).toEqual({ "b/1": 10, "a/1": 20 });
  });

  it("is of processors and memory, and begins no earlier than it was ordered", async () => {
    await at(5);
    await expect(site.reserve(rectangle(10, 20, { memoryBytes: 101 }))).rejects.toMatchObject(conflict);
    await expect(site.reserve(rectangle(-10, 5))).rejects.toMatchObject(conflict);
    await site.reserve(rectangle(-10, 20, { memoryBytes: 60 }));
    const beside = rectangle(10, 20, { token: "r-2", memoryBytes: 41 });
    await expect(site.reserve(beside)).rejects.toMatchObject({ why: expect.stringContaining("memory") });
    expect((await at(6)).reservations[0].startMs).toBe(START_MS + 5);
  });

  it("displaces what waits where starts are planned, and never what runs", async () => {
    await begin({ discipline: "conservative" });
    await submit("1/1", 20, { procs: 4 });
    await submit("2/1", 20, { procs: 4 });
    await at(1);
    await expect(site.reserve(rectangle(19, 30))).rejects.toMatchObject(conflict);
    await site.reserve(rectangle(20, 30));
    expect(starts(await at(60))).toEqual({ "1/1": 0, "2/1": 30 });
  });

  it("SS-1 others' jobs, too, keep out of it", async () => {
    const file = join(directory, "others.swf");
    const row = "-1 3600 4 -1 -1 4 3600 -1 1 1 1 1 1 -1 -1 -1\n";
    writeFileSync(file, `1 1 ${row}2 1000 ${row}`);
    await begin({ background: { trace: file, skipMs: 0 } });
    await site.reserve(rectangle(500, 90_000));
    expect((await at(89_999)).jobs.map(({ startedAtMs }) => startedAtMs)).toEqual([null]);
    expect((await at(90_001)).jobs[0].startedAtMs).toBe(START_MS + 90_000);
  });
});

describe("what is inside", () => {
  it("starts in order, in its time, as many at a time as fit", async () => {
    await site.reserve(rectangle(10, 100));
    await submit("1/1", 20, { ...inside, procs: 2 });
    await submit("2/1", 30, inside);
    await submit("3/1", 10, { ...inside, procs: 2 });
    await submit("4/1", 10, inside);
    await submit("5/1", 5);
    expect(said(await at(1))).toEqual([
      "5/1 running",
      ...["1/1", "2/1", "3/1", "4/1"].map((token) => `${token} waiting Reservation`),
    ]);
    expect(starts(await at(99))).toEqual({ "1/1": 10, "2/1": 30, "3/1": 60, "4/1": 70, "5/1": 0 });
  });

  it("is stopped with the reservation; what waits is held, and cannot be let go", async () => {
    await site.reserve(rectangle(10, 100));
    await submit("1/1", 5000, { ...inside, procs: 2 });
    const waits = await submit("2/1", 10, inside);
    const survey = await at(101);
    expect(survey.ended).toMatchObject([
      { token: "1/1", startedAtMs: START_MS + 10, endedAtMs: START_MS + 100, end: { cause: "timeLimit" } },
    ]);
    expect([said(survey), survey.reservations]).toEqual([["2/1 held ReservationOver"], []]);
    await site.act("release", waits);
    expect(said(await at(200))).toEqual(["2/1 held ReservationOver"]);
    await site.act("cancel", waits);
    expect((await at(300)).ended[1]).toMatchObject({ token: "2/1", end: { cause: "cancelled" } });
  });

  it("is refused where the reservation is not there, or smaller", async () => {
    await expect(submit("1/1", 5, inside)).rejects.toMatchObject({ code: "reservationUnknown" });
    await site.reserve(rectangle(10, 100));
    const narrow = { kind: "refused", code: "widerThanReservation" };
    await expect(submit("1/1", 5, { ...inside, procs: 3 })).rejects.toMatchObject(narrow);
    await expect(submit("1/1", 5, { ...inside, memoryBytes: 1 })).rejects.toMatchObject(narrow);
    await at(101);
    await expect(submit("1/1", 5, inside)).rejects.toMatchObject({ code: "reservationUnknown" });
  });

  it("is held, suspended and resumed like everything else", async () => {
    await site.reserve(rectangle(0, 1000));
    const job = await submit("1/1", 100, inside);
    await at(50);
    await site.act("suspend", job);
    expect(said(await at(60))).toEqual(["1/1 suspended"]);
    await site.act("resume", job);
    expect(said(await at(109))).toEqual(["1/1 running"]);
    expect((await at(200)).ended).toMatchObject([{ endedAtMs: START_MS + 110, end: { cause: "exited" } }]);
  });

  it("a program has TERM when its reservation ends; its end is told when it has ended", async () => {
    await begin({ jobs: "run" });
    await site.reserve(rectangle(0, 100));
    const { token } = await submit("1/1", 5000, inside);
    await at(10);
    programs.tell(running(token, START_MS + 5));
    expect((await at(101)).ended).toEqual([]);
    expect(programs.asked.at(-1)).toBe(`cancel ${token}`);
    const nothing = { exitCode: undefined, cpuMs: undefined, detail: undefined };
    const killed = { kind: "ended", cause: "cancelled", signal: "SIGTERM", ...nothing } as const;
    programs.tell({ ...killed, token, atMs: START_MS + 120 });
    expect((await at(121)).ended).toMatchObject([
      { token, endedAtMs: START_MS + 120, end: { cause: "timeLimit", signal: "SIGTERM" } },
    ]);
  });
});

describe("its lives", () => {
  it("SS-12 a reservation and its jobs are in the journal, and in its snapshot", async () => {
    await site.reserve(rectangle(10, 100));
    await submit("1/1", 5000, inside);
    await submit("2/1", 5000, inside);
    await submit("3/1", 5000, inside);
    for (const ms of [5, 20, 50]) {
      const before = await at(ms);
      await site.close();
      await open();
      expect(await site.survey()).toEqual(before);
    }
    expect(await site.reserve(rectangle(10, 100))).toBe("r1");
    expect((await at(101)).ended).toHaveLength(2);
  });

  it("a snapshot of before there were reservations is read", async () => {
    await submit("1/1", 5000);
    await at(1);
    await site.close();
    await open();
    await site.close();
    const line = JSON.parse(readFileSync(journal(), "utf8"));
    const {
      reservations: _,
      lastReservation: __,
      ...cluster
    } = deserialize(Buffer.from(line.state, "base64"));
    const [job] = cluster.jobs.values();
    const { reservation: ___, ...own } = job.own;
    cluster.jobs.set(job.siteJob, { ...job, own });
    const state = serialize({ ...cluster, ends: { ...cluster.ends, size: 0 } }).toString("base64");
    writeFileSync(journal(), `${JSON.stringify({ ...line, state })}\n`);
    await open();
    await site.reserve(rectangle(100, 200));
    expect((await at(5001)).ended).toMatchObject([{ token: "1/1", end: { cause: "exited" } }]);
  });
});
