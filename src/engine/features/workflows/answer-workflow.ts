/** Commands on workflows. */
import { accepted, refused } from "../../../base/index.ts";
import {
  isConsumerPath,
  type PlacedPlan,
  type SiteNeed,
  type StintEvent,
  type WorkflowRecord,
} from "../../../model/index.ts";
import { acceptPlan } from "../../accept-plan.ts";
import type { Answer, Answers, CommandOf } from "../../feature.ts";
import { answerVerb } from "../../jobs.ts";
import type { Projection } from "../../state/projection.ts";
import { cancelled, relinquished } from "../../state/reservation-ends.ts";
import { pilotAccepted } from "./pilot-job.ts";
import { strandedTasks } from "./stranded.ts";
import { isAtWork, tasksOf } from "./task-changes.ts";
import { type Wrong, whyNotFiles } from "./why-not-files.ts";

export const workflowAnswers = {
  startWorkflow,
  replanWorkflow,
  queueWorkflow: (projection, { workflow, why }, nowMs) =>
    onWorkflow(projection, { workflow, verb: "plan", in: ["RUNNING"] }, (record) =>
      record.isBestEffort ? accepted([]) : accepted([{ kind: "workflowQueued", workflow, why, atMs: nowMs }]),
    ),
  leaveSites: (projection, { workflow }, nowMs) => {
    const left = strandedTasks(projection, workflow, nowMs);
    if (left.length === 0) return accepted([]);
    const sites = left.map(({ tasks, ...site }) => ({ ...site, tasks: tasks.length }));
    const unplaced = left.flatMap(({ tasks }) => tasks);
    return accepted([{ kind: "workflowDeparted", workflow, late: [], unplaced, left: sites, atMs: nowMs }]);
  },
  reportTasks: (projection, { kind: _, ...report }, nowMs) =>
    projection.books.workflows.has(report.workflow)
      ? accepted([{ ...report, kind: "tasksReported", atMs: nowMs }])
      : refused({ kind: "unknownWorkflow", workflow: report.workflow }),
  noteWorkflowFiles: (projection, { kind: _, ...moves }, nowMs) =>
    projection.books.workflows.has(moves.workflow)
      ? accepted([{ ...moves, kind: "workflowFilesMoved", atMs: nowMs }])
      : refused({ kind: "unknownWorkflow", workflow: moves.workflow }),
  cancelWorkflow,
  continueWorkflow: (projection, { workflow, by }, nowMs) =>
    onWorkflow(projection, { workflow, verb: "continue", in: ["FAILED", "CANCELLED"] }, () =>
      accepted([{ kind: "workflowContinued", workflow, by, atMs: nowMs }]),
    ),
} satisfies Answers;

/** Most processors of a task. */
const MOST_PROCS = 1_000_000;

interface Asked {
  readonly workflow: string;
  readonly verb: "cancel" | "continue" | "plan";
  readonly in: readonly WorkflowRecord["state"][];
}

function onWorkflow(
  { books }: Projection,
  { workflow, verb, in: allowed }: Asked,
  then: (record: WorkflowRecord) => Answer,
): Answer {
  const record = books.workflows.get(workflow);
  if (record === undefined) return refused({ kind: "unknownWorkflow", workflow });
  const { state } = record;
  return allowed.includes(state)
    ? then(record)
    : refused({ kind: "wrongWorkflowState", workflow, verb, state });
}

