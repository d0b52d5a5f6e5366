/**
 * What follows for workflows from the state at an instant: which tasks are handed to which pilot, which
 * pilots and reservations are no longer needed, what departed from the plan, and when a workflow is over.
 *
 * A workflow without news is not looked at again: every event about it, its tasks or the jobs of its pilots
 * writes its record anew, so its identity says that nothing has changed. Cost: O(tasks) for each change.
 */
import {
  besideProcs,
  JOB_DEFAULTS,
  pathInTask,
  type StintEvent,
  type WorkflowFile,
  type WorkflowRecord,
  type WorkflowTask,
  workflowInput,
} from "../../../model/index.ts";
import { byPriority, placesLeft, type RunningNodes } from "../../state/node-rules.ts";
import type { Projection } from "../../state/projection.ts";
import { endedJob, givenUp } from "./answer-workflow.ts";
import { isOver, tasksLeftOut } from "./left-out.ts";
import { isAtWork, tasksOf, type WorkflowPilot } from "./task-changes.ts";
import { taskCommand } from "./task-command.ts";
import { filesOf, hasInputs, hasResultsDue } from "./workflow-files.ts";

/** Instant before which a record has nothing more to say. */
const quietUntil = new WeakMap<WorkflowRecord, number>();
const REMEMBERED_MS = 30 * 24 * 3_600_000;
/** Orders to a pilot ahead of its processors, in multiples of these: it is looked at now and then only. */
const AHEAD = 4;
/** Most tasks in one order. */
const MOST_ORDERED = 1000;

/** The events of the first workflow that has any. */
export function decideWorkflows(projection: Projection, nowMs: number): readonly StintEvent[] {
  for (const record of projection.books.workflows.values()) {
    if ((quietUntil.get(record) ?? 0) > nowMs) continue;
    const events = decideWorkflow(projection, record, nowMs);
    if (events.length > 0) return events;
    quietUntil.set(record, wakeOf(projection, record, nowMs));
  }
  return [];
}

/** The first instant at which time alone brings something about. */
export function workflowsWakeAtMs({ books }: Projection): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const record of books.workflows.values()) {
    firstMs = Math.min(firstMs, quietUntil.get(record) ?? Number.POSITIVE_INFINITY);
  }
  return firstMs;
}

function wakeOf(projection: Projection, record: WorkflowRecord, nowMs: number): number {
  if (record.endedAtMs !== null) return record.endedAtMs + REMEMBERED_MS;
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { state, place, isLate, runtimeMs } of tasksOf(projection, record)) {
    if (place === null) continue;
    if (state === "RUNNING" && !isLate) firstMs = Math.min(firstMs, place.endMs + 1);
    const pilot = record.pilots[place.pilot];
    const lastStartMs = pilot.endMs - runtimeMs + 1;
    if (state === "WAITING" && lastStartMs > nowMs) firstMs = Math.min(firstMs, lastStartMs);
  }
  return firstMs;
}

function decideWorkflow(
  projection: Projection,
  record: WorkflowRecord,
  nowMs: number,
): readonly StintEvent[] {
  const { id: workflow, state, endedAtMs, owner } = record;
  if (endedAtMs !== null && nowMs >= endedAtMs + REMEMBERED_MS) {
    return [{ kind: "workflowForgotten", workflow, atMs: nowMs }];
  }
  const tasks = tasksOf(projection, record);
  const released = record.pilots.flatMap((pilot) =>
    pilot.state === "CLOSED" ? givenUp(projection, pilot.reservation, owner, nowMs) : [],
  );
  if (released.length > 0) return released;
  const leftOut = tasksLeftOut(tasks, record);
  const dismissed = [
    ...endingEarly(projection, record, tasks, nowMs),
    ...dismissals(projection, record, { tasks, leftOut }, nowMs),
  ];
  if (dismissed.length > 0 || state !== "RUNNING") return dismissed;
  const free = freeTasks(tasks, leftOut);
  const files = filesOf(projection, record);
  const departed = departures(record, { tasks, free, files }, nowMs);
  if (departed !== undefined) return [departed];
  const ready = free.filter((task) => hasInputs(task, files, record));
  const ordered = orders(projection, record, { tasks, free: ready, files }, nowMs);
  if (ordered.length > 0) return ordered;
  return end(record, { tasks, free, files }, nowMs);
}

