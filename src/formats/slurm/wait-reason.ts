/**
 * Slurm's reasons for which a job waits, in terms of any batch system. Source: squeue(1), JOB REASON CODES.
 */
import type { NamedLimit, WaitKind, WaitReason } from "../../model/index.ts";

/** Meanings of each reason, by its beginning; the first match counts. */
const MEANINGS: readonly (readonly [RegExp, readonly WaitKind[]])[] = [
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

/** Beginnings of reasons that concern the job alone. */
const OF_ITS_OWN = [
  ...["Assoc", "BadConstraints", "BeginTime", "Dependency", "InactiveLimit", "Invalid", "JobArrayTaskLimit"],
  ...["JobHeld", "Licenses", "Partition", "QOS", "Reservation", "AccountNotAllowed"],
];

/** Reads one. */
export function waitReason(words: string): WaitReason {
  return {
    kinds: MEANINGS.find(([beginning]) => beginning.test(words))?.[1] ?? [],
    isOwn: OF_ITS_OWN.some((beginning) => words.startsWith(beginning)) || /held/i.test(words),
    heldBy: heldBy(words),
    isNever: /DependencyNeverSatisfied/i.test(words),
    limit: limitIn(words),
  };
}

function heldBy(words: string): WaitReason["heldBy"] {
  if (/JobHeldUser/i.test(words)) return "user";
  if (/JobHeldAdmin/i.test(words)) return "admin";
  return /held/i.test(words) ? "system" : null;
}

function limitIn(words: string): NamedLimit | null {
  const holder = /^(QOS|Assoc)(?:Max|Grp)/.exec(words)?.[1];
  if (holder === undefined) return null;
  return { holder: holder === "QOS" ? "qos" : "association", scope: scopeIn(words), what: whatIn(words) };
}

function scopeIn(words: string): NamedLimit["scope"] {
  if (words.includes("Grp")) return "group";
  if (/PerUser|MaxJobs/.test(words)) return "user";
  return /PerAccount/.test(words) ? "account" : "job";
}

/** `GRES` may be any device; it is nearly always GPUs, but not certainly, so it stays open. */
const COUNTED: readonly (readonly [RegExp, string | null])[] = [
  [/Jobs/, "jobs"],
  [/Wall/, "wall"],
  [/Cpu/i, "cpu"],
  [/Mem/i, "mem"],
  [/Node/i, "node"],
  [/Billing/i, "billing"],
  [/GRES/i, null],
];

function whatIn(words: string): string | null {
  return COUNTED.find(([said]) => said.test(words))?.[1] ?? null;
}
