/**
 * From the fields of a line to the entry that it is, by its first word: pool, job, cancel, down,
 * reservation, period.
 */
import { nearestWord } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import type {
  Amounts,
  CancelEntry,
  DownEntry,
  JobEntry,
  PeriodEntry,
  PoolEntry,
  ReservationEntry,
  WorkloadEntry,
} from "./entry.ts";
import {
  countField,
  fieldOf,
  instantField,
  type LineFields,
  lineFault,
  required,
  sizeField,
  textField,
  textsField,
  timeField,
} from "./line-fields.ts";

const AMOUNTS = ["procs", "memory", "gpus"];

/** The words of each kind of line; the first one tells the kind. */
export const WORDS_OF_LINES = {
  pool: ["pool", ...AMOUNTS, "nodes"],
  job: [
    ...["job", "submit", "runtime", "limit", ...AMOUNTS],
    ...["nodes", "tasksPerNode", "pools", "user", "group"],
    ...["queue", "submitted", "recordedStart"],
  ],
  cancel: ["cancel", "at"],
  down: ["down", "at", "until", "node", ...AMOUNTS],
  reservation: ["reservation", "start", "duration", ...AMOUNTS, "nodes", "pool"],
  period: ["period", "until"],
} as const satisfies Readonly<Record<WorkloadEntry["kind"], readonly string[]>>;

/** A reservation names its pool, so the more special kinds are looked for first. */
const KINDS = ["job", "cancel", "down", "reservation", "period", "pool"] as const;

/**
 * The entry of a line.
 *
 * @throws Fault (`workloadKind`, `workloadWord`, `workloadFieldMissing`, `workloadField`) with its place
 */
export function readEntry(from: LineFields): WorkloadEntry {
  const kind = KINDS.find((word) => fieldOf(from, word) !== undefined);
  if (kind === undefined) throw noKind(from);
  assertKnownWords(from, WORDS_OF_LINES[kind]);
  switch (kind) {
    case "pool":
      return poolIn(from);
    case "job":
      return jobIn(from);
    case "cancel":
      return cancelIn(from);
    case "down":
      return downIn(from);
    case "reservation":
      return reservationIn(from);
    case "period":
      return periodIn(from);
  }
}

function noKind(from: LineFields) {
  return lineFault(from, 1, {
    code: "workloadKind",
    what: "this line says nothing that is known",
    why: `it has none of ${KINDS.join(", ")}`,
    remedy: 'write for instance {"job": "1", "submit": 0, "runtime": "1h", "procs": 4}',
  });
}

function assertKnownWords(from: LineFields, words: readonly string[]): void {
  const unknown = from.fields.find(({ key }) => !words.includes(key));
  if (unknown === undefined) return;
  const near = nearestWord(unknown.key, words);
  throw lineFault(from, unknown.keyColumn, {
    code: "workloadWord",
    what: `${echoText(unknown.key)} is no word of this kind of line`,
    why: `its words are ${words.join(", ")}`,
    remedy: near === undefined ? "take it out" : `do you mean ${near}?`,
  });
}

function amountsIn(from: LineFields): Omit<Amounts, "procs"> {
  return { memoryBytes: sizeField(from, "memory"), gpus: countField(from, "gpus", 0) };
}

function procsIn(from: LineFields): number {
  return required(from, "procs", countField(from, "procs", 1));
}

function poolIn(from: LineFields): PoolEntry {
  return {
    kind: "pool",
    line: from.line,
    name: required(from, "pool", textField(from, "pool")),
    procs: procsIn(from),
    ...amountsIn(from),
    nodes: countField(from, "nodes", 1),
  };
}

function jobIn(from: LineFields): JobEntry {
  const job: JobEntry = {
    kind: "job",
    line: from.line,
    id: required(from, "job", textField(from, "job")),
    submitMs: required(from, "submit", instantField(from, "submit")),
    submittedMs: instantField(from, "submitted"),
    recordedStartMs: instantField(from, "recordedStart"),
    runtimeMs: timeField(from, "runtime"),
    limitMs: positive(from, "limit", timeField(from, "limit")),
    procs: procsIn(from),
    ...amountsIn(from),
    nodes: countField(from, "nodes", 1),
    tasksPerNode: countField(from, "tasksPerNode", 1),
    pools: textsField(from, "pools"),
    queue: textField(from, "queue"),
    user: textField(from, "user"),
    group: textField(from, "group"),
  };
  assertParts(from, job);
  assertRecord(from, job);
  return job;
}

