/**
 * The plain site against small tables worked out by hand from the rules, and against the classical EASY.
 *
 * How replays are written: see plain-builders.ts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { job, promisesAt, replay, type Scene, startsOf } from "./plain-builders.ts";
import type { PlainJob, PlainOperation } from "./plain-site.ts";

describe("plain FCFS and EASY", () => {
  it("QU-1 FCFS is strictly in order", () => {
    expect(startsOf(replay("fcfs", [job(1, 3, 4), job(2, 2, 2), job(3, 1, 1)]))).toBe("1@0 2@4 3@4");
  });

  it("QU-1 a waiting job blocks every pool it names, and only those", () => {
    const jobs = [
      job(1, 2, 4),
      job(2, 1, 1),
      job(3, 1, 2, { pools: [1, 0] }),
      job(4, 2, 1, { pools: [0, 1] }),
      job(5, 1, 1, { pools: [1] }),
    ];
    expect(startsOf(replay("fcfs", jobs, { pools: [[2], [2]] }))).toBe("1@0 3@0/1* 4@2/1* 5@3/1* 2@4");
  });

  it("QU-2 EASY lets a later job start if it ends by the shadow time or uses extra procs", () => {
    const jobs = [job(1, 3, 4), job(2, 2, 2), job(3, 1, 1), job(4, 1, 9)];
    expect(startsOf(replay("easy", jobs))).toBe("1@0 3@0* 4@1* 2@4");
  });

  it("QU-2 the head is not delayed, and an early end brings it forward", () => {
    expect(startsOf(replay("easy", [job(1, 3, 4), job(2, 4, 2), job(3, 1, 5)]))).toBe("1@0 2@4 3@6");
    const early = [job(1, 3, 4, { runtime: 2 }), job(2, 4, 2), job(3, 1, 5)];
    expect(startsOf(replay("easy", early))).toBe("1@0 2@2 3@4");
  });

  it("QU-2 QU-7 an estimate that runs into a reservation waits for its end", () => {
    const operations: PlainOperation[] = [
      { at: 0, kind: "reserve", reservation: 1, pool: 0, start: 3, duration: 2, need: [2] },
    ];
    const jobs = [job(1, 1, 4), job(2, 1, 3)];
    expect(startsOf(replay("easy", jobs, { pools: [[2]], operations }))).toBe("2@0* 1@5");
    expect(startsOf(replay("fcfs", jobs, { pools: [[2]], operations }))).toBe("1@5 2@5");
  });

  it("QU-2 QU-6 a head's promise stands in the pool where it starts earliest", () => {
    const jobs = [
      job(1, 1, 5),
      job(2, 1, 3, { pools: [1] }),
      job(3, 1, 2, { pools: [0, 1] }),
      job(4, 1, 1),
      job(5, 1, 1, { pools: [1] }),
    ];
    expect(startsOf(replay("easy", jobs, { pools: [[1], [1]] }))).toBe("1@0 2@0/1 3@3/1 4@5 5@5/1");
  });

  it("QU-2 in one pool without reservations is the classical rule of shadow time and extra procs", () => {
    fc.assert(
      fc.property(randomJobs, (jobs) => {
        const starts = replay("easy", jobs).starts.map(({ job: id, at }) => `${id}@${at}`);
        expect(starts).toEqual(classicalEasy(4, jobs));
      }),
      { numRuns: 200 },
    );
  });
});

describe("plain conservative and repack", () => {
  const jobs = [job(1, 2, 10, { runtime: 1 }), job(2, 1, 3), job(3, 3, 4), job(4, 1, 7)];

  it("QU-4 compression moves jobs beside all others, once; planned starts need no event", () => {
    const result = replay("conservative", jobs, { pools: [[3]] });
    expect(promisesAt(result, 0)).toBe("3@10 4@3");
    expect(promisesAt(result, 1)).toBe("3@10");
    expect(startsOf(result)).toBe("1@0 2@0 4@1* 3@10");
  });

  it("QU-5 repack forgets all promises; they may move later", () => {
    const result = replay("repack", jobs, { pools: [[3]] });
    expect(promisesAt(result, 0)).toBe("3@10 4@3");
    expect(promisesAt(result, 1)).toBe("3@3 4@7");
    expect(startsOf(result)).toBe("1@0 2@0 3@3 4@7");
  });

  it("QU-6 a compression never moves a job to another pool at the same start; a repack does", () => {
    const scene: Scene = { pools: [[1], [1]], operations: [{ at: 1, kind: "hold", job: 3 }] };
    const list = [job(1, 1, 5), job(2, 1, 5, { pools: [1] }), job(3, 1, 1), job(4, 1, 2, { pools: [0, 1] })];
    expect(promisesAt(replay("conservative", list, scene), 0)).toBe("3@5 4@5/1");
    expect(promisesAt(replay("conservative", list, scene), 1)).toBe("4@5/1");
    expect(promisesAt(replay("repack", list, scene), 1)).toBe("4@5");
  });

  it.each([
    ["conservative", "2@4 3@6"],
    ["repack", "2@4 3@6"],
  ] as const)(
    "QU-7 under %s a reservation displaces only what does not fit beside it",
    (discipline, promises) => {
      const reserve = { kind: "reserve", pool: 0, duration: 2, need: [1] } as const;
      const result = replay(discipline, [job(1, 2, 4), job(2, 1, 3), job(3, 1, 3)], {
        pools: [[2]],
        operations: [
          { at: 1, ...reserve, reservation: 1, start: 0 },
          { at: 1, ...reserve, reservation: 2, start: 2 },
          { at: 1, ...reserve, reservation: 3, start: 4 },
          { at: 2, ...reserve, reservation: 4, start: 5, need: [2] },
          { at: 3, kind: "cancelReservation", reservation: 1 },
        ],
      });
      expect(result.refusals).toEqual([0, 1, 3, 4]);
      expect(promisesAt(result, 1)).toBe(promises);
    },
  );

  it("QU-7 QU-4 a cancelled reservation frees its remaining time, an ended one cannot be cancelled", () => {
    const result = replay("conservative", [job(1, 4, 2)], {
      operations: [
        { at: 0, kind: "reserve", reservation: 1, pool: 0, start: 0, duration: 9, need: [1] },
        { at: 0, kind: "reserve", reservation: 2, pool: 0, start: 0, duration: 3, need: [1] },
        { at: 3, kind: "cancelReservation", reservation: 2 },
        { at: 5, kind: "cancelReservation", reservation: 1 },
      ],
    });
    expect(result.refusals).toEqual([2]);
    expect(startsOf(result)).toBe("1@5");
  });

  it("QU-4 QU-13 without reservations no promise moves later", () => {
    fc.assert(
      fc.property(randomJobs, (list) => {
        const result = replay("conservative", list);
        const promised = new Map<number, number>();
        for (const { job: id, start } of result.promises) {
          expect(start).toBeLessThanOrEqual(promised.get(id) ?? Infinity);
          promised.set(id, start);
        }
        for (const { job: id, at } of result.starts) {
          expect(at).toBeLessThanOrEqual(promised.get(id) ?? Infinity);
        }
        expect(result.starts.length).toBe(list.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe("plain operations", () => {
  it("QU-8 refuses operations on jobs that arrive or ended at that very instant", () => {
    const result = replay("easy", [job(1, 1, 3), job(2, 1, 3, { submit: 2 })], {
      operations: [
        { at: 2, kind: "cancel", job: 2 },
        { at: 3, kind: "suspend", job: 1 },
        { at: 3, kind: "hold", job: 99 },
      ],
    });
    expect(result.refusals).toEqual([0, 1, 2]);
    expect(result.ends).toEqual([
      { job: 1, at: 3 },
      { job: 2, at: 5 },
    ]);
  });

  it("QU-9 a held job has no promise and re-enters at its arrival place", () => {
    const operations: PlainOperation[] = [
      { at: 1, kind: "hold", job: 2 },
      { at: 2, kind: "hold", job: 2 },
      { at: 3, kind: "release", job: 2 },
    ];
    const jobs = [job(1, 4, 6), job(2, 4, 2), job(3, 4, 2)];
    const conservative = replay("conservative", jobs, { operations });
    expect([1, 2, 3].map((at) => promisesAt(conservative, at))).toEqual(["3@6", "3@6", "2@8 3@6"]);
    expect(conservative.refusals).toEqual([1]);
    expect(startsOf(replay("easy", jobs, { operations }))).toBe("1@0 2@6 3@8");
  });

  it("QU-10 QU-17 a suspended job frees its need, its clock stops, its rest runs after it is resumed", () => {
    const result = replay("conservative", [job(1, 4, 10, { runtime: 7 }), job(2, 4, 3), job(3, 4, 3)], {
      operations: [
        { at: 2, kind: "suspend", job: 1 },
        { at: 3, kind: "resume", job: 1 },
        { at: 4, kind: "resume", job: 1 },
      ],
    });
    expect(promisesAt(result, 2)).toBe("3@5");
    expect(promisesAt(result, 3)).toBe("1@8 3@5");
    expect(startsOf(result)).toBe("1@0 2@2 3@5* 1@8");
    expect(result.ends.at(-1)).toEqual({ job: 1, at: 13 });
    expect(result.refusals).toEqual([2]);
  });

  it("QU-9 QU-14 cancels in any state, and refuses jobs that are too wide", () => {
    const jobs = [job(1, 4, 9), job(2, 5, 1), job(3, 4, 2), job(4, 4, 2), job(5, 4, 2)];
    const result = replay("conservative", jobs, {
      operations: [
        { at: 1, kind: "cancel", job: 2 },
        { at: 1, kind: "cancel", job: 3 },
        { at: 2, kind: "hold", job: 4 },
        { at: 3, kind: "cancel", job: 4 },
        { at: 4, kind: "cancel", job: 1 },
        { at: 5, kind: "cancel", job: 1 },
      ],
    });
    expect(result.tooWide).toEqual([2]);
    expect(result.refusals).toEqual([0, 5]);
    expect(startsOf(result)).toBe("1@0 5@4");
  });

  it("QU-12 priorities order passes, not the placing of arrivals; backfilled is by queue order", () => {
    const priority = ({ need }: PlainJob) => need[0];
    const jobs = [job(1, 4, 4, { runtime: 2 }), job(2, 2, 3), job(3, 3, 3)];
    const conservative = replay("conservative", jobs, { priority });
    expect(promisesAt(conservative, 0)).toBe("2@4 3@7");
    expect(startsOf(conservative)).toBe("1@0 2@2* 3@7");
    expect(startsOf(replay("repack", jobs, { priority }))).toBe("1@0 3@2 2@5");
    expect(startsOf(replay("easy", jobs, { priority }))).toBe("1@0 3@2 2@5");
  });

  it("QU-13 asks for every column", () => {
    const jobs = [
      job(1, 1, 5, { need: [1, 6] }),
      job(2, 1, 2, { need: [1, 6] }),
      job(3, 1, 2, { need: [3, 4] }),
    ];
    expect(startsOf(replay("conservative", jobs, { pools: [[4, 10]] }))).toBe("1@0 3@0* 2@5");
  });
});

describe("plain site under random operations", () => {
  it.each(["fcfs", "easy", "conservative", "repack"] as const)(
    "QU-7 QU-13 %s never oversubscribes, runs no job into a reservation, loses no job",
    (discipline) => {
      fc.assert(
        fc.property(randomTwoPoolJobs, randomOperations, fc.boolean(), (jobs, operations, ranked) => {
          const priority = ranked ? ({ need }: PlainJob) => need[0] : undefined;
          const result = replay(discipline, jobs, { pools: [[4], [2]], operations, priority });
          const touched = new Set(operations.map((operation) => ("job" in operation ? operation.job : 0)));
          const ended = result.ends.map((end) => end.job);
          const safe = jobs.filter(({ id }) => !touched.has(id) && !result.tooWide.includes(id));
          expect(ended).toEqual(expect.arrayContaining(safe.map(({ id }) => id)));
          expect(new Set(ended).size).toBe(ended.length);
        }),
        { numRuns: 60 },
      );
    },
  );
});

/** Up to ten jobs on four processors. */
const randomJobs = fc
  .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 }), fc.nat(8)), {
    maxLength: 10,
  })
  .map((list) => {
    let submit = 0;
    return list.map(([gap, procs, estimate, less], i) => {
      submit += gap;
      return job(i + 1, procs, estimate, { submit, runtime: Math.max(1, estimate - less) });
    });
  });

