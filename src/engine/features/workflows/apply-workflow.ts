/** Changes of the state by events of workflows. */
import {
  endOfJob,
  isFinal,
  type JobRecord,
  type WorkflowRecord,
  type WorkflowTask,
} from "../../../model/index.ts";
import type { Applies, EventOf } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { copyOfOwnJob, filesMoved, filesReported } from "./apply-files.ts";
import { isAtWork, TaskChanges, tasksOf, type WorkflowPilot } from "./task-changes.ts";
import { filesOf, newFiles, runWritersAgain } from "./workflow-files.ts";

const NOT_BEGUN = {
  place: null,
  state: "WAITING",
  tries: 0,
  order: 0,
  job: null,
  startedAtMs: null,
  endedAtMs: null,
  exitCode: null,
  isLate: false,
} as const satisfies Partial<WorkflowTask>;

export const workflowApplies = {
  workflowStarted,
  workflowReplanned,
  workflowQueued: (projection, { workflow }) =>
    changed(projection, workflow, (changes) => changes.setWorkflow({ isBestEffort: true })),
  tasksOrdered,
  tasksReported,
  workflowDeparted,
  pilotDismissed: (projection, { workflow, pilot }) =>
    changed(projection, workflow, (changes) =>
      setPilot(changes, pilot, ({ orders, ...rest }) => ({
        ...rest,
        orders: orders + 1,
        state: "DISMISSED",
      })),
    ),
  workflowFilesMoved: (projection, event) =>
    changed(projection, event.workflow, (changes) => filesMoved(changes, event)),
  workflowEnded,
  workflowContinued,
  workflowForgotten: ({ books }, { workflow }) => {
    const record = books.workflows.get(workflow);
    const tasks = record === undefined ? [] : tasksOf({ books }, record);
    const files = record === undefined ? [] : filesOf({ books }, record);
    return [
      erased("workflows", workflow),
      ...tasks.map(({ at }) => erased("workflowTasks", `${workflow}/${at}`)),
      ...files.map(({ at }) => erased("workflowFiles", `${workflow}/${at}`)),
    ];
  },
} satisfies Applies;

function changed(
  projection: Projection,
  workflow: string,
  change: (changes: TaskChanges) => void,
): RecordChange[] {
  const record = projection.books.workflows.get(workflow);
  if (record === undefined) return [];
  const changes = new TaskChanges(projection, record);
  change(changes);
  return changes.written();
}

function setPilot(changes: TaskChanges, at: number, change: (pilot: WorkflowPilot) => WorkflowPilot): void {
  const pilots = changes.workflow.pilots.map((pilot, number) => (number === at ? change(pilot) : pilot));
  changes.setWorkflow({ pilots });
}

const NEW_PILOT = { orders: 0, readBytes: 0, state: "OPEN" } as const;

function workflowStarted(_: Projection, event: EventOf<"workflowStarted">): RecordChange[] {
  const { workflow: id, tasks, files = [], pilots, places, promised, atMs, kind: __, ...given } = event;
  const record: WorkflowRecord = {
    ...{ id, ...given, state: "RUNNING", startedAtMs: atMs, endedAtMs: null, tasks: tasks.length, promised },
    pilots: pilots.map((pilot) => ({ ...pilot, ...NEW_PILOT })),
    departures: { late: 0, failed: 0, lost: 0 },
    ...{ lostProcMs: 0, replans: 0, replannedAtMs: null },
    ...(files.length === 0 ? {} : { files: files.length }),
  };
  const placeOf = new Map(places.map(({ task, ...place }) => [task, place]));
  const records = tasks.map(
    (task, at): WorkflowTask => ({
      ...{ ...task, workflow: id, at, ...NOT_BEGUN, attempt: 0 },
      place: placeOf.get(at) ?? null,
    }),
  );
  return [
    written("workflows", record),
    ...records.map((task) => written("workflowTasks", task)),
    ...newFiles(id, files, tasks).map((file) => written("workflowFiles", file)),
  ];
}

function workflowReplanned(projection: Projection, event: EventOf<"workflowReplanned">): RecordChange[] {
  const { workflow, pilots, places, promised, atMs } = event;
  return changed(projection, workflow, (changes) => {
    const { workflow: before } = changes;
    changes.setWorkflow({
      pilots: [...before.pilots, ...pilots.map((pilot) => ({ ...pilot, ...NEW_PILOT }))],
      promised,
      replans: before.replans + 1,
      replannedAtMs: atMs,
    });
    for (const { task: at, ...place } of places) setPlace(changes, at, place);
  });
}

function setPlace(changes: TaskChanges, at: number, place: WorkflowTask["place"]): void {
  const task = changes.task(at);
  if (task?.state === "WAITING") changes.set({ ...task, place, isLate: false });
}

