/**
 * One row of accounting as one run of a job: when it could start, when it did, how long it ran.
 *
 * Traps of sacct that are seen to here: a job that was cancelled before it started has a start in some
 * versions, but no nodes; a job that was held or waits for another has no eligible time; ElapsedRaw leaves
 * out the time in which a job was suspended; `Unknown` stands for what is not yet.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/index.ts";
import { isOver, stateWord } from "./job-states.ts";
import { amountsOf, type JobAmounts } from "./sacct-amounts.ts";
import type { SacctField } from "./sacct-command.ts";
import type { InstantReader } from "./sacct-instants.ts";
import { type SacctId, sacctId } from "./sacct-job-ids.ts";
import { badField, type SacctRow } from "./sacct-rows.ts";
import { listOf, saidNumber, saidText } from "./words.ts";

/** What became of a run; `withdrawn`: it was taken away before it started. */
export type RunEnding = "ended" | "running" | "waiting" | "withdrawn";

/** A run of a job, or several alike that wait together. Times are Unix ms. */
export interface SacctRun extends JobAmounts {
  readonly id: SacctId;
  readonly submittedMs: number;
  /** Null where it never was, or nothing is known of it. */
  readonly eligibleMs: number | null;
  /** Null where it never started, or where its start is not known. */
  readonly startMs: number | null;
  /** Null while it is not over. */
  readonly endMs: number | null;
  /** How long it has run; 0 where it has not. */
  readonly elapsedMs: number;
  /** Undefined where no limit of its own is said. */
  readonly limitMs: number | undefined;
  readonly ending: RunEnding;
  /** Slurm's own word for how it stands: `COMPLETED`, `NODE_FAIL`, … */
  readonly state: string;
  readonly partitions: readonly string[];
  readonly user: string | undefined;
  readonly account: string | undefined;
  /** As Slurm writes them; undefined where it had none. */
  readonly nodeList: string | undefined;
}

/**
 * Understands a row.
 *
 * @throws Fault `accountingField` with line and column
 */
export function runOf(row: SacctRow, instants: InstantReader): SacctRun {
  const id = sacctId(row.value("JobID") ?? "");
  if (id === undefined) throw badField(row, "JobID", "it is no id of a job: 17, 17_3, 17_[4-9%2], 17+1");
  const at = instantIn(row, instants);
  const submittedMs = at("Submit", 0);
  if (submittedMs === null) throw badField(row, "Submit", "every job was submitted at some time");
  const eligibleMs = row.value("Eligible") === undefined ? submittedMs : at("Eligible", submittedMs);
  const startMs = at("Start", submittedMs);
  const endMs = at("End", startMs ?? submittedMs);
  const elapsedMs = elapsedOf(row);
  const nodeList = nodesOf(row);
  const hasRun = wasOnNodes(row, elapsedMs);
  return {
    ...{ id, submittedMs, eligibleMs, endMs, elapsedMs, nodeList },
    startMs: hasRun ? startMs : null,
    limitMs: limitOf(row),
    ending: endingOf(row, hasRun, endMs),
    state: stateWord(row.value("State") ?? ""),
    partitions: listOf(row.value("Partition")),
    user: saidText(row.value("User")) ?? undefined,
    account: saidText(row.value("Account")) ?? undefined,
    ...amountsOf({
      allocCpus: row.value("AllocCPUS"),
      reqCpus: row.value("ReqCPUS"),
      reqMem: row.value("ReqMem"),
      allocTres: row.value("AllocTRES"),
      reqTres: row.value("ReqTRES"),
      nodes: row.value("NNodes"),
    }),
  };
}

type InstantField = "Submit" | "Eligible" | "Start" | "End";

function instantIn(row: SacctRow, instants: InstantReader) {
  return (field: InstantField, notBeforeMs: number): number | null => {
    const ms = instants.read(row.value(field), notBeforeMs);
    if (ms !== undefined) return ms;
    throw badField(row, field, `it is Unix time, or a time that a clock in ${instants.zone} shows`);
  };
}

function elapsedOf(row: SacctRow): number {
  const text = row.value("ElapsedRaw") ?? "";
  const seconds = text.trim() === "" ? 0 : saidNumber(text);
  if (seconds === null || seconds < 0) throw badField(row, "ElapsedRaw", "it is a number of seconds");
  return seconds * MS_PER_SECOND;
}

/** In minutes; a job without one of its own has `Partition_Limit`, `UNLIMITED` or nothing. */
function limitOf(row: SacctRow): number | undefined {
  const text = saidText(row.value("TimelimitRaw"));
  if (text === null || /^partition_limit$/i.test(text)) return undefined;
  const minutes = saidNumber(text);
  if (minutes === null || minutes < 0) throw badField(row, "TimelimitRaw", "it is a number of minutes");
  return minutes === 0 ? undefined : minutes * MS_PER_MINUTE;
}

function nodesOf(row: SacctRow): string | undefined {
  const text = saidText(row.value("NodeList"));
  return text === null || text === "None assigned" ? undefined : text;
}

/** A job that was cancelled in the queue may have a start; it has no nodes. */
function wasOnNodes(row: SacctRow, elapsedMs: number): boolean {
  const isSaid = (field: SacctField) => row.value(field) !== undefined;
  if (isSaid("NodeList")) return nodesOf(row) !== undefined;
  return elapsedMs > 0 || stateWord(row.value("State") ?? "") === "RUNNING";
}

function endingOf(row: SacctRow, hasRun: boolean, endMs: number | null): RunEnding {
  if (endMs === null && !isOver(row.value("State") ?? "")) return hasRun ? "running" : "waiting";
  return hasRun ? "ended" : "withdrawn";
}