/** Rule FO-54. */
function assertRecord(from: LineFields, { submitMs, submittedMs, recordedStartMs }: JobEntry): void {
  if ((submittedMs ?? 0) > submitMs) {
    throw misfit(from, "submitted", "it is later than submit", "submit is when the job may start");
  }
  if ((recordedStartMs ?? submitMs) < submitMs) {
    throw misfit(from, "recordedStart", "it is before submit", "submit is when the job may start");
  }
}

/** Rule FO-53: what is asked of several nodes comes in equal parts. */
function assertParts(from: LineFields, { nodes, procs, gpus }: JobEntry | ReservationEntry): void {
  if (nodes === undefined) return;
  if (fieldOf(from, "tasksPerNode") !== undefined) {
    throw misfit(from, "tasksPerNode", "nodes already says how the job is parted", "take one of them out");
  }
  if (procs % nodes !== 0) throw unequal(from, "procs", nodes);
  if ((gpus ?? 0) % nodes !== 0) throw unequal(from, "gpus", nodes);
}

function unequal(from: LineFields, name: string, nodes: number) {
  const why = `its ${nodes} nodes give equal parts, and this cannot be parted so`;
  return misfit(from, name, why, `ask a multiple of ${nodes}, which is the number for all nodes together`);
}

function cancelIn(from: LineFields): CancelEntry {
  return {
    kind: "cancel",
    line: from.line,
    job: required(from, "cancel", textField(from, "cancel")),
    atMs: required(from, "at", instantField(from, "at")),
  };
}

function downIn(from: LineFields): DownEntry {
  const node = countField(from, "node", 0);
  const amount = AMOUNTS.find((name) => fieldOf(from, name) !== undefined);
  if (node !== undefined && amount !== undefined) {
    throw misfit(from, amount, "a node is down as a whole", "take it out");
  }
  const atMs = required(from, "at", instantField(from, "at"));
  const untilMs = required(from, "until", instantField(from, "until"));
  if (untilMs <= atMs) throw misfit(from, "until", "it is not later than at", "write when it comes back");
  return {
    kind: "down",
    line: from.line,
    pool: required(from, "down", textField(from, "down")),
    node,
    procs: node === undefined ? procsIn(from) : 0,
    ...amountsIn(from),
    atMs,
    untilMs,
  };
}

function reservationIn(from: LineFields): ReservationEntry {
  const durationMs = required(from, "duration", positive(from, "duration", timeField(from, "duration")));
  const reservation: ReservationEntry = {
    kind: "reservation",
    line: from.line,
    id: required(from, "reservation", textField(from, "reservation")),
    pool: textField(from, "pool"),
    nodes: countField(from, "nodes", 1),
    startMs: required(from, "start", instantField(from, "start")),
    durationMs,
    procs: procsIn(from),
    ...amountsIn(from),
  };
  assertParts(from, reservation);
  return reservation;
}

function periodIn(from: LineFields): PeriodEntry {
  const fromMs = required(from, "period", instantField(from, "period"));
  const untilMs = instantField(from, "until");
  if (untilMs !== undefined && untilMs <= fromMs) {
    throw misfit(from, "until", "it is not later than period", "write when the record ends");
  }
  return { kind: "period", line: from.line, fromMs, untilMs };
}

function positive(from: LineFields, name: string, ms: number | undefined): number | undefined {
  if (ms !== 0) return ms;
  throw misfit(from, name, "it is more than 0", `write for instance "${name}": "1h"`);
}

function misfit(from: LineFields, name: string, why: string, remedy: string) {
  const field = fieldOf(from, name);
  return lineFault(from, field?.column ?? 1, {
    code: "workloadField",
    what: `${name}: ${echoText(field?.text ?? "")} cannot stand here`,
    why,
    remedy,
  });
}
