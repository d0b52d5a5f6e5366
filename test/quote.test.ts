/**
 * `stint quote --snapshot` as a program: the worked example with its numbers, and what is wrong in it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQueueSnapshot } from "../src/formats/queue-snapshot/index.ts";
import { quoteOf } from "../src/market/index.ts";
import { plainPricingCases } from "./plain/pricing-arbitrary.ts";
import { type PlainSnapshot, plainQuoteSnapshot } from "./plain/pricing-snapshot.ts";
import { stint as run, temporaryFolder } from "./stint.ts";

const EXAMPLE = "examples/quotes/queue.json";
const folder = temporaryFolder();
const stint = (...words: string[]) => run(words);

describe("stint quote --snapshot", () => {
  it("prices the worked example of [PROV] ch. 3: 3 processors for 2 hours", () => {
    const { code, out } = stint("quote", "--snapshot", EXAMPLE, "-n", "3", "-t", "2h", "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(out).items).toEqual([
      { startSec: 0, unitPrice: 1, fixedSu: 2, delaysJobs: 1, delaySu: 2 },
      { startSec: 7200, unitPrice: 1, fixedSu: 7, delaysJobs: 2, delaySu: 7 },
      { startSec: 10800, unitPrice: 1, fixedSu: 14, delaysJobs: 2, delaySu: 14 },
      { startSec: 14400, unitPrice: 1, fixedSu: 6, delaysJobs: 1, delaySu: 6 },
      { startSec: 21600, unitPrice: 1, fixedSu: 0, delaysJobs: 0, delaySu: 0 },
    ]);
  });

  it("prices the processors of a stream for its time limit, or for -t", () => {
    const text = (limits: string) => `stream:
  name: s
  pipeline: { stage: [{ name: a, path: /bin/a }, { name: b, path: /bin/b, count: 2 }] }
  bandwidth: { min: 1MB/s }
  storage: { min: 1GB }
  sources: { source: [{ href: "https://data.example/x" }] }
${limits}`;
    const limited = join(folder, "limited.yaml");
    writeFileSync(limited, text("  limits: { wallTime: 2h }\n"));
    const open = join(folder, "open.yaml");
    writeFileSync(open, text(""));
    const asked = (...words: string[]) => stint("quote", "--snapshot", EXAMPLE, ...words, "-o", "json");
    const { out } = asked("-n", "3", "-t", "2h");
    expect(asked("--stream", limited).out).toBe(out);
    expect(asked("--stream", open, "-t", "2h").out).toBe(out);
    expect(asked("--stream", open).err).toContain("has no time limit, and -t is not given");
    expect(asked("--stream", open, "-n", "3").err).toContain("-n does not go with --stream");
  });

  it("asks for exactly then, from then on, and says where nothing is possible", () => {
    const quote = (...more: string[]) =>
      stint("quote", "--snapshot", EXAMPLE, "-n", "3", "-t", "2h", ...more);
    const exactly = quote("--start", "3600", "-o", "json");
    expect(JSON.parse(exactly.out).items).toEqual([
      { startSec: 3600, unitPrice: 1, fixedSu: 3, delaysJobs: 1, delaySu: 3 },
    ]);
    const from = quote("--from", "15000", "-o", "csv");
    expect(from.out.split("\r\n")).toEqual([
      "startSec,unitPrice,fixedSu,delaysJobs,delaySu",
      expect.stringMatching(/^15000,1,\d/),
      "21600,1,0,0,0",
      "",
    ]);
    const never = stint("quote", "--snapshot", EXAMPLE, "-n", "4", "-t", "2h", "--start", "0", "-o", "json");
    expect(never.code).toBe(5);
    expect(JSON.parse(never.out)).toEqual({ items: [], next: null });
    const wide = stint("quote", "--snapshot", EXAMPLE, "-n", "6", "-t", "2h");
    expect(wide).toMatchObject({ code: 5, out: "" });
    expect(wide.err).toContain("is not available");
  });

  it("refuses a price that cannot be counted exactly", () => {
    const file = join(folder, "wide.json");
    const queued = [{ id: "q", procs: 1e8, estimateSec: 1e6 }];
    writeFileSync(file, JSON.stringify({ nowSec: 0, procs: 1e8, discipline: "easy", queued }));
    const { code, err } = stint("quote", "--snapshot", file, "-n", "1", "-t", "1000d");
    expect(code).toBe(2);
    expect(err).toContain("the largest amount that can be counted exactly");
    expect(err).toContain("request fewer processors or less time");
  });

  it("names file and line of what is wrong", () => {
    const file = join(folder, "q.json");
    writeFileSync(file, '{ "nowSec": 0,\n  "procs": "8", "discipline": "easy" }');
    const wrong = stint("quote", "--snapshot", file, "-n", "1", "-t", "1h");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain(`${file}:2:`);
    const missing = stint("quote", "--snapshot", `${file}x`, "-n", "1", "-t", "1h");
    expect(missing.code).toBe(2);
    const both = stint("quote", "--snapshot", file, "-n", "1", "-t", "1h", "--start", "0", "--from", "0");
    expect(both).toMatchObject({ code: 2 });
  });

  it("MK-1 gives what the plain rule gives on the same file", () => {
    fc.assert(
      fc.property(plainPricingCases, fc.nat({ max: 40 }), (it, atSec) => {
        const { capacity, nowMs, discipline, running, queued, reservations } = it.state;
        const seconds = (ms: number) => Math.max(0, ms);
        const snapshot: PlainSnapshot = {
          nowSec: nowMs,
          procs: capacity[0],
          discipline,
          running: running.map(({ id, need, endMs }) => ({ id: `${id}`, procs: need[0], endSec: endMs })),
          queued: queued.map(({ id, need, estimateMs }) => ({
            id: `${id}`,
            procs: need[0],
            estimateSec: estimateMs,
          })),
          reservations: reservations.map(({ id, need, startMs, durationMs }) => ({
            id: `${id}`,
            procs: need[0],
            startSec: seconds(startMs),
            durationSec: Math.max(1, startMs + durationMs - seconds(startMs)),
          })),
        };
        const read = readQueueSnapshot(JSON.stringify(snapshot)).said;
        if (read === undefined) return;
        const asked = { procs: it.need[0], durationSec: it.durationMs };
        const ask = (at: { startMs?: number; fromMs?: number }) =>
          quoteOf(read, { procs: it.need[0], durationMs: it.durationMs * 1000, ...at }).map((row) => ({
            startSec: row.startMs / 1000,
            unitPrice: row.unitPriceThousandths / 1000,
            fixedSu: row.fixedProcMs / 3_600_000,
            delaysJobs: row.delaysJobs,
            delaySu: row.delayProcMs / 3_600_000,
          }));
        expect(ask({})).toEqual(plainQuoteSnapshot(snapshot, asked));
        expect(ask({ fromMs: atSec * 1000 })).toEqual(
          plainQuoteSnapshot(snapshot, { ...asked, fromSec: atSec }),
        );
        expect(ask({ startMs: atSec * 1000 })).toEqual(
          plainQuoteSnapshot(snapshot, { ...asked, startSec: atSec }),
        );
      }),
      { numRuns: 300 },
    );
  });
});