function tasksOrdered(projection: Projection, event: EventOf<"tasksOrdered">): RecordChange[] {
  const { workflow, pilot, tasks } = event;
  return changed(projection, workflow, (changes) => {
    const order = pilot === null ? 0 : changes.workflow.pilots[pilot].orders + 1;
    if (pilot !== null) setPilot(changes, pilot, (before) => ({ ...before, orders: order }));
    for (const { task: at, job } of tasks) {
      const task = changes.task(at);
      if (task === undefined) continue;
      const fresh = { startedAtMs: null, endedAtMs: null, exitCode: null };
      changes.set({
        ...task,
        ...fresh,
        state: "ORDERED",
        attempt: task.attempt + 1,
        tries: task.tries + 1,
        order,
        job,
      });
    }
  });
}

function tasksReported(projection: Projection, event: EventOf<"tasksReported">): RecordChange[] {
  const { workflow, pilot, reports, readBytes, isOver, atMs } = event;
  return changed(projection, workflow, (changes) => {
    filesReported(changes, event);
    for (const report of reports) changes.report(report);
    if (pilot === null) return;
    setPilot(changes, pilot, (before) => ({
      ...before,
      readBytes,
      state: isOver ? "CLOSED" : before.state,
    }));
    if (!isOver) return;
    for (let at = 0; at < changes.workflow.tasks; at++) {
      const task = changes.task(at);
      if (task?.place?.pilot !== pilot) continue;
      if (isAtWork(task.state)) changes.lose(task, atMs);
      else if (task.state === "WAITING") changes.set({ ...task, place: null });
    }
  });
}

function workflowDeparted(projection: Projection, event: EventOf<"workflowDeparted">): RecordChange[] {
  const { workflow, late, unplaced, left = [] } = event;
  return changed(projection, workflow, (changes) => {
    const { departures, left: before = [] } = changes.workflow;
    changes.setWorkflow({
      departures: { ...departures, late: departures.late + late.length },
      ...(left.length === 0 ? {} : { left: [...before, ...left] }),
    });
    for (const { task: at } of late) {
      const task = changes.task(at);
      if (task !== undefined) changes.set({ ...task, isLate: true });
    }
    for (const at of unplaced) setPlace(changes, at, null);
  });
}

function workflowEnded(projection: Projection, event: EventOf<"workflowEnded">): RecordChange[] {
  const { workflow, state, atMs } = event;
  return changed(projection, workflow, (changes) => {
    changes.setWorkflow({ state, endedAtMs: atMs });
    if (state === "CANCELLED") {
      const pilots = changes.workflow.pilots.map((pilot) => ({ ...pilot, state: "CLOSED" as const }));
      changes.setWorkflow({ pilots });
    }
    for (let at = 0; at < changes.workflow.tasks; at++) {
      const task = changes.task(at);
      if (task !== undefined && task.state !== "DONE") {
        changes.set({
          ...task,
          state: isAtWork(task.state) ? "WAITING" : task.state,
          place: null,
          job: null,
        });
      }
    }
  });
}

/** Finished tasks stay finished; failed ones wait again. */
function workflowContinued(projection: Projection, event: EventOf<"workflowContinued">): RecordChange[] {
  return changed(projection, event.workflow, (changes) => {
    const { aborted: _, ...kept } = changes.workflow;
    changes.workflow = { ...kept, state: "RUNNING", endedAtMs: null, replans: 0, replannedAtMs: null };
    for (let at = 0; at < changes.workflow.tasks; at++) {
      const task = changes.task(at);
      if (task === undefined || task.state === "DONE") continue;
      changes.set({ ...task, ...NOT_BEGUN, attemptsBefore: task.attempt });
    }
    runWritersAgain(changes);
  });
}

const OWN_JOB = /^([a-z2-7]{12})-(?:t(\d+)-\d+|p\d+)$/;

/** Jobs of workflows that have changed: those of single tasks are their reports; a pilot's is looked at. */
export function noteJobs(projection: Projection, jobs: readonly JobRecord[], atMs: number): RecordChange[] {
  return jobs.flatMap((job) => {
    const [, workflow, at] = OWN_JOB.exec(job.id) ?? [];
    if (workflow === undefined) return [];
    return changed(projection, workflow, (changes) => {
      const task = at === undefined ? undefined : changes.task(Number(at));
      if (task?.job === job.id) noteOwnJob(changes, task, job, atMs);
    });
  });
}

function noteOwnJob(changes: TaskChanges, task: WorkflowTask, job: JobRecord, atMs: number): void {
  const { at, attempt } = task;
  const startedAtMs = job.startedAtMs ?? task.startedAtMs;
  if (startedAtMs !== null && task.state === "ORDERED") {
    changes.report({ task: at, attempt, atMs: startedAtMs });
  }
  if (!isFinal(job.state)) return;
  const endedMs = job.endedAtMs ?? atMs;
  const exitCode = endOfJob(job) === "ok" ? 0 : job.exitCode || 1;
  if (exitCode === 0) copyOfOwnJob(changes, task, job);
  changes.report({ task: at, attempt, atMs: endedMs, exitCode });
}
