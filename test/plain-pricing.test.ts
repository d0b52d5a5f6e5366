/**
 * The plain version of pricing against schedules worked out by hand, so that the oracle is itself checked.
 * Times are in hours and amounts in processors, so that one of each is one SU.
 */
import { describe, expect, it } from "vitest";
import {
  type PlainQuestion,
  plainCoAllocation,
  plainDelays,
  plainFixedProcMs,
  plainQuote,
  plainSu,
} from "./plain/pricing.ts";
import { type PlainState, plainSchedule } from "./plain/pricing-schedule.ts";
import { type PlainSnapshot, plainQuoteSnapshot } from "./plain/pricing-snapshot.ts";

const hourMs = 3_600_000;

/** A pool with a queue, in hours; every need is `[procs, …]`. */
interface Scene {
  readonly now?: number;
  readonly capacity: readonly number[];
  readonly discipline?: PlainState["discipline"];
  /** Name: need, end. */
  readonly running?: Readonly<Record<string, readonly [need: readonly number[], end: number]>>;
  /** Name: need, estimate, promise. */
  readonly queued?: Readonly<
    Record<string, readonly [need: readonly number[], estimate: number, promise?: number]>
  >;
  /** Need, start, duration. */
  readonly reserved?: readonly (readonly [need: readonly number[], start: number, duration: number])[];
}

const stateOf = ({
  now = 0,
  capacity,
  discipline = "conservative",
  running = {},
  queued = {},
  reserved = [],
}: Scene): PlainState => ({
  nowMs: now * hourMs,
  capacity,
  discipline,
  running: Object.entries(running).map(([id, [need, end]]) => ({ id, need, endMs: end * hourMs })),
  queued: Object.entries(queued).map(([id, [need, estimate, promise]]) => ({
    id,
    need,
    estimateMs: estimate * hourMs,
    ...(promise === undefined ? {} : { plannedStartMs: promise * hourMs }),
  })),
  reservations: reserved.map(([need, start, duration], id) => ({
    id,
    need,
    startMs: start * hourMs,
    durationMs: duration * hourMs,
  })),
});

/** A slot asked for: need, duration, and the question in hours. */
interface Asked {
  readonly need: readonly number[];
  readonly duration: number;
  readonly start?: number;
  readonly from?: number;
}

const questionOf = ({ start, from }: Asked): PlainQuestion => {
  if (start !== undefined) return { startMs: start * hourMs };
  return from === undefined ? {} : { fromMs: from * hourMs };
};

/** The list as `start:f`, and `(jobs)` where any is delayed. */
const quoteOf = (scene: Scene, asked: Asked): string =>
  plainQuote(stateOf(scene), asked.need, asked.duration * hourMs, questionOf(asked))
    .map(({ startMs, fixedSu, delaysJobs }) => row(startMs, fixedSu, delaysJobs))
    .join(" ");

const row = (startMs: number, fixedSu: number, delaysJobs: number): string =>
  `${startMs / hourMs}:${fixedSu}${delaysJobs > 0 ? `(${delaysJobs})` : ""}`;

const startsOf = (scene: Scene): string =>
  plainSchedule(stateOf(scene))
    .map((startMs, i) => `${Object.keys(scene.queued ?? {})[i]}@${startMs / hourMs}`)
    .join(" ");

/** What a slot of one duration does at one start: `job@present→displaced`. */
const movesOf = (scene: Scene, need: readonly number[], start: number, duration: number): string =>
  plainDelays(stateOf(scene), { need, startMs: start * hourMs, durationMs: duration * hourMs })
    ?.map(({ id, presentMs, displacedMs }) => `${id}@${presentMs / hourMs}→${displacedMs / hourMs}`)
    .join(" ") ?? "impossible";

describe("the source's Table 3", () => {
  it.each([
    [1, 2, 6],
    [1, 3, 8],
    [1, 4, 10],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ])("delays of two 2-processor jobs by %d and %d cost %d: earlier is not always dearer", (c, d, cost) => {
    const delays = [c, d].map((delay) => ({ delayMs: delay * hourMs, procs: 2 }));
    expect(plainSu(plainFixedProcMs(delays))).toBe(cost);
  });
});

/**
 *       0 1 2 3 4 5        hours, 5 processors
 *   A   2 2 2              ([PROV] fig. 20; under FCFS C waits for B, its start is 3)
 *   B         4
 *   C   1 1
 *   D           3 3
 */
const worked: Scene = {
  capacity: [5],
  queued: { A: [[2], 3], B: [[4], 1], C: [[1], 2], D: [[3], 2] },
};

