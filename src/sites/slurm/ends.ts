/**
 * End of an attempt, from the queue or the accounting and the wrapper's report.
 *
 * The wrapper knows the program's code, signal and times; Slurm knows the cause if it ended the wrapper
 * too.
 */
import { constants } from "node:os";
import type { SurveyedEnd } from "../../engine/index.ts";
import { type EndedJob, stateWord } from "../../formats/slurm/index.ts";
import { type AttemptEnd, JOB_STAGES, type RunFacts } from "../../model/index.ts";

/** Content of a wrapper's report. */
export interface WrapperReport {
  readonly token: string;
  readonly siteJob: string;
  readonly cause: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  /** User and system time of its children in bash's format: `0m1.250s 0m0.010s`. */
  readonly cpu: string;
  /** Noted by jobs with a prologue, an epilogue or a signal before their limit. */
  readonly stage?: string;
  readonly readBytes?: number | null;
  readonly writtenBytes?: number | null;
}

/** Parses reports, one a line; other lines are skipped. */
export function readReports(text: string): readonly WrapperReport[] {
  return text.split("\n").flatMap((line) => {
    try {
      const report: WrapperReport = JSON.parse(line);
      return typeof report.siteJob === "string" ? [report] : [];
    } catch {
      return [];
    }
  });
}

/** End of one of our jobs. */
export function endOfAttempt(token: string, row: EndedJob, report: WrapperReport | undefined): SurveyedEnd {
  const hasFailedToLaunch = report !== undefined && report.cause in LAUNCH_FAILURES;
  return {
    token,
    siteJob: row.siteJob,
    startedAtMs: hasFailedToLaunch ? null : row.startedAtMs,
    endedAtMs: Math.max(report?.endedAtMs ?? row.endedAtMs, row.startedAtMs ?? 0),
    end: {
      ...(report === undefined ? endBySlurm(row) : endByWrapper(row, report)),
      cpuMs: report === undefined || hasFailedToLaunch ? null : cpuMs(report.cpu),
      ...(report === undefined || hasFailedToLaunch ? {} : runFacts(report)),
      ...(row.node === undefined ? {} : { node: row.node }),
    },
  };
}

function runFacts({ stage, readBytes, writtenBytes }: WrapperReport): RunFacts {
  const failedStage = JOB_STAGES.find((name) => name === stage);
  return {
    ...(failedStage === undefined ? {} : { failedStage }),
    ...(Number.isSafeInteger(readBytes) ? { readBytes: Number(readBytes) } : {}),
    ...(Number.isSafeInteger(writtenBytes) ? { writtenBytes: Number(writtenBytes) } : {}),
  };
}

/** A row as Slurm would show it, for a job of which only the report is left. */
export function rowOfReport({ cause, siteJob, startedAtMs, endedAtMs }: WrapperReport): EndedJob {
  const stateText = cause === "cancelled" ? "CANCELLED" : "COMPLETED";
  const times = { submittedAtMs: startedAtMs ?? endedAtMs, startedAtMs, endedAtMs };
  const unmarked = { name: "", comment: null, workDirectory: null };
  return { siteJob, ...unmarked, stateText, reason: null, ...times, exitCode: null, signal: null };
}

/** Resolution of Slurm's instants, in ms. */
const SECOND_MS = 1000;

const LAUNCH_FAILURES: Readonly<Record<string, string>> = {
  begunBefore: "another job of the same attempt had begun before",
  noWorkingDirectory: "its working directory does not exist on the node, or cannot be entered",
  noDirectory: "its directory cannot be reached from the node: the submit directory has to be shared",
  noInputs: "the input files of its array could not be copied into its directory on the node",
  noAccount: "its local account does not exist on the node, or its pilot does not run as root",
  unknownAccount: "its local account does not exist on the node, or is root",
  noSudo:
    "sudo does not permit its pilot to run stint-as as its local account, or sudo or stint-as is missing",
  noAccessLists: "its directory could not be opened to its local account: setfacl is missing, or failed",
  noAccess: "its local account may not enter its working directory or execute its program",
  notOnPath: "its program is not on the PATH of jobs at the site",
  notThere: "its program does not exist at the site",
  notExecutable: "its program is not executable at the site",
};

function endByWrapper(row: EndedJob, report: WrapperReport): AttemptEnd {
  const { exitCode, signal } = report;
  const detail = LAUNCH_FAILURES[report.cause] ?? null;
  if (detail !== null) {
    const none = { exitCode: null, signal: null, cpuMs: null };
    return { cause: "launchFailed", ...none, detail, failedStage: "program" };
  }
  if (report.cause === "requeued") return REQUEUED;
  const taken = wasRequeued(row, report) ? REQUEUED : endCausedBySlurm(row);
  if (taken !== null && isHarmed(row, report)) return taken;
  return { cause: causeOf(row, report), exitCode, signal, cpuMs: null, detail: null };
}

