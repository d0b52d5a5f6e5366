import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { PlainProfile } from "../../test/plain/plain-profile.ts";
import {
  advance,
  checkpoint,
  createProfile,
  earlierStart,
  earliest,
  earliestOneColumn,
  largestFree,
  type Profile,
  release,
  reserve,
} from "./index.ts";

const SPAN = 80;

interface Rectangle {
  readonly need: readonly number[];
  readonly durationMs: number;
  readonly startMs: number;
}

interface Scene {
  readonly fast: Profile;
  readonly plain: PlainProfile;
  /** Rectangles that are in both profiles; at least one. */
  readonly placed: readonly Rectangle[];
  readonly now: number;
}

const amounts = (capacity: readonly number[]) => fc.tuple(...capacity.map((all) => fc.nat(all)));

/** A planned queue: each rectangle at its earliest start, some of them removed again. */
const scenes: fc.Arbitrary<Scene> = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })
  .chain((capacity) =>
    fc.record({
      capacity: fc.constant(capacity),
      first: amounts(capacity),
      wanted: fc.array(
        fc.record({
          need: amounts(capacity),
          durationMs: fc.oneof(
            { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
            { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
          ),
          from: fc.nat(30),
          stays: fc.boolean(),
        }),
        { maxLength: 18, size: "max" },
      ),
      now: fc.nat(6),
    }),
  )
  .map(({ capacity, first, wanted, now }) => {
    const fast = createProfile(capacity, 0);
    const plain = PlainProfile.create(capacity, 0, SPAN * 4);
    const placed: Rectangle[] = [];
    const leaving: Rectangle[] = [];
    const place = (need: readonly number[], durationMs: number, from: number, stays: boolean): void => {
      const startMs = plain.earliest(need, durationMs, from);
      if (startMs === Number.POSITIVE_INFINITY) return;
      plain.reserve(need, durationMs, startMs);
      reserve(fast, need, durationMs, startMs);
      (stays || startMs < now ? placed : leaving).push({ need, durationMs, startMs });
    };
    place(first, 5, 20, true);
    for (const { need, durationMs, from, stays } of wanted) place(need, durationMs, from, stays);
    for (const { need, durationMs, startMs } of leaving) {
      plain.release(need, durationMs, startMs);
      release(fast, need, durationMs, startMs);
    }
    advance(fast, now);
    plain.advance(now);
    return { fast, plain, placed: placed.filter(({ startMs }) => startMs >= now), now };
  });

describe("the earliest place of a rectangle", () => {
  it("PR-2 earlierStart is what taking it out, asking for its earliest and putting it back gives", () => {
    fc.assert(
      fc.property(scenes, fc.nat(), fc.nat(SPAN), fc.nat(SPAN), (scene, which, ahead, bound) => {
        const { fast, placed, now } = scene;
        const rectangle = placed[which % placed.length];
        const from = now + (ahead % (rectangle.startMs + 3 - now));
        const before = structuredClone(checkpoint(fast));
        const expected = earlierStartPlainly(scene, rectangle, from);
        const beforeMs = now + (bound % (rectangle.startMs + 3 - now));
        expect(earlierStart(fast, rectangle, from, Number.POSITIVE_INFINITY)).toBe(expected);
        expect(earlierStart(fast, rectangle, from, beforeMs)).toBe(
          expected < beforeMs ? expected : rectangle.startMs,
        );
        expect(checkpoint(fast)).toEqual(before);
      }),
      draws(3000),
    );
  });

  it("PR-2 a start before its own may overlap its own place, where that is no step of the profile", () => {
    const profile = createProfile([2], 0);
    reserve(profile, [1], 5, 0);
    reserve(profile, [1], 4, 5);
    const placed = { need: [1], durationMs: 4, startMs: 5 };
    expect(checkpoint(profile).times).toEqual(Float64Array.of(0, 9));
    expect(earlierStart(profile, placed, 3, Number.POSITIVE_INFINITY)).toBe(3);
    expect(earlierStart(profile, { ...placed, durationMs: 3 }, 5, Number.POSITIVE_INFINITY)).toBe(5);
  });

  it("PR-2 in one column the tuned scan gives what the general one gives", () => {
    fc.assert(
      fc.property(scenes, fc.nat(7), fc.integer({ min: 1, max: 30 }), fc.nat(SPAN), (scene, ...drawn) => {
        const [amount, duration, from] = drawn;
        const { fast, plain, now } = scene;
        const need = plain.capacity.map((_, c) => (c === 0 ? amount : 0));
        const expected = plain.earliest(need, duration, now + from);
        expect(earliestOneColumn(fast, amount, duration, now + from)).toBe(expected);
        expect(earliest(fast, [amount], duration, now + from)).toBe(expected);
        expect(earliest(fast, need, duration, now + from)).toBe(expected);
      }),
      draws(500),
    );
  });

  it("PR-1 largestFree is the most that is free anywhere in a column in an interval", () => {
    fc.assert(
      fc.property(scenes, fc.nat(30), fc.integer({ min: -3, max: SPAN }), fc.nat(), (scene, ...drawn) => {
        const { fast, plain, now } = scene;
        const from = now + drawn[0];
        const steps = plain.breakpoints().filter((at) => at > from);
        for (const before of [from + drawn[1], steps[drawn[2] % Math.max(1, steps.length)] ?? from]) {
          for (const [column] of plain.capacity.entries()) {
            let most = plain.free(from)[column];
            for (let t = from; t < before; t++) most = Math.max(most, plain.free(t)[column]);
            expect(largestFree(fast, column, from, before)).toBe(most);
          }
        }
      }),
      draws(500),
    );
  });
});

function earlierStartPlainly(
  { plain }: Scene,
  { need, durationMs, startMs }: Rectangle,
  from: number,
): number {
  const without = plain.clone();
  expect(without.release(need, durationMs, startMs)).toBeUndefined();
  return Math.min(startMs, without.earliest(need, durationMs, from));
}
