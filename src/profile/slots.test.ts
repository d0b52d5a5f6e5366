import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { PlainProfile, plainSlots } from "../../test/plain/plain-profile.ts";
import {
  durationMs,
  instantMs,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  procMs,
  procs,
  thousandths,
} from "../base/index.ts";
import {
  advance,
  breakpointCount,
  createProfile,
  HORIZON_MS,
  horizonOf,
  isAllowed,
  type Profile,
  provisionCost,
  release,
  reserve,
  type Slot,
  slotsOf,
} from "./index.ts";

/** Times in hours. */
type Rectangle = readonly [procs: number, start: number, duration: number];

const hours = (count: number) => instantMs(count * MS_PER_HOUR);

const profileWith = (capacity: number, ...rectangles: Rectangle[]): Profile => {
  const profile = createProfile([capacity], 0);
  for (const [amount, start, duration] of rectangles) {
    expect(reserve(profile, [amount], hours(duration), hours(start))).toBeUndefined();
  }
  return profile;
};

/** As ⟨start, procs, duration⟩ in hours; `+` marks an extensible (and divisible) one. */
const written = (slots: readonly Slot[]): string =>
  slots
    .map(({ startAt, procs: count, durationMs: length, divisible, extensible }) => {
      expect(divisible).toBe(extensible);
      return `⟨${startAt / MS_PER_HOUR},${count},${length / MS_PER_HOUR}⟩${extensible ? "+" : ""}`;
    })
    .join(" ");

/** A 2p 3h, B 4p 1h, C 1p 2h, D 3p 2h at their conservative starts. */
const workedProfile = () => profileWith(5, [2, 0, 3], [4, 3, 1], [1, 0, 2], [3, 4, 2]);

