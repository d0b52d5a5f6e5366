/** Executed workflows in responses. */
import type { WorkflowSummary, WorkflowView } from "../contract/index.ts";
import type {
  ReservationRecord,
  SiteNeed,
  WorkflowFile,
  WorkflowRecord,
  WorkflowTask,
} from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";
import { suOf } from "./reservation-view.ts";

/** A workflow in a list. */
export function workflowSummary(record: WorkflowRecord, tasks: readonly WorkflowTask[]): WorkflowSummary {
  const { id, name, state, owner, consumer, promised, departures, replans, aborted } = record;
  const counted = { WAITING: 0, ORDERED: 0, RUNNING: 0, DONE: 0, FAILED: 0 };
  for (const task of tasks) counted[task.state]++;
  return {
    ...{ id, name, state, owner, consumer, bestEffort: record.isBestEffort },
    startedAt: isoInstant(record.startedAtMs),
    endedAt: instantOrNull(record.endedAtMs),
    counts: {
      ...{ waiting: counted.WAITING, ordered: counted.ORDERED, running: counted.RUNNING },
      ...{ done: counted.DONE, failed: counted.FAILED },
    },
    promisedEndAt: instantOrNull(promised?.endMs),
    promisedSu: promised === null ? null : suOf(promised.procMs),
    departures,
    lostSu: suOf(record.lostProcMs),
    replans,
    aborted: aborted === undefined ? null : { task: tasks[aborted.task].id, result: aborted.result },
  };
}

/** A workflow with its tasks; `reservations` are those of its pilots, in their order. */
export function workflowView(
  record: WorkflowRecord,
  { tasks, files }: { readonly tasks: readonly WorkflowTask[]; readonly files: readonly WorkflowFile[] },
  reservations: readonly (ReservationRecord | undefined)[],
  nowMs: number,
): WorkflowView {
  const costs = reservations.map((it) => (it === undefined ? 0 : costOf(it)));
  return {
    ...workflowSummary(record, tasks),
    costSu: record.pilots.length === 0 ? null : suOf(costs.reduce((sum, one) => sum + one, 0)),
    expectedEndAt: instantOrNull(expectedEndMs(record, tasks, nowMs)),
    left: (record.left ?? []).map(({ site, why, tasks: count, pilots }) => ({
      ...{ site, why, tasks: count },
      costSu: suOf(pilots.reduce((sum, pilot) => sum + costs[pilot], 0)),
    })),
    reservations: record.pilots.map(({ reservation, startMs, endMs, ...pilot }, at) => ({
      ...{ id: reservation, site: pilot.site, job: pilot.job, ...amountsOf(pilot) },
      ...{ startAt: isoInstant(startMs), endAt: isoInstant(endMs) },
      ...{ state: reservations[at]?.state ?? "unknown", costSu: suOf(costs[at]) },
    })),
    files: files.map((file) => fileView(file, tasks)),
    tasks: tasks.map(({ id, state, parents, place, job, attempt, exitCode, ...own }) => ({
      ...{ id, ...amountsOf(own), state, parents: parents.map((parent) => tasks[parent].id) },
      site: place === null ? null : record.pilots[place.pilot].site,
      ...{ job, reservation: place?.pilot ?? null, attempt, exitCode },
      plannedStartAt: instantOrNull(place?.startMs),
      plannedEndAt: instantOrNull(place?.endMs),
      startedAt: instantOrNull(own.startedAtMs),
      endedAt: instantOrNull(own.endedAtMs),
    })),
  };
}

function amountsOf({ procs, memoryBytes = 0, gpus = 0 }: SiteNeed) {
  return { procs, memoryBytes, gpus };
}

function fileView(file: WorkflowFile, tasks: readonly WorkflowTask[]): WorkflowView["files"][number] {
  const { name, writer, isResult, bytes, checksum, isStored, copies, overLimitBytes } = file;
  const isWritten = writer === null || tasks[writer].state === "DONE";
  const atSites = copies.length > 0 ? "AT_SITES" : "REMOVED";
  const elsewhere = isWritten ? atSites : "PENDING";
  const unstored = overLimitBytes === undefined ? elsewhere : "TOO_LARGE";
  const state = isStored ? "STORED" : unstored;
  return {
    ...{ name, writer: writer === null ? null : tasks[writer].id, state, result: isResult },
    ...{ bytes, sha256: checksum, sites: [...new Set(copies.map(({ site }) => site))] },
  };
}

function costOf({ state, baseProcMs, fixedProcMs, refundProcMs }: ReservationRecord): number {
  const isCharged = state !== "OFFERED" && state !== "LAPSED" && state !== "WITHDRAWN";
  return isCharged ? baseProcMs + fixedProcMs - refundProcMs : 0;
}

/** The planned end, and by how much the latest task is behind its plan now. */
function expectedEndMs(
  { state, promised }: WorkflowRecord,
  tasks: readonly WorkflowTask[],
  nowMs: number,
): number | undefined {
  if (state !== "RUNNING" || promised === null) return undefined;
  const behindMs = tasks.map(({ state: its, place }) => {
    if (place === null) return 0;
    if (its === "RUNNING") return nowMs - place.endMs;
    return its === "WAITING" || its === "ORDERED" ? nowMs - place.startMs : 0;
  });
  return promised.endMs + behindMs.reduce((most, one) => Math.max(most, one), 0);
}

function instantOrNull(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : isoInstant(atMs);
}
