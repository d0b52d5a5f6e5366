/** Changes of tasks and of their workflow: each event about tasks makes one of these, and writes it. */
import type { PlacedPlan, WorkflowFile, WorkflowRecord, WorkflowTask } from "../../../model/index.ts";
import type { EventOf } from "../../feature.ts";
import { type BookChange, written } from "../../state/books.ts";
import { isAborting, isRunAgain } from "../../state/node-rules.ts";
import type { Projection } from "../../state/projection.ts";

/** A report on an attempt of a task. */
export type TaskReport = EventOf<"tasksReported">["reports"][number];
/** A pilot of a workflow. */
export type WorkflowPilot = WorkflowRecord["pilots"][number];
/** A pilot whose reservation has been offered. */
export type PilotRequest = PlacedPlan["pilots"][number];

type Books = Pick<Projection, "books">;

/** The task of a number. */
function taskAt({ books }: Books, workflow: string, at: number): WorkflowTask | undefined {
  return books.workflowTasks.get(`${workflow}/${at}`);
}

/** All tasks of a workflow, by their number. */
export function tasksOf({ books }: Books, { id, tasks }: WorkflowRecord): readonly WorkflowTask[] {
  return Array.from({ length: tasks }, (_, at) => books.workflowTasks.get(`${id}/${at}`)).filter(
    (task) => task !== undefined,
  );
}

/** A task over: it has failed for good, or waits to be run again. */
function failed(task: WorkflowTask, { retries, aborted }: WorkflowRecord, report: TaskReport): WorkflowTask {
  const { exitCode = null } = report;
  const rules = { ...task, retries: task.retries ?? retries };
  const mayRunAgain = aborted === undefined && isRunAgain(rules, task.tries, exitCode);
  return { ...task, endedAtMs: report.atMs, exitCode, state: mayRunAgain ? "WAITING" : "FAILED" };
}

/** Number of attempts that were lost, or lacked an input file, after which a task fails. */
const MOST_LOST = 10;
/** Exit code of sysexits for a file that is missing. */
const NO_FILE = 66;

/** True for a task that has had so many unsuccessful attempts that it is not tried again. */
function isFutile({ attempt, attemptsBefore = 0, tries }: WorkflowTask): boolean {
  return attempt - attemptsBefore - tries >= MOST_LOST;
}

/** Processors for as long as an attempt ran. */
function usedProcMs({ procs, startedAtMs }: WorkflowTask, atMs: number): number {
  return startedAtMs === null ? 0 : Math.max(0, atMs - startedAtMs) * procs;
}

/** Collects the changes of one event. */
export class TaskChanges {
  workflow: WorkflowRecord;
  readonly #projection: Books;
  readonly #tasks = new Map<number, WorkflowTask>();
  readonly #files = new Map<number, WorkflowFile>();

  constructor(projection: Books, workflow: WorkflowRecord) {
    this.#projection = projection;
    this.workflow = workflow;
  }

  /** A task with the changes so far. */
  task(at: number): WorkflowTask | undefined {
    return this.#tasks.get(at) ?? taskAt(this.#projection, this.workflow.id, at);
  }

  set(task: WorkflowTask): void {
    this.#tasks.set(task.at, task);
  }

  /** A file with the changes so far. */
  file(at: number): WorkflowFile | undefined {
    return this.#files.get(at) ?? this.#projection.books.workflowFiles.get(`${this.workflow.id}/${at}`);
  }

  setFile(file: WorkflowFile): void {
    this.#files.set(file.at, file);
  }

  setWorkflow(change: Partial<WorkflowRecord>): void {
    this.workflow = { ...this.workflow, ...change };
  }

  /** Takes a report; one on an earlier attempt, or doubled, changes nothing. */
  report(report: TaskReport): void {
    const task = this.task(report.task);
    if (task === undefined || task.attempt !== report.attempt || !isAtWork(task.state)) return;
    this.#noteAbort(task, report);
    if (report.exitCode === undefined) {
      this.set({ ...task, state: "RUNNING", startedAtMs: report.atMs });
    } else if (report.exitCode === 0) {
      this.set({ ...task, state: "DONE", endedAtMs: report.atMs, exitCode: 0 });
    } else {
      const { departures, lostProcMs } = this.workflow;
      this.setWorkflow({
        departures: { ...departures, failed: departures.failed + 1 },
        lostProcMs: lostProcMs + usedProcMs(task, report.atMs),
      });
      this.set(failed(task, this.workflow, report));
    }
  }

  /** Notes an exit code that ends the workflow; the first one counts. */
  #noteAbort(task: WorkflowTask, { exitCode }: TaskReport): void {
    const { abortOn } = task;
    if (abortOn === undefined || exitCode === undefined || !isAborting(task, exitCode)) return;
    if (this.workflow.aborted !== undefined) return;
    this.setWorkflow({ aborted: { task: task.at, result: abortOn.result } });
  }

  /** Notes that an attempt is lost: the task waits for a new place. */
  lose(task: WorkflowTask, atMs: number): void {
    const { departures, lostProcMs } = this.workflow;
    this.setWorkflow({
      departures: { ...departures, lost: departures.lost + (task.startedAtMs === null ? 0 : 1) },
      lostProcMs: lostProcMs + usedProcMs(task, atMs),
    });
    const again = { place: null, job: null, startedAtMs: null, tries: task.tries - 1 };
    this.set({ ...task, ...again, state: "WAITING" });
  }

  /**
   * Notes that no copy is left of an output of a task that has ended: the task runs again, a limited number
   * of times.
   */
  loseOutput(task: WorkflowTask): void {
    if (isFutile(task)) this.set({ ...task, state: "FAILED", exitCode: NO_FILE });
    else this.lose(task, task.endedAtMs ?? 0);
  }

  /** Returns a task whose attempt lacked an input file; it keeps its place and waits for the file. */
  returnTask(task: WorkflowTask): void {
    if (isFutile(task)) this.set({ ...task, state: "FAILED", exitCode: NO_FILE });
    else this.set({ ...task, job: null, startedAtMs: null, tries: task.tries - 1, state: "WAITING" });
  }

  /** The records that have changed; the workflow's always, so that it is looked at again. */
  written(): BookChange[] {
    const tasks = [...this.#tasks.values()].map((task) => written("workflowTasks", task));
    const files = [...this.#files.values()].map((file) => written("workflowFiles", file));
    return [written("workflows", { ...this.workflow }), ...tasks, ...files];
  }
}

/** True for a task that was handed over and is not over. */
export function isAtWork(state: WorkflowTask["state"]): boolean {
  return state === "ORDERED" || state === "RUNNING";
}