/** Waiting tasks whose parents are done; the final task once all others are over. */
function freeTasks(tasks: readonly WorkflowTask[], leftOut: ReadonlySet<number>): readonly WorkflowTask[] {
  return tasks.filter(({ at, state, parents, isFinal }) => {
    if (state !== "WAITING" || leftOut.has(at)) return false;
    if (isFinal !== true) return parents.every((parent) => tasks[parent].state === "DONE");
    return tasks.every((other) => other.at === at || isOver(other, leftOut));
  });
}

/** Cancels the jobs of a workflow that an exit code has ended; pilots with all their tasks. */
function endingEarly(
  projection: Projection,
  { aborted, owner, state }: WorkflowRecord,
  tasks: readonly WorkflowTask[],
  nowMs: number,
): readonly StintEvent[] {
  if (aborted === undefined || state !== "RUNNING") return [];
  const jobs = new Set(
    tasks.filter((task) => isAtWork(task.state) && task.isFinal !== true).map(({ job }) => job),
  );
  return [...jobs].flatMap((job) => {
    const isAsked = job === null || projection.jobs.get(job)?.isCancelRequested === true;
    return isAsked ? [] : endedJob(projection, job, owner, nowMs);
  });
}

/** Pilots that no task needs any more are told to end; one that does not run yet is cancelled. */
function dismissals(
  projection: Projection,
  { id: workflow, pilots, owner }: WorkflowRecord,
  { tasks, leftOut }: { readonly tasks: readonly WorkflowTask[]; readonly leftOut: ReadonlySet<number> },
  nowMs: number,
): StintEvent[] {
  const needed = new Set<number>();
  for (const task of tasks) if (task.place !== null && !isOver(task, leftOut)) needed.add(task.place.pilot);
  return pilots.flatMap(({ state, job }, pilot): StintEvent[] => {
    if (state !== "OPEN" || needed.has(pilot)) return [];
    const isRunning = projection.jobs.get(job)?.state === "RUNNING";
    const ended = isRunning ? [] : endedJob(projection, job, owner, nowMs);
    return [{ kind: "pilotDismissed", workflow, pilot, atMs: nowMs }, ...ended];
  });
}

interface Work {
  readonly tasks: readonly WorkflowTask[];
  /** Tasks that wait for no other. */
  readonly free: readonly WorkflowTask[];
  readonly files: readonly WorkflowFile[];
}

function departures(
  { id: workflow, pilots }: WorkflowRecord,
  { tasks, free }: Work,
  nowMs: number,
): StintEvent | undefined {
  const late = tasks.flatMap(({ at, state, place, isLate }) =>
    state === "RUNNING" && place !== null && !isLate && nowMs > place.endMs
      ? [{ task: at, byMs: nowMs - place.endMs }]
      : [],
  );
  const unplaced = free.flatMap(({ at, place, runtimeMs }) => {
    if (place === null) return [];
    const { state, endMs } = pilots[place.pilot];
    return state !== "OPEN" || nowMs + runtimeMs > endMs ? [at] : [];
  });
  if (late.length === 0 && unplaced.length === 0) return undefined;
  return { kind: "workflowDeparted", workflow, late, unplaced, atMs: nowMs };
}

