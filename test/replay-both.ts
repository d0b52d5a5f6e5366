/**
 * One small workload through the site machine and through the plain site, with the same questions asked
 * of both. Times are small integers; one unit is a millisecond to the machine.
 */
import fc from "fast-check";
import type { Discipline } from "../src/model/index.ts";
import {
  createMachine,
  createReplay,
  inQueueOrder,
  type Machine,
  type ReplayOperation,
} from "../src/queue/index.ts";
import { type PlainJob, type PlainOperation, type PlainResult, plainReplay } from "./plain/plain-site.ts";

/** A workload small enough for the plain site. */
export interface SmallWorkload {
  readonly pools: readonly (readonly number[])[];
  readonly jobs: readonly PlainJob[];
  readonly operations: readonly PlainOperation[];
  readonly discipline: Discipline;
  /** Several functions of what is known of a job, and none. */
  readonly priority: "none" | "small first" | "long first" | "ageing";
}

/** No workload below lasts longer. */
export const END_OF_TIME = 4000;

/** Priorities by the facts that both sides know. */
function priorityBy(rule: SmallWorkload["priority"]) {
  return (procs: number, estimate: number, arrived: number, now: number): number => {
    switch (rule) {
      case "small first":
        return -procs;
      case "long first":
        return estimate;
      case "ageing":
        return (now - arrived) * procs;
      default:
        return 0;
    }
  };
}

/** The plain site's answer. */
export function replayPlainly(workload: SmallWorkload): PlainResult {
  const by = priorityBy(workload.priority);
  return plainReplay(workload.pools, workload.jobs, workload.operations, {
    discipline: workload.discipline,
    ...(workload.priority === "none"
      ? {}
      : { priority: (job: PlainJob, now: number) => by(job.need[0], job.estimate, job.submit, now) }),
    endOfTime: END_OF_TIME,
  });
}

/** The machine's answer; `onSettled` may do what it likes as long as it puts the machine back. */
export function replayFast(workload: SmallWorkload, onSettled?: (machine: Machine) => void): PlainResult {
  const by = priorityBy(workload.priority);
  const machine = createMachine(workload.pools, {
    discipline: workload.discipline,
    ...(workload.priority === "none"
      ? {}
      : {
          priority: (job, now) => by(job.need[0], estimateOf(job.handle), job.arrivedAtMs, now),
        }),
  });
  const result: PlainResult = { starts: [], ends: [], tooWide: [], refusals: [], promises: [] };
  const operations = workload.operations.map(operationOf);
  const replay = createReplay(
    machine,
    {
      started: (job, pool, at, backfilled) => result.starts.push({ job: job.id, pool, at, backfilled }),
      finished: ({ job, endMs }) => result.ends.push({ job: job.id, at: endMs }),
      tooWide: (job) => result.tooWide.push(job.id),
      refused: (operation) => result.refusals.push(operations.indexOf(operation)),
      settled: (site, at) => {
        if (workload.discipline === "conservative" || workload.discipline === "repack") {
          result.promises.push(...promisesOf(site, at, (handle) => replay.jobAt(handle).id));
        }
        onSettled?.(site);
      },
    },
    operations,
  );
  /** The estimate a job came with: the plain side's priorities do not know the rest after a suspension. */
  function estimateOf(handle: number): number {
    return replay.jobAt(handle).estimateMs;
  }
  for (const job of workload.jobs) replay.offer(machineJob(job));
  replay.finish();
  return sorted(result);
}

function machineJob({ id, submit, need, pools, estimate, runtime }: PlainJob) {
  return { id, submitMs: submit, need, pools, estimateMs: estimate, runtimeMs: runtime };
}

function operationOf(operation: PlainOperation): ReplayOperation {
  const { at } = operation;
  switch (operation.kind) {
    case "reserve": {
      const { reservation, pool, start, duration, need } = operation;
      return {
        kind: "reserve",
        atMs: at,
        reservation,
        fixed: { pool, need, startMs: start, durationMs: duration },
      };
    }
    case "cancelReservation":
      return { kind: "cancelReservation", atMs: at, reservation: operation.reservation };
    default:
      return { kind: operation.kind, atMs: at, job: operation.job };
  }
}

function promisesOf(machine: Machine, at: number, idOf: (handle: number) => number) {
  const { handles, count } = inQueueOrder(machine);
  const promises = Array.from(handles.subarray(0, count), (handle) => ({
    at,
    job: idOf(handle),
    pool: machine.jobs.pool[handle],
    start: machine.jobs.startMs[handle],
  }));
  return promises.sort((a, b) => a.job - b.job);
}

function sorted(result: PlainResult): PlainResult {
  const byTime = (a: { at: number; job: number }, b: { at: number; job: number }) =>
    a.at - b.at || a.job - b.job;
  result.starts.sort(byTime);
  result.ends.sort(byTime);
  return result;
}