describe("3 processors for 2 h beside the worked example of slots", () => {
  const asked: Asked = { need: [3], duration: 2 };

  it.each([
    ["conservative", "A@0 B@3 C@0 D@4"],
    ["easy", "A@0 B@3 C@0 D@4"],
    ["fcfs", "A@0 B@3 C@3 D@4"],
  ] as const)("%s plans %s", (discipline, starts) => {
    expect(startsOf({ ...worked, discipline })).toBe(starts);
  });

  // At 0: C to 2. At 2: B to 4, D to 5. At 3: B to 5, D to 6. At 4: D to 6. Candidate 2 is the end of C.
  it.each(["conservative", "easy"] as const)("%s: every start has its own price", (discipline) => {
    expect(quoteOf({ ...worked, discipline }, asked)).toBe("0:2(1) 2:7(2) 3:14(2) 4:6(1) 6:0");
  });

  // At 0 nobody. At 3: B 5, C 5, D 6. At 4: D to 6. At 5, the end of C: D would end at 6, so it waits for 7.
  it("fcfs: what waits at 0 anyway is not delayed there", () => {
    expect(quoteOf({ ...worked, discipline: "fcfs" }, asked)).toBe("0:0 3:16(3) 4:6(1) 5:9(1) 6:0");
  });

  it("asked for exactly then, also between candidates, it is priced or impossible", () => {
    expect(quoteOf(worked, { ...asked, start: 2 })).toBe("2:7(2)");
    // At 1: C would find 0 of 5 left at 1, so it waits for A's end, 3, beside B.
    expect(quoteOf(worked, { ...asked, start: 1 })).toBe("1:3(1)");
    expect(quoteOf(worked, { ...asked, start: 100 })).toBe("100:0");
    expect(quoteOf(worked, { need: [6], duration: 1, start: 0 })).toBe("");
    expect(quoteOf(worked, { ...asked, start: -1 })).toBe("");
  });

  it("asked from an instant on, that instant is priced too, and nothing before it", () => {
    expect(quoteOf(worked, { ...asked, from: 3 })).toBe("3:14(2) 4:6(1) 6:0");
    expect(quoteOf(worked, { ...asked, from: 1 })).toBe("1:3(1) 2:7(2) 3:14(2) 4:6(1) 6:0");
    expect(quoteOf(worked, { ...asked, from: 9 })).toBe("9:0");
  });

  it("asked from an instant in the past, that instant is impossible and the rest as ever", () => {
    expect(quoteOf(worked, { ...asked, from: -5 })).toBe(quoteOf(worked, asked));
  });
});

/**
 *       0 1 2 3 4 5      hours, 4 processors
 *   R   2                J is the head: it waits for all of them. Conservative puts K where it fits before
 *   S   1 1 1            J, and L behind; under EASY K holds no promise, so L may start at 0 and K waits.
 *   J         4
 *   K     3 3 . 3 3      (conservative; easy and fcfs: 4)
 *   L   1 1 . . 1 1      (easy; conservative and fcfs: 4)
 */
const blocked: Scene = {
  capacity: [4],
  running: { R: [[2], 1], S: [[1], 3] },
  queued: { J: [[4], 1], K: [[3], 2], L: [[1], 2] },
};

describe("1 processor for 1 h where the disciplines differ", () => {
  it.each([
    // At 1: K to 4, L not yet put back. At 3: J to 4 and L to 5.
    ["conservative", "J@3 K@1 L@4", "0:0 1:9(1) 3:5(2) 4:0 6:0"],
    // At 0 L cannot start, so K starts at 1 (no rebate), and L waits for 4. At 3: J to 4, K at 2 already.
    ["easy", "J@3 K@4 L@0", "0:4(1) 1:0 2:0 3:4(1) 4:0 6:0"],
    // At 3: everybody an hour later. At 4: L behind it.
    ["fcfs", "J@3 K@4 L@4", "0:0 1:0 3:8(3) 4:1(1) 6:0"],
  ] as const)("%s plans %s and asks %s", (discipline, starts, list) => {
    expect(startsOf({ ...blocked, discipline })).toBe(starts);
    expect(quoteOf({ ...blocked, discipline }, { need: [1], duration: 1 })).toBe(list);
  });

  it("easy: who starts earlier brings no rebate", () => {
    const easy: Scene = { ...blocked, discipline: "easy" };
    expect(movesOf(easy, [1], 0, 1)).toBe("J@3→3 K@4→1 L@0→4");
    expect(movesOf(easy, [1], 3, 1)).toBe("J@3→4 K@4→2 L@0→0");
  });
});

