import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { PlainProfile } from "../../test/plain/plain-profile.ts";
import {
  advance,
  beginsAt,
  breakpointCount,
  checkpoint,
  copyProfile,
  createProfile,
  earliest,
  fits,
  freeAt,
  lastChangeAt,
  type Profile,
  type ProfileCheckpoint,
  release,
  reserve,
  rollback,
  shortage,
} from "./index.ts";

/** Upper bound of the ends of all finite reservations. */
const SPAN = 220;

interface Rectangle {
  readonly need: readonly number[];
  readonly duration: number;
  readonly start: number;
}

/** The same history in the fast and the plain profile, and the state for the next step. */
interface Both {
  fast: Profile;
  plain: PlainProfile;
  placed: Rectangle[];
  readonly saved: { fast: ProfileCheckpoint; plain: PlainProfile; placed: readonly Rectangle[] }[];
}

/** Numbers reduced to the valid range: `ahead`, `which`. */
interface Step {
  readonly kind:
    | "reserve"
    | "reserveForEver"
    | "release"
    | "releaseAny"
    | "advance"
    | "checkpoint"
    | "rollback";
  readonly need: readonly number[];
  readonly duration: number;
  readonly ahead: number;
  readonly which: number;
}

interface Shape {
  readonly capacity: readonly number[];
  readonly steps: readonly Step[];
}

/** Mostly reservations, nearly all of them finite, so that many breakpoints come about. */
const kinds = fc.oneof(
  { weight: 14, arbitrary: fc.constant("reserve" as const) },
  { weight: 1, arbitrary: fc.constant("reserveForEver" as const) },
  { weight: 4, arbitrary: fc.constant("release" as const) },
  { weight: 2, arbitrary: fc.constant("releaseAny" as const) },
  { weight: 2, arbitrary: fc.constant("advance" as const) },
  { weight: 1, arbitrary: fc.constant("checkpoint" as const) },
  { weight: 1, arbitrary: fc.constant("rollback" as const) },
);

function shapes(most: { capacity: number; steps: number; duration: number }): fc.Arbitrary<Shape> {
  return fc
    .tuple(fc.array(fc.integer({ min: 1, max: most.capacity }), { minLength: 1, maxLength: 3 }), fc.boolean())
    .chain(([capacity, wide]) => {
      const amounts = capacity.map((all) => fc.integer({ min: 0, max: wide ? all + 1 : Math.min(all, 2) }));
      const step = fc.record({
        kind: kinds,
        need: fc.tuple(...amounts),
        duration: fc.integer({ min: 1, max: most.duration }),
        ahead: fc.nat(SPAN),
        which: fc.nat(50),
      });
      return fc.record({
        capacity: fc.constant(capacity),
        steps: fc.array(step, { minLength: most.steps >> 1, maxLength: most.steps, size: "max" }),
      });
    });
}

const small = shapes({ capacity: 6, steps: 40, duration: 25 });
const large = shapes({ capacity: 60, steps: 420, duration: 12 });

