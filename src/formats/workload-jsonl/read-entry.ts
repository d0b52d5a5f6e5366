/**
 * Reads the fields of a line into an entry, by its first word: pool, job, cancel, down, reservation, period.
 * The checks here are those that the shape cannot express.
 */
import { type AnyShape, type Read, workloadLineShapes } from "../../contract/files/index.ts";
import { echoText } from "../echo-text.ts";
import { readUnplaced } from "../yaml/index.ts";
import type { DownEntry, JobEntry, PeriodEntry, ReservationEntry, WorkloadEntry } from "./entry.ts";
import { fieldOf, isSaid, type LineFields, LineNotes, lineFault } from "./line-fields.ts";

/** A reservation names its pool, so the more special kinds are looked for first. */
const KINDS = ["job", "cancel", "down", "reservation", "period", "pool"] as const;
const { job, cancel, down, reservation, period, pool } = workloadLineShapes;
const example = '{"job": "1", "submit": 0, "runtime": "1h", "procs": 4}';

/**
 * The entry of a line.
 *
 * @throws Fault (`workloadKind`, `workloadWord`, `workloadFieldMissing`, `workloadField`) with its place
 */
export function readEntry(from: LineFields): WorkloadEntry {
  const kind = KINDS.find((word) => fieldOf(from, word) !== undefined);
  const { line } = from;
  switch (kind) {
    case "pool":
      return { kind, line, ...NO_AMOUNTS, nodes: undefined, ...saidIn(from, pool) };
    case "job":
      return jobIn(from);
    case "cancel":
      return { kind, line, ...saidIn(from, cancel) };
    case "down":
      return downIn(from);
    case "reservation":
      return reservationIn(from);
    case "period":
      return periodIn(from);
    case undefined:
      throw lineFault(from, 1, {
        code: "workloadKind",
        what: "this line is not recognised",
        why: `it has none of ${KINDS.join(", ")}`,
        remedy: `write for instance ${example}`,
      });
  }
}

const NO_AMOUNTS = { memoryBytes: undefined, gpus: undefined };

/** Reads a line by its shape; `null` equals absent. */
function saidIn<Of extends AnyShape & { readonly fields: object }>(from: LineFields, shape: Of): Read<Of> {
  const entries = from.fields.every(isSaid)
    ? from.fields
    : from.fields.filter((field) => isSaid(field) || !Object.hasOwn(shape.fields, field.key));
  const named = { name: "", value: { kind: "mapping", at: 1, entries }, notes: new LineNotes(from) } as const;
  const said = readUnplaced(named, shape, example);
  if (said === undefined) throw new Error("a problem of a line was told and not thrown");
  return said;
}

function jobIn(from: LineFields): JobEntry {
  const said = saidIn(from, job);
  const entry: JobEntry = {
    kind: "job",
    line: from.line,
    id: said.id,
    submitMs: said.submitMs,
    submittedMs: said.submittedMs,
    recordedStartMs: said.recordedStartMs,
    runtimeMs: said.runtimeMs,
    limitMs: said.limitMs,
    procs: said.procs,
    memoryBytes: said.memoryBytes,
    gpus: said.gpus,
    nodes: said.nodes,
    tasksPerNode: said.tasksPerNode,
    pools: said.pools,
    queue: said.queue,
    user: said.user,
    group: said.group,
  };
  assertParts(from, entry);
  assertRecord(from, entry);
  return entry;
}

function assertRecord(from: LineFields, { submitMs, submittedMs, recordedStartMs }: JobEntry): void {
  if ((submittedMs ?? 0) > submitMs) {
    throw misfit(from, "submitted", "it is later than submit", "submit is when the job may start");
  }
  if ((recordedStartMs ?? submitMs) < submitMs) {
    throw misfit(from, "recordedStart", "it is before submit", "submit is when the job may start");
  }
}

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

function downIn(from: LineFields): DownEntry {
  const { procs, ...said } = saidIn(from, down);
  const amount = ["procs", "memory", "gpus"].find((name) => fieldOf(from, name) !== undefined);
  if (said.node !== undefined && amount !== undefined) {
    throw misfit(from, amount, "a node is down as a whole", "take it out");
  }
  if (said.untilMs <= said.atMs) {
    throw misfit(from, "until", "it is not later than at", "write when it comes back");
  }
  if (said.node === undefined && procs === undefined) {
    throw lineFault(from, 1, {
      code: "workloadFieldMissing",
      what: "procs is missing",
      why: "without a node the line must state how many processors are down",
      remedy: 'add "procs": 4, or "node": 0',
    });
  }
  return { kind: "down", line: from.line, ...NO_AMOUNTS, node: undefined, ...said, procs: procs ?? 0 };
}

function reservationIn(from: LineFields): ReservationEntry {
  const said = saidIn(from, reservation);
  const others = { ...NO_AMOUNTS, pool: undefined, nodes: undefined };
  const entry: ReservationEntry = { kind: "reservation", line: from.line, ...others, ...said };
  assertParts(from, entry);
  return entry;
}

function periodIn(from: LineFields): PeriodEntry {
  const { fromMs, untilMs } = saidIn(from, period);
  if (untilMs !== undefined && untilMs <= fromMs) {
    throw misfit(from, "until", "it is not later than period", "write when the record ends");
  }
  return { kind: "period", line: from.line, fromMs, untilMs };
}

function misfit(from: LineFields, name: string, why: string, remedy: string) {
  const value = fieldOf(from, name)?.value;
  const text = value?.kind === "scalar" ? value.text : "";
  return lineFault(from, value?.at ?? 1, {
    code: "workloadField",
    what: `${name}: ${echoText(text)} is not allowed here`,
    why,
    remedy,
  });
}
