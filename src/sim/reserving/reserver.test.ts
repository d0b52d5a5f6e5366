/**
 * Jobs that reserve in a replay: by hand on the source's example, and against the plain replay and the
 * machine's own promises on random workloads.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { MS_PER_HOUR as HOUR } from "../../base/index.ts";
import type { Discipline } from "../../model/index.ts";
import {
  createArrivals,
  createDrive,
  createMachine,
  createOrderedSite,
  createReplay,
  drive,
  type FinishedJob,
  feedOf,
  observeEnds,
  playInstant,
  prepareImpact,
  type ReplayJob,
} from "../../queue/index.ts";
import { drawReserving } from "./draw-reserving.ts";
import { type ReservedJob, reservableSite } from "./reservable-site.ts";
import { createReserver } from "./reserver.ts";

const RUNS = draws(300);
const MILLION = 1_000_000;

/** Processors, estimate and runtime in hours, submission in hours. */
function job(id: number, procs: number, estimate: number, more: { runtime?: number; at?: number } = {}) {
  const { runtime = estimate, at = 0 } = more;
  return {
    id,
    need: [procs],
    estimateMs: estimate * HOUR,
    runtimeMs: runtime * HOUR,
    submitMs: at * HOUR,
  } satisfies ReplayJob;
}

interface Setting {
  readonly procs: number;
  readonly discipline: Discipline;
  /** α in millionths, by id. */
  readonly alphas: Readonly<Record<number, number | undefined>>;
}

function play({ procs, discipline, alphas }: Setting, jobs: readonly ReplayJob[]) {
  const finished: FinishedJob[] = [];
  const reserved: ReservedJob[] = [];
  const { site, submit } = createOrderedSite({ capacity: [[procs]], discipline });
  observeEnds(site, (it) => finished.push(it));
  const reserver = createReserver({
    ...{ site, submit, firstId: 0 },
    alphaOf: ({ id }) => alphas[id],
    accepted: (it, reservation) => {
      finished.push(it);
      reserved.push(reservation);
    },
  });
  const arrivals = createArrivals((one, atMs) => reserver.submit(one, atMs));
  const feed = feedOf(createDrive(site, [arrivals, reserver]), arrivals);
  for (const one of jobs) feed.offer(one);
  feed.finish();
  finished.sort((one, other) => one.job.id - other.job.id);
  return { finished, reserved };
}

const hoursOf = ({ finished }: ReturnType<typeof play>) => finished.map(({ startMs }) => startMs / HOUR);

describe("a job that reserves", () => {
  const [A, B, C, D] = [job(1, 2, 3), job(2, 4, 1), job(3, 1, 2), job(4, 3, 2)];
  const queue = [A, B, C, D];

  it.each([
    [0, 2, 7, 2],
    [0.5, 2, 7, 2],
    [0.9, 6, 0, 0],
    [1, 6, 0, 0],
  ])("SI-71 in the source's example α = %d chooses the start at %d h for f = %d SU", (alpha, start, f, n) => {
    const alphas = { 5: alpha * MILLION };
    const played = play({ procs: 5, discipline: "conservative", alphas }, [...queue, job(5, 3, 2)]);
    const [own] = played.reserved;
    expect([own.startMs / HOUR, own.fixedProcMs / HOUR, own.delayed.length]).toEqual([start, f, n]);
    expect(hoursOf(played)).toEqual(start === 2 ? [0, 4, 0, 5, 2] : [0, 3, 0, 4, 6]);
  });

  it("SI-71 delayed jobs are reported, with their delays", () => {
    const played = play({ procs: 5, discipline: "conservative", alphas: { 5: 0 } }, [...queue, job(5, 3, 2)]);
    const { delayed } = played.reserved[0];
    expect(delayed.map(({ job: { id }, delayMs }) => [id, delayMs / HOUR])).toEqual([
      [2, 1],
      [4, 1],
    ]);
  });

  it.each(["conservative", "easy"] as const)(
    "SI-71 a job that ends early returns the rest (%s)",
    (discipline) => {
      const early = job(5, 3, 2, { runtime: 1 });
      const played = play({ procs: 5, discipline, alphas: { 5: 0 } }, [...queue, early]);
      expect(played.reserved[0].fixedProcMs).toBe(7 * HOUR);
      expect(hoursOf(played)).toEqual([0, 3, 0, 4, 2]);
    },
  );

  it("SI-71 requests follow the arrivals of the same instant, for any order in the workload", () => {
    const first = { ...job(5, 3, 2), id: 0 };
    const played = play({ procs: 5, discipline: "conservative", alphas: { 0: 0 } }, [first, ...queue]);
    expect(hoursOf(played)).toEqual([2, 0, 4, 0, 5]);
  });

  it("SI-71 requests of one instant are in order of submission", () => {
    const alphas = { 1: 0, 2: 0 };
    const played = play({ procs: 4, discipline: "conservative", alphas }, [job(1, 4, 1), job(2, 1, 1)]);
    expect(hoursOf(played)).toEqual([0, 1]);
  });
});

