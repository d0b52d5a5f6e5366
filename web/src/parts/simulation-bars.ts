/**
 * Bars of a simulation's schedule.
 *
 * A bar has what places it; its words are made of the schedule's columns when they are read, since a chart of
 * 50,000 bars reads few of them. So a bar is an object of a class: its words cost no memory.
 */
import { packRows, type RowSpan } from "../../../src/base/index.ts";
import type { SimulationSchedule } from "../app/client.ts";
import type { BarKind, GanttBar } from "../gantt/bar.ts";
import { lengthText, numberText } from "./format.ts";
import type { MovedJob } from "./moved-jobs.ts";

const length = (sec: number): string => lengthText(1000 * sec);

/** Columns that bars read their words from. */
interface Columns {
  readonly schedule: SimulationSchedule;
  readonly moved: ReadonlyMap<string, MovedJob>;
}

/** A job of a schedule, in ms from the beginning. */
class SimulationBar implements GanttBar {
  readonly #columns: Columns;
  readonly #at: number;
  readonly from: number;
  readonly until: number;
  readonly procs: number;
  readonly rows: readonly RowSpan[];

  constructor(columns: Columns, at: number, rows: readonly RowSpan[]) {
    const { startSec, endSec, procsOf } = columns.schedule;
    this.#columns = columns;
    this.#at = at;
    this.from = 1000 * (startSec[at] ?? 0);
    this.until = 1000 * (endSec[at] ?? 0);
    this.procs = procsOf[at] ?? 0;
    this.rows = rows;
  }

  get kind(): BarKind {
    return "past";
  }

  get isMine(): boolean {
    return false;
  }

  get key(): string {
    return this.#columns.schedule.id[this.#at] ?? "";
  }

  get label(): string {
    return `job ${this.key}`;
  }

  get consumer(): string {
    return this.#user || "no user";
  }

  get partition(): string {
    const { queue, queues } = this.#columns.schedule;
    return queues[queue[this.#at] ?? 0] || "no queue";
  }

  get #user(): string {
    const { user, users } = this.#columns.schedule;
    return users[user[this.#at] ?? 0] ?? "";
  }

  note(): readonly string[] {
    const { schedule, moved } = this.#columns;
    const [submit = 0, start = 0] = [schedule.submitSec[this.#at], schedule.startSec[this.#at]];
    return [
      `${this.#user === "" ? "" : `${this.#user}, `}${numberText(this.procs)} processors`,
      `waits ${length(start - submit)}, starts at ${length(start)}`,
      ...changeOf(moved.get(this.key)),
    ];
  }
}

/** Jobs of a schedule as bars, in ms from the beginning; notes of jobs that moved tell of both starts. */
export function simulationBars(
  schedule: SimulationSchedule,
  moved: ReadonlyMap<string, MovedJob>,
): readonly GanttBar[] {
  const { procs, id, procsOf, startSec, endSec } = schedule;
  const places = id.map((_, at) => ({
    from: startSec[at] ?? 0,
    until: endSec[at] ?? 0,
    procs: procsOf[at] ?? 0,
  }));
  const columns = { schedule, moved };
  return packRows(places, procs).map((rows, at) => new SimulationBar(columns, at, rows));
}

function changeOf(job: MovedJob | undefined): readonly string[] {
  if (job === undefined) return [];
  const { beforeSec, nowSec, submitSec } = job;
  return [
    `from ${length(beforeSec - submitSec)} to ${length(nowSec - submitSec)} of waiting: ` +
      `${length(Math.abs(nowSec - beforeSec))} ${nowSec < beforeSec ? "earlier" : "later"}`,
  ];
}
