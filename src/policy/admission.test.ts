import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import "../../test/property-seed.ts";
import { type EpochWindow, POLICY_DEFAULTS, type Policy } from "../model/index.ts";
import {
  type AdmissionRules,
  admitInOrder,
  admits,
  type Booking,
  bookedByLevel,
  calendarWindow,
  shareTree,
} from "./index.ts";

const DAY_MS = 86_400_000;
const PERCENT = 10_000_000_000;

interface Said {
  readonly provider?: string;
  readonly consumer: string;
  readonly epoch: number;
  readonly burst: number;
  readonly window?: EpochWindow;
}
const sliding = (lengthMs: number) => ({ kind: "sliding", lengthMs }) as const;

function rules(policies: readonly Said[], capacity = 100): AdmissionRules {
  const read = policies.map(
    ({ provider = "site1", consumer, epoch, burst, window = sliding(DAY_MS) }): Policy => ({
      ...POLICY_DEFAULTS,
      provider,
      consumer,
      epoch: { window, sharePpm: epoch * 10_000 },
      burst: { bucketMs: 5000, sharePpm: burst * 10_000 },
    }),
  );
  return { tree: shareTree(read, "site1"), resource: "cpu", capacity: BigInt(capacity), ticksPerMs: 1n };
}

function wants(consumer: string, amount: number, durationMs?: number, startMs = 0): Booking {
  const end = durationMs === undefined ? null : BigInt(startMs + durationMs);
  return { consumer, amount: BigInt(amount), start: BigInt(startMs), end };
}
const answers = (by: AdmissionRules, requests: readonly Booking[]) =>
  admitInOrder(by, requests).map((refusal) => refusal?.kind ?? "admitted");