describe("the worked example of spec 10: slots", () => {
  it("SL-1 the five slots to 8 h, numbered in canonical order", () => {
    const slots = slotsOf(workedProfile(), hours(8));
    expect(written(slots)).toBe("⟨0,1,3⟩ ⟨0,1,8⟩+ ⟨2,1,1⟩ ⟨4,1,4⟩+ ⟨6,3,2⟩+");
    expect(slots.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it("SL-1 A ends at 1, before the queue is compressed: exactly ⟨1,2,2⟩ appears", () => {
    const profile = workedProfile();
    release(profile, [2], hours(2), hours(1));
    expect(written(slotsOf(profile, hours(8)))).toBe("⟨0,1,3⟩ ⟨0,1,8⟩+ ⟨1,2,2⟩ ⟨2,1,1⟩ ⟨4,1,4⟩+ ⟨6,3,2⟩+");
  });

  it("SL-1 seen from 1, what is left of S3 and the new area are one slot", () => {
    const profile = workedProfile();
    release(profile, [2], hours(2), hours(1));
    advance(profile, hours(1));
    expect(written(slotsOf(profile, hours(8)))).toBe("⟨1,3,2⟩ ⟨1,1,7⟩+ ⟨2,1,1⟩ ⟨4,1,4⟩+ ⟨6,3,2⟩+");
  });
});

describe("slots of a profile", () => {
  it.each([
    ["nothing scheduled: one slot of all processors", [], "⟨0,4,48⟩+"],
    [
      "a hole between two full times is one slot",
      [
        [4, 0, 1],
        [4, 2, 1],
      ],
      "⟨1,4,1⟩ ⟨3,4,45⟩+",
    ],
    ["levels that begin together and end apart are two", [[3, 2, 2]], "⟨0,3,2⟩ ⟨0,1,48⟩+ ⟨4,3,44⟩+"],
    [
      "a peak of several heights",
      [
        [3, 0, 1],
        [2, 1, 1],
        [1, 2, 1],
      ],
      "⟨0,1,48⟩+ ⟨1,1,47⟩+ ⟨2,1,46⟩+ ⟨3,1,45⟩+",
    ],
    ["nothing is ever free", [[4, 0, Number.POSITIVE_INFINITY]], ""],
    ["the last end is late: five minutes beyond it", [[3, 0, 59]], "⟨0,1,59.083333⟩+ ⟨59,3,0.083333⟩+"],
  ] as readonly [string, Rectangle[], string][])("SL-1 %s", (_, rectangles, expected) => {
    const text = written(slotsOf(profileWith(4, ...rectangles)));
    expect(text.replaceAll(/\d+\.\d+/g, (length) => String(Math.floor(Number(length) * 1e6) / 1e6))).toBe(
      expected,
    );
  });

  it("the horizon is the later of the one asked for and the last scheduled end + 5 min", () => {
    const profile = profileWith(4, [1, 0, 5]);
    expect(horizonOf(profile)).toBe(HORIZON_MS);
    expect(horizonOf(profile, hours(6))).toBe(hours(6));
    expect(horizonOf(profile, hours(5))).toBe(hours(5) + 5 * MS_PER_MINUTE);
    advance(profile, hours(3));
    expect(horizonOf(profile)).toBe(hours(51));
    advance(profile, hours(70));
    expect(horizonOf(profile, hours(8))).toBe(hours(70) + 5 * MS_PER_MINUTE);
  });

  it("SL-1 are the plain tiling, at most as many as breakpoints, of the first column alone", () => {
    const rectangles = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(40), fc.integer({ min: 1, max: 12 })),
      {
        maxLength: 20,
        size: "max",
      },
    );
    fc.assert(
      fc.property(
        rectangles,
        fc.integer({ min: 1, max: 6 }),
        fc.nat(20),
        fc.nat(60),
        (list, capacity, now, horizon) => {
          // One unit of the plain profile is a minute, so that it need not count 300,000 of them.
          const plain = PlainProfile.create([capacity, 9], 0, 60);
          const fast = createProfile([capacity, 9], 0);
          for (const [amount, start, duration] of list) {
            if (plain.reserve([amount, 0], duration, start) !== undefined)
              plain.reserve([0, 1], duration, start);
            const [startMs, length] = [start * MS_PER_MINUTE, duration * MS_PER_MINUTE];
            if (reserve(fast, [amount, 0], length, startMs) !== undefined)
              reserve(fast, [0, 1], length, startMs);
          }
          plain.advance(now);
          advance(fast, now * MS_PER_MINUTE);
          const slots = slotsOf(fast, instantMs(Math.max(now, horizon) * MS_PER_MINUTE));
          expect(slots.length).toBeLessThanOrEqual(breakpointCount(fast));
          expect(slots).toEqual(plainSlots(plain, now, Math.max(now, horizon), 5).map(inMilliseconds));
        },
      ),
      draws(500),
    );
  });
});

describe("provisioning out of a slot", () => {
  const slot = (divisible: boolean, extensible: boolean): Slot => ({
    id: 1,
    startAt: instantMs(10),
    procs: procs(4),
    durationMs: durationMs(20),
    divisible,
    extensible,
  });
  const slots = [slot(false, false), slot(false, true), slot(true, false), slot(true, true)];

  it.each([
    // procs, start and duration wanted; from slots that are neither b nor e, e, b, b and e
    ["the whole slot", [4, 10, 20], "yes yes yes yes"],
    ["longer than the slot", [4, 10, 21], "no  yes no  yes"],
    ["shorter than the slot", [4, 10, 19], "no  no  yes yes"],
    ["fewer processors", [3, 10, 20], "no  no  yes yes"],
    ["more processors", [5, 10, 20], "no  no  no  no"],
    ["a later start, to the end", [4, 11, 19], "no  no  yes yes"],
    ["a later start, beyond the end", [4, 11, 20], "no  no  no  yes"],
    ["an earlier start", [4, 9, 20], "no  no  no  no"],
    ["a start behind the end", [1, 40, 5], "no  no  no  yes"],
    ["the middle of it", [2, 15, 5], "no  no  yes yes"],
  ])("SL-4 %s may be had as the table says", (_, [count, startAt, length], expected) => {
    const wanted = { procs: procs(count), startAt: instantMs(startAt), durationMs: durationMs(length) };
    expect(slots.map((from) => (isAllowed(from, wanted) ? "yes" : "no"))).toEqual(expected.split(/ +/));
  });

  it.each([
    // procs, duration, unit price in thousandths, fixed price
    ["the advertised price, one SU for one SU", [4, 20, 1000, 0], 80],
    ["a fixed part", [4, 20, 1000, 7], 87],
    ["half price", [3, 21, 500, 0], 32],
    ["a fraction of a processor-millisecond is rounded up", [1, 1, 1, 0], 1],
    ["for nothing", [4, 20, 0, 0], 0],
    ["beyond 2^53 before the division", [100_000, 31_536_000_000, 1001, 1], 3_156_753_600_000_001],
  ])("SL-4 %s: n·d·c + f", (_, [count, length, unitPrice, fixed], expected) => {
    const wanted = { procs: procs(count), startAt: instantMs(10), durationMs: durationMs(length) };
    const price = { unitPrice: thousandths(unitPrice), fixed: procMs(fixed) };
    expect(provisionCost(wanted, price)).toBe(expected);
  });
});

function inMilliseconds(
  { start, procs: count, duration, extensible }: ReturnType<typeof plainSlots>[number],
  i: number,
): Slot {
  return {
    id: i + 1,
    startAt: instantMs(start * MS_PER_MINUTE),
    procs: procs(count),
    durationMs: durationMs(duration * MS_PER_MINUTE),
    divisible: extensible,
    extensible,
  };
}