describe("one small queue", () => {
  // Q 2 procs at 0, Z 1 at 1; with one of the two taken in [0, 1): Q at 1, and Z finds room at 0.
  it("conservative: a job that starts earlier brings no rebate", () => {
    const scene: Scene = { capacity: [2], queued: { Q: [[2], 1], Z: [[1], 1] } };
    expect(movesOf(scene, [1], 0, 1)).toBe("Q@0→1 Z@1→0");
    expect(quoteOf(scene, { need: [1], duration: 1 })).toBe("0:2(1) 1:0 2:0");
    expect(quoteOf({ ...scene, discipline: "easy" }, { need: [1], duration: 1 })).toBe("0:2(1) 1:0 2:0");
    // FCFS: Z stays behind Q.
    expect(movesOf({ ...scene, discipline: "fcfs" }, [1], 0, 1)).toBe("Q@0→1 Z@1→2");
  });

  // A promise at 3 with everything free before it: at 3 the slot takes its place, and the earliest is 0.
  it("conservative: a promise stays until it no longer fits", () => {
    const scene: Scene = { capacity: [2], queued: { Q: [[1], 1, 3] } };
    expect(startsOf(scene)).toBe("Q@3");
    expect(movesOf(scene, [2], 0, 1)).toBe("Q@3→3");
    expect(movesOf(scene, [2], 3, 1)).toBe("Q@3→0");
    expect(quoteOf(scene, { need: [2], duration: 1 })).toBe("0:0 3:0 4:0");
  });

  //       0 1 2 3 4 5 6    4 processors: Q would run into the reservation, so it waits for its end
  //   res     3 3
  //   Q           2 2 2
  it.each(["conservative", "easy", "fcfs"] as const)("%s: a reservation in the way", (discipline) => {
    const scene: Scene = {
      capacity: [4],
      discipline,
      queued: { Q: [[2], 3] },
      reserved: [[[3], 2, 2]],
    };
    expect(startsOf(scene)).toBe("Q@4");
    expect(quoteOf(scene, { need: [3], duration: 2 })).toBe("0:0 4:4(1) 7:0");
    expect(quoteOf(scene, { need: [3], duration: 2, start: 3 })).toBe("");
    expect(quoteOf(scene, { need: [3], duration: 2, from: 1 })).toBe("4:4(1) 7:0");
    expect(quoteOf(scene, { need: [3], duration: 2, from: 5 })).toBe("5:6(1) 7:0");
  });

  //       0 1 2 3          2 processors: Q ends as the reservation starts, T starts as it ends
  //   R   1 1
  //   Q   1 1
  //   res     2
  //   T         2
  it.each(["conservative", "easy", "fcfs"] as const)(
    "%s: what ends at an instant makes room there",
    (discipline) => {
      const scene: Scene = {
        capacity: [2],
        discipline,
        running: { R: [[1], 2] },
        queued: { Q: [[1], 2], T: [[2], 1] },
        reserved: [[[2], 2, 1]],
      };
      expect(startsOf(scene)).toBe("Q@0 T@3");
      // At 0: Q to 3 and T to 5. At 3: T to 5.
      expect(quoteOf(scene, { need: [1], duration: 2 })).toBe("0:7(2) 3:4(1) 4:0");
    },
  );

  // A head that waits for the gap after the second reservation: 4 processors, res 4 in [2, 3) and in [5, 6).
  // H (4×3) fits before neither, so 6; M (1×2) and N (1×3): M fits now, N would run into the first.
  it("easy: a head behind several reservations, and who passes it", () => {
    const scene: Scene = {
      capacity: [4],
      discipline: "easy",
      queued: { H: [[4], 3], N: [[1], 3], M: [[1], 2] },
      reserved: [
        [[4], 2, 1],
        [[4], 5, 1],
      ],
    };
    expect(startsOf(scene)).toBe("H@6 N@9 M@0");
    // At 0 the slot takes three of four, M the last. At 3 the slot hurts nobody. At 6: H to 7, N to 10.
    expect(quoteOf(scene, { need: [3], duration: 1 })).toBe("0:0 3:0 6:5(2) 9:0 12:0");
  });

  it("seen at 10:00, what began before is only seen from then on", () => {
    const scene: Scene = {
      now: 10,
      capacity: [2],
      running: { R: [[1], 12] },
      queued: { Q: [[2], 1] },
      reserved: [[[1], 8, 3]],
    };
    expect(startsOf(scene)).toBe("Q@12");
    expect(quoteOf(scene, { need: [1], duration: 1 })).toBe("11:0 12:2(1) 13:0");
  });
});

