import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { job, promisesAt, startsOf } from "../../test/plain/plain-builders.ts";
import { plainWorkloads, replayFast, type SmallWorkload } from "../../test/replay-both.ts";
import { DISCIPLINES } from "../model/index.ts";

/** What is not as usual: one pool of four processors, nothing done to it, arrival order. */
type Scene = Partial<Pick<SmallWorkload, "pools" | "operations" | "priority">>;
type Discipline = SmallWorkload["discipline"];
type Operation = SmallWorkload["operations"][number];

const run = (discipline: Discipline, jobs: SmallWorkload["jobs"], scene: Scene = {}) =>
  replayFast({ pools: [[4]], operations: [], priority: "none", ...scene, discipline, jobs });

/** Processors in the first pool unless said otherwise. */
const reservation = (
  reservation: number,
  [start, duration, ...need]: readonly [number, number, ...number[]],
  at = 0,
  pool = 0,
): Operation => ({ kind: "reserve", at, reservation, pool, start, duration, need });

/** `job@instant`, `/pool` where it is not the first, `*` when backfilled; per discipline. */
type Expected = Partial<Record<Discipline, string>>;

interface Case {
  readonly jobs: SmallWorkload["jobs"];
  readonly scene?: Scene;
  readonly starts: Expected;
}