function startWorkflow(projection: Projection, command: CommandOf<"startWorkflow">, nowMs: number): Answer {
  const { workflow: id, owner, consumer, pilots, places, mostProcMs, ...rest } = command;
  const { kind: _, sources: __, isByToken: ___, ...given } = rest;
  if (projection.books.workflows.has(id)) return refused({ kind: "idInUse", id });
  if (!isConsumerPath(consumer)) return refused({ kind: "consumerInvalid", consumer });
  const wrong = whyNotTasks(command) ?? whyNotFiles(command) ?? whyNotPlaced(command, command.tasks, 0);
  if (wrong !== undefined) return refused({ kind: "workflowInvalid", ...wrong });
  const confirmed = acceptPlan(projection, { pilots, places, mostProcMs }, owner, nowMs);
  if (!confirmed.ok) return confirmed;
  const promised = promiseOf(projection, command);
  const { name, userTags } = command;
  const whose = { id, name, owner, consumer, ...(userTags === undefined ? {} : { userTags }) };
  return accepted([
    ...confirmed.value,
    {
      kind: "workflowStarted",
      workflow: id,
      owner,
      consumer,
      pilots,
      places,
      ...given,
      promised,
      atMs: nowMs,
    },
    ...pilots.map((pilot) => pilotAccepted(pilot, whose, projection.sites.get(pilot.site), nowMs)),
  ]);
}

function replanWorkflow(projection: Projection, command: CommandOf<"replanWorkflow">, nowMs: number): Answer {
  const { workflow, pilots, places } = command;
  return onWorkflow(projection, { workflow, verb: "plan", in: ["RUNNING"] }, (record) => {
    const tasks = tasksOf(projection, record);
    const wrong = whyNotPlaced(command, tasks, record.pilots.length);
    if (wrong !== undefined) return refused({ kind: "workflowInvalid", ...wrong });
    const confirmed = acceptPlan(projection, command, record.owner, nowMs);
    if (!confirmed.ok) return confirmed;
    const promised = promiseOf(projection, command);
    const procMs = (record.promised?.procMs ?? 0) + (promised?.procMs ?? 0);
    const endMs = Math.max(
      promised?.endMs ?? 0,
      ...tasks.map(({ place, state }) => (isAtWork(state) ? (place?.endMs ?? 0) : 0)),
    );
    return accepted([
      ...confirmed.value,
      { kind: "workflowReplanned", workflow, pilots, places, promised: { endMs, procMs }, atMs: nowMs },
      ...pilots.map((pilot) => pilotAccepted(pilot, record, projection.sites.get(pilot.site), nowMs)),
    ]);
  });
}

/** End and price of a plan; null for one without reservations. */
function promiseOf({ reserved }: Projection, { pilots, places }: PlacedPlan): WorkflowRecord["promised"] {
  if (pilots.length === 0) return null;
  const records = pilots.map(({ reservation }) => reserved.records.get(reservation));
  const procMs = records.reduce((sum, it) => sum + (it?.baseProcMs ?? 0) + (it?.fixedProcMs ?? 0), 0);
  return { endMs: places.reduce((last, { endMs }) => Math.max(last, endMs), 0), procMs };
}

/** Tasks have parents that are there, and no task waits for itself. */
function whyNotTasks({ tasks }: CommandOf<"startWorkflow">): Wrong | undefined {
  if (tasks.length === 0) return { field: "tasks", why: "there are none" };
  const children = tasks.map((): number[] => []);
  const waitsFor = new Int32Array(tasks.length);
  for (const [at, { id, parents, procs, runtimeMs, memoryBytes = 0, gpus = 0 }] of tasks.entries()) {
    const field = `tasks[${at}]`;
    if (!(Number.isSafeInteger(procs) && procs >= 1 && procs <= MOST_PROCS)) {
      return { field, why: `${id} needs ${procs} processors` };
    }
    for (const [amount, noun] of [
      [memoryBytes, "bytes of memory"],
      [gpus, "GPUs"],
    ] as const) {
      if (!(Number.isSafeInteger(amount) && amount >= 0))
        return { field, why: `${id} needs ${amount} ${noun}` };
    }
    if (!(Number.isSafeInteger(runtimeMs) && runtimeMs >= 0)) {
      return { field, why: `${id} runs for ${runtimeMs} ms` };
    }
    for (const parent of new Set(parents)) {
      if (children[parent] === undefined) return { field, why: `there is no task ${parent} to wait for` };
      children[parent].push(at);
      waitsFor[at]++;
    }
  }
  const final = tasks.findIndex(({ isFinal }) => isFinal);
  if (final >= 0) {
    const { id } = tasks[final];
    const other = tasks.findIndex(({ isFinal }, at) => at > final && isFinal);
    if (other >= 0)
      return { field: `tasks[${other}]`, why: `${id} is the final task; there can be only one` };
    const [child] = children[final];
    if (child !== undefined)
      return { field: `tasks[${child}]`, why: `${tasks[child].id} cannot wait for the final task, ${id}` };
  }
  const free = [...tasks.keys()].filter((at) => waitsFor[at] === 0);
  for (const at of free) {
    for (const child of children[at]) if (--waitsFor[child] === 0) free.push(child);
  }
  return free.length === tasks.length ? undefined : { field: "tasks", why: "some tasks wait for each other" };
}