describe("a profile against the plain profile", () => {
  it("PR-1 PR-2 PR-6 every operation and every question has the same answer", () => {
    fc.assert(
      fc.property(small, fc.array(fc.nat(SPAN), { minLength: 8, maxLength: 8 }), (shape, draws) => {
        const both = begin(shape.capacity);
        for (const step of shape.steps) {
          carryOut(both, step);
          expectEqual(both);
          expectEqualAnswers(both, step, draws);
        }
      }),
      draws(150),
    );
  });

  it("PR-1 PR-6 hundreds of breakpoints grow the arrays and move either side of them", () => {
    const seen = { grown: 0, headBack: 0, headOn: 0, tailBack: 0, tailOn: 0 };
    fc.assert(
      fc.property(large, ({ capacity, steps }) => {
        const both = begin(capacity);
        for (const [i, step] of steps.entries()) {
          const before = { ...both.fast };
          carryOut(both, step);
          if (/^(reserve|release)/.test(step.kind)) noteMoves(seen, before, both.fast);
          if (i % 8 === 0) expectEqual(both);
        }
        expectEqual(both);
      }),
      draws(40),
    );
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
  });

  it.each([1, -1])(
    "PR-1 PR-6 a few breakpoints that wander (%i) find room in arrays that no longer grow",
    (way) => {
      const links = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })), {
        minLength: 200,
        maxLength: 200,
      });
      fc.assert(
        fc.property(links, fc.integer({ min: 1, max: 14 }), (list, most) => {
          const both = { ...begin([4, 5]), plain: PlainProfile.create([4, 5], 0, 3000) };
          let { times } = both.fast;
          let start = 1500;
          for (const [i, [gap, duration]] of list.entries()) {
            start += way * (gap + 3);
            const rectangle = { need: [duration, gap], duration, start };
            expect(reserveInBoth(both, rectangle)).toBe(true);
            both.placed.push(rectangle);
            if (both.placed.length > most) releasePlaced(both, 0, 0);
            if (i % 20 === 0) expectEqual(both, start + 20);
            if (i === 60) times = both.fast.times;
          }
          expectEqual(both, start + 20);
          expect(both.fast.times).not.toBe(times);
          expect(both.fast.times.length).toBe(times.length);
        }),
        draws(10),
      );
    },
  );

  it("PR-6 reserving and releasing the same rectangle restores the very same breakpoints", () => {
    fc.assert(
      fc.property(small, fc.nat(SPAN), fc.option(fc.nat(30)), (shape, ahead, length) => {
        const { fast, placed } = begin(shape.capacity, shape.steps);
        const before = structuredClone(checkpoint(fast));
        const duration = length === null ? Number.POSITIVE_INFINITY : length + 1;
        const start = beginsAt(fast) + ahead;
        const need = shape.steps[placed.length % shape.steps.length].need;
        if (reserve(fast, need, duration, start) === undefined) {
          expect(release(fast, need, duration, start)).toBeUndefined();
        }
        expect(checkpoint(fast)).toEqual(before);
      }),
      draws(300),
    );
  });

  it("PR-6 the order of the reservations leaves no trace", () => {
    fc.assert(
      fc.property(small, fc.infiniteStream(fc.nat()), (shape, draws) => {
        const { placed, fast } = begin(shape.capacity, shape.steps);
        const other = createProfile(shape.capacity, 0);
        advance(other, beginsAt(fast));
        const ranks = new Map(placed.map((rectangle) => [rectangle, draws.next().value ?? 0]));
        const shuffled = placed.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
        for (const { need, duration, start } of shuffled) {
          const from = Math.max(start, beginsAt(fast));
          expect(reserve(other, need, start + duration - from, from)).toBeUndefined();
        }
        expect(checkpoint(other)).toEqual(checkpoint(fast));
      }),
      draws(150),
    );
  });

  it("a copy shares nothing, and a checkpoint can be taken up by another profile", () => {
    let most = 0;
    fc.assert(
      fc.property(large, ({ capacity, steps }) => {
        const reservations = steps.filter(({ kind }) => kind === "reserve");
        const { fast } = begin(capacity, reservations);
        const saved = structuredClone(checkpoint(fast));
        most = Math.max(most, saved.times.length);
        const copy = copyProfile(fast);
        const elsewhere = createProfile(capacity, 0);
        rollback(elsewhere, saved);
        const touched = [fast, elsewhere];
        for (const profile of touched) for (const step of steps) reserveAhead(profile, step);
        expect(checkpoint(fast)).toEqual(checkpoint(elsewhere));
        expect(checkpoint(copy)).toEqual(saved);
        for (const step of steps) reserveAhead(copy, step);
        expect(checkpoint(copy)).toEqual(checkpoint(fast));
      }),
      draws(20),
    );
    expect(most).toBeGreaterThan(createProfile([1], 0).times.length);
  });
});

describe("a profile's mistakes", () => {
  it.each([
    ["no column", () => createProfile([], 0)],
    ["a negative capacity", () => createProfile([4, -1], 0)],
    ["a fraction of a processor", () => createProfile([1.5], 0)],
    ["a question about the past", () => freeAt(createProfile([4], 10), 9)],
    ["going back in time", () => advance(createProfile([4], 10), 9)],
    ["reserving nothing long", () => reserve(createProfile([4], 0), [1], 0, 0)],
    ["releasing nothing long", () => release(createProfile([4], 0), [1], 0, 0)],
  ])("PR-1 %s is a programmer's error", (_, mistake) => {
    expect(mistake).toThrow("what must hold");
  });
});

function begin(capacity: readonly number[], steps: readonly Step[] = []): Both {
  const plain = PlainProfile.create(capacity, 0, SPAN);
  const both: Both = { fast: createProfile(capacity, 0), plain, placed: [], saved: [] };
  for (const step of steps) carryOut(both, step);
  return both;
}