const cases: Record<string, Case> = {
  "QU-1 QU-2 QU-3 a job that fits a gap passes a wide job, except under FCFS": {
    jobs: [job(1, 3, 4), job(2, 2, 2), job(3, 1, 1)],
    starts: { fcfs: "1@0 2@4 3@4", easy: "1@0 3@0* 2@4", conservative: "1@0 3@0* 2@4" },
  },
  "QU-2 QU-3 EASY protects the head only, conservative every waiting job": {
    jobs: [job(1, 3, 4), job(2, 3, 3), job(3, 4, 1), job(4, 1, 9)],
    starts: {
      fcfs: "1@0 2@4 3@7 4@8",
      easy: "1@0 4@0* 2@4 3@9",
      conservative: "1@0 2@4 3@7 4@8",
      repack: "1@0 2@4 3@7 4@8",
    },
  },
  "QU-2 extra processors go to the first that takes them; a job that ends by the shadow time needs none": {
    jobs: [job(1, 3, 4), job(2, 4, 2), job(3, 1, 9), job(4, 1, 9), job(5, 1, 4)],
    scene: { pools: [[5]] },
    starts: { easy: "1@0 3@0* 5@0* 2@4 4@6" },
  },
  "QU-2 a job that ends a moment after the shadow time needs extra processors": {
    jobs: [job(1, 3, 4), job(2, 4, 2), job(3, 1, 5)],
    starts: { easy: "1@0 2@4 3@6", conservative: "1@0 2@4 3@6" },
  },
  "QU-2 an early end moves the shadow time forward": {
    jobs: [job(1, 3, 4, { runtime: 2 }), job(2, 4, 2), job(3, 1, 5)],
    starts: { easy: "1@0 2@2 3@4" },
  },
  "QU-4 QU-5 after an early end conservative keeps its promises, repack plans again": {
    jobs: [job(1, 2, 10, { runtime: 1 }), job(2, 1, 3), job(3, 3, 4), job(4, 1, 7)],
    scene: { pools: [[3]] },
    starts: { conservative: "1@0 2@0 4@1* 3@10", repack: "1@0 2@0 3@3 4@7" },
  },
  "QU-4 one pass: a job already visited gets what a later job frees only at the next compression": {
    // At 2 job 3 is looked at first and stays; then job 2 moves and frees [4, 5), where job 3 could start.
    jobs: [job(1, 2, 3, { runtime: 2 }), job(2, 1, 2), job(3, 2, 4)],
    scene: { pools: [[2]], priority: "long first" },
    starts: { conservative: "1@0* 2@2* 3@5" },
  },
  "QU-7 no job starts whose estimate runs into a reservation": {
    jobs: [job(1, 1, 4), job(2, 1, 3)],
    scene: { pools: [[2]], operations: [reservation(1, [3, 2, 2])] },
    starts: { fcfs: "1@5 2@5", easy: "2@0* 1@5", conservative: "2@0* 1@5", repack: "2@0* 1@5" },
  },
  "QU-2 QU-7 a head's promise is its earliest beside reservations, and later jobs fit beside it": {
    // The head is promised 6: [4, 5) is too short before the reservation. Job 3 fits before it, 4 does not.
    jobs: [job(1, 3, 4), job(2, 4, 2), job(3, 1, 5), job(4, 1, 6, { submit: 1 })],
    scene: { operations: [reservation(1, [5, 1, 3])] },
    starts: { easy: "1@0 3@0* 2@6 4@8", conservative: "1@0 3@0* 2@6 4@8", fcfs: "1@0 2@6 3@8 4@8" },
  },
  "QU-1 QU-6 several pools: a waiting job blocks every pool it names, and only those": {
    jobs: [
      job(1, 2, 4),
      job(2, 1, 1),
      job(3, 1, 2, { pools: [1, 0] }),
      job(4, 2, 1, { pools: [0, 1] }),
      job(5, 1, 1, { pools: [1] }),
    ],
    scene: { pools: [[2], [2]] },
    starts: {
      fcfs: "1@0 3@0/1* 4@2/1* 5@3/1* 2@4",
      easy: "1@0 3@0/1* 5@0/1* 4@2/1* 2@4",
      conservative: "1@0 3@0/1* 5@0/1* 4@2/1* 2@4",
    },
  },
  "QU-1 a job does not use free capacity in a pool that an earlier one waits for": {
    jobs: [
      job(1, 1, 4),
      job(2, 2, 1),
      job(3, 1, 2, { pools: [1, 0] }),
      job(4, 1, 1),
      job(5, 2, 1, { pools: [1] }),
      job(6, 1, 1, { pools: [0, 1] }),
    ],
    scene: { pools: [[2], [2]] },
    starts: { fcfs: "1@0 3@0/1* 5@2/1* 6@3/1* 2@4 4@5" },
  },
  "QU-6 of several pools the earliest; ties go to the first of the site": {
    jobs: [
      job(1, 1, 5),
      job(2, 1, 3, { pools: [1] }),
      job(3, 1, 2, { pools: [1, 0] }),
      job(4, 1, 1, { pools: [1, 0] }),
      job(5, 1, 1, { pools: [2, 1, 0] }),
    ],
    scene: { pools: [[1], [1], [1]] },
    starts: {
      easy: "1@0 2@0/1 5@0/2* 3@3/1 4@5",
      conservative: "1@0 2@0/1 5@0/2* 3@3/1 4@5",
      fcfs: "1@0 2@0/1 5@0/2* 3@3/1 4@5",
    },
  },
  "QU-2 QU-6 each pool has a head of its own": {
    // Job 3 is the head of pool 0, job 4 of pool 1, each with a promise; 5 and 6 must respect one each.
    jobs: [
      job(1, 2, 4),
      job(2, 2, 6, { pools: [1] }),
      job(3, 3, 2),
      job(4, 3, 2, { pools: [1] }),
      job(5, 1, 5),
      job(6, 1, 7, { pools: [1] }),
    ],
    scene: { pools: [[3], [3]] },
    starts: { easy: "1@0 2@0/1 3@4 4@6/1 5@6 6@8/1" },
  },
  "QU-13 a job needs all its resources at once, memory too": {
    jobs: [
      job(1, 0, 5, { need: [1, 6] }),
      job(2, 0, 2, { need: [1, 6] }),
      job(3, 0, 2, { need: [3, 4] }),
      job(4, 0, 2, { need: [1, 4] }),
    ],
    scene: { pools: [[4, 10]] },
    starts: {
      fcfs: "1@0 2@5 3@5 4@7",
      easy: "1@0 3@0* 4@2* 2@5",
      conservative: "1@0 3@0* 4@2* 2@5",
    },
  },
  "QU-12 priorities order every pass, not the placing of an arrival": {
    // Under a planning discipline job 1 is placed when it comes, though both others go before it.
    jobs: [job(1, 4, 4, { runtime: 2 }), job(2, 3, 3), job(3, 2, 3)],
    scene: { priority: "small first" },
    starts: {
      fcfs: "3@0 2@3 1@6",
      easy: "3@0 2@3 1@6",
      conservative: "1@0* 2@2* 3@7",
      repack: "1@0* 3@2 2@5",
    },
  },
  "QU-12 QU-1 a priority may grow with waiting": {
    jobs: [job(1, 4, 4), job(2, 2, 2, { submit: 1 }), job(3, 4, 2, { submit: 2 })],
    scene: { priority: "ageing" },
    starts: { fcfs: "1@0 3@4 2@6", easy: "1@0 3@4 2@6", conservative: "1@0 2@4* 3@6" },
  },
};

