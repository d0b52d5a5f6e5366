/**
 * The queue by one call of squeue: a row a job, with the requested fields only.
 *
 * Rows cost the controller's machine 13 times less than JSON, and every version writes them alike. An
 * unreachable controller may answer with nothing and exit code 0 (JSON does): an empty list is trusted only
 * if the command printed nothing else.
 */
import type { ClusterJob } from "../../model/index.ts";
import { jobDependency } from "./dependency.ts";
import { featureRule } from "./feature-rule.ts";
import { hostList } from "./host-list.ts";
import { isOver, queueState } from "./job-states.ts";
import { eachMarkedRow } from "./rows.ts";
import { waitReason } from "./wait-reason.ts";
import {
  countsOf,
  durationMs,
  FIELD_END,
  gpusOf,
  instantMs,
  listOf,
  ROW_END,
  saidNumber,
  saidText,
  sizeBytes,
  sumOf,
  tresOf,
} from "./words.ts";

const FIELDS = [
  "JobID",
  "JobArrayID",
  "ArrayJobID",
  "ArrayTaskID",
  "State",
  "Reason",
  "UserName",
  "Account",
  "Partition",
  "QOS",
  "PriorityLong",
  "Nice",
  "SubmitTime",
  "EligibleTime",
  "StartTime",
  "EndTime",
  "TimeLimit",
  "TimeUsed",
  "NumCPUs",
  "NumNodes",
  "NumTasks",
  "NodeList",
  "SchedNodes",
  "MinMemory",
  "tres-alloc",
  "tres-per-node",
  "tres-per-job",
  "Dependency",
  "Reservation",
  "Feature",
  "OverSubscribe",
  "RestartCnt",
  "Licenses",
  "NTPerNode",
  "exit_code",
  "Comment",
  "WorkDir",
  "Name",
] as const;

type Field = (typeof FIELDS)[number];

/** The fields of one job, in their order. Ten thousand of them are read for one look: no object is made. */
type Row = readonly string[];

// It is made of every field.
const PLACES = Object.fromEntries(FIELDS.map((field, at) => [field, at])) as Record<Field, number>;

const tresIn = remembered(tresOf);
const listIn = remembered(listOf);
const countsIn = remembered(countsOf);
const hostsIn = remembered((text) => hostList(saidText(text) ?? ""));
const reasonIn = remembered(waitReason);
const dependencyIn = remembered((text) => readSaid(text, jobDependency));
const featuresIn = remembered((text) => readSaid(text, featureRule));
const lengthIn = remembered(durationMs);
const instantIn = remembered(instantMs);
const sizeIn = remembered(sizeBytes);

function readSaid<Value>(text: string, read: (words: string) => Value): Value | null {
  const words = saidText(text);
  return words === null ? null : read(words);
}

function of(row: Row, field: Field): string {
  return row[PLACES[field]];
}

/**
 * The command that asks for every job that the controller remembers, ended ones too. Tasks of an array that
 * were changed by themselves (held, put off) are rows of their own: without `--array-unique` they would be
 * shown with the others, as those are.
 */
export const SQUEUE_COMMAND: readonly string[] = [
  "squeue",
  "--all",
  "--noheader",
  "--states=all",
  "--array-unique",
  `--Format=${FIELDS.map((field) => `${field}:${field === "Name" ? ROW_END : FIELD_END}`).join(",")}`,
];

/** Texts of a job that its submitter chose. */
export interface JobMarks {
  readonly name: string;
  /** Null: none, or none that is kept. */
  readonly comment: string | null;
  /** Absolute path; null where it is not shown. */
  readonly workDirectory: string | null;
}

/** A job in the queue. */
export type SlurmJob = ClusterJob & JobMarks;

/** A job that is over and that the controller still remembers. */
export interface EndedJob extends JobMarks {
  readonly siteJob: string;
  readonly stateText: string;
  readonly reason: string | null;
  readonly submittedAtMs: number;
  /** Null where it never started. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  /** The code with which its script ended, and the signal that ended it; null where it has none. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** The node on which it ran; absent: none, or several. */
  readonly node?: string;
}

/** One look at the queue. */
export interface Queue {
  readonly jobs: readonly SlurmJob[];
  readonly ended: readonly EndedJob[];
  /** Rows that could not be read. */
  readonly unreadable: number;
}

/** Reads what {@link SQUEUE_COMMAND} printed. */
export function readQueue(text: string): Queue {
  const jobs: SlurmJob[] = [];
  const ended: EndedJob[] = [];
  const unreadable = eachMarkedRow(text, FIELDS.length, (row) => {
    if (isOver(of(row, "State"))) ended.push(endedOf(row));
    else jobs.push(jobOf(row));
  });
  return { jobs, ended, unreadable };
}

function endedOf(row: Row): EndedJob {
  const endedAtMs = instantIn(of(row, "EndTime")) ?? 0;
  const startedAtMs = instantIn(of(row, "StartTime"));
  // What is cancelled before its start has its end as its start, too, and was on no node.
  const nodes = hostsIn(of(row, "NodeList"));
  const hasStarted = nodes.length > 0;
  const status = saidNumber(of(row, "exit_code")) ?? 0;
  return {
    siteJob: of(row, "JobArrayID"),
    ...marksOf(row),
    stateText: of(row, "State"),
    reason: saidText(of(row, "Reason")),
    submittedAtMs: instantIn(of(row, "SubmitTime")) ?? 0,
    startedAtMs: hasStarted ? startedAtMs : null,
    endedAtMs,
    // As wait() writes it: the signal in the low seven bits, the code above the low eight.
    exitCode: (status >> 8) & 0xff,
    signal: (status & 0x7f) === 0 ? null : status & 0x7f,
    ...(nodes.length === 1 ? { node: nodes[0] } : {}),
  };
}