describe("admission", () => {
  const five = ["a", "b", "c", "d", "e"];
  const context = rules(five.map((consumer) => ({ consumer, epoch: 25, burst: 70 })));

  it.each([
    ["20 % for ever is admitted", [wants("a", 20)], ["admitted"]],
    ["69 % for an hour is admitted", [wants("a", 69, DAY_MS / 24)], ["admitted"]],
    ["70 % reaches the burst, which is allowed", [wants("a", 70, 1000)], ["admitted"]],
    ["71 % is over the burst", [wants("a", 71, 1)], ["burst"]],
    [
      "four consumers at 25 % fill the site, and the fifth has no room",
      five.map((consumer) => wants(consumer, 25)),
      ["admitted", "admitted", "admitted", "admitted", "capacity"],
    ],
    [
      "a third reservation of 30 % is over the burst by sum",
      [1, 2, 3].map(() => wants("a", 30, 1000)),
      ["admitted", "admitted", "burst"],
    ],
    ["50 % for half a day is admitted", [wants("a", 50, DAY_MS / 2)], ["admitted"]],
    ["50 % for half a day and 100 ms is over the epoch", [wants("a", 50, DAY_MS / 2 + 100)], ["epoch"]],
    [
      "50 % for a quarter of a day twice in a window is admitted, and 1 ms more is not",
      [
        wants("a", 50, DAY_MS / 4),
        wants("a", 50, DAY_MS / 4 + 1, DAY_MS / 2),
        wants("a", 50, DAY_MS / 4, DAY_MS / 2),
      ],
      ["admitted", "epoch", "admitted"],
    ],
    ["who is not named has nothing", [wants("z", 1, 1)], ["noPolicy"]],
    ["26 % for ever is over the epoch", [wants("a", 26)], ["epoch"]],
  ])("PO-7 a request: %s", (_, requests, expected) => {
    expect(answers(context, requests)).toEqual(expected);
  });

  it("PO-7 a refusal names level, limit, peak and instant", () => {
    expect(admits(context, bookedByLevel([]), wants("a", 50, DAY_MS / 2 + 864, 1000))).toEqual({
      kind: "epoch",
      place: "site1",
      level: "a",
      window: sliding(DAY_MS),
      limitShare: 25 * PERCENT,
      wouldBeShare: 25.0005 * PERCENT,
      fromMs: 1000 + DAY_MS / 2,
    });
    const booked = bookedByLevel([wants("b", 60, 1000, 500), wants("c", 20, 1000, 700)]);
    expect(admits(context, booked, wants("a", 30, 1000))).toEqual({
      kind: "capacity",
      place: "site1",
      limitShare: 100 * PERCENT,
      wouldBeShare: 110 * PERCENT,
      fromMs: 700,
    });
  });

  it("PO-7 levels are tested from the top down, with all bookings below them", () => {
    const groups = rules([
      { consumer: "vo", epoch: 50, burst: 60 },
      { provider: "vo", consumer: "vo/x", epoch: 50, burst: 50 },
      { provider: "vo", consumer: "vo/y", epoch: 50, burst: 100 },
    ]);
    const judged = admitInOrder(groups, [
      wants("vo/x", 31, 1000),
      wants("vo/x", 30, 1000),
      wants("vo/y", 31, 1000),
      wants("vo/y/ada", 30, 1000),
      wants("vo/z", 61, 1000, 1000),
      wants("vo/x", 26, undefined, DAY_MS),
    ]);
    expect(
      judged.map((refusal) => (refusal !== undefined && "level" in refusal ? refusal.level : null)),
    ).toEqual(["vo/x", null, "vo", null, "vo", "vo/x"]);
  });

  it("PO-7 each calendar window is tested, also for a request without an end", () => {
    const window = { kind: "fixed", unit: "day", offsetMs: 0 } as const;
    const calendar = rules([{ consumer: "a", epoch: 25, burst: 100, window }]);
    expect(answers(calendar, [wants("a", 50, DAY_MS, DAY_MS / 2)])).toEqual(["admitted"]);
    expect(answers(calendar, [wants("a", 50, DAY_MS, DAY_MS / 2 + 1)])).toEqual(["epoch"]);
    expect(answers(calendar, [wants("a", 50, DAY_MS, DAY_MS / 2 - 1)])).toEqual(["epoch"]);
    expect(answers(calendar, [wants("a", 25), wants("a", 1, 1, 900 * DAY_MS + 7)])).toEqual([
      "admitted",
      "epoch",
    ]);
    expect(answers(calendar, [wants("a", 1, 1, 900 * DAY_MS + 7), wants("a", 25)])).toEqual([
      "admitted",
      "epoch",
    ]);
    expect(answers(calendar, [wants("a", 26, undefined, DAY_MS - 1)])).toEqual(["epoch"]);
  });

  it("PO-7 10,000 rectangles are tested within a second", () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      wants(five[index % 5], 1 + (index % 3), 500_000, index * 60_000),
    );
    const booked = bookedByLevel(many);
    for (const place of [0, 5_000, 9_999]) {
      expect(admits(context, booked, wants("a", 1, undefined, place * 60_000))?.kind).toBeUndefined();
    }
  });
});

