/** Records of jobs at a batch system behind a program, and how its jobs are shown in a survey. */
import type { SurveyedEnd, SurveyedJob } from "../../engine/index.ts";
import type { AdapterJob } from "./protocol.ts";

/** A job that was submitted here. */
export interface ExecJob {
  /** Key, by which the program and the broker name it. */
  readonly token: string;
  readonly attempt: string;
  readonly name: string;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly limitMs: number;
  readonly queue: string | null;
  readonly submittedAtMs: number;
  readonly state: "held" | "sent" | "ended";
  /** The batch system's id; null before the program gave one. */
  readonly job: string | null;
  readonly startedAtMs: number | null;
  readonly isSuspended: boolean;
  readonly isCancelled: boolean;
  readonly end: SurveyedEnd | null;
  readonly isAcknowledged: boolean;
}

/** A job of the broker's, with what the program lists of it. */
export function shownJob(job: ExecJob, listed: AdapterJob | undefined): SurveyedJob {
  const {
    token: siteJob,
    attempt: token,
    procs,
    memoryBytes,
    gpus,
    limitMs,
    submittedAtMs,
    startedAtMs,
  } = job;
  const state = job.state === "held" ? "held" : (listed?.state ?? "unknown");
  const isWaiting = state === "waiting" || state === "held";
  return {
    ...{ siteJob, token, procs, memoryBytes, limitMs, submittedAtMs, startedAtMs },
    ...(gpus === 0 ? {} : { gpus }),
    state: job.isSuspended && state === "running" ? "suspended" : state,
    reason: isWaiting ? (listed?.reason ?? (state === "held" ? "held" : "in the queue")) : null,
  };
}

/** A job that the broker did not submit. */
export function othersJob(one: AdapterJob, atMs: number): SurveyedJob {
  const { job: siteJob, procs, memoryBytes, limitMs, startedAtMs, state, reason, user } = one;
  const submittedAtMs = one.submittedAtMs ?? startedAtMs ?? atMs;
  return {
    siteJob,
    token: null,
    procs,
    memoryBytes,
    limitMs,
    submittedAtMs,
    startedAtMs,
    state,
    reason,
    user,
  };
}
