/** Samples on disk equal the plain implementation under all steps of the clock and kills of the process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import "../../../test/property-seed.ts";
import { plainSamples } from "../../../test/plain/plain-samples.ts";
import { seriesGrid } from "../../policy/index.ts";
import type { Sample, SampleBatch } from "../../runtime/index.ts";
import { openSqliteSamples, type SqliteSamples } from "../index.ts";
import { openDatabase } from "../sqlite/database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const T0 = 1_000 * DAY_MS;

let directory = "";
let samples: SqliteSamples;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-samples-"));
  samples = await openSqliteSamples(directory);
});
afterEach(async () => {
  await samples.close().catch(() => undefined);
  rmSync(directory, { recursive: true });
});

const file = () => join(directory, "samples.sqlite");
const reopen = async () => {
  await samples.close();
  samples = await openSqliteSamples(directory);
};
const sample = (atMs: number, values: Record<string, number> = {}, more: Partial<Sample> = {}): Sample => ({
  ...{ place: "here", atMs, values: Object.entries(values), standing: [], ...more },
});
const add = (...all: Sample[]) => samples.add({ samples: all });
const grid = (fromMs: number, untilMs: number, stepMs: number) =>
  ({ fromMs, untilMs, stepMs, bucketMs: 10_000 }) as const;
const course = (minutes: number, stepMs = 60_000) =>
  samples.course("here", grid(T0, T0 + minutes * 60_000, stepMs));

describe("samples on disk", () => {
  const names = fc.constantFrom("a", "b");
  const batches = fc.array(
    fc.record({
      seconds: fc.integer({ min: -40, max: 90 }),
      slots: fc.integer({ min: 1, max: 3 }),
      values: fc.dictionary(names, fc.integer({ min: 0, max: 2 ** 50 })),
      standing: fc.dictionary(names, fc.integer({ min: 0, max: 3 })),
      seq: fc.option(fc.integer({ min: 1, max: 20 })),
      restarts: fc.integer({ min: 0, max: 19 }).map((it) => it === 0),
    }),
    { minLength: 1, maxLength: 25 },
  );

  it("ST-26 are as in the plain store, whatever steps and restarts", async () => {
    // Each case has a place of its own, since opening a new store takes longer than most cases.
    let count = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const place = `place ${++count}`;
        const plain = plainSamples();
        let atMs = T0 + HOUR_MS;
        for (const { seconds, slots, values, standing, seq, restarts } of all) {
          atMs += seconds * 1000;
          const one = sample(atMs, values, { place, slots, standing: Object.entries(standing) });
          const batch: SampleBatch = { samples: [one], ...(seq && { numbered: { source: place, seq } }) };
          expect(await samples.add(batch)).toBe(await plain.add(batch));
          if (restarts) await reopen();
        }
        for (const stepMs of [10_000, 300_000, HOUR_MS]) {
          const requested = { fromMs: T0, untilMs: T0 + 2 * HOUR_MS, stepMs };
          const asked = seriesGrid(requested, T0 + 2 * HOUR_MS);
          expect(asked.bucketMs).toBe(stepMs);
          expect(await samples.course(place, asked)).toEqual(await plain.course(place, asked));
        }
        expect(await samples.lastOf(place)).toBe(await plain.lastOf(place));
      }),
      draws(12),
    );
  });

  it("ST-26 a slot that was dropped is not counted again by a clock that steps back", async () => {
    await add(sample(T0, { cpu: 4 }));
    await samples.prune(T0 + 2 * DAY_MS);
    await add(sample(T0 + 5_000, { cpu: 4 }), sample(T0 + 10_000, { cpu: 4 }));
    const hour = { ...grid(T0, T0 + HOUR_MS, HOUR_MS), bucketMs: HOUR_MS };
    expect((await samples.course("here", hour)).covered).toEqual([1]);
    // A source that numbers what it sends says each thing once, however late.
    await samples.add({ samples: [sample(T0 + 20_000)], numbered: { source: "s", seq: 1 } });
    expect((await samples.course("here", hour)).covered).toEqual([2]);
  });

  it("slots go after a day, five minutes after 31 days, hours never", async () => {
    await add(sample(T0, { cpu: 6 }, { standing: [["limit", 9]] }));
    const rows = async () => {
      const database = await openDatabase(file(), { create: false, busyMs: 0 });
      const counts = database.prepare("SELECT length_ms, count(*) AS n FROM buckets GROUP BY length_ms");
      const found = [...counts.iterate()].map(({ length_ms, n }) => [length_ms, n]);
      database.close();
      return found;
    };
    const both = 2;
    await samples.prune(T0 + DAY_MS);
    expect(await rows()).toEqual([
      [10_000, both],
      [300_000, both],
      [HOUR_MS, both],
    ]);
    await samples.prune(T0 + DAY_MS + 10_000);
    expect(await rows()).toEqual([
      [300_000, both],
      [HOUR_MS, both],
    ]);
    await samples.prune(T0 + 31 * DAY_MS + 300_000);
    expect(await rows()).toEqual([[HOUR_MS, both]]);
    await samples.prune(T0 + 4000 * DAY_MS);
    const hour = { ...grid(T0, T0 + HOUR_MS, HOUR_MS), bucketMs: HOUR_MS };
    expect(await samples.course("here", hour)).toMatchObject({
      covered: [1],
      values: [{ name: "cpu", parts: [{ mean: 6, min: 6, max: 6 }] }],
      standing: [{ name: "limit", parts: [9] }],
    });
  });

  it("notes are the last that was said, by the beginning of their place", async () => {
    const note = (place: string, text: string) => ({ place, text });
    await samples.add({
      samples: [],
      notes: [note("here/a", "1"), note("here/b", "2"), note("there/a", "3")],
    });
    await samples.add({ samples: [], notes: [note("here/a", "4")] });
    expect(await samples.notes("here/")).toEqual([note("here/a", "4"), note("here/b", "2")]);
  });

  it("what was acknowledged is there after a kill -9", async () => {
    await samples.close();
    const dist = new URL("../../../dist/store/index.js", import.meta.url).href;
    const load = `
      const { openSqliteSamples } = await import(${JSON.stringify(dist)});
      const samples = await openSqliteSamples(${JSON.stringify(directory)});
      for (let n = 0; ; n++) {
        const one = { place: "here", atMs: ${T0} + n * 10000, values: [["n", n]], standing: [] };
        await samples.add({ samples: [one], numbered: { source: "s", seq: n + 1 } });
        process.stdout.write(n + "\\n");
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", load], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.split("\n").length > 40) resolve();
      });
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    const acknowledged = Number(said.trim().split("\n").at(-1)) + 1;
    samples = await openSqliteSamples(directory);
    expect(samples.putAside).toBeNull();
    expect(await samples.lastOf("s")).toBeGreaterThanOrEqual(acknowledged);
    const { covered } = await course(60, HOUR_MS);
    expect(covered[0]).toBeGreaterThanOrEqual(Math.min(360, acknowledged));
  });

  it.each([
    ["is no database", () => writeFileSync(file(), "no database\n".repeat(1000))],
    ["is empty", () => writeFileSync(file(), "")],
    [
      "is another program's",
      async () => {
        rmSync(file());
        const database = await openDatabase(file(), { create: true, busyMs: 0 });
        database.exec("CREATE TABLE theirs (x)");
        database.close();
      },
    ],
    [
      "is damaged",
      () => {
        const bytes = readFileSync(file());
        bytes.fill(0xff, 4096, 12_288);
        writeFileSync(file(), bytes);
      },
    ],
  ])("a file that %s is put aside, and said", async (_, spoil) => {
    await add(sample(T0, { cpu: 1 }));
    await samples.close();
    for (const name of readdirSync(directory)) if (name !== "samples.sqlite") rmSync(join(directory, name));
    await spoil();
    samples = await openSqliteSamples(directory);
    expect(samples.putAside).toBe(`${file()}.unusable-1`);
    expect(existsSync(`${file()}.unusable-1`)).toBe(true);
    await add(sample(T0, { cpu: 2 }));
    expect((await course(1)).values).toEqual([{ name: "cpu", parts: [{ mean: 2, min: 2, max: 2 }] }]);
  });

  it("a file of a newer Stint is left as it is, and refused", async () => {
    await samples.close();
    const database = await openDatabase(file(), { create: false, busyMs: 0 });
    database.pragma("user_version = 7");
    database.close();
    await expect(openSqliteSamples(directory)).rejects.toMatchObject({ code: "samplesTooNew" });
    expect(readdirSync(directory).filter((name) => name.includes("unusable"))).toEqual([]);
  });

  it("who asks a store that was closed is told", async () => {
    await samples.close();
    await expect(course(1)).rejects.toMatchObject({ code: "samplesStopped" });
  });
});
