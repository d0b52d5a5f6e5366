import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainSelection, plainWaits, plainWeight } from "../../test/plain/plain-streams.ts";
import {
  admit,
  freeResources,
  type HeldResources,
  heldBy,
  neverMet,
  STREAM_RULES,
  type StreamPool,
  type StreamReservation,
  selectStreams,
  testOrder,
  type WaitingStream,
  weightAt,
} from "./index.ts";

const MINUTE_MS = 60_000;
const pool: StreamPool = {
  procs: { fast: 8, slow: 4 },
  inboundBytesPerSec: { wan: 100 },
  storageBytes: 1000,
};
const stream = (id: string, said: Partial<WaitingStream> = {}): WaitingStream => ({
  ...{ id, procs: 1, classes: ["fast", "slow"], link: "wan", bytesPerSec: 10, storageBytes: 100 },
  ...{ weight: 1, weightStep: 1, weightPeriodMs: 10 * MINUTE_MS, submittedMs: 0, ...said },
});
const running = (id: string, said: Partial<HeldResources> = {}): HeldResources => ({
  ...{ id, procs: { fast: 1 }, link: "wan", bytesPerSec: 10, storageBytes: 100, ...said },
});

interface Scene {
  readonly running?: readonly HeldResources[];
  readonly waiting: readonly WaitingStream[];
  readonly reservations?: readonly StreamReservation[];
  readonly nowMs?: number;
}

const select = (scene: Scene) =>
  selectStreams({ pool, rules: STREAM_RULES, running: [], reservations: [], nowMs: 0, ...scene });
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe("admission", () => {
  it("STR-1 each condition alone makes a stream wait, and says by how much", () => {
    const free = freeResources(pool, [
      running("a", { procs: { fast: 7, slow: 4 }, bytesPerSec: 60, storageBytes: 700 }),
    ]);
    const short = (said: Partial<WaitingStream>) => {
      const verdict = admit(stream("n", said), free);
      return verdict.kind === "waits" ? verdict.shortages : [];
    };
    expect(short({})).toEqual([]);
    expect(short({ procs: 2 })).toEqual([{ resource: "processors", needed: 2, available: 1 }]);
    expect(short({ classes: ["slow"] })).toEqual([{ resource: "processors", needed: 1, available: 0 }]);
    expect(short({ bytesPerSec: 40 })).toEqual([]);
    expect(short({ bytesPerSec: 41 })).toEqual([
      { resource: "bandwidth", link: "wan", needed: 41, available: 40 },
    ]);
    expect(short({ storageBytes: 301, procs: 3 })).toEqual([
      { resource: "processors", needed: 3, available: 1 },
      { resource: "storage", needed: 301, available: 300 },
    ]);
  });

  it("STR-1 minima beyond the whole pool can never be met", () => {
    expect(neverMet(stream("n", { procs: 12 }), pool)).toEqual([]);
    expect(neverMet(stream("n", { procs: 9, classes: ["fast"] }), pool)).toEqual([
      { resource: "processors", needed: 9, available: 8 },
    ]);
    expect(neverMet(stream("n", { link: "lan" }), pool)).toEqual([
      { resource: "bandwidth", link: "lan", needed: 10, available: 0 },
    ]);
  });
});