describe("the disciplines, worked out by hand", () => {
  const rows = Object.entries(cases).flatMap(([sentence, { jobs, scene, starts }]) =>
    Object.entries(starts).map(
      ([discipline, expected]) => [sentence, discipline as Discipline, { jobs, scene, expected }] as const,
    ),
  );

  it.each(rows)("%s (%s)", (_, discipline, { jobs, scene, expected }) => {
    expect(startsOf(run(discipline, jobs, scene))).toBe(expected);
  });

  it.each(DISCIPLINES)("QU-1 QU-2 QU-3 QU-5 %s keeps a thousand jobs in order", (discipline) => {
    const jobs = Array.from({ length: 1000 }, (_, i) =>
      job(i + 1, 1, 3, { pools: [0, 1], submit: i < 250 ? 0 : 1 }),
    );
    const { starts } = run(discipline, jobs, { pools: [[1], [3]] });
    expect(starts.map(({ job: id, at, pool }) => [id, at, pool])).toEqual(
      jobs.map((_, i) => [i + 1, 3 * (i >> 2), i % 4 === 0 ? 0 : 1]),
    );
  });

  it("QU-2 with a second resource that never matters EASY decides as with one", () => {
    fc.assert(
      fc.property(plainWorkloads, ({ jobs, pools: [[capacity]] }) => {
        const twice = jobs.map((one) => ({ ...one, need: [...one.need, 0] }));
        expect(run("easy", twice, { pools: [[capacity, 1]] })).toEqual(
          run("easy", jobs, { pools: [[capacity]] }),
        );
      }),
      draws(300),
    );
  });

  it("QU-2 with a reservation far away EASY decides as without", () => {
    fc.assert(
      fc.property(plainWorkloads, ({ jobs, pools }) => {
        const operations = [reservation(1, [3000, 1, 1])];
        expect(run("easy", jobs, { pools, operations }).starts).toEqual(run("easy", jobs, { pools }).starts);
      }),
      draws(300),
    );
  });
});