function carryOut(both: Both, step: Step): void {
  const now = beginsAt(both.fast);
  const rectangle = rectangleOf(step, now);
  switch (step.kind) {
    case "reserve":
    case "reserveForEver":
      if (reserveInBoth(both, rectangle)) both.placed.push(rectangle);
      return;
    case "releaseAny":
      releaseInBoth(both, rectangle);
      return;
    case "release":
      releasePlaced(both, step.which, now);
      return;
    case "advance":
      advanceBoth(both, Math.min(now + (step.which % 7), SPAN - 1));
      return;
    case "checkpoint":
      both.saved.push({ fast: checkpoint(both.fast), plain: both.plain.clone(), placed: [...both.placed] });
      return;
    case "rollback":
      rollBackBoth(both, step.which);
  }
}

function rectangleOf({ kind, need, duration, ahead }: Step, now: number): Rectangle {
  const start = now + (ahead % (SPAN - now));
  const end = kind === "reserveForEver" ? Number.POSITIVE_INFINITY : Math.min(SPAN, start + duration);
  return { need, start, duration: end - start };
}

function reserveInBoth({ fast, plain }: Both, { need, duration, start }: Rectangle): boolean {
  const expected = plain.reserve(need, duration, start);
  const before = shortage(fast, need, duration, start);
  const refusal = reserve(fast, need, duration, start);
  expect(refusal).toEqual(expected && { atMs: expected.at, missing: expected.shortage });
  expect(before).toEqual(refusal);
  return refusal === undefined;
}

/**
 * Releases a rectangle that may not have been reserved; where that succeeds (as parts of others), reserves it
 * again.
 */
function releaseInBoth({ fast, plain }: Both, { need, duration, start }: Rectangle): void {
  const expected = plain.release(need, duration, start);
  const refusal = release(fast, need, duration, start);
  expect(refusal).toEqual(expected && { atMs: expected.at, missing: expected.shortage });
  if (refusal !== undefined) return;
  expect(breakpointsOf(fast)).toEqual(plain.breakpoints());
  expect(reserve(fast, need, duration, start)).toBeUndefined();
  plain.reserve(need, duration, start);
}

function releasePlaced({ fast, plain, placed }: Both, which: number, now: number): void {
  if (placed.length === 0) return;
  const [{ need, duration, start }] = placed.splice(which % placed.length, 1);
  const from = Math.max(start, now);
  expect(release(fast, need, start + duration - from, from)).toBeUndefined();
  plain.release(need, start + duration - from, from);
}

function advanceBoth(both: Both, now: number): void {
  advance(both.fast, now);
  both.plain.advance(now);
  both.placed = both.placed.filter(({ start, duration }) => start + duration > now);
}

/** Rolls both back to a checkpoint, which stays usable. */
function rollBackBoth(both: Both, which: number): void {
  if (both.saved.length === 0) return;
  const saved = both.saved[which % both.saved.length];
  rollback(both.fast, saved.fast);
  both.plain = saved.plain.clone();
  both.placed = [...saved.placed];
}

function expectEqual({ fast, plain }: Pick<Both, "fast" | "plain">, until = SPAN + 1): void {
  const now = beginsAt(fast);
  const breakpoints = plain.breakpoints();
  expect(breakpointsOf(fast)).toEqual(breakpoints);
  expect(breakpointCount(fast)).toBe(breakpoints.length);
  expect(lastChangeAt(fast)).toBe(breakpoints.at(-1));
  for (let t = now; t <= until; t++) {
    const free = plain.free(t);
    for (let c = 0; c < free.length; c++) {
      if (freeAt(fast, t, c) !== free[c]) expect([t, c, freeAt(fast, t, c)]).toEqual([t, c, free[c]]);
    }
  }
}

function expectEqualAnswers({ fast, plain }: Both, { need, duration }: Step, draws: readonly number[]): void {
  const now = beginsAt(fast);
  for (const [i, draw] of draws.entries()) {
    const length = i === 0 ? Number.POSITIVE_INFINITY : duration + i * i;
    const from = now + (draw % (SPAN + 5 - now));
    expect(earliest(fast, need, length, from)).toBe(plain.earliest(need, length, from));
    expect(fits(fast, need, length, from)).toBe(plain.fits(need, length, from));
  }
}

function breakpointsOf({ times, head, tail }: Profile): number[] {
  return [...times.subarray(head, tail)];
}

function reserveAhead(profile: Profile, { need, duration, ahead }: Step): void {
  reserve(profile, need, duration, beginsAt(profile) + ahead);
}

/** Counts the moves of the arrays, so that the test knows that each kind has happened. */
function noteMoves(seen: Record<string, number>, before: Profile, now: Profile): void {
  if (now.times !== before.times) seen.grown++;
  else if (now.head < before.head) seen.headBack++;
  else if (now.head > before.head) seen.headOn++;
  else if (now.tail < before.tail) seen.tailBack++;
  else if (now.tail > before.tail) seen.tailOn++;
}