/** Tasks go to their pilots, a few ahead of the processors there, in the order of their planned starts. */
function orders(
  projection: Projection,
  record: WorkflowRecord,
  { tasks, free, files }: Work,
  nowMs: number,
): readonly StintEvent[] {
  const { id: workflow, pilots } = record;
  const left = pilots.map((pilot) => (isReady(projection, pilot) ? AHEAD * pilot.procs : 0));
  for (const { state, place, procs } of tasks)
    if (place !== null && isAtWork(state)) left[place.pilot] -= procs;
  const byPilot = new Map<number, number[]>();
  const inTurn = [...free].sort(
    (one, other) =>
      byPriority(one, other) || (one.place?.startMs ?? 0) - (other.place?.startMs ?? 0) || one.at - other.at,
  );
  const take = placesLeft(record.limits ?? {}, tasksAtWork(tasks));
  for (const { at, place, procs, category } of inTurn) {
    if (place === null || left[place.pilot] < procs) continue;
    const own = byPilot.get(place.pilot) ?? [];
    if (own.length >= MOST_ORDERED || !take(category)) continue;
    left[place.pilot] -= procs;
    byPilot.set(place.pilot, [...own, at]);
  }
  const ordered = [...byPilot].map(([pilot, own]): StintEvent => {
    const { job } = pilots[pilot];
    return { kind: "tasksOrdered", workflow, pilot, tasks: own.map((task) => ({ task, job })), atMs: nowMs };
  });
  const alone = record.isBestEffort ? inTurn.filter(({ place }) => place === null) : [];
  const own = alone.filter(({ category }) => take(category)).slice(0, MOST_ORDERED);
  return [...ordered, ...queued(record, { own, files }, nowMs)];
}

function tasksAtWork(tasks: readonly WorkflowTask[]): RunningNodes {
  const byCategory = new Map<string, number>();
  let count = 0;
  for (const { state, category = "" } of tasks) {
    if (!isAtWork(state)) continue;
    count++;
    byCategory.set(category, (byCategory.get(category) ?? 0) + 1);
  }
  return { count, byCategory };
}

function isReady({ jobs }: Projection, { job, state }: WorkflowPilot): boolean {
  return state === "OPEN" && jobs.get(job)?.state === "RUNNING";
}

/** Tasks without a place become jobs of their own. */
function queued(
  { id: workflow, name, owner, consumer, directory, userTags }: WorkflowRecord,
  { own, files }: { readonly own: readonly WorkflowTask[]; readonly files: readonly WorkflowFile[] },
  nowMs: number,
): readonly StintEvent[] {
  if (own.length === 0) return [];
  const named = own.map((task) => ({ task, job: `${workflow}-t${task.at}-${task.attempt + 1}` }));
  const tasks = named.map(({ task: { at: task }, job }) => ({ task, job }));
  const pathOf = (at: number): string => pathInTask(files[at]);
  return [
    { kind: "tasksOrdered", workflow, pilot: null, tasks, atMs: nowMs },
    ...named.map(
      ({ task: { id, procs, program, tries, reads = [], writes = [], ...own }, job }): StintEvent => ({
        ...{ kind: "jobAccepted", job, consumer, owner, atMs: nowMs },
        description: {
          ...JOB_DEFAULTS,
          ...taskCommand(program, { reads: reads.map(pathOf), writes: writes.map(pathOf) }),
          environment: { ...program.environment, STINT_DAG_TRY: String(tries + 1) },
          ...{ name: `${name} ${id}`.slice(0, 100), procs, ...besideProcs(own) },
          userTags: { ...userTags, workflow },
          ...(directory === null ? {} : { workingDirectory: directory }),
          inputSandbox: reads.map((at) => workflowInput({ workflow, at, name: pathOf(at) })),
        },
      }),
    ),
  ];
}

/**
 * Ends a workflow once its tasks are done or never run, and its results are at the broker. The final task
 * decides the result; without one, an exit code that ended the workflow early does.
 */
function end(
  { id: workflow, aborted }: WorkflowRecord,
  { tasks, free, files }: Work,
  nowMs: number,
): readonly StintEvent[] {
  if (free.length > 0 || tasks.some(({ state }) => isAtWork(state))) return [];
  if (hasResultsDue(files, tasks)) return [];
  const judges = tasks.filter(({ isFinal }) => isFinal);
  const isAllDone = (judges.length > 0 ? judges : tasks).every(({ state }) => state === "DONE");
  const isDone = judges.length > 0 || aborted === undefined ? isAllDone : aborted.result === 0;
  return [{ kind: "workflowEnded", workflow, state: isDone ? "DONE" : "FAILED", atMs: nowMs }];
}