describe("promises", () => {
  const planning = ["conservative", "repack"] as const;

  it.each(planning)(
    "QU-3 %s gives every waiting job a promise that disturbs no earlier one",
    (discipline) => {
      const jobs = [job(1, 3, 4), job(2, 4, 2), job(3, 1, 5), job(4, 2, 1, { submit: 1 })];
      const result = run(discipline, jobs);
      expect(promisesAt(result, 0)).toBe("2@4 3@6");
      expect(promisesAt(result, 1)).toBe("2@4 3@6 4@6");
    },
  );

  it("QU-4 compression takes the jobs in queue order and moves none of them later", () => {
    const jobs = [job(1, 4, 9, { runtime: 3 }), job(2, 3, 4), job(3, 2, 2), job(4, 1, 8)];
    const result = run("conservative", jobs);
    expect(promisesAt(result, 0)).toBe("2@9 3@13 4@9");
    expect(promisesAt(result, 3)).toBe("3@7");
    expect(startsOf(result)).toBe("1@0 2@3 4@3* 3@7");
  });

  it("QU-4 an early release lets a job start long before it, into a gap that was too short", () => {
    const operations: Operation[] = [
      reservation(1, [5, 2, 1]),
      { kind: "cancelReservation", at: 1, reservation: 1 },
    ];
    const result = run("conservative", [job(1, 1, 2), job(2, 1, 5)], { pools: [[1]], operations });
    expect([0, 1].map((at) => promisesAt(result, at))).toEqual(["2@7", "2@2"]);
  });

  it("QU-4 capacity that a job freed by moving is available at the next compression", () => {
    const jobs = [job(1, 2, 3, { runtime: 2 }), job(2, 1, 2), job(3, 2, 4), job(4, 2, 2)];
    const operations: Operation[] = [{ kind: "cancel", at: 3, job: 4 }];
    const result = run("conservative", jobs, { pools: [[2]], priority: "long first", operations });
    expect([0, 2, 3].map((at) => promisesAt(result, at))).toEqual(["2@3 3@5 4@9", "3@5 4@9", "3@4"]);
  });

  it("QU-5 under repack a promise may move later, under conservative it does not", () => {
    const jobs = [job(1, 2, 10, { runtime: 1 }), job(2, 1, 3), job(3, 3, 4), job(4, 1, 7)];
    const [kept, planned] = planning.map((discipline) => run(discipline, jobs, { pools: [[3]] }));
    expect([0, 1].map((at) => promisesAt(kept, at))).toEqual(["3@10 4@3", "3@10"]);
    expect([0, 1].map((at) => promisesAt(planned, at))).toEqual(["3@10 4@3", "3@3 4@7"]);
  });

  it("QU-6 a compression leaves a job in its pool unless another is earlier; a repack does not", () => {
    const jobs = [job(1, 1, 5), job(2, 1, 5, { pools: [1] }), job(3, 1, 1), job(4, 1, 2, { pools: [0, 1] })];
    const scene: Scene = { pools: [[1], [1]], operations: [{ at: 1, kind: "hold", job: 3 }] };
    expect(promisesAt(run("conservative", jobs, scene), 0)).toBe("3@5 4@5/1");
    expect(promisesAt(run("conservative", jobs, scene), 1)).toBe("4@5/1");
    expect(promisesAt(run("repack", jobs, scene), 1)).toBe("4@5");
  });

  it("QU-6 a compression moves a job to another pool where that is earlier", () => {
    const jobs = [job(1, 1, 5), job(2, 1, 9, { pools: [1], runtime: 2 }), job(3, 1, 1, { pools: [0, 1] })];
    const result = run("conservative", jobs, { pools: [[1], [1]] });
    expect([promisesAt(result, 0), startsOf(result)]).toEqual(["3@5", "1@0 2@0/1 3@2/1"]);
  });

  it("QU-4 QU-6 capacity that a job leaves for another pool is available to the jobs behind it", () => {
    const jobs = [
      job(1, 4, 20),
      job(2, 4, 30, { pools: [1], runtime: 2 }),
      job(3, 4, 30, { pools: [0, 1] }),
      job(4, 4, 5),
    ];
    const result = run("conservative", jobs, { pools: [[4], [4]] });
    expect([0, 2].map((at) => promisesAt(result, at))).toEqual(["3@20 4@50", "4@20"]);
    expect(startsOf(result)).toBe("1@0 2@0/1 3@2/1 4@20");
  });

  it.each(planning)("QU-7 under %s a reservation displaces only jobs whose place it takes", (discipline) => {
    const jobs = [job(1, 2, 4), job(2, 1, 3), job(3, 1, 3)];
    const result = run(discipline, jobs, { pools: [[2]], operations: [reservation(1, [5, 2, 1], 1)] });
    expect([0, 1].map((at) => promisesAt(result, at))).toEqual(["2@4 3@4", "2@4 3@7"]);
    expect(startsOf(result)).toBe("1@0 2@4 3@7");
  });

  it("QU-7 a displaced job takes the place of one behind it, which is displaced in turn", () => {
    const jobs = [job(1, 2, 4), job(2, 2, 2), job(3, 2, 2)];
    const result = run("conservative", jobs, { pools: [[2]], operations: [reservation(1, [4, 1, 1], 1)] });
    expect([0, 1].map((at) => promisesAt(result, at))).toEqual(["2@4 3@6", "2@5 3@7"]);
  });

  it("QU-7 the place that a displaced job leaves is used by the next compression, not before", () => {
    const jobs = [job(1, 4, 4), job(2, 3, 3), job(3, 2, 2), job(4, 4, 3)];
    const operations: Operation[] = [reservation(1, [6, 3, 2], 1), { kind: "cancel", at: 2, job: 4 }];
    const result = run("conservative", jobs, { operations });
    expect([0, 1, 2].map((at) => promisesAt(result, at))).toEqual(["2@4 3@7 4@9", "2@9 3@7 4@12", "2@9 3@4"]);
  });

  it("QU-12 priorities order a compression, a repack and a displacement", () => {
    const jobs = [job(1, 2, 6, { runtime: 3 }), job(2, 2, 2), job(3, 2, 3)];
    const by = (priority: "none" | "long first", discipline: Discipline = "conservative") =>
      startsOf(run(discipline, jobs, { pools: [[2]], priority }));
    expect([by("none"), by("long first"), by("long first", "repack")]).toEqual([
      "1@0 2@3 3@5",
      "1@0 3@3 2@6",
      "1@0 3@3 2@6",
    ]);
    const displacedBy = (priority: "none" | "long first") =>
      run("conservative", jobs, { pools: [[2]], priority, operations: [reservation(1, [7, 1, 1], 1)] });
    expect(promisesAt(displacedBy("none"), 1)).toBe("2@8 3@10");
    expect(promisesAt(displacedBy("long first"), 1)).toBe("2@11 3@8");
  });
});
