import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainChanges, plainTransaction } from "../../test/plain/price-rules.ts";
import { plainQuote } from "../../test/plain/pricing.ts";
import { type PlainPricingCase, plainPricingCases } from "../../test/plain/pricing-arbitrary.ts";
import { type PlainState, plainInstants } from "../../test/plain/pricing-schedule.ts";
import { type PriceBook, type PriceRule, type QueueSnapshot, WEEKDAYS } from "../model/index.ts";
import { machineOfSnapshot, type PricedStart, priceList, tariffOf } from "./index.ts";
import type { WantedStart } from "./priced-slot.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MOST = 64;
const RUNS = draws(100);
const ANN = { consumer: "cms/ann", kind: "reservation" } as const;

function rule(name: string, more: Partial<PriceRule>): PriceRule {
  return {
    ...{ name, clockMs: 0, fromMs: 0, untilMs: DAY_MS, days: null, consumers: null, slots: null },
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0 },
    ...more,
  };
}

function bookOf(...prices: readonly PriceRule[]): PriceBook {
  return { unitPriceThousandths: 2000, transactionProcMs: 7, prices };
}

const NIGHT = rule("night", { fromMs: 22 * HOUR_MS, untilMs: 6 * HOUR_MS });

/** Friday 10:00, when the machine of 8 processors is empty. */
const FRIDAY_TEN = Date.UTC(2026, 10, 20, 10);
const EMPTY: QueueSnapshot = {
  ...{ nowMs: FRIDAY_TEN, procs: 8, discipline: "conservative" },
  ...{ running: [], queued: [], reservations: [] },
};

function startsIn(book: PriceBook, wanted: WantedStart, from: QueueSnapshot) {
  const terms = { tariff: tariffOf(book, ANN) };
  const shape = { pool: 0, need: [1], durationMs: HOUR_MS };
  return priceList(machineOfSnapshot(from), shape, wanted, terms).map(({ startMs }) => startMs);
}

describe("candidates by the calendar", () => {
  it("price changes are candidates for a day, or to the end of a longer queue", () => {
    const [evening, morning] = [12, 20].map((hours) => FRIDAY_TEN + hours * HOUR_MS);
    const ask = (wanted: WantedStart, from = EMPTY) => startsIn(bookOf(NIGHT), wanted, from);
    expect(ask({ kind: "whenever" })).toEqual([FRIDAY_TEN, evening, morning]);
    expect(ask({ kind: "from", fromMs: evening })).toEqual([evening, morning, evening + DAY_MS]);
    expect(ask({ kind: "at", startMs: evening + 1 })).toEqual([evening + 1]);
    const running = [{ id: "r", procs: 1, endMs: FRIDAY_TEN + 36 * HOUR_MS }];
    const longer = startsIn(bookOf(NIGHT), { kind: "whenever" }, { ...EMPTY, running });
    expect(longer).toEqual([FRIDAY_TEN, evening, morning, evening + DAY_MS]);
  });

  it("a rule that does not apply, or does not change the price, adds no candidate", () => {
    const others = rule("others", { consumers: ["atlas"], fromMs: 12 * HOUR_MS, untilMs: 13 * HOUR_MS });
    const same = rule("same", { untilMs: HOUR_MS, unitPriceThousandths: 2000, transactionProcMs: 7 });
    expect(startsIn(bookOf(others, same), { kind: "whenever" }, EMPTY)).toEqual([FRIDAY_TEN]);
  });

  it("at most 64 price changes are candidates", () => {
    const running = [{ id: "r", procs: 1, endMs: FRIDAY_TEN + 60 * DAY_MS }];
    const starts = startsIn(bookOf(NIGHT), { kind: "whenever" }, { ...EMPTY, running });
    expect(starts).toHaveLength(MOST + 2);
    expect(starts.at(-1)).toBe(FRIDAY_TEN + 60 * DAY_MS);
  });

  it("MK-3 the list is that of the plain rule with them, and ends with a start that delays no job", () => {
    fc.assert(
      fc.property(plainPricingCases, books, scales, (drawn, book, scale) => {
        const { state, need, durationMs } = scaled(drawn, scale);
        fc.pre(state.capacity.length === 1);
        const list = priceList(
          machineOfSnapshot(snapshotOf(state)),
          { pool: 0, need, durationMs },
          { kind: "whenever" },
          { tariff: tariffOf(book, ANN) },
        );
        expect(list.map(rowOf)).toEqual(plainList(state, book, need, durationMs));
        expect(list.at(-1)?.delayedJobs).toBe(0);
      }),
      RUNS,
    );
  });
});

const timesOfDay = fc.integer({ min: 0, max: 1439 }).map((it) => it * MINUTE_MS);
const books: fc.Arbitrary<PriceBook> = fc
  .array(
    fc.record({
      clockMs: fc.integer({ min: -899, max: 899 }).map((it) => it * MINUTE_MS),
      fromMs: timesOfDay,
      untilMs: timesOfDay.map((it) => it + MINUTE_MS),
      days: fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 }), { nil: null }),
      unitPriceThousandths: fc.integer({ min: 1000, max: 1002 }),
      transactionProcMs: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 3 },
  )
  .map((drawn) => bookOf(...drawn.map((it, at) => rule(`rule ${at}`, it))));
/** Length of one unit of time of the small cases, in ms. */
const scales = fc.integer({ min: 1, max: 400 }).map((it) => it * MINUTE_MS);

function scaled({ state, ...asked }: PlainPricingCase, scale: number): PlainPricingCase {
  const nowMs = state.nowMs * scale;
  return {
    ...{ need: asked.need, durationMs: asked.durationMs * scale, fromMs: asked.fromMs * scale },
    state: {
      ...{ nowMs, capacity: state.capacity, discipline: state.discipline },
      running: state.running.map((it) => ({ ...it, endMs: it.endMs * scale })),
      queued: state.queued.map(({ id, need, estimateMs }) => ({ id, need, estimateMs: estimateMs * scale })),
      reservations: state.reservations
        .map((it) => ({ ...it, startMs: it.startMs * scale, durationMs: it.durationMs * scale }))
        .filter(({ startMs }) => startMs >= nowMs),
    },
  };
}

function snapshotOf({ nowMs, capacity, discipline, running, queued, reservations }: PlainState) {
  const named = <Item extends { readonly id: string | number; readonly need: readonly number[] }>(
    all: readonly Item[],
  ) => all.map(({ need, ...it }) => ({ ...it, id: String(it.id), procs: need[0] }));
  return {
    ...{ nowMs, procs: capacity[0], discipline },
    ...{ running: named(running), queued: named(queued), reservations: named(reservations) },
  };
}

type Row = readonly [startMs: number, fixedProcMs: number, delayedJobs: number];

function rowOf({ startMs, fixedProcMs, delayedJobs }: PricedStart): Row {
  return [startMs, fixedProcMs, delayedJobs];
}

/** The plain list: each candidate is priced alone, those of the queue and those of the calendar. */
function plainList(state: PlainState, book: PriceBook, need: readonly number[], durationMs: number) {
  const instants = plainInstants(state);
  const untilMs = Math.max(state.nowMs + DAY_MS, ...instants);
  const calendar = plainChanges(book, ANN, { fromMs: state.nowMs, untilMs, most: MOST });
  return [...new Set([...instants, ...calendar])]
    .sort((a, b) => a - b)
    .flatMap((startMs) => plainQuote(state, need, durationMs, { startMs }))
    .map(({ startMs, fixedProcMs, delaysJobs }): Row => {
      return [startMs, Number(fixedProcMs) + plainTransaction(book, ANN, startMs), delaysJobs];
    });
}
