/**
 * A sensor, a broker and real jobs: what a sensor sees while the broker is gone arrives once, and in order.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { HostView } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
const spool = join(folder, "spool");
let broker: LiveBroker;
let sensor: ChildProcess | undefined;
afterAll(async () => {
  sensor?.kill("SIGKILL");
  await broker.end("SIGTERM");
});

const run = (...words: string[]) => stint(words, folder, broker.environment);
const waits = { timeout: 200_000, interval: 500 };

function hosts(...words: string[]): readonly HostView[] {
  return JSON.parse(run("usage", "local", "--hosts", ...words, "-o", "json").out).items;
}

/** Readings that wait to be sent. */
function spooled(): number {
  const names = readdirSync(spool, { recursive: true }).map(String);
  return names.filter((name) => /\d{9}\.json$/.test(name)).length;
}

function startSensor(environment: Readonly<Record<string, string>>): void {
  const words = ["sensor", "--every", "1s", "--host", "node1", "--spool", spool];
  sensor = spawn(process.execPath, [stintFile, ...words], {
    env: { ...process.env, ...environment },
    stdio: "ignore",
  });
}

describe("a sensor beside a broker", () => {
  it("SE-4 SE-5 reports a job over a kill -9 of either", async () => {
    broker = await startLiveBroker(state);
    // Busy for a part of its time, which is enough to be seen; bounded, so that a failure leaves nothing.
    const count = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    const busy = `ulimit -t 120; while :; do ${count}; sleep 0.2; done`;
    const job = spawn(process.execPath, [stintFile, "run", "--", "sh", "-c", busy], {
      env: { ...process.env, ...broker.environment },
      stdio: "ignore",
    });
    // Where its broker is away for long, it gives up before the test ends it.
    const ended = once(job, "exit");
    startSensor(broker.environment);
    await vi.waitFor(() => {
      const [host] = hosts();
      expect(host?.jobs[0]?.procs ?? 0).toBeGreaterThan(0.01);
    }, waits);
    await broker.end("SIGKILL");
    await vi.waitFor(() => expect(spooled()).toBeGreaterThan(4), waits);
    sensor?.kill("SIGKILL");
    if (sensor !== undefined) await once(sensor, "exit");
    const left = spooled();
    expect(left).toBeGreaterThan(4);
    broker = await startLiveBroker(state);
    startSensor(broker.environment);
    await vi.waitFor(() => expect(spooled()).toBe(0), waits);
    // Ended in good order it leaves nothing behind.
    sensor?.kill("SIGTERM");
    if (sensor !== undefined) expect((await once(sensor, "exit"))[0]).toBe(0);
    const [host] = hosts("--since", "5m", "--every", "10s");
    expect(host).toMatchObject({ host: "node1", dropped: 0 });
    // Jobs of others may run on this machine, too; they have no id of this broker.
    expect(host?.jobs.filter(({ job: id }) => id !== null)).toHaveLength(1);
    // Whatever came twice counts once: no slot is covered twice.
    expect(Math.max(...(host?.course?.sampledSec ?? []))).toBe(10);
    expect(run("cancel", "--all").code).toBe(0);
    await ended;
  });

  it("EN-83 the history of the site survives a kill of the broker", async () => {
    await vi.waitFor(() => {
      const { out } = run("usage", "local", "--since", "5m", "--every", "10s", "-o", "json");
      const { sampledSec, resources } = JSON.parse(out);
      expect(sampledSec.filter((sec: number) => sec === 10).length).toBeGreaterThan(1);
      expect(resources[0].resource).toBe("cpu");
    }, waits);
    const page = run("usage", "local", "--since", "5m", "--report", "use.html");
    expect(page).toMatchObject({ code: 0, err: "stint: use.html written\n" });
    expect(readdirSync(folder)).toContain("use.html");
  });

  it("EN-14 a sensor's token allows nothing else, and a wrong one nothing", () => {
    const made = run("token", "create", "--role", "sensor", "--site", "local", "--vo", "local/sensors");
    const token = made.out.trim();
    const remote = (word: string) => ({ ...broker.environment, STINT_URL: broker.url, STINT_TOKEN: word });
    const once = ["sensor", "--once", "--host", "node2", "--spool", join(folder, "other")];
    expect(stint(["status"], folder, remote(token)).code).toBe(4);
    expect(stint([...once, "--site", "elsewhere"], folder, remote(token)).code).toBe(4);
    const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    expect(stint(once, folder, remote(wrong)).code).toBe(4);
    expect(stint(once, folder, remote(token)).code).toBe(0);
    expect(hosts().map(({ host }) => host)).toEqual(["node1", "node2"]);
  });
});
