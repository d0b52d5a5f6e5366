/**
 * Brokers whose machine's clock is wrong, is set during a run, and is set right again, in different time
 * zones: jobs run all the same, in the order of their dates, and the log is read again.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, it } from "vitest";
import { createClient } from "../src/api/client/index.ts";
import { startLiveBroker } from "./live-broker.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const SHIFTED = pathToFileURL(resolve(import.meta.dirname, "../torture/shifted-clock.mjs"));
const [SECOND, MINUTE, HOUR, YEAR] = [1000, 60_000, 3_600_000, 31_557_600_000];

const JOB = { executable: "sleep", arguments: ["0.2"], wallTimeSec: 60 };

/** Submits a job and waits until it has ended; gives how it ended, with its dates. */
async function runOne(state: string) {
  const client = createClient({ socketPath: join(state, "stint.sock") });
  try {
    const [id] = await client.submit([JOB]);
    for (;;) {
      const job = await client.job(id);
      if (job.endedAt !== null) return job;
      await setTimeout(50);
    }
  } finally {
    client.close();
  }
}

describe.concurrent("a clock that is wrong", () => {
  it.for([
    ["2 s ahead", 2 * SECOND, "UTC"],
    ["2 s behind", -2 * SECOND, "America/St_Johns"],
    ["a minute ahead", MINUTE, "Pacific/Kiritimati"],
    ["a minute behind", -MINUTE, "Pacific/Apia"],
    ["an hour ahead", HOUR, "Europe/Dublin"],
    ["an hour behind", -HOUR, "Asia/Kathmandu"],
    ["ten years ahead", 10 * YEAR, "Australia/Lord_Howe"],
    ["ten years behind", -10 * YEAR, "America/Los_Angeles"],
  ] as const)(
    "%s, during a run and before the next",
    { timeout: 400_000 },
    async ([name, shiftMs, zone], { expect }) => {
      const state = join(folder, name.replaceAll(" ", "-"));
      const clock = `${state}.clock`;
      const setBy = (ms: number) => writeFileSync(clock, String(ms));
      const surroundings = { TORTURE_CLOCK: clock, NODE_OPTIONS: `--import=${SHIFTED}`, TZ: zone };
      const up = () => startLiveBroker(state, ["--this-machine"], surroundings);
      const jobs: Awaited<ReturnType<typeof runOne>>[] = [];
      setBy(0);
      let broker = await up();
      jobs.push(await runOne(state));
      setBy(shiftMs);
      jobs.push(await runOne(state));
      await broker.end("SIGKILL");
      broker = await up();
      jobs.push(await runOne(state));
      setBy(0);
      jobs.push(await runOne(state));
      await broker.end("SIGTERM");
      broker = await up();
      jobs.push(await runOne(state));
      await broker.end("SIGTERM");
      for (const { state: end, result, submittedAt, startedAt, endedAt } of jobs) {
        expect([end, result]).toEqual(["DONE", "ok"]);
        const dates = [submittedAt, startedAt ?? "", endedAt ?? ""];
        expect(dates).toEqual(dates.toSorted());
      }
    },
  );
});