describe("a site of processors and memory", () => {
  //              0 1      8 procs, 100 GiB. M needs 80, N 10, the slot 50: processors would do for all.
  //   M (1, 80)  x x
  //   N (4, 10)  x
  const scene: Scene = { capacity: [8, 100], queued: { M: [[1, 80], 2], N: [[4, 10], 1] } };

  it("prices what is scarce, weighed by processors", () => {
    expect(quoteOf(scene, { need: [1, 50], duration: 1 })).toBe("0:1(1) 1:2(1) 2:0");
    expect(quoteOf(scene, { need: [1, 10], duration: 1 })).toBe("0:0 1:0 2:0");
    expect(quoteOf(scene, { need: [1, 101], duration: 1 })).toBe("");
  });
});

describe("several sites", () => {
  const one: Scene = { capacity: [2], running: { R: [[1], 1] }, queued: { Q: [[2], 2] } };
  const other: Scene = { capacity: [4], queued: { P: [[4], 3] }, reserved: [[[4], 5, 1]] };
  const parts = [
    { state: stateOf(one), need: [1], durationMs: 2 * hourMs },
    { state: stateOf(other), need: [2], durationMs: 2 * hourMs },
  ];
  const listOf = (question: PlainQuestion): string =>
    plainCoAllocation(parts, question)
      .map(({ startMs, fixedSu, delaysJobs }) => row(startMs, fixedSu, delaysJobs))
      .join(" ");

  // One: R to 1, Q [1, 3). Other: P [0, 3), reserved [5, 6).
  // At 0: Q to 2 (2), P: [2, 5) fits (8). At 1: Q to 3 (4), P to 6 (24). At 2: Q to 4 (6), P to 6 (24). At 3:
  // nobody. At 5 the other cannot.
  it("finds one start for all parts, at the sum of their prices", () => {
    expect(listOf({})).toBe("0:10(2) 1:28(2) 3:0 6:0");
    expect(listOf({ startMs: 2 * hourMs })).toBe("2:30(2)");
    expect(listOf({ startMs: 4 * hourMs })).toBe("");
    expect(listOf({ fromMs: 2 * hourMs })).toBe("2:30(2) 3:0 6:0");
  });

  it("of one part is that part's own quote", () => {
    expect(plainCoAllocation(parts.slice(0, 1), {})).toEqual(plainQuote(stateOf(one), [1], 2 * hourMs, {}));
  });
});

describe("amounts", () => {
  it("are exact beyond 2^53 and divided once", () => {
    const procs = 1_000_003;
    const scene = {
      ...stateOf({ capacity: [procs] }),
      queued: [{ id: "Q", need: [procs], estimateMs: 1 }],
    };
    const [now] = plainQuote(scene, [1], 9_007_199_254, {});
    expect(now.fixedProcMs).toBe(9_007_226_275_597_762n);
    expect(plainSu(1n)).toBe(1 / 3_600_000);
  });
});

describe("the documented snapshot", () => {
  const snapshot: PlainSnapshot = {
    nowSec: 100,
    procs: 4,
    discipline: "conservative",
    running: [{ id: "R", procs: 2, endSec: 1900 }],
    queued: [{ id: "Q", procs: 4, estimateSec: 3600 }],
    reservations: [{ id: "S", procs: 4, startSec: 9100, durationSec: 900 }],
  };

  // Q runs from 1900 to 5500. A slot of 2 × 3600 s at 100 ends at 3700 (Q 1800 s late), at 1900 at 5500.
  it("is asked and answered in seconds", () => {
    expect(plainQuoteSnapshot(snapshot, { procs: 2, durationSec: 3600 })).toEqual([
      { startSec: 100, unitPrice: 1, fixedSu: 2, delaysJobs: 1, delaySu: 2 },
      { startSec: 1900, unitPrice: 1, fixedSu: 4, delaysJobs: 1, delaySu: 4 },
      { startSec: 5500, unitPrice: 1, fixedSu: 0, delaysJobs: 0, delaySu: 0 },
      { startSec: 10_000, unitPrice: 1, fixedSu: 0, delaysJobs: 0, delaySu: 0 },
    ]);
    expect(plainQuoteSnapshot(snapshot, { procs: 2, durationSec: 3600, startSec: 5501 })).toEqual([]);
    expect(
      plainQuoteSnapshot(snapshot, { procs: 2, durationSec: 3600, fromSec: 5501 }).map((it) => it.startSec),
    ).toEqual([10_000]);
  });
});
