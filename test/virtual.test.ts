/** A virtual reservation as people ask for one: at a cluster that sells nothing, with programs that run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JobView, VirtualReservationQuoteView } from "../src/api/client/index.ts";
import { liveSetting } from "./live-setting.ts";

const LOOK_EVERY_MS = 400;
const SLOT = ["-n", "2", "-t", "10s", "--enough", "0.5"];

describe("at a simulated cluster", () => {
  const setting = liveSetting(["  - { name: far, type: simulated, procs: 8, jobs: run }"]);
  const { ask, folder, until } = setting;
  const job = (id: string): JobView => JSON.parse(ask("status", id, "-o", "json").out);
  const quoted = (): VirtualReservationQuoteView =>
    JSON.parse(ask("quote", "--virtual", ...SLOT, "--start", "1m", "-o", "json").out);
  const reserve = (start: string, ...words: readonly string[]) =>
    ask("reserve", "--virtual", ...SLOT, "--start", start, "--yes", "-o", "name", "--", ...words);

  /** Submitted at once; resolves when all are over. */
  async function runJobs(count: number): Promise<void> {
    const many = Array.from({ length: count }, () => "executable: 'true'\nwallTime: 1m\n").join("---\n");
    writeFileSync(join(folder, "many.yaml"), many);
    expect(ask("submit", "-o", "name", join(folder, "many.yaml")).code).toBe(0);
    await setting.untilIdle();
  }

  it("BR-18 without a past nothing is planned", async () => {
    while (quoted().items[0]?.noRecord == null) await setTimeout(LOOK_EVERY_MS);
    const { err, code } = reserve("1m", "date");
    expect(code).toBe(5);
    expect(err).toMatch(/far: too little is known of its starts: 0 of 59/);
  });

  it("EN-61 planned from past waits, its job starts early and begins on time", async () => {
    // Waits from which to predict, and then jobs of which it was predicted.
    for (const count of [60, 30]) await runJobs(count);
    await setting.end("SIGTERM");
    await setting.up();
    while (quoted().chosen === null) await setTimeout(LOOK_EVERY_MS);
    const { out, err } = reserve("20s", "date", "+%s");
    expect(err).toBe("");
    const id = out.trim();
    const startSec = Date.parse(job(id).virtual?.startAt ?? "") / 1000;
    await until(id, ["DONE", "CANCELLED", "ABORTED"]);
    const over = job(id);
    expect(over).toMatchObject({ state: "DONE", result: "ok" });
    expect(Date.parse(over.startedAt ?? "") / 1000).toBeLessThanOrEqual(startSec);
    expect(Number(ask("logs", id).out)).toBeGreaterThanOrEqual(startSec);
    expect(ask("status", id).out).toMatch(/^begins +\d{4}-.*\nidles +[\d.]+ SU$/m);
  });

  it("beside a reservation with a price, at a start that is so far from now", async () => {
    const idle = "setTimeout(() => undefined, 600000)";
    const wall = setting.submitProgram(idle, { lines: ["procs: 8", "wallTime: 90s"] });
    await until(wall, "RUNNING");
    // Its start is what the reservation delays, and so what it costs.
    const delayed = setting.submitProgram(idle, { lines: ["procs: 8", "wallTime: 1m"] });
    const request = ["--combined", ...SLOT, "--start", "100s", "--yes", "-o", "json"];
    const { out, err } = ask("reserve", ...request, "--", "date");
    expect(err).toBe("");
    const { job: made, reservation } = JSON.parse(out);
    expect(reservation.fixedSu).toBeGreaterThan(0);
    expect(made.virtual).toMatchObject({ besides: reservation.id, startAt: reservation.startAt });
    expect(made.virtual.durationSec).toBe(10);
    ask("cancel", made.id, wall, delayed);
    ask("unreserve", reservation.id);
    for (const id of [made.id, wall, delayed]) await until(id, ["CANCELLED", "DONE", "ABORTED"]);
  });

  it("EN-61 not running in time, it is cancelled and says why", async () => {
    const wall = setting.submitProgram("setTimeout(() => undefined, 600000)", { lines: ["procs: 8"] });
    await until(wall, "RUNNING");
    const id = reserve("12s", "date").out.trim();
    await until(id, "CANCELLED");
    expect(job(id).reason).toBe("it was not running when its program was to begin");
    ask("cancel", wall);
    await until(wall, "CANCELLED");
  });
});
