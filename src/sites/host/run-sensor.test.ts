import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fault } from "../../base/index.ts";
import type { HostReport } from "../../model/index.ts";
import { runSensor, type SensorRequest } from "./index.ts";
import { openSpool } from "./spool.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-spool-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const measurement = (atMs: number) => ({ atMs, overMs: null, jobs: [], unreadable: 0 });
const request = (more: Partial<SensorRequest> = {}): SensorRequest => ({
  ...{ site: "here", host: "node1", everyMs: 20, spool: folder, isOnce: false },
  ...more,
});
const away = new Fault({ kind: "unreachable", code: "serverUnreachable", what: "w", why: "y", remedy: "r" });

/** A broker that accepts each number once and can be unreachable. */
function taker() {
  const reports: HostReport[] = [];
  const state = { isAway: false };
  const send = async (report: HostReport) => {
    if (state.isAway) throw away;
    reports.push(report);
    return { lastSeq: Math.max(...report.readings.map(({ seq }) => seq)) };
  };
  const numbers = () => reports.flatMap(({ readings }) => readings.map(({ seq }) => seq));
  return { reports, state, send, numbers };
}

describe("a spool", () => {
  const numbersOf = async (spool: Awaited<ReturnType<typeof openSpool>>) =>
    (await spool.oldest(100))?.readings.map(({ seq }) => seq);

  it("SE-4 SE-5 numbers readings on, also over a restart, and forgets what was sent", async () => {
    let spool = await openSpool(folder);
    for (const atMs of [1, 2, 3]) await spool.add(measurement(atMs));
    const batch = await spool.oldest(2);
    expect(batch?.readings.map(({ seq }) => seq)).toEqual([1, 2]);
    await spool.sent(batch?.sensor ?? "", 3);
    await spool.close();
    spool = await openSpool(folder);
    expect(await spool.oldest(10)).toBeUndefined();
    await spool.add(measurement(4));
    expect(await numbersOf(spool)).toEqual([4]);
    expect((await spool.oldest(1))?.sensor).toBe(batch?.sensor);
    await spool.close();
  });

  it("SE-4 after a restart of the machine numbers begin anew; what waited goes first", async () => {
    const before = await openSpool(folder);
    await before.add(measurement(1));
    const old = await before.oldest(1);
    await before.close();
    const file = join(folder, "sensor.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), boot: "another" }));
    const spool = await openSpool(folder);
    await spool.add(measurement(2));
    expect(await spool.oldest(9)).toEqual(old);
    await spool.sent(old?.sensor ?? "", 1);
    const next = await spool.oldest(9);
    expect(next?.sensor).not.toBe(old?.sensor);
    expect(next?.readings).toMatchObject([{ seq: 1, atMs: 2 }]);
    expect(readdirSync(folder)).toHaveLength(2);
    await spool.close();
  });

  it("drops the oldest beyond its bound, and says how many, once", async () => {
    const spool = await openSpool(folder, 3);
    for (let atMs = 1; atMs <= 6; atMs++) await spool.add(measurement(atMs));
    const { readings = [] } = (await spool.oldest(9)) ?? {};
    expect(readings.map(({ seq }) => seq)).toEqual([4, 5, 6]);
    // What the dropped ones themselves told of is told on.
    expect(readings.map(({ dropped }) => dropped)).toEqual([1, 1, 1]);
    await spool.add(measurement(7));
    const later = (await spool.oldest(9))?.readings ?? [];
    expect(later.reduce((sum, { dropped }) => sum + dropped, 0) + later.length).toBe(7);
    await spool.close();
  });

  it("SE-4 a file that is not whole counts for nothing, and does not stand in the way", async () => {
    const spool = await openSpool(folder);
    await spool.add(measurement(1));
    await spool.add(measurement(2));
    const { sensor = "" } = (await spool.oldest(1)) ?? {};
    writeFileSync(join(folder, sensor, "000000001.json"), '{"seq":');
    expect(await numbersOf(spool)).toEqual([2]);
    await spool.close();
  });

  it("is one sensor's; what a killed one left open is free", async () => {
    const spool = await openSpool(folder);
    await expect(openSpool(folder)).rejects.toMatchObject({ code: "spoolInUse" });
    await spool.close();
    const file = join(folder, "sensor.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), holder: "999999999/1" }));
    await (await openSpool(folder)).close();
  });
});

describe("a sensor", () => {
  it("SE-1 SE-2 SE-5 sees the processes of a job on this host, with what they use", async () => {
    const child = spawn(globalThis.process.execPath, ["-e", "for (;;);"], {
      env: { STINT_JOB: "testjob/1" },
      stdio: "ignore",
    });
    const broker = taker();
    const ending = new AbortController();
    const running = runSensor(request({ everyMs: 200 }), {
      send: broker.send,
      tell: () => {},
      signal: ending.signal,
    });
    const jobs = () => broker.reports.flatMap(({ readings }) => readings.flatMap((it) => it.jobs));
    await vi.waitFor(
      () => expect(jobs().some(({ job, usedMs }) => job === "testjob" && (usedMs ?? 0) > 0)).toBe(true),
      { timeout: 400_000, interval: 100 },
    );
    ending.abort();
    await running;
    child.kill("SIGKILL");
    const own = jobs().find(({ job }) => job === "testjob");
    expect(own).toMatchObject({ siteJob: null, processes: 1 });
    expect(own?.memoryBytes).toBeGreaterThan(2 ** 20);
    expect(own?.owner).not.toBe("");
  });

  it("SE-4 SE-5 keeps what nobody takes, says so once, and sends it in order, once", async () => {
    const broker = taker();
    broker.state.isAway = true;
    const told: string[] = [];
    const ending = new AbortController();
    const running = runSensor(request(), {
      send: broker.send,
      tell: (line) => told.push(line),
      signal: ending.signal,
    });
    const waiting = () =>
      readdirSync(folder, { recursive: true }).filter((name) => /\d{9}\.json$/.test(String(name))).length;
    await vi.waitFor(() => expect(waiting()).toBeGreaterThan(4), { timeout: 200_000, interval: 50 });
    broker.state.isAway = false;
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 200_000, interval: 50 });
    ending.abort();
    await running;
    const numbers = broker.numbers();
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
    expect(told[0]).toContain("readings wait in");
    expect(told[1]).toBe("the broker accepts readings again");
    expect(waiting()).toBe(0);
  });

  it('SE-5 once: looks, sends what waits, and throws the "no"', async () => {
    const broker = taker();
    broker.state.isAway = true;
    const world = { send: broker.send, tell: () => {}, signal: new AbortController().signal };
    await expect(runSensor(request({ isOnce: true }), world)).rejects.toBe(away);
    broker.state.isAway = false;
    await runSensor(request({ isOnce: true }), world);
    expect(broker.numbers()).toEqual([1, 2]);
    const forgetful = { ...world, send: async () => ({ lastSeq: 0 }) };
    await expect(runSensor(request({ isOnce: true }), forgetful)).rejects.toMatchObject({
      code: "readingsNotKept",
    });
  });
});