describe("drawing who reserves", () => {
  const draw = (sharePpm: number, alphaPpm: number | "random", seed = 5) => {
    const next = drawReserving({ sharePpm, alphaPpm }, seed);
    return Array.from({ length: 2000 }, () => next());
  };

  it("SI-70 a job that reserves at one share reserves at every larger one, with the same α", () => {
    const [few, many] = [draw(100_000, "random"), draw(500_000, "random")];
    const held = few.flatMap((alpha, at) => (alpha === undefined ? [] : [[alpha, many[at]]]));
    expect(held.length).toBeGreaterThan(150);
    expect(held.length).toBeLessThan(250);
    for (const [one, other] of held) expect(one).toBe(other);
  });

  it("SI-70 nobody, everybody, one α for all, another seed", () => {
    expect(draw(0, 0).every((alpha) => alpha === undefined)).toBe(true);
    expect(draw(MILLION, 300_000).every((alpha) => alpha === 300_000)).toBe(true);
    expect(draw(500_000, 0)).not.toEqual(draw(500_000, 0, 6));
  });
});

const workloads = fc.record({
  discipline: fc.constantFrom<Discipline>("conservative", "easy"),
  jobs: fc
    .array(
      fc.record({
        gap: fc.integer({ min: 0, max: 6 }),
        procs: fc.integer({ min: 1, max: 8 }),
        runtime: fc.integer({ min: 1, max: 20 }),
        slack: fc.constantFrom(0, 0, 3, 15),
        alpha: fc.option(fc.constantFrom(0, 300_000, 700_000, MILLION), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    .map((rows) => {
      let at = 0;
      return rows.map(({ gap, procs, runtime, slack, alpha }, id) => {
        at += gap;
        return { job: job(id, procs, runtime + slack, { runtime, at }), alpha };
      });
    }),
});

describe("random workloads", () => {
  it("SI-70 share 0 simulates every job as without reservations", () => {
    fc.assert(
      fc.property(workloads, ({ discipline, jobs }) => {
        const finished: FinishedJob[] = [];
        const machine = createMachine([[8]], { discipline });
        const replay = createReplay(machine, { finished: (it) => finished.push(it) });
        for (const one of jobs) replay.offer(one.job);
        replay.finish();
        finished.sort((one, other) => one.job.id - other.job.id);
        const all = jobs.map((one) => one.job);
        expect(play({ procs: 8, discipline, alphas: {} }, all).finished).toEqual(finished);
      }),
      RUNS,
    );
  });

  it("SI-71 all jobs run once, after their submission, within the capacity", () => {
    fc.assert(
      fc.property(workloads, ({ discipline, jobs }) => {
        const alphas = Object.fromEntries(jobs.map(({ job: { id }, alpha }) => [id, alpha]));
        const all = jobs.map((one) => one.job);
        const { finished } = play({ procs: 8, discipline, alphas }, all);
        expect(finished.map((it) => it.job.id)).toEqual(all.map(({ id }) => id));
        for (const { job: one, startMs, endMs } of finished) {
          expect(startMs).toBeGreaterThanOrEqual(one.submitMs);
          expect(endMs - startMs).toBe(one.runtimeMs);
          const busy = finished.filter((it) => it.startMs <= startMs && it.endMs > startMs);
          expect(busy.reduce((sum, it) => sum + it.job.need[0], 0)).toBeLessThanOrEqual(8);
        }
      }),
      RUNS,
    );
  });

  it("SI-71 α = 0 chooses the earliest offer; f is the cost of its delays after acceptance", () => {
    fc.assert(
      fc.property(workloads, ({ discipline, jobs }) => {
        const { site, submit } = createOrderedSite({ capacity: [[8]], discipline });
        const { machine } = site;
        const arrivals = createArrivals(submit);
        const slots = reservableSite(site);
        const driven = createDrive(site, [arrivals, slots]);
        const feed = feedOf(driven, arrivals);
        for (const { job: one, alpha } of jobs) {
          if (alpha === undefined) {
            feed.offer(one);
            continue;
          }
          drive(driven, one.submitMs);
          playInstant(driven, one.submitMs);
          const quote = slots.quote(one);
          const [earliest] = quote.list;
          const before = startsNow(machine);
          const { delayed, startMs } = slots.accept(quote, earliest, one);
          playInstant(driven, one.submitMs);
          expect(Math.min(...quote.list.map((it) => it.startMs))).toBe(startMs);
          const after = startsNow(machine);
          let cost = 0;
          let count = 0;
          for (const [handle, { startMs: presentMs, procs }] of before) {
            const delayMs = Math.max(0, (after.get(handle)?.startMs ?? machine.nowMs) - presentMs);
            cost += delayMs * procs;
            if (delayMs > 0) count++;
          }
          expect([earliest.fixedProcMs, delayed.length]).toEqual([cost, count]);
        }
      }),
      RUNS,
    );
  });
});

/** Planned starts of those that wait, by handle. */
function startsNow(machine: ReturnType<typeof createMachine>) {
  const { present } = prepareImpact(machine);
  return new Map(
    Array.from(present.handles, (handle, at) => [
      handle,
      { startMs: present.startMs[at], procs: machine.jobs.need[0][handle] },
    ]),
  );
}
