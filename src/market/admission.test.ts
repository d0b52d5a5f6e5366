import { describe, expect, it } from "vitest";
import { RESERVATION_DEFAULTS, type ReservationRules } from "../model/index.ts";
import { type HeldSlot, type ReservationBook, whyNotReserve } from "./index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = 1_000_000;

/** A request in hours from now, 100 processors in the pool. */
const ask = (
  { at = 1, hours = 2, procs = 10, consumer = "physics/solid/ada" } = {},
  rules: Partial<ReservationRules> = {},
  book: Partial<ReservationBook> = {},
) =>
  whyNotReserve(
    { ...RESERVATION_DEFAULTS, ...rules },
    {
      consumer,
      nowMs: NOW_MS,
      slot: { procs, memoryBytes: 0, startMs: NOW_MS + at * HOUR_MS, durationMs: hours * HOUR_MS },
    },
    { poolProcs: 100, held: [], wasted: 0, ...book },
  );

const held = (at: number, hours: number, procs: number, more: Partial<HeldSlot> = {}): HeldSlot => ({
  consumer: "chemistry",
  procs,
  startMs: NOW_MS + at * HOUR_MS,
  durationMs: hours * HOUR_MS,
  isOffer: false,
  ...more,
});

describe("who may reserve", () => {
  it("MK-11 consumer, notice, distance and length have limits, and a refusal names its rule", () => {
    expect(ask()).toBeUndefined();
    expect(ask({ at: 0 })).toBeUndefined();
    expect(ask({}, { consumers: ["physics"] })).toBeUndefined();
    expect(ask({}, { consumers: ["phys", "chemistry"] })).toEqual({
      kind: "mayNotReserve",
      consumer: "physics/solid/ada",
      consumers: ["phys", "chemistry"],
    });
    expect(ask({}, { consumers: [] })?.kind).toBe("mayNotReserve");
    expect(ask({ at: -1 })).toEqual({ kind: "startsInPast", startMs: NOW_MS - HOUR_MS, nowMs: NOW_MS });
    expect(ask({ at: 1 }, { noticeMs: 2 * HOUR_MS })).toMatchObject({ kind: "tooSoon" });
    expect(ask({ at: 2 }, { noticeMs: 2 * HOUR_MS })).toBeUndefined();
    expect(ask({ hours: 5 }, { longestMs: 4 * HOUR_MS })).toMatchObject({ kind: "tooLong" });
    expect(ask({ at: 14 * 24 - 2 })).toBeUndefined();
    expect(ask({ at: 14 * 24 - 1 })).toMatchObject({ kind: "tooFarAhead", latestMs: NOW_MS + 14 * DAY_MS });
  });

  it("MK-11 an extension is judged by the length of the whole, and is no offer", () => {
    const more = (hours: number) => {
      const slot = { procs: 10, memoryBytes: 0, startMs: NOW_MS + HOUR_MS, durationMs: hours * HOUR_MS };
      const consumer = "physics/solid/ada";
      return whyNotReserve(
        { ...RESERVATION_DEFAULTS, longestMs: 4 * HOUR_MS, offerSharePpm: 200_000 },
        { consumer, nowMs: NOW_MS, slot, extendsFromMs: NOW_MS - 2 * HOUR_MS },
        { poolProcs: 100, held: [held(1, 1, 20, { consumer, isOffer: true })], wasted: 0 },
      );
    };
    expect(more(1)).toBeUndefined();
    expect(more(2)).toEqual({ kind: "tooLong", durationMs: 5 * HOUR_MS, longestMs: 4 * HOUR_MS });
  });

  it("MK-12 all consumers together hold no more than half of a pool at once", () => {
    expect(ask({ procs: 50 })).toBeUndefined();
    expect(ask({ procs: 51 })).toEqual({
      kind: "tooMuchReserved",
      atMs: NOW_MS + HOUR_MS,
      procs: 51,
      mostProcs: 50,
    });
    const twice = { held: [held(0, 2, 30), held(2.5, 9, 31)] };
    expect(ask({ procs: 19 }, {}, twice)).toBeUndefined();
    expect(ask({ procs: 20 }, {}, twice)).toMatchObject({ atMs: NOW_MS + 2.5 * HOUR_MS, procs: 51 });
    expect(ask({ at: 2, hours: 0.5, procs: 50 }, {}, twice)).toBeUndefined();
  });

  it("MK-12 a consumer, reservations beyond two days, and open offers have limits of their own", () => {
    const own = { consumer: "physics/solid/ada" };
    expect(ask({ procs: 11 }, { consumerSharePpm: 200_000 }, { held: [held(1, 1, 10, own)] })).toMatchObject({
      kind: "consumerTooMuchReserved",
      procs: 21,
      mostProcs: 20,
    });
    expect(ask({ at: 47, hours: 2, procs: 11 })).toMatchObject({
      kind: "farTooMuchReserved",
      atMs: NOW_MS + 48 * HOUR_MS,
      mostProcs: 10,
    });
    expect(ask({ at: 46, hours: 2, procs: 11 })).toBeUndefined();
    const offers = { held: [held(1, 1, 20, { ...own, isOffer: true })] };
    expect(ask({ procs: 6 }, { offerSharePpm: 250_000 }, offers)).toMatchObject({
      kind: "tooMuchOffered",
      procs: 26,
      mostProcs: 25,
    });
    expect(ask({ procs: 6, consumer: "other" }, { offerSharePpm: 250_000 }, offers)).toBeUndefined();
  });

  it("a consumer with too many wasted reservations may not reserve", () => {
    expect(ask({}, {}, { wasted: 5 })).toBeUndefined();
    expect(ask({}, {}, { wasted: 6 })).toEqual({ kind: "tooManyWasted", wasted: 6, most: 5 });
  });
});