/**
 * True if Slurm's state explains the program's own end: a node may fail after the end, and one of several
 * processes may be killed for memory without harm to the others.
 */
function isHarmed({ stateText }: EndedJob, { cause, exitCode, signal }: WrapperReport): boolean {
  const state = stateWord(stateText);
  if (state === "PREEMPTED") return true;
  if (cause === "timeLimit") return false;
  return signal !== null || cause === "cancelled" || (state === "OUT_OF_MEMORY" && exitCode !== 0);
}

/** True if the report is of an earlier run: the run after a requeue did not begin. */
function wasRequeued({ startedAtMs }: EndedJob, { endedAtMs }: WrapperReport): boolean {
  return startedAtMs !== null && endedAtMs + SECOND_MS < startedAtMs;
}

function causeOf(row: EndedJob, { cause, signal }: WrapperReport): AttemptEnd["cause"] {
  const state = stateWord(row.stateText);
  if (cause === "timeLimit" || state === "TIMEOUT") return "timeLimit";
  if (state === "CANCELLED" || state === "DEADLINE") return "cancelled";
  return signal === null ? "exited" : "signalled";
}

const REQUEUED: AttemptEnd = {
  ...{ cause: "lost", exitCode: null, signal: null, cpuMs: null },
  detail: "the cluster requeued it while it ran, and Stint does not start it twice; submit it again",
};

/** End caused by Slurm (preemption, node failure, memory), with advice; null for other ends. */
function endCausedBySlurm(row: EndedJob): AttemptEnd | null {
  const state = stateWord(row.stateText);
  const detail = TAKEN[state];
  if (detail === undefined) return null;
  const short = state === "OUT_OF_MEMORY" ? ({ shortOf: "memory" } as const) : {};
  return { cause: "lost", exitCode: null, signal: null, cpuMs: null, detail, ...short };
}

const TAKEN: Readonly<Record<string, string>> = {
  PREEMPTED: "it was preempted by a job that goes first there; submit it again, or with another QOS",
  NODE_FAIL: "its node failed while it ran (NODE_FAIL); submit it again",
  BOOT_FAIL: "its node could not be started (BOOT_FAIL); submit it again",
  OUT_OF_MEMORY: "it used more memory than it may, and was killed; submit it again with more memory",
};

/** End from Slurm's state alone, without a report. */
function endBySlurm(row: EndedJob): AttemptEnd {
  const state = stateWord(row.stateText);
  const { exitCode, signal } = codesOf(row);
  const end = { exitCode: null, signal, cpuMs: null, detail: null };
  const taken = endCausedBySlurm(row);
  if (taken !== null) return taken;
  switch (state) {
    case "CANCELLED":
      return { ...end, cause: "cancelled", signal: row.startedAtMs === null ? null : (signal ?? "SIGKILL") };
    case "DEADLINE":
      return { ...end, cause: "cancelled", detail: "it could not end before its deadline" };
    case "TIMEOUT":
      return { ...end, cause: "timeLimit", signal: signal ?? "SIGKILL" };
    case "COMPLETED":
      return { ...end, cause: "exited", exitCode: exitCode ?? 0, signal: null };
    case "FAILED":
      if (row.reason === "JobLaunchFailure" && row.signal !== null) {
        return { ...end, cause: "lost", detail: WRAPPER_GONE };
      }
      if (signal !== null) return { ...end, cause: "signalled" };
      return { ...end, cause: "exited", exitCode: exitCode ?? 1 };
    default:
      return { ...end, cause: "lost", detail: `Slurm says ${state}${because(row.reason)}` };
  }
}

function because(reason: string | null): string {
  return reason === null ? "" : `, for ${reason}`;
}

const WRAPPER_GONE =
  "its wrapper was killed, or could not be started: too much memory, or a directory that is gone";

const LAST_SIGNAL = 64;

/** Exit code or signal: the wrapper exits with its program's code, and 129 to 192 stand for signals. */
function codesOf({ exitCode, signal }: EndedJob) {
  const isSignal = exitCode !== null && exitCode > 128 && exitCode <= 128 + LAST_SIGNAL;
  const number = signal ?? (isSignal ? exitCode - 128 : null);
  return number === null ? { exitCode, signal: null } : { exitCode: null, signal: signalName(number) };
}

/** Name of a signal; real-time signals, whose names differ between systems, as `SIG34`. */
function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? `SIG${number}`;
}

function cpuMs(text: string): number | null {
  const times = [...text.matchAll(/(\d+)m(\d+)[.,](\d{3})s/g)];
  if (times.length !== 2) return null;
  return times.reduce(
    (sum, [, minutes, seconds, ms]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(ms),
    0,
  );
}
