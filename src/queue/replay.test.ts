import { describe, expect, it } from "vitest";
import { job, startsOf } from "../../test/plain/plain-builders.ts";
import { replayFast } from "../../test/replay-both.ts";
import { type SwfBatch, swfField, swfFieldCount } from "../formats/index.ts";
import type { Discipline, EstimateRule, OverrunRule } from "../model/index.ts";
import { jobOf } from "../sim/workload/trace-job.ts";
import {
  createMachine,
  createReplay,
  type FinishedJob,
  type OperationRefusal,
  type ReplayOperation,
} from "./index.ts";

interface Told {
  readonly finished: FinishedJob[];
  readonly started: string[];
  readonly tooWide: number[];
  readonly refused: OperationRefusal[];
}

/** Jobs as [submit, procs, estimate, runtime], ids from 1, on four processors. */
function replayed(
  discipline: Discipline,
  jobs: readonly (readonly [number, number, number, number])[],
  operations: readonly ReplayOperation[] = [],
): Told {
  const told: Told = { finished: [], started: [], tooWide: [], refused: [] };
  const replay = createReplay(
    createMachine([[4]], { discipline }),
    {
      finished: (finished) => told.finished.push(finished),
      started: ({ id }, pool, atMs, backfilled) =>
        told.started.push(`${id}@${atMs}/${pool}${backfilled ? "*" : ""}`),
      tooWide: ({ id }) => told.tooWide.push(id),
      refused: (_, refusal) => told.refused.push(refusal),
    },
    operations,
  );
  for (const [i, [submitMs, count, estimateMs, runtimeMs]] of jobs.entries()) {
    replay.offer({ id: i + 1, submitMs, need: [count], estimateMs, runtimeMs });
  }
  replay.finish();
  return told;
}

const endsOf = ({ finished }: Told): string =>
  finished.map(({ job: { id }, endMs }) => `${id}@${endMs}`).join(" ");

