import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { steppableClock } from "../../../test/steppable-clock.ts";
import { Fault } from "../../base/index.ts";
import { DISCIPLINES, type Discipline, type SimulatedSiteSpec } from "../../model/index.ts";
import { createMachine, createReplay, type ReplayOperation } from "../../queue/index.ts";
import type { SiteVerb } from "../../runtime/index.ts";
import { IMITATED_RUNTIME, openSimulatedSite } from "./index.ts";
import { drawOutcome } from "./losses.ts";

const PROCS = 8;
const END_MS = 20_000;

interface Workload {
  readonly discipline: Discipline;
  /** Jobs in order of submission, at even instants. */
  readonly jobs: readonly {
    readonly submitMs: number;
    readonly procs: number;
    readonly estimateMs: number;
    readonly runtimeMs: number;
    /** Index of its reservation; null: the queue. */
    readonly inside: number | null;
  }[];
  /** Reservations in order, at even instants. */
  readonly reservations: readonly {
    readonly atMs: number;
    readonly procs: number;
    readonly startMs: number;
    readonly endMs: number;
    /** Instant of its release; null: never. */
    readonly givenUpMs: number | null;
  }[];
  /** Orders, at odd instants. */
  readonly orders: readonly { readonly atMs: number; readonly verb: SiteVerb; readonly job: number }[];
}

const job = fc
  .record({
    submitMs: fc.nat(200).map((n) => 2 * n),
    procs: fc.integer({ min: 1, max: PROCS }),
    estimateMs: fc.integer({ min: 1, max: 200 }),
    share: fc.integer({ min: 0, max: 100 }),
    inside: fc.option(fc.nat(3), { freq: 3 }),
  })
  .map(({ share, ...it }) => ({
    ...it,
    runtimeMs: Math.max(1, Math.floor((it.estimateMs * share) / 100)),
  }));
const verbs: readonly SiteVerb[] = ["cancel", "hold", "release", "suspend", "resume"];
const order = fc.record({
  atMs: fc.nat(300).map((n) => 2 * n + 1),
  verb: fc.constantFrom(...verbs),
  job: fc.nat(14),
});
const reservation = fc
  .record({
    atMs: fc.nat(200).map((n) => 2 * n),
    procs: fc.integer({ min: 1, max: PROCS }),
    noticeMs: fc.nat(200),
    lengthMs: fc.integer({ min: 1, max: 200 }),
    keptMs: fc.option(fc.nat(150).map((n) => 2 * n)),
  })
  .map(({ atMs, procs, noticeMs, lengthMs, keptMs }) => {
    const startMs = atMs + noticeMs;
    const givenUpMs = keptMs === null ? null : atMs + keptMs;
    return { atMs, procs, startMs, endMs: startMs + lengthMs, givenUpMs };
  });
const workload: fc.Arbitrary<Workload> = fc.record({
  discipline: fc.constantFrom(...DISCIPLINES),
  jobs: fc
    .array(job, { minLength: 1, maxLength: 15 })
    .map((jobs) => jobs.toSorted((a, b) => a.submitMs - b.submitMs)),
  reservations: fc
    .array(reservation, { maxLength: 4 })
    .map((them) => them.toSorted((a, b) => a.atMs - b.atMs)),
  orders: fc.array(order, { maxLength: 12 }).map((orders) => orders.toSorted((a, b) => a.atMs - b.atMs)),
});

