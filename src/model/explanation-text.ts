/**
 * An explanation in words: where a job is, every cause, when it would start, what would help.
 */
import { counted, formatDuration, sizeText, some, unreachable } from "../base/index.ts";
import { enforcementObstacleText } from "./enforcement-obstacle.ts";
import type {
  DescriptionChange,
  Explanation,
  HelpfulChange,
  MissingRight,
  VoTurn,
  WaitCause,
} from "./explanation.ts";
import { policyNeverText } from "./policy-denial.ts";
import { enforcementCauseText } from "./policy-text.ts";
import { featureCauseText } from "./register.ts";
import { storeFullText } from "./stored-files-text.ts";

/**
 * The explanation as lines to print, one fact each.
 *
 * @param formatInstant writes a Unix time in ms as its reader wants it
 */
export function explanationText(explanation: Explanation, formatInstant: (atMs: number) => string): string[] {
  const { job, state, causes, predictedStartAtMs, helpfulChanges } = explanation;
  const lines = [`job ${job} is ${state}`, ...causes.map((cause) => causeText(cause, formatInstant))];
  if (predictedStartAtMs !== null) {
    const when = formatInstant(predictedStartAtMs);
    lines.push(`it would start by ${when} if every job ran to its time limit and no other job arrived`);
  }
  return [...lines, ...helpfulChanges.map(changeText)];
}

/** Sites without their reservation so far, of the job's own and of its co-reservation. */
function awaitedText(awaited: readonly string[], own: string): string {
  const others = awaited.filter((site) => site !== own);
  const there = others.length === 0 ? "" : `, and for its reservation at ${others.join(", ")}`;
  return `${awaited.includes(own) ? `, which ${own} has not created yet` : ""}${there}`;
}

function causeText(cause: WaitCause, formatInstant: (atMs: number) => string): string {
  switch (cause.kind) {
    case "placing":
      return "it has just been accepted; a site is being chosen";
    case "tooSmall":
      return `${some(cause.sites)} ${cause.sites.length === 1 ? "is" : "are"} too small for it`;
    case "held":
      return "it is held: `stint release` releases it";
    case "suspended":
      return "it is suspended: `stint resume` resumes it";
    case "starting":
      return `it is starting at ${cause.site}`;
    case "running":
      return `it runs at ${cause.site}`;
    case "virtualPlanned":
      return (
        `it will be submitted to ${cause.site} at ${formatInstant(cause.submitMs)}, ` +
        `to run from ${formatInstant(cause.startMs)} on`
      );
    case "virtualIdle":
      return `its processors at ${cause.site} are allocated; it begins at ${formatInstant(cause.startMs)}`;
    case "over":
      return "it has ended";
    case "noSiteOpen":
    case "handingOver":
    case "siteTurn":
    case "siteTrouble":
    case "siteSays":
      return siteCauseText(cause);
    case "reservationTurn": {
      const when = formatInstant(cause.startMs);
      const awaited = awaitedText(cause.awaited, cause.site);
      return `it waits for reservation ${cause.reservation} at ${cause.site}, from ${when}${awaited}`;
    }
    case "policy":
      return `the usage policies of ${cause.site}: ${enforcementCauseText(cause.cause, formatInstant)}`;
    case "cannotEnforce": {
      const why = enforcementObstacleText(cause.obstacle, formatInstant);
      return `the enforcer of ${cause.site} cannot act: ${why}`;
    }
    case "voTurn":
      return voTurnText(cause);
    case "policyNever":
      return policyNeverText(cause.denials);
    case "storeFull":
      return storeFullText(cause.limits, formatInstant);
    case "procsReserved":
      return `${counted(cause.procs, "processor")} of ${cause.site} are reserved now`;
    case "procsBusy":
      return `it needs ${counted(cause.needed, "processor")}; ${cause.site} has ${cause.free} free`;
    case "memoryBusy":
      return (
        `it needs ${sizeText(cause.neededBytes)} of memory; ` +
        `${cause.site} has ${sizeText(cause.freeBytes)} free`
      );
    case "gpusBusy":
      return `it needs ${counted(cause.needed, "GPU")}; ${cause.site} has ${cause.free} free`;
    case "jobsAhead":
      return (
        `${counted(cause.jobs, "job")} ${cause.jobs === 1 ? "is" : "are"} before it in the queue of ` +
        `${cause.site}, with ${counted(cause.procs, "processor")} in all`
      );
    default:
      return featureCauseText(cause, formatInstant);
  }
}