describe("admission, against a sum over every ms", () => {
  const consumers = ["a", "b", "b/x", "b/y"];
  const rectangle = fc.record({
    consumer: fc.constantFrom(...consumers),
    amount: fc.integer({ min: 1, max: 8 }),
    start: fc.integer({ min: 0, max: 40 }),
    length: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined, freq: 8 }),
  });
  const share = fc.integer({ min: 0, max: 10 });
  const horizon = 140;

  function plainReason(
    said: ReadonlyMap<string, { epoch: number; burst: number }>,
    lengthMs: number,
    booked: readonly Booking[],
    request: Booking,
  ): string {
    const inUse = (level: string, atMs: number) =>
      [...booked, request].reduce(
        (sum, { consumer, amount, start, end }) =>
          `${consumer}/`.startsWith(level) && start <= atMs && (end === null || atMs < end)
            ? sum + Number(amount)
            : sum,
        0,
      );
    const times = Array.from({ length: horizon }, (_, index) => index);
    const isThere = (atMs: number) => request.start <= atMs && (request.end === null || atMs < request.end);
    const peak = (level: string) => Math.max(...times.filter(isThere).map((atMs) => inUse(level, atMs)));
    const over = (level: string) => {
      const uses = times.map((atMs) => inUse(level, atMs));
      return times.some((first) => {
        const inWindow = times.slice(first, first + lengthMs);
        const isWhole = inWindow.length === lengthMs || first === 0;
        return (
          isWhole &&
          inWindow.some(isThere) &&
          sum(uses.slice(first, first + lengthMs)) > limit(level, lengthMs)
        );
      });
    };
    const limit = (level: string, by: number) => ((said.get(level)?.epoch ?? 0) / 1000) * 10 * by;
    const levels = consumers.filter((level) => `${request.consumer}/`.startsWith(`${level}/`));
    if (levels.some((level) => peak(`${level}/`) > (said.get(`${level}/`)?.burst ?? 0) / 100)) return "burst";
    if (levels.some((level) => over(`${level}/`))) return "epoch";
    return peak("") > 10 ? "capacity" : "admitted";
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);

  it("PO-7 is the same for sliding windows", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(share, share), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 25 }),
        fc.array(rectangle, { minLength: 1, maxLength: 8 }),
        (shares, lengthMs, drawn) => {
          const policies = consumers.map((consumer, index) => ({
            ...(consumer.includes("/") ? { provider: "b" } : {}),
            consumer,
            epoch: 10 * Math.min(...shares[index]),
            burst: 10 * Math.max(...shares[index]),
            window: sliding(lengthMs),
          }));
          const requests = drawn.map(({ consumer, amount, start, length }) =>
            wants(consumer, amount, length, start),
          );
          // Shares of levels below b, in thousandths of the capacity, which is 10.
          const said = new Map(
            policies.map(({ consumer, epoch, burst }) => {
              const above = consumer.includes("/") ? policies[1] : { epoch: 100, burst: 100 };
              return [
                `${consumer}/`,
                { epoch: (epoch * above.epoch) / 10, burst: (burst * above.burst) / 10 },
              ];
            }),
          );
          const booked: Booking[] = [];
          const plain = requests.map((request) => {
            const reason = plainReason(said, lengthMs, booked, request);
            if (reason === "admitted") booked.push(request);
            return reason;
          });
          expect(answers(rules(policies, 10), requests)).toEqual(plain);
        },
      ),
      draws(300),
    );
  });

  it("PO-7 is the same for calendar windows", () => {
    const hourMs = 3_600_000;
    const window = { kind: "fixed", unit: "hour", offsetMs: 0 } as const;
    fc.assert(
      fc.property(fc.array(rectangle, { minLength: 1, maxLength: 10 }), share, (drawn, tenths) => {
        const scale = 600_000;
        const by = rules([{ consumer: "a", epoch: tenths * 10, burst: 1000, window }], 10);
        const requests = drawn.map(({ amount, start, length }) =>
          wants("a", amount, length === undefined ? undefined : length * scale, start * scale),
        );
        const booked: Booking[] = [];
        const plain = requests.map((request) => {
          const usedFrom = (fromMs: number) =>
            [...booked, request].reduce((used, { amount, start, end }) => {
              const first = Math.max(Number(start), fromMs);
              const last = Math.min(end === null ? Number.POSITIVE_INFINITY : Number(end), fromMs + hourMs);
              return used + Number(amount) * Math.max(0, last - first);
            }, 0);
          const first = calendarWindow("hour", Number(request.start), 0).startMs;
          const last = request.end === null ? first + 40 * hourMs : Number(request.end);
          let isOver = false;
          for (let fromMs = first; fromMs < last; fromMs += hourMs) {
            isOver ||= usedFrom(fromMs) > tenths * hourMs;
          }
          const peaks = [request, ...requests].map(({ start }) => start).filter((at) => at >= request.start);
          const inUse = (at: bigint) =>
            [...booked, request].reduce(
              (total, { amount, start, end }) =>
                start <= at && (end === null || at < end) ? total + Number(amount) : total,
              0,
            );
          const isFull = peaks.some((at) => (request.end === null || at < request.end) && inUse(at) > 10);
          const reason = isOver ? "epoch" : isFull && "capacity";
          if (reason === false) booked.push(request);
          return reason === false ? "admitted" : reason;
        });
        expect(answers(by, requests)).toEqual(plain);
      }),
      draws(300),
    );
  });
});