/** First start of each job in a plain replay of the site machine. */
function replayed({ discipline, jobs, orders, reservations }: Workload): Map<number, number> {
  const starts = new Map<number, number>();
  const given = orders.map(({ atMs, verb, job }) => ({ atMs, kind: verb, job }));
  const reserved = reservations.map(({ atMs, procs, startMs, endMs }, id) => {
    const fixed = { pool: 0, need: [procs, 0], startMs, durationMs: endMs - startMs };
    return { atMs, kind: "reserve" as const, reservation: id, fixed };
  });
  const givenUp = reservations.flatMap(({ givenUpMs: atMs }, reservation) =>
    atMs === null ? [] : [{ atMs, kind: "cancelReservation" as const, reservation }],
  );
  const all: readonly ReplayOperation[] = [...given, ...reserved, ...givenUp];
  const operations = all.toSorted((a, b) => a.atMs - b.atMs);
  const machine = createMachine([[PROCS, 1]], { discipline });
  const replay = createReplay(
    machine,
    {
      finished: () => undefined,
      started: ({ id }, _pool, atMs) => void (starts.has(id) || starts.set(id, atMs)),
    },
    operations,
  );
  for (const [id, { procs, inside, ...rest }] of jobs.entries()) {
    if (inside === null) replay.offer({ id, need: [procs, 0], ...rest });
  }
  replay.finish();
  return starts;
}

/** First starts at an imitating site; at each of `restarts` the site is opened again. */
async function simulated(workload: Workload, restarts: readonly number[] = []): Promise<unknown> {
  const { discipline, jobs, orders, reservations } = workload;
  const directory = mkdtempSync(join(tmpdir(), "stint-simulated-"));
  const clock = steppableClock(0);
  const open = () => openSimulatedSite({ name: "sim", spec: specOf(discipline), directory, clock });
  let site = await open();
  const siteJobs: string[] = [];
  const tokenOf = (id: number): string => `${id}/1`;
  const deeds = [
    ...restarts.map((atMs) => ({
      atMs,
      // What is left behind is what a kill leaves: nothing is closed.
      do: async () => {
        site = await open();
      },
    })),
    ...reservations.map(({ atMs, procs, startMs, endMs }, id) => ({
      atMs,
      do: () =>
        site.reserve({ token: `r-${id}`, procs, memoryBytes: 0, startMs, endMs }).then(nothing, refusedOnly),
    })),
    ...reservations.flatMap(({ givenUpMs }, id) =>
      givenUpMs === null ? [] : [{ atMs: givenUpMs, do: () => site.unreserve(`r-${id}`) }],
    ),
    ...jobs.map(({ submitMs: atMs, procs, estimateMs, runtimeMs, inside }, id) => ({
      atMs,
      do: async () => {
        const reservation = inside === null ? null : `r-${inside}`;
        const environment = { [IMITATED_RUNTIME]: `${runtimeMs}ms` };
        const streams = { stdOutput: "stdout", stdError: "stderr" };
        const needs = { name: "n", procs, memoryBytes: 0, limitMs: estimateMs, reservation };
        const what = { token: tokenOf(id), command: ["x"], environment, inputFiles: [] };
        const submitted = site.submit({ ...what, ...streams, ...needs });
        siteJobs[id] = (await submitted.catch(refusedOnly)) ?? "none";
        await site.act("release", { token: tokenOf(id), siteJob: siteJobs[id] });
      },
    })),
    ...orders.map(({ atMs, verb, job }) => ({
      atMs,
      do: () => site.act(verb, { token: tokenOf(job), siteJob: siteJobs[job] ?? "none" }),
    })),
  ].sort((a, b) => a.atMs - b.atMs);
  for (const operation of deeds) {
    clock.moveTo(operation.atMs);
    await operation.do();
  }
  clock.moveTo(END_MS);
  const survey = await site.survey();
  await site.close();
  rmSync(directory, { recursive: true, force: true });
  return survey;
}

const nothing = (): undefined => undefined;

/** Ignores refusals: a refused job or reservation is not in the replay either. */
function refusedOnly(error: unknown): undefined {
  if (!(error instanceof Fault) || error.kind !== "refused") throw error;
}

