/**
 * Blockers and remedies in words: one line a blocker, one a remedy; the only writer of them.
 */
import { counted, formatDuration, sizeText, unreachable } from "../../base/index.ts";
import { enforcementCauseText } from "../../model/index.ts";
import type { Blocker, ClusterBlockers, Countable } from "./blocker.ts";
import { limitText } from "./limit-text.ts";
import { remedyText } from "./remedy-text.ts";

/** Writes a Unix time in ms as its reader wants it. */
export type FormatInstant = (atMs: number) => string;

/**
 * The answer as lines to print: where the job is, each blocker with what would help, the system's own
 * word, and what is not known.
 */
export function clusterBlockersText(answer: ClusterBlockers, formatInstant: FormatInstant): string[] {
  const { siteJob, stateText, blockers, system, unknown } = answer;
  const lines = [`job ${siteJob} is ${stateText}`];
  for (const blocker of blockers) {
    lines.push(blockerText(blocker, formatInstant));
    for (const remedy of blocker.remedies) {
      const help = remedyText(remedy, formatInstant);
      if (help !== null) lines.push(`  ${help}`);
    }
  }
  if (system.reason !== null) lines.push(systemText(system.reason, system.agreement));
  return [...lines, ...unknown.map(({ what, why }) => `not known: ${what} (${why})`)];
}

function systemText(reason: string, agreement: ClusterBlockers["system"]["agreement"]): string {
  const said = `the batch system's own reason: ${reason}`;
  return agreement === "different"
    ? `${said}; the snapshot does not show why: it may be older, or the cause hidden`
    : said;
}

/** One blocker in a sentence, without capital and full stop. */
export function blockerText(blocker: Blocker, formatInstant: FormatInstant): string {
  switch (blocker.kind) {
    case "held":
      return heldText(blocker.by);
    case "beginTime":
      return `it is not to start before ${formatInstant(blocker.atMs)}`;
    case "policy":
      return policyText(blocker, formatInstant);
    case "dependency":
      return dependencyText(blocker, formatInstant);
    case "arrayLimit":
      return (
        `${counted(blocker.running, "task")} of its array ${blocker.running === 1 ? "runs" : "run"} ` +
        `and no more than ${blocker.limit} may at once`
      );
    case "licenses":
      return `licences are short: ${blocker.licenses.map(licenseText).join(", ")}`;
    case "limit":
    case "minimum":
      return limitText(blocker);
    case "reservationAsked":
      return askedText(blocker, formatInstant);
    case "priority":
      return priorityText(blocker);
    case "turn":
      return "nothing that is known keeps it from starting: it starts when the batch system looks at it";
    default:
      return placeText(blocker, formatInstant);
  }
}

type Of<Kind extends Blocker["kind"]> = Extract<Blocker, { kind: Kind }>;

function policyText({ cause, untilMs, isStopped }: Of<"policy">, at: FormatInstant): string {
  const until = untilMs === null ? "" : ` until ${at(untilMs)}, and for longer while that is so`;
  const does = isStopped ? "have stopped it" : `hold it${until}`;
  const why = cause === null ? "it is about to be released" : enforcementCauseText(cause, at);
  return `the site's usage policies ${does}: ${why}`;
}

function heldText(by: Of<"held">["by"]): string {
  switch (by) {
    case "user":
      return "it is held by its owner";
    case "admin":
      return "it is held by an administrator";
    case "system":
      return "the batch system holds it, after a start that failed or was taken back";
    case null:
      return "it is held";
    default:
      return unreachable(by);
  }
}

function dependencyText(
  { awaited, isAnyEnough, isNeverMet, words }: Of<"dependency">,
  at: FormatInstant,
): string {
  const parts = awaited.map(({ relation, siteJob, state, expectedEndAtMs, says, isNeverMet: isNever }) => {
    const until = expectedEndAtMs === null ? "" : `, expected to end by ${at(expectedEndAtMs)}`;
    const where = state === null ? "is not in the queue" : `is ${state}${until}`;
    const told = siteJob === null ? relation : `${relation} job ${siteJob}, which ${where}`;
    return isNever ? `${told} and can never be met (${says})` : told;
  });
  const all = parts.length > 0 ? parts.join(isAnyEnough ? " or " : " and ") : words || "another job";
  return isNeverMet ? `it waits for what can never come true: ${all}` : `it waits for ${all}`;
}

function licenseText({ name, wanted, used, total }: Of<"licenses">["licenses"][number]): string {
  if (total === null) return `${name} (wants ${wanted}, ${used} in use by jobs that are shown)`;
  const have = `${used} of ${total} in use`;
  return `${name} (wants ${wanted}, ${wanted > total ? `there are ${total}` : have})`;
}

function askedText({ reservation, problem, startAtMs, endAtMs }: Of<"reservationAsked">, at: FormatInstant) {
  switch (problem) {
    case "unknown":
      return `it asks for the reservation ${reservation}, which does not exist or is hidden`;
    case "notAllowed":
      return `it asks for the reservation ${reservation}, which is for others`;
    case "notStarted":
      return `its reservation ${reservation} begins at ${startAtMs === null ? "later" : at(startAtMs)}`;
    case "over":
      return `its reservation ${reservation} ended at ${endAtMs === null ? "an earlier time" : at(endAtMs)}`;
    default:
      return unreachable(problem);
  }
}

