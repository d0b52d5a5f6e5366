/** Reports equal plain sums over all jobs, whatever they are grouped by; years end in the right week. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { JOB_DEFAULTS, type JobRecord } from "../../model/index.ts";
import { type Logbook, rowOf, VIEWS } from "../../runtime/index.ts";
import { createMemoryLogbook } from "../../store/index.ts";
import { isoWeek } from "./job-groups.ts";
import { reportJobs } from "./report-jobs.ts";

const NOW = Date.UTC(2026, 10, 24);
const minute = 60_000;

interface Some {
  readonly consumer: string;
  readonly site: string;
  readonly procs: number;
  readonly waitMs: number;
  readonly ranMs: number | null;
  readonly cpuMs: number | null;
  readonly wallTimeMs: number | undefined;
  readonly result: "ok" | "failed";
}

const someJob: fc.Arbitrary<Some> = fc.record({
  consumer: fc.constantFrom("cms/ann", "cms/bob", "atlas"),
  site: fc.constantFrom("elm", "oak"),
  procs: fc.integer({ min: 1, max: 1_000_000 }),
  waitMs: fc.integer({ min: 0, max: 90 * minute }),
  ranMs: fc.option(fc.integer({ min: 0, max: 400 * 24 * 60 * minute }), { nil: null }),
  cpuMs: fc.option(fc.integer({ min: 0, max: 2 ** 40 }), { nil: null }),
  wallTimeMs: fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: undefined }),
  result: fc.constantFrom("ok", "failed"),
});

function recordOf(some: Some, at: number): JobRecord {
  const submittedAtMs = Date.UTC(2025, 0, 1) + at * 1000;
  const startedAtMs = some.ranMs === null ? null : submittedAtMs + some.waitMs;
  const { wallTimeMs } = some;
  const limit = wallTimeMs === undefined ? {} : { wallTimeMs };
  return {
    id: `j${at}`,
    state: some.ranMs === null ? "WAITING" : "DONE",
    description: { ...JOB_DEFAULTS, executable: "x", procs: some.procs, ...limit },
    ...{ consumer: some.consumer, owner: some.consumer, site: some.site, submittedAtMs, order: at + 1 },
    ...{ attempt: 1, siteJob: null, startDecidedAtMs: startedAtMs, startedAtMs, restMs: null },
    endedAtMs: startedAtMs === null ? null : startedAtMs + (some.ranMs ?? 0),
    ...{ result: some.ranMs === null ? null : some.result, exitCode: null, signal: null },
    ...{ isTimeLimit: false, cpuMs: some.ranMs === null ? null : some.cpuMs },
    ...{ isCancelRequested: false, abortReason: null },
  };
}

async function logbookOf(jobs: readonly JobRecord[]): Promise<Logbook> {
  const logbook = createMemoryLogbook(VIEWS);
  const events = [{ kind: "put", version: 1, atMs: 0, body: {} }];
  await logbook.commit({ events, changes: jobs.map((record) => rowOf({ kind: "job", record })) });
  return logbook;
}

const sum = (values: readonly number[]) => Number(values.reduce((total, value) => total + BigInt(value), 0n));

describe("a report", () => {
  it("equals plain sums, page after page", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someJob, { maxLength: 40 }), async (somes) => {
        const logbook = await logbookOf(somes.map(recordOf));
        const rows = await reportJobs(logbook, { by: ["user", "site"], time: "submitted" }, NOW);
        const names = [...new Set(somes.map(({ consumer, site }) => `${consumer} ${site}`))].sort();
        expect(rows.map(({ keys }) => keys.join(" "))).toEqual(names);
        for (const row of rows) {
          const [consumer, site] = row.keys;
          const its = somes.filter((some) => some.consumer === consumer && some.site === site);
          const ran = its.filter(({ ranMs }) => ranMs !== null);
          const measured = ran.filter(({ cpuMs }) => cpuMs !== null);
          const waits = ran.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
          const use = ({ ranMs, procs }: Some) => BigInt(ranMs ?? 0) * BigInt(procs);
          expect(row).toMatchObject({
            jobs: its.length,
            ok: ran.filter(({ result }) => result === "ok").length,
            failed: ran.filter(({ result }) => result === "failed").length,
            unfinished: its.length - ran.length,
            usedProcMs: Number(ran.reduce((total, some) => total + use(some), 0n)),
            cpuMs: sum(measured.map(({ cpuMs }) => cpuMs ?? 0)),
            measuredProcMs: Number(measured.reduce((total, some) => total + use(some), 0n)),
          });
          expect(row.wait?.maxMs).toBe(waits.at(-1));
          const [low, high] = [waits[(waits.length - 1) >> 1], waits[waits.length >> 1]];
          expect(row.wait?.medianMs).toBe(
            low === undefined || high === undefined ? undefined : (low + high) / 2,
          );
        }
      }),
      draws(60),
    );
  });

  it("counts over the border of a page, by end only what has ended, within the bounds", async () => {
    const some: Some = {
      ...{ consumer: "cms/ann", site: "elm", procs: 2, waitMs: 0, ranMs: 1000, cpuMs: 500 },
      ...{ wallTimeMs: 4000, result: "ok" },
    };
    const jobs = Array.from({ length: 2500 }, (_, at) =>
      recordOf(at % 5 === 0 ? { ...some, ranMs: null } : some, at),
    );
    const logbook = await logbookOf(jobs);
    const [all] = await reportJobs(logbook, { by: [], time: "ended" }, NOW);
    expect(all).toMatchObject({
      jobs: 2000,
      usedProcMs: 4_000_000,
      askedProcMs: 16_000_000,
      cpuMs: 1_000_000,
    });
    const from = Date.UTC(2025, 0, 1);
    const bounds = { sinceMs: from + 11_000, untilMs: from + 21_000 };
    const [ended] = await reportJobs(logbook, { by: [], time: "ended", ...bounds }, NOW);
    expect(ended?.jobs).toBe(8);
    const [submitted] = await reportJobs(logbook, { by: [], time: "submitted", ...bounds }, NOW);
    expect(submitted).toMatchObject({ jobs: 10, unfinished: 2 });
    const theirs = { of: { owner: "nobody", consumer: "cms/bob" } };
    expect(await reportJobs(logbook, { by: [], time: "ended", ...theirs }, NOW)).toEqual([]);
  });

  it("refuses more groups than it keeps", async () => {
    const one = { consumer: "a", site: "elm", procs: 1, waitMs: 0, ranMs: 1, cpuMs: null } as const;
    const jobs = Array.from({ length: 10_001 }, (_, at) => {
      const job = recordOf({ ...one, wallTimeMs: undefined, result: "ok" }, at);
      return { ...job, description: { ...job.description, name: `n${at}` } };
    });
    const logbook = await logbookOf(jobs);
    await expect(reportJobs(logbook, { by: ["name"], time: "ended" }, NOW)).rejects.toMatchObject({
      code: "reportTooLarge",
    });
  });

  it.each([
    ["2024-12-29", "2024-W52"],
    ["2024-12-30", "2025-W01"],
    ["2026-01-01", "2026-W01"],
    ["2026-12-31", "2026-W53"],
    ["2027-01-03", "2026-W53"],
    ["2027-01-04", "2027-W01"],
  ])("%s is in week %s", (day, week) => {
    expect(isoWeek(Date.parse(day))).toBe(week);
  });
});
