import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { type PlainSlot, plainPlaceOnSlots } from "../../test/plain/plain-slot-scheduling.ts";
import { durationMs, instantMs, procs } from "../base/index.ts";
import {
  createProfile,
  earliest,
  placeOnSlots,
  reserve,
  type Slot,
  type SlotTask,
  slotsOf,
} from "./index.ts";

type Rectangle = readonly [
  start: number,
  procs: number,
  duration: number,
  flags?: "b" | "e" | "be" | undefined,
];

const slot = (id: number, [start, count, duration, flags]: Rectangle): Slot => ({
  id,
  startAt: instantMs(start),
  procs: procs(count),
  durationMs: durationMs(duration),
  divisible: flags === "b" || flags === "be",
  extensible: flags === "e" || flags === "be",
});

const task = (count: number, duration: number, from = 0): SlotTask => ({
  procs: procs(count),
  durationMs: durationMs(duration),
  notBefore: instantMs(from),
});

/** `start: procs@slot …`, then the set that is left as `id<parent start,procs,duration,flags`. */
const placed = (slots: readonly Slot[], wanted: SlotTask): string => {
  const placement = placeOnSlots(slots, wanted);
  if (placement === undefined) return "does not fit";
  const used = placement.used.map((part) => `${part.procs}@${part.slot}`).join(" ");
  const left = placement.slots.map((it) => {
    const flags = `${it.divisible ? "b" : ""}${it.extensible ? "e" : ""}`;
    const parent = it.parent === undefined ? "" : `<${it.parent}`;
    return `${it.id}${parent} ${it.startAt},${it.procs},${it.durationMs}${flags && `,${flags}`}`;
  });
  return [`${placement.startAt}: ${used}`, ...left].join(" | ");
};

/** Any set of slots: no tiling, any ids, all kinds. */
const anySlots = fc
  .array(
    fc.tuple(
      fc.nat(12),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(undefined, undefined, "b" as const, "e" as const, "be" as const),
    ),
    { maxLength: 8 },
  )
  .chain((list) =>
    fc
      .shuffledSubarray(
        list.map((_, i) => 3 * i + 1),
        { minLength: list.length },
      )
      .map((ids) => list.map((rectangle, i) => slot(ids[i], rectangle))),
  );

const anyTasks = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 }), fc.nat(14))
    .map(([count, duration, from]) => task(count, duration, from)),
  { minLength: 1, maxLength: 5 },
);