describe("selection", () => {
  it("STR-2 heavier groups first, then submission, then id; lighter ones that fit start", () => {
    const waiting = [
      stream("late", { submittedMs: 5 }),
      stream("wide", { weight: 3, bytesPerSec: 90, submittedMs: 9 }),
      stream("b", { submittedMs: 1 }),
      stream("a", { submittedMs: 1 }),
    ];
    expect(idsOf(testOrder(waiting, 10, 1))).toEqual(["wide", "a", "b", "late"]);
    const { selected, waits } = select({ waiting, running: [running("r", { bytesPerSec: 30 })], nowMs: 10 });
    expect(idsOf(selected)).toEqual(["a", "b", "late"]);
    expect(waits).toEqual([
      {
        id: "wide",
        shortages: [{ resource: "bandwidth", link: "wan", needed: 90, available: 70 }],
      },
    ]);
  });

  it("STR-2 weights within one width of a group count as equal", () => {
    const waiting = [
      stream("a", { weight: 1.2, submittedMs: 1 }),
      stream("b", { weight: 1.9, submittedMs: 2 }),
    ];
    expect(idsOf(testOrder(waiting, 3, 1))).toEqual(["a", "b"]);
    expect(idsOf(testOrder(waiting, 3, 0.5))).toEqual(["b", "a"]);
  });

  it("STR-2 processors come from the best class on, the heavier stream first", () => {
    const waiting = [stream("light", { procs: 6 }), stream("heavy", { weight: 2, procs: 6 })];
    expect(select({ waiting }).selected).toEqual([
      { id: "heavy", procs: { fast: 6 } },
      { id: "light", procs: { fast: 2, slow: 4 } },
    ]);
  });

  it("STR-3 a weight grows by d at each multiple of T, which is the next wake-up", () => {
    const aged = stream("a", { weight: 2, weightStep: 0.5, submittedMs: MINUTE_MS });
    expect([1, 10, 11, 20, 21, 61].map((minute) => weightAt(aged, minute * MINUTE_MS))).toEqual([
      2, 2, 2.5, 2.5, 3, 5,
    ]);
    const scene = { waiting: [stream("wide", { procs: 12, submittedMs: 3 })], running: [running("r")] };
    expect(select({ ...scene, nowMs: 4 }).wakeAtMs).toBe(10 * MINUTE_MS + 3);
    expect(select({ waiting: [] }).wakeAtMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("STR-3 who came T·⌈Δw/d⌉ or more before another is tested before it", () => {
    const weight = fc.integer({ min: 1, max: 9 });
    const step = fc.constantFrom(0.5, 1, 2);
    const late = fc.integer({ min: 0, max: 10 * MINUTE_MS });
    fc.assert(
      fc.property(weight, weight, step, late, (own, other, weightStep, moreMs) => {
        const least = 10 * MINUTE_MS * Math.ceil(Math.max(0, other - own) / weightStep);
        const first = stream("z", { weight: own, weightStep });
        const submittedMs = least + moreMs + 1;
        const second = stream("a", { weight: other, weightStep, submittedMs });
        for (const laterMs of [0, 7 * MINUTE_MS, 123 * MINUTE_MS]) {
          expect(idsOf(testOrder([second, first], submittedMs + laterMs, 1))).toEqual(["z", "a"]);
        }
      }),
      draws(300),
    );
  });

  it("STR-4 a reserver takes processors as they become free and sets bandwidth and storage aside", () => {
    const wide = stream("wide", { procs: 12, bytesPerSec: 50, storageBytes: 500 });
    const all = running("all", { procs: { fast: 8, slow: 4 }, bytesPerSec: 40, storageBytes: 100 });
    const first = select({ waiting: [wide], running: [all] });
    expect(first.reservations).toEqual([{ id: "wide", sinceMs: 0, procs: {} }]);
    const half = running("half", { procs: { fast: 4, slow: 4 }, bytesPerSec: 40, storageBytes: 100 });
    const small = stream("small", { submittedMs: 1 });
    const second = select({ ...first, waiting: [wide, small], running: [half], nowMs: 2 });
    expect(second.reservations).toEqual([{ id: "wide", sinceMs: 0, procs: { fast: 4 } }]);
    expect(idsOf(second.waits)).toEqual(["wide", "small"]);
    const third = select({ ...second, waiting: [wide, small], running: [], nowMs: 3 });
    expect(third.selected).toEqual([{ id: "wide", procs: { fast: 8, slow: 4 } }]);
  });

  it("STR-4 a reservation expires after its life, serves others first, and passes to the next", () => {
    const HOUR_MS = 60 * MINUTE_MS;
    const wide = stream("wide", { procs: 12, weight: 20 });
    const busy = [running("r", { procs: { slow: 1 } })];
    const small = stream("small", { submittedMs: HOUR_MS });
    const wider = stream("wider", { procs: 11, submittedMs: 1 });
    const before = [{ id: "wide", sinceMs: 0, procs: { fast: 8, slow: 3 } }];
    const waiting = [wide, wider, small];
    const kept = select({ waiting, running: busy, reservations: before, nowMs: HOUR_MS - 1 });
    expect([idsOf(kept.selected), idsOf(kept.reservations)]).toEqual([[], ["wide"]]);
    const over = select({ waiting, running: busy, reservations: before, nowMs: HOUR_MS });
    expect(over.expired).toEqual(["wide"]);
    expect(idsOf(over.selected)).toEqual(["wider"]);
    expect(idsOf(over.reservations)).toEqual(["small"]);
  });

  it("STR-4 who is in no heavier group reserves at once; a lighter one after two periods", () => {
    const full = [running("r", { procs: { fast: 8, slow: 4 } })];
    const heavy = stream("heavy", { weight: 9, submittedMs: 5 });
    const light = stream("light");
    const rules = { ...STREAM_RULES, reservation: { ...STREAM_RULES.reservation, atOnce: 2 } };
    const at = (nowMs: number) =>
      idsOf(
        selectStreams({ pool, rules, running: full, waiting: [heavy, light], reservations: [], nowMs })
          .reservations,
      );
    expect(at(10)).toEqual(["heavy"]);
    expect(at(20 * MINUTE_MS)).toEqual(["heavy", "light"]);
  });
});

const someNeed = fc.record({
  procs: fc.integer({ min: 1, max: 6 }),
  classes: fc.constantFrom(["fast", "slow"], ["slow"], ["fast"], ["slow", "fast"]),
  bytesPerSec: fc.integer({ min: 1, max: 60 }),
  storageBytes: fc.integer({ min: 1, max: 600 }),
  weight: fc.integer({ min: 1, max: 5 }),
  submittedMs: fc.integer({ min: 0, max: 30 * MINUTE_MS }),
});
/** A need that an empty pool admits. */
const fitting = someNeed.filter(
  ({ procs, classes }) => classes.length === 2 || procs <= (classes[0] === "fast" ? 8 : 4),
);
const someStreams = fc
  .array(fitting, { minLength: 1, maxLength: 12 })
  .map((needs) => needs.map((need, at) => stream(`s${String(at).padStart(2, "0")}`, need)));

describe("selection and its plain version", () => {
  it("STR-1 STR-2 STR-3 the same streams start with the same processors", () => {
    fc.assert(
      fc.property(someStreams, fc.integer({ min: 30 * MINUTE_MS, max: 90 * MINUTE_MS }), (streams, nowMs) => {
        const half = streams.slice(0, streams.length >> 1);
        const before = selectStreams({
          ...{ pool, rules: STREAM_RULES, running: [], waiting: half, reservations: [], nowMs },
        }).selected.map(({ id, procs }) => heldBy(half.find((it) => it.id === id) ?? half[0], procs));
        const waiting = streams.slice(streams.length >> 1);
        const { selected, waits } = select({ waiting, running: before, nowMs });
        const plain = plainSelection(waiting, { pool, running: before, nowMs });
        expect(selected).toEqual(plain.map(({ id, procs }) => ({ id, procs })));
        const after = [...before, ...plain];
        for (const { id } of waits) {
          const one = waiting.find((it) => it.id === id);
          expect(one !== undefined && plainWaits(one, pool, after)).toBe(true);
        }
        for (const one of waiting) expect(weightAt(one, nowMs)).toBe(plainWeight(one, nowMs));
      }),
      draws(1000),
    );
  });

  it("STR-2 STR-5 nothing is over-committed, and every stream starts where others end within an hour", () => {
    const life = fc.integer({ min: MINUTE_MS, max: 59 * MINUTE_MS });
    fc.assert(
      fc.property(someStreams, fc.array(life, { minLength: 12, maxLength: 12 }), (streams, lives) => {
        let waiting: readonly WaitingStream[] = streams;
        let reservations: readonly StreamReservation[] = [];
        let holders: readonly (HeldResources & { readonly endMs: number })[] = [];
        let nowMs = 30 * MINUTE_MS;
        for (let round = 0; waiting.length > 0; round++) {
          expect(round).toBeLessThan(2000);
          // While they wait, a small heavy stream comes each minute and stays for half an hour.
          const id = `t${String(round).padStart(4, "0")}`;
          const comes = stream(id, { weight: 5, submittedMs: nowMs });
          const answer = select({ waiting: [...waiting, comes], running: holders, reservations, nowMs });
          reservations = answer.reservations.filter((it) => it.id !== id);
          const started = answer.selected.map(({ id: its, procs }) => {
            const at = streams.findIndex((it) => it.id === its);
            const endMs = nowMs + (at < 0 ? 30 * MINUTE_MS : lives[at]);
            return { ...heldBy(at < 0 ? comes : streams[at], procs), endMs };
          });
          holders = [...holders, ...started];
          const free = freeResources(pool, holders);
          expect(
            Math.min(free.procs.fast, free.procs.slow, free.bytesPerSec.wan, free.storageBytes),
          ).toBeGreaterThanOrEqual(0);
          const gone = new Set(started.map((it) => it.id));
          waiting = waiting.filter((it) => !gone.has(it.id));
          nowMs += MINUTE_MS;
          const atMs = nowMs;
          holders = holders.filter(({ endMs }) => endMs > atMs);
        }
      }),
      draws(200),
    );
  });
});