function marksOf(row: Row): JobMarks {
  return {
    name: of(row, "Name"),
    comment: saidText(of(row, "Comment")),
    workDirectory: saidText(of(row, "WorkDir")),
  };
}

function jobOf(row: Row): SlurmJob {
  const priority = saidNumber(of(row, "PriorityLong"));
  const reason = saidText(of(row, "Reason"));
  const state = queueState(of(row, "State"), reason, priority);
  const hasStarted = state !== "waiting" && state !== "held" && saidText(of(row, "NodeList")) !== null;
  const startMs = instantIn(of(row, "StartTime"));
  return {
    siteJob: of(row, "JobArrayID"),
    ...arrayOf(row),
    ...marksOf(row),
    user: saidText(of(row, "UserName")),
    account: saidText(of(row, "Account")),
    partitions: listIn(of(row, "Partition")),
    qos: saidText(of(row, "QOS")),
    state,
    stateText: of(row, "State"),
    reason,
    waitsFor: reason === null ? null : reasonIn(reason),
    priority,
    priorityParts: null,
    nice: saidNumber(of(row, "Nice")) ?? 0,
    submittedAtMs: instantIn(of(row, "SubmitTime")) ?? 0,
    eligibleAtMs: instantIn(of(row, "EligibleTime")),
    startedAtMs: hasStarted ? startMs : null,
    expectedStartAtMs: hasStarted ? null : startMs,
    expectedEndAtMs: instantIn(of(row, "EndTime")),
    limitMs: lengthIn(of(row, "TimeLimit")),
    ranMs: lengthIn(of(row, "TimeUsed")) ?? 0,
    ...sizeOf(row),
    dependency: dependencyIn(of(row, "Dependency")),
    reservation: saidText(of(row, "Reservation")),
    features: featuresIn(of(row, "Feature")),
    isExclusive: of(row, "OverSubscribe") === "NO",
    restarts: saidNumber(of(row, "RestartCnt")) ?? 0,
    licenses: countsIn(of(row, "Licenses")),
  };
}

function sizeOf(row: Row) {
  const tres = tresIn(of(row, "tres-alloc"));
  const procs = saidNumber(of(row, "NumCPUs")) ?? 0;
  const nodeCount = saidNumber(of(row, "NumNodes")) ?? 0;
  const tasks = saidNumber(of(row, "NumTasks")) ?? 0;
  return {
    procs,
    nodeCount,
    nodes: hostsIn(of(row, "NodeList")),
    plannedNodes: hostsIn(of(row, "SchedNodes")),
    tasks,
    tasksPerNode: tasksPerNode(saidNumber(of(row, "NTPerNode"))),
    ...memoryOf(tres.mem ?? null, sizeIn(of(row, "MinMemory")), { procs, nodeCount }),
    gpus: gpuCount(row, tres, nodeCount),
    tres,
  };
}

/** 0 and the 16-bit "not set" are no requests. */
function tasksPerNode(said: number | null): number | null {
  return said === null || said === 0 || said >= 0xfffe ? null : said;
}

/** squeue writes memory per node and per processor alike; the sum shows which it is. */
function memoryOf(
  allBytes: number | null,
  eachBytes: number | null,
  { procs, nodeCount }: { readonly procs: number; readonly nodeCount: number },
) {
  const isAsked = eachBytes !== null && eachBytes > 0;
  const isPerProc = isAsked && allBytes === eachBytes * procs && procs !== nodeCount;
  return {
    memoryBytes: allBytes,
    memoryPerNodeBytes: isAsked && !isPerProc ? eachBytes : null,
    memoryPerProcBytes: isPerProc ? eachBytes : null,
  };
}

/** Where GPUs are not counted as TRES, the request counts. */
function gpuCount(row: Row, tres: Readonly<Record<string, number>>, nodeCount: number): number {
  const counted = tres["gres/gpu"];
  if (counted !== undefined) return counted;
  const perJob = sumOf(gpusOf(of(row, "tres-per-job")));
  return perJob > 0 ? perJob : sumOf(gpusOf(of(row, "tres-per-node"))) * nodeCount;
}

/** `3_[1-5,7%2]` are six tasks, two at a time. */
function arrayOf(row: Row) {
  const tasks = saidText(of(row, "ArrayTaskID"));
  if (tasks === null) return { arrayJob: null, arrayTasks: null, count: 1, arrayLimit: null };
  const [list, most] = tasks.split("%");
  const limit = saidNumber(most);
  return {
    arrayJob: saidText(of(row, "ArrayJobID")),
    arrayTasks: tasks,
    count: Math.max(
      1,
      list.split(",").reduce((sum, part) => sum + tasksIn(part), 0),
    ),
    arrayLimit: limit === null || limit === 0 ? null : limit,
  };
}

/** `1-9:2` is 1, 3, 5, 7, 9. */
function tasksIn(part: string): number {
  const match = /^(\d+)-(\d+)(?::(\d+))?$/.exec(part);
  if (match === null) return 1;
  return Math.floor((Number(match[2]) - Number(match[1])) / Math.max(1, Number(match[3] ?? 1))) + 1;
}

/** Size of the cache; when it is full it is emptied. */
const MOST = 4096;

/** The reader, which gives the same value for the same text: it must not be changed by who gets it. */
function remembered<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value !== undefined) return value;
    value = read(text);
    if (known.size >= MOST) known.clear();
    known.set(text, value);
    return value;
  };
}