describe("scheduling on a set of slots", () => {
  it("start, slots used, left-overs, parents and flags are the plain ones, task after task", () => {
    fc.assert(
      fc.property(anySlots, anyTasks, (set, tasks) => {
        let slots: readonly Slot[] = set;
        let plain = set.map(plainly);
        for (const wanted of tasks) {
          const before = structuredClone(slots);
          const placement = placeOnSlots(slots, wanted);
          const expected = plainPlaceOnSlots(plain, wanted.procs, wanted.durationMs, wanted.notBefore);
          expect(slots).toEqual(before);
          expect(placement?.startAt).toBe(expected?.start);
          expect(placement?.used).toEqual(expected?.used);
          if (placement === undefined || expected === undefined) continue;
          expect(placement.slots.map(plainly)).toEqual(expected.slots);
          slots = placement.slots;
          plain = [...expected.slots];
        }
      }),
      draws(2000),
    );
  });

  it.each([
    ["one slot alone, if it has the procs", [[0, 3, 5]], task(3, 5), "0: 3@1"],
    ["not before the instant asked for", [[0, 3, 9]], task(3, 4, 5), "5: 3@1 | 2<1 0,3,5"],
    [
      "an indivisible slot is not too short where extensible",
      [[0, 1, 2, "e"]],
      task(1, 3),
      "0: 1@1 | 2<1 3,1,0,e",
    ],
    ["a slot that ends one too early does not count", [[0, 1, 4]], task(1, 5), "does not fit"],
    ["too late in the slot", [[0, 1, 4]], task(1, 4, 1), "does not fit"],
    [
      "stacked onto an earlier one, walking back",
      [
        [0, 2, 9],
        [1, 1, 5],
      ],
      task(3, 5),
      "1: 1@2 2@1 | 3<1 0,2,1 | 4<1 6,2,3",
    ],
    [
      "a later one is not looked at",
      [
        [0, 2, 9],
        [1, 1, 5],
      ],
      task(3, 6),
      "does not fit",
    ],
    ["no slot, no place", [], task(1, 1), "does not fit"],
  ] as readonly [string, Rectangle[], SlotTask, string][])(
    "a task on slots: %s",
    (_, rectangles, wanted, expected) => {
      const slots = rectangles.map((rectangle, i) => slot(i + 1, rectangle));
      expect(placed(slots, wanted)).toBe(expected);
      expect(placed(slots.toReversed(), wanted)).toBe(expected);
    },
  );

  it("leaves beside, before and after, each with its parent; only before loses its flags", () => {
    expect(placed([slot(7, [0, 3, 10])], task(2, 3, 4))).toBe("4: 2@7 | 9<7 0,2,4 | 8<7 0,1,10 | 10<7 7,2,3");
    expect(placed([slot(1, [0, 2, 4, "be"])], task(1, 9, 1))).toBe(
      "1: 1@1 | 3<1 0,1,1 | 2<1 0,1,10,be | 4<1 10,1,0,be",
    );
  });

  it("the worked example: a task of 2 procs × 2 h goes onto S1 and S3", () => {
    const profile = createProfile([5], 0);
    for (const [count, start, duration] of [
      [2, 0, 3],
      [4, 3, 1],
      [1, 0, 2],
      [3, 4, 2],
    ]) {
      reserve(profile, [count], duration, start);
    }
    const slots = slotsOf(profile, instantMs(8));
    const [s3, s1] = slots;
    expect([s1.durationMs > 8, s1.extensible, s3.durationMs, s3.extensible]).toEqual([true, true, 3, false]);
    const placement = placeOnSlots(slots, task(2, 2));
    expect(placement?.startAt).toBe(0);
    expect(placement?.used.map((part) => part.slot).sort()).toEqual([s3.id, s1.id]);
  });
});

describe("slots against the profile", () => {
  it("on carried left-overs a start can be later: the profile says 0, the slots say 1", () => {
    const profile = createProfile([3], 0);
    let slots: readonly Slot[] = slotsOf(profile);
    const [onSlots, onProfile, retiled]: number[][] = [[], [], []];
    for (const wanted of [task(1, 1), task(1, 1), task(2, 1), task(1, 5)]) {
      const placement = placeOnSlots(slots, wanted);
      slots = placement?.slots ?? [];
      onSlots.push(placement?.startAt ?? Number.NaN);
      retiled.push(placeOnSlots(slotsOf(profile), wanted)?.startAt ?? Number.NaN);
      const startMs = earliest(profile, [wanted.procs], wanted.durationMs, wanted.notBefore);
      onProfile.push(startMs);
      reserve(profile, [wanted.procs], wanted.durationMs, startMs);
    }
    expect(onProfile).toEqual([0, 0, 1, 0]);
    expect(onSlots).toEqual([0, 0, 1, 1]);
    expect(retiled).toEqual(onProfile);
  });

  it("tiled afresh after every placement the slots agree with the profile", () => {
    const widths = fc.integer({ min: 1, max: 6 });
    const lists = fc.array(fc.tuple(widths, fc.integer({ min: 1, max: 8 }), fc.nat(25)), {
      maxLength: 15,
      size: "max",
    });
    fc.assert(
      fc.property(lists, (list) => {
        const profile = createProfile([5], 0);
        for (const [count, duration, from] of list) {
          const expected = earliest(profile, [count], duration, from);
          const placement = placeOnSlots(slotsOf(profile), task(count, duration, from));
          expect(placement?.startAt ?? Number.POSITIVE_INFINITY).toBe(expected);
          if (placement !== undefined) reserve(profile, [count], duration, expected);
        }
      }),
      draws(500),
    );
  });
});

function plainly({ startAt, durationMs: duration, ...rest }: Slot): PlainSlot {
  return { ...rest, start: startAt, duration };
}
