/**
 * A workload: its jobs, whatever format they are written in, and what happens at the site beside them.
 *
 * A trace in SWF has no events, and may be streamed: then its jobs are in no list, and come batch by batch.
 */
import { readReservationsCsv } from "../../formats/index.ts";
import type { DownEntry, PeriodEntry, ReservationEntry } from "../../formats/workload-jsonl/index.ts";
import type { SkippedJobs, WorkloadFacts } from "../../model/index.ts";
import type { Owner, ReplayJob, TaskShape } from "../../queue/index.ts";
import type { WorkloadSite } from "./site.ts";

/** A job of a workload. */
export interface WorkloadJob extends ReplayJob {
  /** 0, 1, 2 … in order of submission. */
  readonly id: number;
  /** As the file calls it. */
  readonly name: string;
  /** A trace in SWF numbers users and groups, and −1 where it does not know; empty where a line says none. */
  readonly user: string;
  readonly group: string;
  /** The queue it was in; else the pools that it names. */
  readonly queue: string;
  /** The queue where absent. */
  readonly partition?: string;
  /** On the clock of `submitMs`; undefined where no start is recorded. */
  readonly recordedStartMs?: number | undefined;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  /** True where the rule `kill` cut the job at its limit. */
  readonly isCut: boolean;
  /** Division of the job into tasks on nodes, where the site may have some. */
  readonly shape?: TaskShape;
  /** The 18 SWF fields of the job, where the result is to be written as SWF. */
  readonly row?: Float64Array | undefined;
}

/** A job is taken away. */
export interface Cancellation {
  readonly kind: "cancel";
  readonly atMs: number;
  readonly job: number;
}

/** Capacity goes down. */
export interface DownEvent {
  readonly kind: "down";
  readonly atMs: number;
  readonly untilMs: number;
  readonly pool: number;
  readonly node: number | undefined;
  readonly entry: DownEntry;
}

/** A reservation, and the file whose line it is. */
export interface WorkloadReservation extends ReservationEntry {
  readonly file: string;
}

/** Facts about a workload before its first job. Times count from the submission of the first job. */
export interface WorkloadFrame {
  /** True for a trace in SWF, which knows processors only. */
  readonly isTrace: boolean;
  readonly site: WorkloadSite;
  /** In order of submission; empty where they are streamed. */
  readonly jobs: readonly WorkloadJob[];
  /** In order of time. */
  readonly events: readonly (Cancellation | DownEvent)[];
  readonly reservations: readonly WorkloadReservation[];
  readonly originMs: number;
  /** Jobs that were taken away before they came. */
  readonly cancelledEarly: number;
}

/** A workload that is held whole. */
export interface Workload extends WorkloadFrame {
  /** The time of which the file is a record, where it says so. */
  readonly period: PeriodEntry | undefined;
  readonly skipped: SkippedJobs;
  readonly fitNowhere: WorkloadFacts["fitNowhere"];
  readonly unsorted: number;
  readonly sha256: string;
  readonly malformedMessages: readonly string[];
}

/** Owner of a job for a priority; a queue is a partition too where no other is known. */
export function ownerOf({ user, group, queue, partition = queue }: WorkloadJob): Owner {
  return { user, group, queue, partition };
}

/**
 * The reservations of a file in CSV, whose times count from the first job, on the clock of a workload.
 *
 * @throws Fault as `readReservationsCsv`
 */
export async function reservationsBeside(
  file: string | undefined,
  originMs: number,
): Promise<readonly WorkloadReservation[]> {
  if (file === undefined) return [];
  const rows = await readReservationsCsv(file);
  const unsaid = { pool: undefined, memoryBytes: undefined, gpus: undefined };
  return rows.map((row) => {
    return { kind: "reservation", file, ...row, startMs: row.startMs + originMs, ...unsaid };
  });
}
