/**
 * The plain profile and slots against the worked examples of the specification, so that the oracles are
 * themselves checked. The plain site has its own tables in plain-site.test.ts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { job, promisesAt, replay, startsOf } from "./plain-builders.ts";
import { PlainProfile, plainSlots } from "./plain-profile.ts";
import type { PlainJob, PlainOperation } from "./plain-site.ts";
import { type PlainPlacement, type PlainSlot, plainPlaceOnSlots } from "./plain-slot-scheduling.ts";

type Tile = readonly [start: number, procs: number, duration: number, extensible?: "extensible"];

const tilesOf = (profile: PlainProfile, now: number, horizon: number): Tile[] =>
  plainSlots(profile, now, horizon, 1).map(({ start, procs, duration, extensible }) =>
    extensible ? [start, procs, duration, "extensible"] : [start, procs, duration],
  );

const slotsOf = (profile: PlainProfile, now: number, horizon: number): PlainSlot[] =>
  plainSlots(profile, now, horizon, 1).map((tile, i) => ({
    id: i + 1,
    ...tile,
    divisible: tile.extensible,
  }));

const slot = (id: number, [start, procs, duration, extensible]: Tile): PlainSlot => ({
  id,
  start,
  procs,
  duration,
  divisible: extensible !== undefined,
  extensible: extensible !== undefined,
});

const shapes = (placement: PlainPlacement | undefined): string[] =>
  (placement?.slots ?? []).map(
    (s) => `${s.id}<${s.parent ?? "-"} ${s.start},${s.procs},${s.duration}${s.extensible ? ",e" : ""}`,
  );

/** The schedule of the worked example ([PROV] fig. 1), in hours. */
const workedProfile = (): PlainProfile => {
  const profile = PlainProfile.create([5], 0, 20);
  profile.reserve([2], 3, 0);
  profile.reserve([4], 1, 3);
  profile.reserve([1], 2, 0);
  profile.reserve([3], 2, 4);
  return profile;
};

/** Its jobs: A = 1, B = 2, C = 3, D = 4. */
const workedJobs = (runtimeOfA = 3): PlainJob[] => [
  job(1, 2, 3, { runtime: runtimeOfA }),
  job(2, 4, 1),
  job(3, 1, 2),
  job(4, 3, 2),
];

const workedSlots: readonly Tile[] = [
  [0, 1, 3],
  [0, 1, 8, "extensible"],
  [2, 1, 1],
  [4, 1, 4, "extensible"],
  [6, 3, 2, "extensible"],
];

const reserveS1andS3: readonly PlainOperation[] = [
  { at: 0, kind: "reserve", reservation: 1, pool: 0, start: 0, duration: 8, need: [1] },
  { at: 0, kind: "reserve", reservation: 2, pool: 0, start: 0, duration: 3, need: [1] },
];

describe("the worked example", () => {
  it("QU-3 starts A at 0, B at 3, C at 0, D at 4", () => {
    const result = replay("conservative", workedJobs(), { pools: [[5]] });
    expect(startsOf(result)).toBe("1@0 3@0* 2@3 4@4");
    expect(promisesAt(result, 0)).toBe("2@3 4@4");
  });

  it("SL-1 has five slots to 8 h", () => {
    expect(tilesOf(workedProfile(), 0, 8)).toEqual(workedSlots);
  });

  it("an arriving task of 2 procs × 2 h goes onto S1 and S3", () => {
    const placement = plainPlaceOnSlots(slotsOf(workedProfile(), 0, 8), 2, 2, 0);
    expect(placement?.start).toBe(0);
    expect(placement?.used).toEqual([
      { slot: 2, procs: 1 },
      { slot: 1, procs: 1 },
    ]);
  });

  it("SL-1 if A ends at 1, before the queue is compressed, exactly ⟨1,2,2⟩ appears", () => {
    const profile = workedProfile();
    profile.release([2], 2, 1);
    expect(tilesOf(profile, 0, 8)).toEqual([...workedSlots.slice(0, 2), [1, 2, 2], ...workedSlots.slice(2)]);
  });

  it("SL-1 seen from 1, after the past is forgotten, that area is one slot with what is left of S3", () => {
    const profile = workedProfile();
    profile.release([2], 2, 1);
    profile.advance(1);
    expect(tilesOf(profile, 1, 8).slice(0, 2)).toEqual([
      [1, 3, 2],
      [1, 1, 7, "extensible"],
    ]);
  });

  it("QU-4 if A ends at 2, B starts at 2", () => {
    const result = replay("conservative", workedJobs(2), { pools: [[5]] });
    expect(startsOf(result)).toBe("1@0 3@0* 2@2 4@3");
  });

  it("QU-4 QU-7 if A ends at 2 and S1 and S3 are reserved, B still starts at 3", () => {
    const result = replay("conservative", workedJobs(2), { pools: [[5]], operations: reserveS1andS3 });
    expect(startsOf(result)).toBe("1@0 3@0* 2@3 4@4");
  });
});

