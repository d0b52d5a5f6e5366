/** The details of one job for people, and texts of jobs that several commands show. */
import type { ArrayView, DagView, JobView } from "../api/client/index.ts";
import { formatDuration, formatSize, lengthText, sizeText, suText } from "../base/index.ts";
import { DAG_NODE_STATES, RUN_STATES } from "../model/index.ts";
import { datedText } from "./instant-text.ts";
import { printable } from "./text-table.ts";

/** Subject of an id. */
export type JobOrArray = JobView | ArrayView | DagView;

/** True for an array. */
export function isArray(item: JobOrArray): item is ArrayView {
  return "size" in item && !isDag(item);
}

/** True for a DAG. */
export function isDag(item: JobOrArray): item is DagView {
  return "dag" in item;
}

/** Details of one job, a line each; empty fields are omitted. */
export function jobDetails(job: JobView, nowMs: number): string {
  const tags = Object.entries(job.userTags).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  const lines: readonly (readonly [string, string | null])[] = [
    ["job", job.id],
    ["node", job.node === undefined ? null : `${job.node.name} of ${job.node.dag}`],
    ["name", job.name],
    ["state", stateText(job)],
    ["reason", job.reason],
    ["command", commandText(job)],
    ["before it", job.prologue ?? null],
    ["after it", job.epilogue ?? null],
    [
      "signal",
      job.signalBefore === undefined ? null : `${job.signalBefore.replace("@", ", ")} s before its limit`,
    ],
    ["input", job.stdInput],
    ["directory", job.workingDirectory],
    ["site", job.site],
    ["queue", job.queue ?? null],
    ["reservation", job.reservation],
    ["goes there", job.virtual === null || job.attempt > 0 ? null : datedText(job.virtual.submitAt, nowMs)],
    ["begins", job.virtual === null ? null : datedText(job.virtual.startAt, nowMs)],
    ["idles", job.virtual === null || job.startedAt === null ? null : suText(job.virtual.idleProcMs)],
    ["replicas", replicasText(job)],
    ["site's id", job.siteJob],
    ...(job.pilot === undefined ? [] : [["pilot", job.pilot] as const]),
    ["attempt", job.attempt > 1 ? String(job.attempt) : null],
    ["procs", String(job.procs)],
    ["memory", job.memoryBytes === null ? null : formatSize(job.memoryBytes)],
    ["gpus", gpusText(job)],
    ["delay cost", job.delayCostSuPerHour === null ? null : `${job.delayCostSuPerHour} SU an hour`],
    ["time limit", job.wallTimeSec === null ? null : formatDuration(Math.round(job.wallTimeSec * 1000))],
    ["requested", pendingText(job)],
    ["tried with", largerNote(job)],
    ["requires", job.requirements ?? null],
    ["application", job.applications?.join(", ") ?? null],
    ["input data", job.inputData?.join(", ") ?? null],
    ["output store", job.outputSE ?? null],
    ["output data", job.outputData?.map(({ file, name }) => name ?? file).join(", ") ?? null],
    ["rank", job.rank ?? null],
    ["expires", job.expiryTime === undefined ? null : datedText(job.expiryTime, nowMs)],
    ["consumer", job.consumer],
    ["owner", job.owner],
    ["after", job.after.length === 0 ? null : job.after.join(", ")],
    ["tags", tags.length === 0 ? null : tags.join(", ")],
    ["submitted", datedText(job.submittedAt, nowMs)],
    ["started", job.startedAt === null ? null : datedText(job.startedAt, nowMs)],
    ["ended", job.endedAt === null ? null : datedText(job.endedAt, nowMs)],
    ["ran", job.startedAt === null ? null : runTimeText(job, nowMs)],
    ["cpu time", job.cpuSec === null ? null : lengthText(job.cpuSec)],
    [
      "failed in",
      job.failedStage === undefined || job.failedStage === "program" ? null : `its ${job.failedStage}`,
    ],
    ["peak memory", job.peakMemoryBytes === undefined ? null : sizeText(job.peakMemoryBytes)],
    ["read", job.readBytes ? sizeText(job.readBytes) : null],
    ["written", job.writtenBytes ? sizeText(job.writtenBytes) : null],
  ];
  const said = lines.flatMap(([name, value]) =>
    value === null ? [] : `${name.padEnd(12)}${printable(value)}\n`,
  );
  return said.join("");
}