describe("a replay", () => {
  it("QU-17 a job ends at start + runtime, and reports its promise on arrival and its first start", () => {
    const told = replayed("conservative", [
      [0, 4, 10, 7],
      [1, 4, 5, 5],
    ]);
    expect(told.finished).toMatchObject([
      { startMs: 0, endMs: 7, promisedMs: 0, backfilled: false, job: { id: 1 } },
      { startMs: 7, endMs: 12, promisedMs: 10, backfilled: false, job: { id: 2 } },
    ]);
    expect(replayed("easy", [[0, 4, 10, 7]]).finished[0].promisedMs).toBeUndefined();
  });

  it.each(["fcfs", "easy", "conservative", "repack"] as const)(
    "QU-10 QU-17 under %s a suspended job runs its rest after resuming, and not longer",
    (discipline) => {
      const told = replayed(
        discipline,
        [
          [0, 4, 10, 7],
          [0, 4, 3, 3],
        ],
        [
          { kind: "suspend", atMs: 2, job: 1 },
          { kind: "resume", atMs: 3, job: 1 },
          { kind: "suspend", atMs: 6, job: 1 },
          { kind: "resume", atMs: 20, job: 1 },
        ],
      );
      expect(told.started).toEqual(["1@0/0", "2@2/0", "1@5/0", "1@20/0"]);
      expect(endsOf(told)).toBe("2@5 1@24");
      expect(told.finished[1].startMs).toBe(0);
    },
  );

  it.each([
    [
      [100, 60, "requested", "extend"],
      [100, 60],
    ],
    [
      [100, 60, "exact", "extend"],
      [60, 60],
    ],
    [
      [60, 100, "requested", "extend"],
      [100, 100],
    ],
    [
      [60, 100, "exact", "extend"],
      [100, 100],
    ],
    [
      [60, 100, "requested", "kill"],
      [60, 60],
    ],
    [
      [60, 100, "exact", "kill"],
      [60, 60],
    ],
    [
      [-1, 100, "requested", "kill"],
      [100, 100],
    ],
  ] as const)(
    "QU-17 requested, ran, estimates, overrun %j: estimate and runtime %j",
    ([requested, ran, estimates, overrun], expected) => {
      expect(secondsOf(requested, ran, { estimates, overrun })).toEqual(expected);
    },
  );

  it("a job is backfilled when one before it in queue order still waits at its start", () => {
    const told = replayed("easy", [
      [0, 3, 4, 4],
      [0, 4, 2, 2],
      [0, 1, 4, 4],
      [1, 1, 1, 1],
    ]);
    expect(told.started).toEqual(["1@0/0", "3@0/0*", "2@4/0", "4@6/0"]);
    expect(told.finished.filter(({ backfilled }) => backfilled).map((it) => it.job.id)).toEqual([3]);
  });

  it("with priorities, the first to arrive may be the backfilled one", () => {
    const jobs = [job(1, 2, 5), job(2, 2, 2, { submit: 1 }), job(3, 3, 9, { submit: 1 })];
    const scene = { pools: [[4]], jobs, operations: [], discipline: "easy" } as const;
    expect(startsOf(replayFast({ ...scene, priority: "none" }))).toBe("1@0 2@1 3@5");
    expect(startsOf(replayFast({ ...scene, priority: "long first" }))).toBe("1@0 2@1* 3@5");
  });

  it("QU-8 QU-14 refuses jobs that are too wide, and operations on unknown jobs", () => {
    const told = replayed(
      "conservative",
      [
        [0, 5, 1, 1],
        [0, 4, 3, 3],
        [2, 4, 3, 3],
      ],
      [
        { kind: "hold", atMs: 1, job: 1 },
        { kind: "cancel", atMs: 2, job: 3 },
        { kind: "suspend", atMs: 3, job: 2 },
        { kind: "resume", atMs: 4, job: 3 },
        {
          kind: "reserve",
          atMs: 4,
          reservation: 1,
          fixed: { pool: 0, need: [1], startMs: 3, durationMs: 2 },
        },
        { kind: "cancelReservation", atMs: 4, reservation: 1 },
      ],
    );
    expect(told.tooWide).toEqual([1]);
    expect(told.refused).toEqual([
      { kind: "unknownJob", job: 1 },
      { kind: "unknownJob", job: 3 },
      { kind: "unknownJob", job: 2 },
      { kind: "wrongState", state: "running", allowedIn: ["suspended"] },
      { kind: "startInPast", startMs: 3, nowMs: 4 },
      { kind: "unknownReservation", id: 1 },
    ]);
    expect(endsOf(told)).toBe("2@3 3@6");
  });

  it("QU-9 a cancelled job does not end, and its handle is used for the next one", () => {
    const told = replayed(
      "fcfs",
      [
        [0, 4, 10, 8],
        [5, 4, 3, 3],
        [8, 1, 1, 1],
      ],
      [{ kind: "cancel", atMs: 3, job: 1 }],
    );
    expect(told.started).toEqual(["1@0/0", "2@5/0", "3@8/0"]);
    expect(endsOf(told)).toBe("2@8 3@9");
    expect(endsOf(replayed("fcfs", [[0, 4, 10, 8]], [{ kind: "cancel", atMs: 3, job: 1 }]))).toBe("");
  });

  it("QU-17 a runtime beyond the estimate is a programmer's error", () => {
    expect(() => replayed("fcfs", [[0, 1, 5, 6]])).toThrow("0 < runtime ≤ estimate");
    expect(() => replayed("fcfs", [[0, 1, 5, 0]])).toThrow("0 < runtime ≤ estimate");
  });
});

/** [estimate, runtime] in seconds of a line of a trace. */
function secondsOf(
  requested: number,
  ran: number,
  rules: { readonly estimates: EstimateRule; readonly overrun: OverrunRule },
): readonly number[] {
  const fields = Array.from({ length: swfFieldCount }, () => Float64Array.of(1));
  fields[swfField.requestedTime][0] = requested;
  fields[swfField.runtime][0] = ran;
  const batch: SwfBatch = { count: 1, fields, line: Float64Array.of(1) };
  const made = jobOf(batch, 0, {
    procs: 4,
    keepsRows: false,
    ...rules,
  });
  return typeof made === "string" ? [] : [made.estimateMs / 1000, made.runtimeMs / 1000];
}