describe("plain profile", () => {
  it("PR-1 PR-2 PR-6 knows two columns and an unending hold", () => {
    const profile = PlainProfile.create([4, 10], 0, 10);
    expect(profile.reserve([1, 8], 3, 2)).toBeUndefined();
    expect(profile.reserve([2, 0], Infinity, 4)).toBeUndefined();
    expect(profile.free(3)).toEqual([3, 2]);
    expect(profile.free(1000)).toEqual([2, 10]);
    expect(profile.breakpoints()).toEqual([0, 2, 4, 5]);
    expect(profile.earliest([1, 3], 2, 0)).toBe(0);
    expect(profile.earliest([1, 3], 3, 0)).toBe(5);
    expect(profile.earliest([2, 3], Infinity, 0)).toBe(5);
    expect(profile.earliest([3, 0], 5, 0)).toBe(Infinity);
    expect(profile.release([2, 0], Infinity, 4)).toBeUndefined();
    expect(profile.release([1, 8], 3, 2)).toBeUndefined();
    expect(profile.breakpoints()).toEqual([0]);
  });

  it("refuses with the first time and the shortage, unchanged", () => {
    const profile = PlainProfile.create([4, 10], 0, 10);
    profile.reserve([3, 3], 2, 4);
    const before = profile.clone();
    expect(profile.reserve([2, 9], 6, 1)).toEqual({ at: 4, shortage: [1, 2] });
    expect(profile.release([1, 4], 3, 4)).toEqual({ at: 4, shortage: [0, 1] });
    expect(profile.release([1, 3], 3, 4)).toEqual({ at: 6, shortage: [1, 3] });
    expect(profile).toEqual(before);
  });

  it("forgets the past and nothing else, also beyond its span", () => {
    const profile = PlainProfile.create([4], 0, 10);
    profile.reserve([3], 2, 4);
    profile.advance(5);
    expect([5, 6].map((t) => profile.free(t))).toEqual([[1], [4]]);
    profile.advance(50);
    expect(profile.free(50)).toEqual([4]);
    expect(profile.earliest([4], 3, 60)).toBe(60);
  });

  it("the horizon passes the last scheduled end by the margin; no free area, no slot", () => {
    const profile = PlainProfile.create([2], 0, 20);
    profile.reserve([2], 10, 0);
    expect(tilesOf(profile, 0, 8)).toEqual([[10, 2, 1, "extensible"]]);
    profile.reserve([2], Infinity, 10);
    expect(tilesOf(profile, 0, 8)).toEqual([]);
  });
});

describe("plain scheduling on slots", () => {
  it("leaves beside, before and after, each with its parent", () => {
    expect(shapes(plainPlaceOnSlots([slot(7, [0, 3, 10])], 2, 4, 3))).toEqual([
      "9<7 0,2,3",
      "8<7 0,1,10",
      "10<7 7,2,3",
    ]);
  });

  it("an extensible slot grows, and what is left after it stays extensible", () => {
    expect(shapes(plainPlaceOnSlots([slot(1, [0, 2, 4, "extensible"])], 1, 9, 0))).toEqual([
      "2<1 0,1,9,e",
      "3<1 9,1,0,e",
    ]);
    expect(shapes(plainPlaceOnSlots([slot(1, [0, 2, 4])], 2, 4, 0))).toEqual([]);
  });

  it("does not fit where a subset holds no slot that lasts", () => {
    expect(plainPlaceOnSlots([slot(1, [0, 2, 4]), slot(2, [1, 1, 3])], 3, 4, 0)).toBeUndefined();
    expect(plainPlaceOnSlots([slot(1, [0, 2, 4]), slot(2, [1, 1, 3])], 3, 3, 0)?.start).toBe(1);
    expect(plainPlaceOnSlots([slot(1, [0, 2, 4])], 1, 4, 1)).toBeUndefined();
  });

  it("misses an earlier start on carried left-overs: the profile says 0, the slots say 1", () => {
    const profile = PlainProfile.create([3], 0, 20);
    let slots: readonly PlainSlot[] = slotsOf(profile, 0, 8);
    const onSlots: number[] = [];
    const onProfile: number[] = [];
    for (const [procs, duration] of [
      [1, 1],
      [1, 1],
      [2, 1],
      [1, 5],
    ] as const) {
      const placement = plainPlaceOnSlots(slots, procs, duration, 0);
      slots = placement?.slots ?? [];
      onSlots.push(placement?.start ?? Infinity);
      const start = profile.earliest([procs], duration, 0);
      onProfile.push(start);
      profile.reserve([procs], duration, start);
    }
    expect(onProfile).toEqual([0, 0, 1, 0]);
    expect(onSlots).toEqual([0, 0, 1, 1]);
  });

  it("SL-1 on slots tiled afresh the start is the profile's; no more slots than breakpoints", () => {
    const tasks = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(tasks, fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }), (list, froms) => {
        const profile = PlainProfile.create([4], 0, 80);
        for (const [i, [procs, duration]] of list.entries()) {
          const slots = slotsOf(profile, 0, 12);
          expect(slots.length).toBeLessThanOrEqual(profile.breakpoints().length);
          const start = profile.earliest([procs], duration, froms[i]);
          expect(plainPlaceOnSlots(slots, procs, duration, froms[i])?.start).toBe(start);
          profile.reserve([procs], duration, start);
        }
      }),
      { numRuns: 200 },
    );
  });
});
