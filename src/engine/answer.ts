/**
 * The door for what people ask (rules EN-1, EN-6, EN-7, EN-8, EN-12, EN-13, EN-21, EN-31).
 */
import { accepted, type Result, refused } from "../base/index.ts";
import {
  type Command,
  isForeign,
  type JobDescription,
  type JobRecord,
  type JobState,
  type JobVerb,
  type Refusal,
  type StintEvent,
} from "../model/index.ts";
import { addSite, changeSite, drainOrReopen, removeSite } from "./answer-site.ts";
import { effectiveState } from "./effective-state.ts";
import type { Projection } from "./projection.ts";
import { isLargeEnough } from "./site-state.ts";
import { createToken, revokeToken } from "./tokens.ts";

/** In which states each verb applies. */
export const ALLOWED_IN: Readonly<Record<JobVerb, readonly JobState[]>> = {
  cancel: ["WAITING", "READY", "SCHEDULED", "RUNNING", "HELD", "SUSPENDED"],
  hold: ["WAITING", "READY", "SCHEDULED"],
  release: ["HELD"],
  suspend: ["RUNNING"],
  resume: ["SUSPENDED"],
};

/** Answers a command with the events that carry it out, or with the reason why not. */
export function answer(
  projection: Projection,
  command: Command,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  switch (command.kind) {
    case "addSite":
      return addSite(projection, command, nowMs);
    case "changeSite":
      return changeSite(projection, command, nowMs);
    case "drainSite":
    case "reopenSite":
      return drainOrReopen(projection, command, nowMs);
    case "removeSite":
      return removeSite(projection, command, nowMs);
    case "submit":
      return submit(projection, command, nowMs);
    case "createToken":
      return createToken(projection, command, nowMs);
    case "revokeToken":
      return revokeToken(projection, command, nowMs);
    case "noteDenial":
      return accepted([{ ...command, kind: "requestDenied", atMs: nowMs }]);
    default:
      return verb(projection, command.kind, command.job, nowMs);
  }
}

function submit(
  projection: Projection,
  command: Extract<Command, { kind: "submit" }>,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  const { job, description } = command;
  if (projection.jobs.has(job)) return refused({ kind: "idInUse", id: job });
  const refusal = whyNowhere(projection, description);
  if (refusal !== undefined) return refused(refusal);
  return accepted([{ ...command, kind: "jobAccepted", atMs: nowMs }]);
}

/** Why a job could not run at any site it may use, even if nothing else ran there. */
function whyNowhere({ sites }: Projection, description: JobDescription): Refusal | undefined {
  const { site, cpuNumber, memoryBytes = 0, gpus = 0 } = description;
  if (site !== undefined && !sites.has(site)) return { kind: "unknownSite", site, known: [...sites.keys()] };
  if (sites.size === 0) return { kind: "noSite" };
  if (gpus > 0) return { kind: "gpusNotOffered", gpus };
  const usable = [...sites.values()].filter(({ name }) => site === undefined || name === site);
  if (usable.some((candidate) => isLargeEnough(candidate, description))) return undefined;
  const had = usable.map(({ name, spec }) => ({
    site: name,
    procs: spec.procs,
    memoryBytes: spec.memoryBytes,
  }));
  return { kind: "widerThanAnySite", procs: cpuNumber, memoryBytes, sites: had };
}

function verb(
  { jobs, sites }: Projection,
  kind: JobVerb,
  id: string,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  const job = jobs.get(id);
  if (job === undefined) return refused({ kind: "unknownJob", job: id });
  const state = effectiveState(job);
  const allowedIn = ALLOWED_IN[kind];
  if (!allowedIn.includes(state))
    return refused({ kind: "wrongState", job: id, verb: kind, state, allowedIn });
  if (kind === "cancel" && job.isCancelRequested) return accepted([]);
  const spec = sites.get(job.site ?? "")?.spec;
  const isElsewhere = spec !== undefined && isForeign(spec);
  return accepted([{ kind: eventOf(kind, isElsewhere || hasBegun(job)), job: id, atMs: nowMs }]);
}

/** @param isOutOfHand a site has a say in how it ends */
function eventOf(kind: JobVerb, isOutOfHand: boolean) {
  switch (kind) {
    case "cancel":
      return isOutOfHand ? "cancelRequested" : "jobCancelled";
    case "hold":
      return "jobHeld";
    case "release":
      return "jobReleased";
    case "suspend":
      return "jobSuspended";
    case "resume":
      return "jobResumed";
  }
}

/** Whether the site has, or is about to have, a process of this job. */
function hasBegun(job: JobRecord): boolean {
  return job.startDecidedAtMs !== null || job.startedAtMs !== null;
}