function priorityText({ place, jobs, procs, first, mostlyBy }: Of<"priority">): string {
  const why = mostlyBy === null ? "" : `, most of them by ${mostlyBy}`;
  const names = first.map(({ siteJob, user }) => (user === null ? siteJob : `${siteJob} of ${user}`));
  return (
    `it is number ${place}: ${counted(jobs, "job")} with ${counted(procs, "processor")} ` +
    `${jobs === 1 ? "is" : "are"} before it${why} (${names.join(", ")}${jobs > names.length ? ", …" : ""})`
  );
}

type PlaceBlocker = Of<
  | "partitionUnknown"
  | "partitionClosed"
  | "partitionForbids"
  | "partitionLimit"
  | "reservationAhead"
  | "nodesOut"
  | "featuresUnknown"
  | "neverFits"
  | "busy"
>;

function placeText(blocker: PlaceBlocker, at: FormatInstant): string {
  const { partition } = blocker;
  switch (blocker.kind) {
    case "partitionUnknown":
      return `partition ${partition} does not exist or is hidden`;
    case "partitionClosed":
      return `partition ${partition} is ${blocker.state} and starts no jobs`;
    case "partitionForbids":
      return forbiddenText(blocker);
    case "partitionLimit":
      return partitionLimitText(blocker);
    case "reservationAhead":
      return aheadText(blocker, at);
    case "nodesOut":
      return (
        `${partition} has ${counted(blocker.nodes.length, "node")} that it could use out of service: ` +
        blocker.nodes.map(({ name, reason }) => (reason === null ? name : `${name} (${reason})`)).join(", ")
      );
    case "featuresUnknown":
      return `no node of ${partition} has the features ${blocker.features}`;
    case "neverFits":
      return (
        `it never fits into ${partition}: it wants ${amountText(blocker.what, blocker.wanted)}` +
        `${blocker.isPerNode ? " on one node" : ""}, and the most there is, is ` +
        amountText(blocker.what, blocker.most)
      );
    case "busy":
      return busyText(blocker);
    default:
      return unreachable(blocker);
  }
}

function forbiddenText({ partition, what, name, allowed }: Of<"partitionForbids">): string {
  switch (what) {
    case "account":
    case "qos": {
      const whose = what === "account" ? "the account" : "the QOS";
      const only = allowed === null ? "" : `: only ${allowed.join(", ")}`;
      return `partition ${partition} does not take ${whose} ${name}${only}`;
    }
    case "ordinaryUsers":
      return `partition ${partition} takes jobs of administrators only`;
    case "withoutReservation":
      return `partition ${partition} takes jobs with a reservation only`;
    default:
      return unreachable(what);
  }
}

function partitionLimitText({ partition, what, limit, wanted }: Of<"partitionLimit">): string {
  const told = `the limit of partition ${partition}`;
  switch (what) {
    case "time":
      return `its time limit ${formatDuration(wanted)} is over ${told}, ${formatDuration(limit)}`;
    case "maxNodes":
      return `its ${counted(wanted, "node")} are over ${told}, ${limit}`;
    case "minNodes":
      return `its ${counted(wanted, "node")} are below the least of partition ${partition}, ${limit}`;
    case "procsPerNode":
      return `its ${counted(wanted, "processor")} on one node are over ${told}, ${limit}`;
    case "memoryPerNode":
      return `its ${sizeText(wanted)} of memory on one node are over ${told}, ${sizeText(limit)}`;
    default:
      return unreachable(what);
  }
}

function aheadText(blocker: Of<"reservationAhead">, at: FormatInstant): string {
  const { reservation, isMaintenance, isActive, startAtMs, endAtMs, nodes, limitMs } = blocker;
  const what = `${isMaintenance ? "maintenance" : "the reservation"} ${reservation}`;
  const where = `${counted(nodes.length, "node")} that it could use (${nodes.join(", ")})`;
  if (isActive) return `${what} has ${where} until ${at(endAtMs)}`;
  const limit = limitMs === null ? "without a time limit it" : `its time limit of ${formatDuration(limitMs)}`;
  return `${limit} runs into ${what}, which has ${where} from ${at(startAtMs)}`;
}

function busyText({
  partition,
  what,
  wanted,
  free,
  wantedNodes,
  roomyNodes,
  isFragmented,
}: Of<"busy">): string {
  if (what === "nodes") {
    return isFragmented
      ? `${partition} has enough of everything free, but not together on the same nodes`
      : `it wants ${counted(wanted, "node")}; ${partition} has ${free} with room for it now`;
  }
  const amount = amountText(what, wanted);
  if (!isFragmented) return `it wants ${amount}; ${partition} has ${amountText(what, free)} free`;
  return (
    `it wants ${amount} on ${counted(wantedNodes, "node")}; ${partition} has ` +
    `${amountText(what, free)} free, but scattered: ${counted(roomyNodes, "node")} with room for a part of it`
  );
}

/** An amount with its unit. */
function amountText(what: Countable, amount: number): string {
  switch (what) {
    case "procs":
      return counted(amount, "processor");
    case "gpus":
      return counted(amount, "GPU");
    case "nodes":
      return counted(amount, "node");
    case "memory":
      return `${sizeText(amount)} of memory`;
    default:
      return unreachable(what);
  }
}