const REPLICA_TEXTS = { WAITING: "waiting", GRANTED: "granted", NOT_BEGUN: "not begun" } as const;

/** Replicas of the latest attempt: `waiting at west; not begun at east`. */
function replicasText({ replicaStates = [] }: JobView): string | null {
  if (replicaStates.length === 0) return null;
  const lastAt = replicaStates[replicaStates.length - 1].queuedAt;
  const latest = replicaStates.filter(({ queuedAt }) => queuedAt === lastAt);
  return latest.map(({ site, state }) => `${REPLICA_TEXTS[state]} at ${site}`).join("; ");
}

/** Change that is not in effect yet: `4 procs, time limit 2h, once far has removed it from its queue`. */
function pendingText({ pendingChange, site }: JobView): string | null {
  if (pendingChange === undefined) return null;
  const { procs, memoryBytes, wallTimeSec, site: to } = pendingChange;
  const words = [
    ...(procs === undefined ? [] : [`${procs} procs`]),
    ...(memoryBytes === undefined ? [] : [`memory ${formatSize(memoryBytes)}`]),
    ...(wallTimeSec === undefined ? [] : [`time limit ${formatDuration(Math.round(wallTimeSec * 1000))}`]),
    ...(to === undefined ? [] : [to === null ? "any site" : `site ${to}`]),
  ];
  return `${words.join(", ")}, once ${site} has removed the job from its queue`;
}

/** Amounts that were too small: `memory 4G, 8G`. */
function largerNote({ larger = [] }: JobView): string | null {
  const of = (what: "memory" | "time") =>
    larger
      .filter((it) => it.of === what)
      .map(({ from }) => {
        if (from === null) return "what the site gives";
        return what === "memory" ? formatSize(from) : formatDuration(Math.round(from * 1000));
      });
  const [memory, time] = [of("memory"), of("time")];
  const parts = [
    ...(memory.length === 0 ? [] : [`memory ${memory.join(", ")}`]),
    ...(time.length === 0 ? [] : [`time limit ${time.join(", ")}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

/** State of a job, and how it ended: `DONE (exit 3)`, `DONE (time limit)`. */
export function stateText(job: JobView): string {
  const { state, endState = state } = job;
  if (endState === "DONE") return `${state} (${doneText(job)})`;
  return endState === state ? state : `${state} (${endState})`;
}

function doneText({ result, timeLimit, signal, exitCode }: JobView): string {
  if (result === "ok" || result === "imitated") return result;
  if (timeLimit) return "time limit";
  return signal ?? `exit ${exitCode ?? "unknown"}`;
}

/** Jobs of an array by state: `RUNNING 50, WAITING 900, DONE 50 (2 failed)`. */
export function statesText({ states, failed }: Pick<ArrayView, "states" | "failed">): string {
  const some = RUN_STATES.filter((state) => states[state] > 0).map((state) => {
    const also = state === "DONE" && failed > 0 ? ` (${failed} failed)` : "";
    return `${state} ${states[state]}${also}`;
  });
  return some.length === 0 ? "no jobs yet" : some.join(", ");
}

/** State of a DAG, with its nodes by state while it is not over: `RUNNING (RUNNING 2, DONE 5)`. */
export function dagStateText({ state, result, states }: DagView): string {
  const some = DAG_NODE_STATES.filter((word) => states[word] > 0).map((word) => `${word} ${states[word]}`);
  if (state === "DONE" && result === "ok") return "DONE (ok)";
  return `${state} (${some.join(", ")})`;
}

/** Command of a job; words with blanks, and empty ones, are quoted. */
export function commandText({
  executable,
  arguments: words,
}: Pick<JobView, "executable" | "arguments">): string {
  return [executable, ...words].map((word) => (/^[^\s'"]+$/.test(word) ? word : quoted(word))).join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Run time without suspended time. */
export function runTimeText({ startedAt, ranSec, runningSince }: JobView, nowMs: number): string {
  if (startedAt === null) return "-";
  const underWayMs = runningSince === null ? 0 : Math.max(0, nowMs - Date.parse(runningSince));
  return lengthText(ranSec + underWayMs / 1000);
}

/** `2 (0, 1)`: with their numbers at a managed site; null for none. */
function gpusText({ gpus, gpuDevices }: JobView): string | null {
  if (gpus === null || gpus === 0) return null;
  return gpuDevices === null ? `${gpus}` : `${gpus} (${gpuDevices.join(", ")})`;
}