/** The promises of the instants that both looked at. */
export function commonPromises(one: PlainResult, other: PlainResult) {
  const instants = new Set(other.promises.map(({ at }) => at));
  return one.promises.filter(({ at }) => instants.has(at));
}

/** Any small workload: pools, resources, operations, priorities and all. */
export const smallWorkloads: fc.Arbitrary<SmallWorkload> = fc
  .record({
    pools: fc.integer({ min: 1, max: 3 }),
    columns: fc.integer({ min: 1, max: 2 }),
    capacity: fc.integer({ min: 2, max: 7 }),
  })
  .chain(workloadsOn);

/** Longer workloads on one pool of processors without operations: the case that has its own fast paths. */
export const plainWorkloads: fc.Arbitrary<SmallWorkload> = fc
  .record({
    drawn: fc.array(jobs({ pools: 1, columns: 1, capacity: 9 }), { minLength: 10, maxLength: 40 }),
    discipline: fc.constantFrom<Discipline>("fcfs", "easy", "conservative", "repack"),
  })
  .map(({ drawn, discipline }) => ({
    pools: [[10]],
    jobs: numbered(drawn),
    operations: [],
    discipline,
    priority: "none",
  }));

function workloadsOn(shape: SiteShape): fc.Arbitrary<SmallWorkload> {
  const { pools, columns, capacity } = shape;
  return fc.record({
    pools: fc.constant(
      Array.from({ length: pools }, (_, p) => Array.from({ length: columns }, (_, c) => capacity + p - c)),
    ),
    jobs: fc.array(jobs(shape), { minLength: 1, maxLength: 14 }).map(numbered),
    operations: fc
      .array(operations(shape), { maxLength: 10 })
      .map((list) => list.sort((a, b) => a.at - b.at))
      .map(withUniqueReservations),
    discipline: fc.constantFrom<Discipline>("fcfs", "easy", "conservative", "repack"),
    priority: fc.constantFrom<SmallWorkload["priority"]>(
      "none",
      "none",
      "small first",
      "long first",
      "ageing",
    ),
  });
}

interface SiteShape {
  readonly pools: number;
  readonly columns: number;
  readonly capacity: number;
}

function needs({ columns, capacity }: SiteShape) {
  return fc.tuple(
    fc.integer({ min: 1, max: capacity + 1 }),
    ...Array.from({ length: columns - 1 }, () => fc.integer({ min: 0, max: capacity - 1 })),
  );
}

function jobs(shape: SiteShape) {
  return fc
    .record({
      gap: fc.integer({ min: 0, max: 6 }),
      need: needs(shape),
      pools: fc.subarray(
        Array.from({ length: shape.pools }, (_, p) => p),
        { minLength: 1 },
      ),
      runtime: fc.integer({ min: 1, max: 12 }),
      slack: fc.integer({ min: 0, max: 12 }),
    })
    .map(({ gap, need, pools, runtime, slack }) => ({
      gap,
      need,
      pools,
      runtime,
      estimate: runtime + slack,
    }));
}

function numbered(drawn: readonly (Omit<PlainJob, "id" | "submit"> & { gap: number })[]): PlainJob[] {
  let submit = 0;
  return drawn.map(({ gap, need, pools, runtime, estimate }, i) => {
    submit += gap;
    return { id: i + 1, submit, need, pools, runtime, estimate };
  });
}

function operations(shape: SiteShape): fc.Arbitrary<PlainOperation> {
  const at = fc.integer({ min: 0, max: 50 });
  const onJob = fc.record({
    at,
    kind: fc.constantFrom("cancel", "hold", "release", "suspend", "resume", "release", "resume"),
    job: fc.integer({ min: 1, max: 14 }),
  });
  const reserve = fc
    .record({
      at,
      ahead: fc.integer({ min: -1, max: 20 }),
      pool: fc.integer({ min: 0, max: shape.pools - 1 }),
      duration: fc.integer({ min: 1, max: 15 }),
      need: needs(shape),
    })
    .map(({ at, ahead, pool, duration, need }) => ({
      kind: "reserve" as const,
      at,
      reservation: 0,
      pool,
      start: at + ahead,
      duration,
      need,
    }));
  const cancelReservation = fc.record({
    at,
    kind: fc.constant("cancelReservation" as const),
    reservation: fc.integer({ min: 0, max: 9 }),
  });
  return fc.oneof(
    { weight: 3, arbitrary: onJob as fc.Arbitrary<PlainOperation> },
    { weight: 2, arbitrary: reserve },
    { weight: 1, arbitrary: cancelReservation },
  );
}

function withUniqueReservations(list: PlainOperation[]): PlainOperation[] {
  return list.map((operation, i) =>
    operation.kind === "reserve" ? { ...operation, reservation: i } : operation,
  );
}
