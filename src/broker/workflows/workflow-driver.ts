/**
 * Carries out what was decided about workflows: orders go to pilots as files in their directories, their
 * reports are read there, and what has lost its place is planned again.
 *
 * Everything that it needs after a restart is in the records: orders are numbered, and written anew from the
 * first (a pilot reads each once); of reports it is known how far they were read.
 */
import { messageOf } from "../../base/index.ts";
import { query } from "../../engine/index.ts";
import { attemptToken, isFinal, REPLANNING, type WorkflowRecord } from "../../model/index.ts";
import { createFileMover, type FileMover, type FileMoverWorld } from "./file-mover.ts";
import { orderedTasks } from "./ordered-tasks.ts";
import { DISMISSAL, MOST_REPORT_BYTES, orderText, readReports } from "./pilot-words.ts";
import { type PlanningWorld, planAgain } from "./plan-again.ts";
import { isAway } from "./site-away.ts";

/** Interval of looks at a pilot, by the type of its site: a look at a cluster costs commands there. */
const LOOK_EVERY_MS = { managed: 500, simulated: 500, slurm: 2000, exec: 2000 } as const;
/** A pilot whose files cannot be read so often after its end is given up. */
const MOST_TRIES = 10;

/** Dependencies on the broker. */
interface WorkflowWorld extends PlanningWorld, FileMoverWorld {
  readonly round: PlanningWorld["round"];
}

/** Looks after all workflows. */
interface WorkflowDriver {
  /** Something may have to be done: it is looked at once. */
  look(): void;
  stop(): void;
}

/** State of a pilot that is not recorded. */
interface Tended {
  isBusy: boolean;
  writtenOrders: number;
  failures: number;
  nextMs: number;
}

/** Begins to look after workflows. */
export function createWorkflowDriver(world: WorkflowWorld): WorkflowDriver {
  return new DriverOf(world);
}

class DriverOf implements WorkflowDriver {
  readonly #world: WorkflowWorld;
  readonly #tended = new Map<string, Tended>();
  readonly #planning = new Set<string>();
  readonly #files: FileMover;
  #cancelAlarm: (() => void) | undefined;
  #hasStopped = false;

  constructor(world: WorkflowWorld) {
    this.#world = world;
    this.#files = createFileMover(world);
  }

  look(): void {
    if (this.#hasStopped) return;
    const { round, clock } = this.#world;
    this.#files.look();
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    let isAnyOpen = false;
    for (const record of round.projection.books.workflows.values()) {
      for (const [at, pilot] of record.pilots.entries()) {
        if (pilot.state === "CLOSED") continue;
        isAnyOpen = true;
        this.#tend(record, pilot, at);
      }
      if (record.state !== "RUNNING") continue;
      isAnyOpen = true;
      this.#leaveSites(record);
      if (!record.isBestEffort) this.#planAgain(record);
    }
    const everyMs = LOOK_EVERY_MS.managed;
    if (isAnyOpen) this.#cancelAlarm = clock.wakeAt(clock.nowMs() + everyMs, () => this.look());
  }

  stop(): void {
    this.#hasStopped = true;
    this.#files.stop();
    this.#cancelAlarm?.();
  }

  #tend(record: WorkflowRecord, pilot: WorkflowRecord["pilots"][number], at: number): void {
    const { clock, round, warn } = this.#world;
    const { job } = pilot;
    const tended = this.#tended.get(job) ?? { isBusy: false, writtenOrders: 0, failures: 0, nextMs: 0 };
    this.#tended.set(job, tended);
    const nowMs = clock.nowMs();
    const hasNews = pilot.orders > tended.writtenOrders || !round.projection.jobs.has(job);
    if (tended.isBusy || (nowMs < tended.nextMs && !hasNews)) return;
    tended.isBusy = true;
    const { type = "managed" } = round.projection.sites.get(pilot.site)?.spec ?? {};
    tended.nextMs = nowMs + LOOK_EVERY_MS[type];
    void this.#tendNow(record, at, tended).then(
      () => {
        tended.isBusy = false;
        tended.failures = 0;
      },
      (error: unknown) => {
        tended.isBusy = false;
        // What a pilot wrote at a site that may come back is waited for.
        if (!isAway(round.projection, pilot.site, error)) tended.failures++;
        if (!this.#hasStopped) warn(`pilot ${job}: ${messageOf(error)}`);
      },
    );
  }