/** Every place is within the time of a pilot; each pilot has processors, memory and GPUs for its tasks. */
function whyNotPlaced(
  { pilots, places }: PlacedPlan,
  tasks: readonly (SiteNeed & { readonly id: string })[],
  firstPilot: number,
): Wrong | undefined {
  const inside = pilots.map((): Change[] => []);
  for (const { task, pilot, startMs, endMs } of places) {
    const one = tasks[task];
    const of = pilots[pilot - firstPilot];
    if (one === undefined || of === undefined)
      return { field: "places", why: "it refers to a task or a pilot that does not exist" };
    const isWithin = of.startMs <= startMs && startMs <= endMs && endMs <= of.endMs;
    if (!isWithin) return { field: "places", why: `${one.id} is not within the time of its reservation` };
    inside[pilot - firstPilot].push({ atMs: startMs, by: 1, of: one }, { atMs: endMs, by: -1, of: one });
  }
  for (const [at, changes] of inside.entries()) {
    changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by);
    for (const [amount, noun] of AMOUNTS) {
      let now = 0;
      for (const { by, of } of changes) {
        now += by * (of[amount] ?? 0);
        if (now > (pilots[at][amount] ?? 0)) {
          return { field: `reservations[${at}]`, why: `its tasks need ${now} ${noun} at once` };
        }
      }
    }
  }
  return undefined;
}

/** A task that begins or ends. */
interface Change {
  readonly atMs: number;
  readonly by: 1 | -1;
  readonly of: SiteNeed;
}

const AMOUNTS = [
  ["procs", "processors"],
  ["memoryBytes", "bytes of memory"],
  ["gpus", "GPUs"],
] as const;

/** Jobs are cancelled; reservations are given up, by their rules. */
function cancelWorkflow(
  projection: Projection,
  { workflow, by }: CommandOf<"cancelWorkflow">,
  nowMs: number,
): Answer {
  return onWorkflow(projection, { workflow, verb: "cancel", in: ["RUNNING"] }, (record) => {
    const own = tasksOf(projection, record).flatMap(({ job, state }) =>
      job !== null && isAtWork(state) ? [job] : [],
    );
    const jobs = new Set([...own, ...record.pilots.map(({ job }) => job)]);
    return accepted([
      { kind: "workflowEnded", workflow, state: "CANCELLED", by, atMs: nowMs },
      ...[...jobs].flatMap((job) => endedJob(projection, job, by, nowMs)),
      ...record.pilots.flatMap(({ reservation }) => givenUp(projection, reservation, by, nowMs)),
    ]);
  });
}

/** Events that cancel a job; none where that does not apply. */
export function endedJob(
  projection: Projection,
  job: string,
  by: string,
  nowMs: number,
): readonly StintEvent[] {
  if (!projection.jobs.has(job)) return [];
  const answer = answerVerb(projection, { kind: "cancel", job, by }, nowMs);
  return answer.ok ? answer.value : [];
}

/** Events that give a reservation up, before or after its begin. */
export function givenUp(
  { reserved }: Pick<Projection, "reserved">,
  reservation: string,
  by: string,
  nowMs: number,
): readonly StintEvent[] {
  const record = reserved.records.get(reservation);
  if (record === undefined) return [];
  return record.state === "ACTIVE" ? relinquished(record, by, nowMs) : cancelled(record, by, nowMs);
}
