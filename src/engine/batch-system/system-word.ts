/**
 * The system's own reason beside ours: what it means, and whether the two agree.
 *
 * A system names one reason of several, and the one that it last looked at, so a reason of ours that it
 * does not name is no disagreement; one of its that we do not see is. Source: squeue(1), JOB REASON CODES.
 */
import type { Blocker, BlockerKind, LimitScope, SystemWord } from "./blocker.ts";

/** What each reason, by its beginning, may stand for; the first that matches counts. */
const MEANINGS: readonly (readonly [RegExp, readonly BlockerKind[]])[] = [
  [/^JobHeld|held/i, ["held"]],
  [/^BeginTime/i, ["beginTime", "policy"]],
  [/^Dependency/i, ["dependency"]],
  [/^(PartitionDown|PartitionInactive)/i, ["partitionClosed"]],
  [/^(PartitionNodeLimit|PartitionTimeLimit)/i, ["partitionLimit"]],
  [/^PartitionConfig/i, ["neverFits", "partitionLimit", "featuresUnknown"]],
  [/^(AccountNotAllowed|InvalidAccount|QOSNotAllowed|InvalidQOS)/i, ["partitionForbids"]],
  [/^QOSMin/i, ["minimum"]],
  [/^(QOS|Assoc)/i, ["limit", "minimum"]],
  [/^JobArrayTaskLimit/i, ["arrayLimit"]],
  [/^Licenses/i, ["licenses"]],
  [/^Reservation/i, ["reservationAsked"]],
  [/^BadConstraints/i, ["featuresUnknown", "neverFits"]],
  [/^NodeDown/i, ["nodesOut"]],
  [/^Nodes required for job are DOWN/i, ["nodesOut", "reservationAhead", "priority"]],
  [/^ReqNodeNotAvail/i, ["nodesOut", "reservationAhead", "busy"]],
  [/^Resources/i, ["busy", "nodesOut", "reservationAhead"]],
  [/^Priority/i, ["priority"]],
];

/** Its word, compared with what we found. */
export function systemWord(reason: string | null, blockers: readonly Blocker[]): SystemWord {
  if (reason === null) return { reason, agreement: "none" };
  const kinds = MEANINGS.find(([words]) => words.test(reason))?.[1];
  if (kinds === undefined) return { reason, agreement: "unread" };
  const isOurs = blockers.some(({ kind }) => kinds.includes(kind));
  return { reason, agreement: isOurs ? "same" : "different" };
}

/** A limit that only the system knows: whose it is and of what, as far as its reason tells. */
export function limitOnlySaid(reason: string | null, blockers: readonly Blocker[]): readonly Blocker[] {
  const match = /^(QOS|Assoc)(?:Max|Grp)/.exec(reason ?? "");
  if (match === null || reason === null || blockers.some(({ kind }) => kind === "limit")) return [];
  const facts = { name: null, used: null, limit: null, wanted: null, isAlone: false };
  const holder = match[1] === "QOS" ? "qos" : "association";
  const [scope, what] = [scopeIn(reason), whatIn(reason)];
  return [{ kind: "limit", holder, scope, what, ...facts, remedies: [{ kind: "wait" }] }];
}

function scopeIn(reason: string): LimitScope {
  if (reason.includes("Grp")) return "group";
  if (/PerUser|MaxJobs/.test(reason)) return "user";
  return /PerAccount/.test(reason) ? "account" : "job";
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Jobs/, "jobs"],
  [/Wall/, "wall"],
  [/Cpu/i, "cpu"],
  [/Mem/i, "mem"],
  [/Node/i, "node"],
  [/Billing/i, "billing"],
  [/GRES/i, "gres/gpu"],
];

/** `GRES` may be any device; GPUs are what is meant nearly always, but not said, so it stays open. */
function whatIn(reason: string): string | null {
  const found = WORDS.find(([words]) => words.test(reason))?.[1] ?? null;
  return found === "gres/gpu" ? null : found;
}
