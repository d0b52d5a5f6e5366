/**
 * One row of accounting as one run of a job: eligible, start, run time.
 *
 * Peculiarities of sacct: a job cancelled before it started has a start in some versions, but no nodes; a
 * held or dependent job has no eligible time; ElapsedRaw excludes suspended time; `Unknown` stands for a
 * future instant.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/index.ts";
import { isOver, stateWord } from "./job-states.ts";
import type { SacctField } from "./sacct-command.ts";
import type { InstantReader } from "./sacct-instants.ts";
import { badField, type SacctRow } from "./sacct-rows.ts";
import { listOf, saidNumber, saidText, sizeBytes, tresOf } from "./words.ts";

/** Outcome of a run; `withdrawn`: cancelled before it started. */
type RunEnding = "ended" | "running" | "waiting" | "withdrawn";

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
  /** Run time; 0 for a run that has not started. */
  readonly elapsedMs: number;
  /** Undefined without a limit of its own. */
  readonly limitMs: number | undefined;
  readonly ending: RunEnding;
  /** Slurm's name of the state: `COMPLETED`, `NODE_FAIL`, … */
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

// What a job had, or asked for: processors, memory, GPUs, of the whole job.
//
// TRES say it for the whole job in every version; ReqMem is of the whole job from 21.08 on, and before of a
// node (`4Gn`) or a processor (`4000Mc`). What was allocated counts before what was asked for.

/** The fields that amounts are read from, as sacct wrote them. */
interface AmountTexts {
  readonly allocCpus: string | undefined;
  readonly reqCpus: string | undefined;
  readonly reqMem: string | undefined;
  readonly allocTres: string | undefined;
  readonly reqTres: string | undefined;
  readonly nodes: string | undefined;
}

/** Amounts of a whole job; 0 processors where none are known. */
interface JobAmounts {
  readonly procs: number;
  /** Bytes; undefined where nothing is known. */
  readonly memoryBytes: number | undefined;
  readonly gpus: number;
  readonly nodes: number;
}

/** The amounts of a row. */
function amountsOf(texts: AmountTexts): JobAmounts {
  const allocated = tresOf(texts.allocTres);
  const asked = tresOf(texts.reqTres);
  const procs = saidNumber(texts.allocCpus) || allocated.cpu || saidNumber(texts.reqCpus) || asked.cpu || 0;
  const nodes = allocated.node || saidNumber(texts.nodes) || asked.node || 1;
  // A request for all memory of a node is written as 0, and only what was allocated says how much it is.
  const memoryBytes = allocated.mem || asked.mem || memoryAsked(texts.reqMem, { procs, nodes }) || undefined;
  const gpus = Object.keys(allocated).length > 0 ? gpusIn(allocated) : gpusIn(asked);
  return { procs, memoryBytes, gpus, nodes };
}

function memoryAsked(
  text: string | undefined,
  { procs, nodes }: { readonly procs: number; readonly nodes: number },
): number {
  const bytes = sizeBytes(text) ?? 0;
  const said = saidText(text) ?? "";
  if (said.endsWith("n")) return bytes * nodes;
  return said.endsWith("c") ? bytes * procs : bytes;
}

/** `gres/gpu` counts all; where only types are listed, their sum. */
function gpusIn(tres: Readonly<Record<string, number>>): number {
  const typed = Object.entries(tres).filter(([name]) => name.startsWith("gres/gpu:"));
  return tres["gres/gpu"] ?? typed.reduce((sum, [, count]) => sum + count, 0);
}

// What the id of a row of accounting stands for: a job, a task of an array, tasks that wait together, a
// part of a job of several shapes, a step.

/** More tasks than Slurm lets an array have by its usual limits; more are not made jobs. */
const MOST_TASKS = 100_000;

interface SacctId {
  readonly kind: "job" | "task" | "waitingTasks" | "part" | "step";
  /** One for each job that the row is. */
  readonly ids: readonly string[];
  /** True for an array with a limit on its running tasks. */
  readonly isThrottled: boolean;
}

/** Understands `17`, `17_3`, `17_[4-9:2%3]`, `17+1`, `17.batch`; undefined where it is none of these. */
function sacctId(text: string): SacctId | undefined {
  if (/^\d+([_+]\d+)?\.[\w+.-]+$/.test(text)) return { kind: "step", ids: [], isThrottled: false };
  if (/^\d+$/.test(text)) return { kind: "job", ids: [text], isThrottled: false };
  if (/^\d+_\d+$/.test(text)) return { kind: "task", ids: [text], isThrottled: false };
  if (/^\d+\+\d+$/.test(text)) return { kind: "part", ids: [text], isThrottled: false };
  const match = /^(\d+)_\[([\d,:-]+)(%\d+)?\]$/.exec(text);
  if (match === null) return undefined;
  const [, array, ranges, throttle] = match;
  const tasks = tasksOf(ranges);
  if (tasks === undefined) return undefined;
  return {
    kind: "waitingTasks",
    ids: tasks.map((task) => `${array}_${task}`),
    isThrottled: throttle !== undefined,
  };
}

/** `1,4-9:2` → 1, 4, 6, 8. */
function tasksOf(ranges: string): readonly number[] | undefined {
  const tasks: number[] = [];
  for (const range of ranges.split(",")) {
    // No array has numbers of more digits, and beyond 2^53 one more is the same number.
    const match = /^(\d{1,8})(?:-(\d{1,8})(?::(\d{1,8}))?)?$/.exec(range);
    if (match === null) return undefined;
    const from = Number(match[1]);
    const to = Number(match[2] ?? from);
    const step = Number(match[3] ?? 1);
    if (step < 1 || to < from || tasks.length + (to - from) / step >= MOST_TASKS) return undefined;
    for (let task = from; task <= to; task += step) tasks.push(task);
  }
  return tasks;
}