function voTurnText(turn: VoTurn): string {
  const { group, because, needed, inUse, epoch, burst, extra, allocation, inUseByAll, jobsAhead } = turn;
  const [vo] = group.split("/", 1);
  const most = counted(burst + extra, "processor");
  if (because === "tooWide") {
    return `${vo} cannot release it to any site: it needs ${needed}, and the limit of ${group} is ${most}`;
  }
  const ahead = jobsAhead === 0 ? "" : `; ${counted(jobsAhead, "job")} of ${group} before it`;
  const all = counted(allocation, "processor");
  const stands = `${group} uses ${inUse} of ${all}; its share is ${epoch}`;
  switch (because) {
    case "burst":
      return (
        `${vo} has not released it yet: with it ${group} would exceed its burst ` +
        `limit of ${burst}; ${stands}${ahead}`
      );
    case "share":
      return `${vo} has not released it yet: its groups use ${inUseByAll} in total; ${stands}${ahead}`;
    case "order":
      return `${vo} has not released it yet: other jobs come first; ${stands}${ahead}`;
  }
}

function siteCauseText(
  cause: Extract<WaitCause, { kind: "noSiteOpen" | "handingOver" | "siteTurn" | "siteTrouble" | "siteSays" }>,
): string {
  switch (cause.kind) {
    case "noSiteOpen": {
      const draining = cause.draining.map((site) => `${site} is draining`);
      const away = cause.away.map((site) => `${site} cannot be reached`);
      const readOnly = cause.readOnly.map((site) => `${site} is read-only`);
      const imitating = (cause.imitating ?? []).map(
        (site) => `${site} only simulates jobs, and takes only jobs that name it`,
      );
      const reasons = [...draining, ...away, ...readOnly, ...imitating];
      if (reasons.length === 0) return "no site remains that it may use";
      return `no site that it may use accepts new jobs now: ${reasons.join(", ")}`;
    }
    case "handingOver":
      return `it is being submitted to the queue of ${cause.site}`;
    case "siteTurn":
      return (
        `it is in the queue of ${cause.site}, which has enough free resources and ` +
        "starts it at its next scheduling cycle"
      );
    case "siteTrouble":
      return `${cause.site} has a problem: ${cause.trouble}`;
    case "siteSays":
      return `the batch system of ${cause.site} reports that it waits for: ${cause.words}`;
    default:
      return unreachable(cause);
  }
}

function changeText(change: HelpfulChange): string {
  switch (change.kind) {
    case "fewerProcs":
      return `with ${counted(change.procs, "processor")} it would start now`;
    case "shorterLimit":
      return `with a time limit of ${formatDuration(change.wallTimeMs)} it would start now`;
    case "fewerProcsAndShorterLimit": {
      const limit = formatDuration(change.wallTimeMs);
      return `with ${counted(change.procs, "processor")} and a time limit of ${limit} it would start now`;
    }
    case "placeable":
      return `with ${some(change.changes.map(attributeText))} it could be placed at ${placesText(change)}`;
    case "granted":
      return (
        `with ${some(change.rights.map(rightText))} it could be placed at ${some(change.sites)} ` +
        `(${counted(change.sites.length, "site")}); their administrators grant that`
      );
    default:
      return unreachable(change);
  }
}

function placesText({ sites, queue }: Extract<HelpfulChange, { kind: "placeable" }>): string {
  return some(sites.map((site) => (site === queue?.site ? `${site} (queue ${queue.queue})` : site)));
}

function rightText({ kind, consumer }: MissingRight): string {
  switch (kind) {
    case "share":
      return `a share of ${consumer} in the usage policies`;
    case "account":
      return `a local account for ${consumer} in the identity rules`;
    case "noBan":
      return `${consumer} removed from the ban list`;
    default:
      return unreachable(kind);
  }
}

function attributeText(change: DescriptionChange): string {
  switch (change.kind) {
    case "procs":
      return counted(change.procs, "processor");
    case "memory":
      return `${sizeText(change.memoryBytes)} of memory`;
    case "gpus":
      return change.gpus === 0 ? "no GPUs" : counted(change.gpus, "GPU");
    case "wallTime":
      return `a time limit of ${formatDuration(change.wallTimeMs)}`;
    case "anySite":
      return "no site named";
    case "protocols":
      return `dataAccessProtocol ${some(change.protocols)}`;
    case "store":
      return `the store ${change.store} for its output`;
    case "requirements":
      return `other requirements (${change.difference})`;
    default:
      return unreachable(change);
  }
}