  async #tendNow({ id: workflow }: WorkflowRecord, at: number, tended: Tended): Promise<void> {
    const { round, sites, find } = this.#world;
    const pilot = round.projection.books.workflows.get(workflow)?.pilots[at];
    const job = pilot && (await find(pilot.job));
    if (pilot === undefined || job === undefined) return;
    const isOver = isFinal(job.state);
    const { readBytes } = pilot;
    const report = { kind: "reportTasks", workflow, pilot: at } as const;
    const files = sites.get(pilot.site)?.files;
    if (job.startedAtMs === null || (isOver && (files === undefined || tended.failures >= MOST_TRIES))) {
      if (isOver) await round.ask({ ...report, reports: [], readBytes, isOver });
      return;
    }
    if (files === undefined) return;
    const token = attemptToken(job.id, job.attempt);
    while (!isOver && tended.writtenOrders < pilot.orders) {
      const number = tended.writtenOrders + 1;
      const bytes = new TextEncoder().encode(await this.#orderOf(workflow, at, number));
      await files.addFile?.(token, `orders.${number}`, bytes);
      tended.writtenOrders = number;
    }
    const part = await files.readFile(token, "reports", readBytes, MOST_REPORT_BYTES);
    const { bytes, reports, written, missing } = readReports(part?.bytes ?? new Uint8Array());
    const isAll = bytes === 0 || readBytes + bytes >= (part?.sizeBytes ?? 0);
    if (bytes === 0 && !isOver) return;
    await round.ask({
      ...{ ...report, reports, readBytes: readBytes + bytes, isOver: isOver && isAll },
      ...(written.length === 0 ? {} : { written }),
      ...(missing.length === 0 ? {} : { missing }),
    });
    round.wake();
  }

  async #orderOf(workflow: string, at: number, number: number): Promise<string> {
    const { projection } = this.#world.round;
    const record = projection.books.workflows.get(workflow);
    if (record === undefined) return "";
    const pilot = record.pilots[at];
    if (pilot.state === "DISMISSED" && number === pilot.orders) return DISMISSAL;
    return orderText(await orderedTasks(this.#world, record, { pilot: at, number }), record);
  }

  #leaveSites({ id }: WorkflowRecord): void {
    const { round, warn } = this.#world;
    const stranded = query(round.projection, { name: "workflowStranded", question: id }, round.nowMs());
    if (stranded.length === 0 || this.#planning.has(id)) return;
    this.#planning.add(id);
    void round
      .ask({ kind: "leaveSites", workflow: id })
      .then(() => round.wake())
      .catch((error: unknown) => warn(`workflow ${id}: ${messageOf(error)}`))
      .finally(() => this.#planning.delete(id));
  }

  #planAgain({ id, replans, replannedAtMs }: WorkflowRecord): void {
    const { round, warn } = this.#world;
    const nowMs = round.nowMs();
    if (this.#planning.has(id)) return;
    if (replannedAtMs !== null && nowMs < replannedAtMs + REPLANNING.everyMs) return;
    const { projection } = round;
    if (query(projection, { name: "workflowRemainder", question: id }, nowMs) === undefined) return;
    this.#planning.add(id);
    const planned =
      replans >= REPLANNING.most
        ? Promise.resolve(`it was planned again ${REPLANNING.most} times`)
        : planAgain(this.#world, id);
    void planned
      .then(async (why) => {
        if (why !== undefined) await round.ask({ kind: "queueWorkflow", workflow: id, why });
        round.wake();
      })
      .catch((error: unknown) => warn(`workflow ${id}: ${messageOf(error)}`))
      .finally(() => this.#planning.delete(id));
  }
}