function startsIn(survey: unknown): Map<number, number> {
  const { jobs, ended } = survey as Awaited<
    ReturnType<Awaited<ReturnType<typeof openSimulatedSite>>["survey"]>
  >;
  const starts = new Map<number, number>();
  for (const { token, startedAtMs } of [...jobs, ...ended]) {
    if (startedAtMs !== null) starts.set(Number.parseInt(token ?? "", 10), startedAtMs);
  }
  return starts;
}

function specOf(discipline: Discipline): SimulatedSiteSpec {
  return {
    type: "simulated",
    procs: PROCS,
    memoryBytes: 1,
    discipline,
    defaultWallTimeMs: 60_000,
    jobs: "imitate",
    speedUp: 1,
    background: null,
    delays: { orderMs: 0, startMs: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
    seed: 1,
  };
}

const byId = (starts: Map<number, number>) => [...starts].sort(([a], [b]) => a - b);

it("SS-10 a random workload starts at an imitating site as in a plain replay", async () => {
  await fc.assert(
    fc.asyncProperty(workload, async (it) => {
      const inQueue = byId(startsIn(await simulated(it))).filter(([id]) => it.jobs[id].inside === null);
      expect(inQueue).toEqual(byId(replayed(it)));
    }),
    draws(150),
  );
});

it("SS-12 restarts at random moments change nothing", async () => {
  const restarts = fc
    .array(fc.nat(600), { minLength: 1, maxLength: 3 })
    .map((at) => at.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(workload, restarts, async (it, at) => {
      expect(await simulated(it, at)).toEqual(await simulated(it));
    }),
    draws(100),
  );
});

it("what runs in a reservation runs within its time, and never on more than it has", async () => {
  await fc.assert(
    fc.asyncProperty(workload, async ({ orders: _, ...it }) => {
      const starts = startsIn(await simulated({ ...it, orders: [] }));
      const inside = [...starts].flatMap(([id, startMs]) => {
        const { inside: at, procs, runtimeMs, estimateMs } = it.jobs[id];
        const reserved = at === null ? undefined : it.reservations[at];
        if (reserved === undefined) return [];
        const overMs = Math.min(reserved.endMs, reserved.givenUpMs ?? reserved.endMs);
        const endMs = Math.min(startMs + Math.min(runtimeMs, estimateMs), overMs);
        return [{ reserved, startMs, endMs, procs }];
      });
      for (const { reserved, startMs } of inside) {
        expect(startMs).toBeGreaterThanOrEqual(reserved.startMs);
        expect(startMs).toBeLessThan(reserved.endMs);
        const besides = inside.filter(
          (one) => one.reserved === reserved && one.startMs <= startMs && one.endMs > startMs,
        );
        expect(besides.reduce((sum, { procs }) => sum + procs, 0)).toBeLessThanOrEqual(reserved.procs);
      }
    }),
    draws(100),
  );
});

it("SS-17 equal seeds lose equally, whatever else is submitted, and trying again helps", () => {
  const losses = { failedPpm: 300_000, doubtfulPpm: 200_000, vanishedPpm: 100_000 };
  const fates = (seed: number, attempts = 0) =>
    Array.from({ length: 4000 }, (_, i) => drawOutcome(losses, seed, `${i}/1`, attempts));
  const share = (seed: number, answer: string) =>
    fates(seed).filter((fate) => fate.answer === answer).length / 4000;
  expect(fates(1)).toEqual(fates(1));
  expect(fates(1)).not.toEqual(fates(2));
  expect(fates(1)).not.toEqual(fates(1, 1));
  expect(share(1, "failed")).toBeCloseTo(0.3, 1);
  expect(share(1, "doubtful")).toBeCloseTo(0.7 * 0.2, 1);
  for (const { vanishAfterMs } of fates(3))
    if (vanishAfterMs !== null) expect(vanishAfterMs).toBeLessThan(1000);
  for (let job = 0; job < 200; job++) {
    const answers = Array.from({ length: 30 }, (_, i) => drawOutcome(losses, 1, `${job}/1`, i).answer);
    expect(answers).toContain("accepted");
  }
});