/** The same, some of them for the second pool or for both. */
const randomTwoPoolJobs = fc
  .tuple(randomJobs, fc.array(fc.constantFrom([0], [1], [0, 1]), { minLength: 10, maxLength: 10 }))
  .map(([jobs, pools]) => jobs.map((one, i) => ({ ...one, pools: pools[i] })));

/** Up to eight operations, many of which will be refused. */
const randomOperations = fc
  .array(fc.tuple(fc.nat(4), fc.nat(7), fc.integer({ min: 1, max: 10 }), fc.nat(8)), { maxLength: 8 })
  .map((list) => {
    let at = 0;
    return list.map(([gap, which, id, later], i): PlainOperation => {
      at += gap;
      const kinds = ["cancel", "hold", "release", "suspend", "resume"] as const;
      if (which < kinds.length) return { at, kind: kinds[which], job: id };
      if (which === 5) return { at, kind: "cancelReservation", reservation: id % 8 };
      const [pool, duration, need] = [id % 2, 1 + (id % 5), [1 + (later % 4)]];
      return { at, kind: "reserve", reservation: i, pool, start: at + later - 1, duration, need };
    });
  });

/** EASY as it is usually told: the head's shadow time and the extra procs, no profile. */
function classicalEasy(procs: number, jobs: readonly PlainJob[]): string[] {
  const starts: string[] = [];
  let waiting: PlainJob[] = [];
  let running: { job: PlainJob; start: number }[] = [];
  for (let now = 0; now < 300; now++) {
    running = running.filter(({ job: { runtime }, start }) => start + runtime > now);
    waiting = [...waiting, ...jobs.filter(({ submit }) => submit === now)];
    const free = () => procs - running.reduce((sum, { job: { need } }) => sum + need[0], 0);
    const started: PlainJob[] = [];
    const start = (next: PlainJob) => {
      running.push({ job: next, start: now });
      started.push(next);
    };
    while (waiting.length > 0 && waiting[0].need[0] <= free()) start(waiting.shift() as PlainJob);
    if (waiting.length > 0) {
      const [head, ...others] = waiting;
      let atShadow = free();
      let shadow = now;
      for (const { job: ending, start: at } of running.toSorted(
        (a, b) => a.start + a.job.estimate - b.start - b.job.estimate,
      )) {
        if (atShadow >= head.need[0] && at + ending.estimate > shadow) break;
        shadow = at + ending.estimate;
        atShadow += ending.need[0];
      }
      let extra = atShadow - head.need[0];
      for (const other of others) {
        if (other.need[0] > free()) continue;
        const endsInTime = now + other.estimate <= shadow;
        if (!endsInTime && other.need[0] > extra) continue;
        if (!endsInTime) extra -= other.need[0];
        start(other);
      }
      waiting = waiting.filter((other) => !started.includes(other));
    }
    for (const { id } of started.sort((a, b) => a.id - b.id)) starts.push(`${id}@${now}`);
  }
  return starts;
}
