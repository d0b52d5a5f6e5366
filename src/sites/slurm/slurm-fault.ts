/**
 * Meaning of a failed Slurm command, from its text: exit codes say little (1, 8, 210, 239, 255 for the same
 * failure).
 *
 * Seen with Slurm 22.05; the texts are those of slurm_errno.c, which have been stable for years. An unknown
 * text means that the outcome is unknown, never that nothing happened.
 */
import { Fault, type FaultKind } from "../../base/index.ts";
import type { CommandResult } from "./run-command.ts";

/** Kinds of failure, as far as they need different reactions. */
export type Trouble =
  | "unreachable"
  | "hung"
  | "commandMissing"
  | "credentials"
  | "unknownJob"
  | "notOwner"
  | "jobOver"
  | "notApplicable"
  | "unknownAccount"
  | "unknownReservation"
  | "reservationInUse"
  | "reservationConflict"
  | "noCores"
  | "invalidRequest"
  | "other";

/** Patterns of Slurm's texts; the first match counts. */
const PATTERNS: readonly (readonly [Trouble, RegExp])[] = [
  ["credentials", /Munge encode failed|Protocol authentication|Zero Bytes were/i],
  ["credentials", /Permission denied \(|Host key verification/i],
  [
    "commandMissing",
    /command not found|exec: \S+: not found|No such file or directory.*\b(squeue|sbatch|scontrol|env)\b/i,
  ],
  ["hung", /Socket timed out|timed out during banner/i],
  ["unreachable", /Unable to contact|Unexpected message received|can't be reached/i],
  ["unreachable", /Connection (refused|timed out|closed|reset)|Could not resolve|No route to host/i],
  ["unreachable", /Unable to process configuration|configuration source/i],
  ["unknownJob", /Invalid job id|Unable to find job|job not found/i],
  ["jobOver", /already finished|already completing|has finished/i],
  ["unknownReservation", /Requested reservation is invalid/i],
  ["reservationInUse", /Requested reservation is in use/i],
  ["reservationConflict", /Requested nodes are busy|overlaps with another reservation/i],
  ["reservationConflict", /the reservation: (Requested node configuration|Invalid time)/i],
  ["noCores", /CoreCnt|reservation: (Requested operation (is )?not supported|CPU count)/i],
  ["unknownAccount", /Invalid account|Invalid qos|account\/partition combination/i],
  ["notOwner", /priority are not persistent/i],
  ["notOwner", /Access\/permission denied|Invalid user id/i],
  ["notApplicable", /Job is pending execution|not running|not yet (begun|started)/i],
  ["notApplicable", /(not|already) suspended|currently (disabled|suspended)|can not be altered/i],
  ["invalidRequest", /Batch job submission failed|Invalid .* specification|Job violates|limit/i],
  ["invalidRequest", /Invalid (partition|feature|license|node name)|node configuration is not available/i],
  ["invalidRequest", /unrecognized option|invalid option/i],
];

/** Failure of a result; undefined if the command succeeded. */
export function troubleOf(result: CommandResult): Trouble | undefined {
  if (result.isTimedOut) return "hung";
  if (result.notStarted !== null) return "commandMissing";
  if (result.code === 0) return undefined;
  if (isConnectionLost(result)) return "unreachable";
  return PATTERNS.find(([, sign]) => sign.test(result.stderr))?.[0] ?? "other";
}

/** True if ssh ended without a message, as after a broken connection. */
function isConnectionLost({ code, stderr }: CommandResult): boolean {
  return code === 255 && stderr.trim() === "";
}

interface Meaning {
  readonly kind: FaultKind;
  readonly code: string;
  readonly remedy: string;
}

const MEANINGS: Readonly<Record<Trouble, Meaning>> = {
  unreachable: {
    kind: "unreachable",
    code: "siteUnreachable",
    remedy: "check that its controller is running (scontrol ping); nothing is submitted twice",
  },
  hung: {
    kind: "unreachable",
    code: "siteHung",
    remedy: "check whether its controller is overloaded or stopped (scontrol ping, sdiag)",
  },
  commandMissing: {
    kind: "unreachable",
    code: "siteCommandMissing",
    remedy: "install Slurm's client commands on that machine, or name a login node with sshHost",
  },
  credentials: {
    kind: "unreachable",
    code: "siteCredentials",
    remedy:
      "check that munge runs there with the cluster's key, and that ssh logs this user in without a prompt " +
      "(else log in once for the broker: stint site connect)",
  },
  unknownJob: { kind: "notFound", code: "siteJobUnknown", remedy: "look for it with stint status" },
  notOwner: {
    kind: "notAllowed",
    code: "siteNotAllowed",
    remedy: "ask the cluster's administrators for that right (operator), or have the owner do it",
  },
  jobOver: { kind: "refused", code: "siteJobOver", remedy: "nothing remains to be done" },
  notApplicable: { kind: "refused", code: "siteNotApplicable", remedy: "look up the job's state" },
  unknownAccount: {
    kind: "refused",
    code: "siteAccountUnknown",
    remedy: "name an account and QOS of yours (sacctmgr show assoc user=$USER) in the site's settings",
  },
  unknownReservation: {
    kind: "refused",
    code: "reservationUnknown",
    remedy: "check the reservations there (scontrol show reservation); it may have ended",
  },
  reservationInUse: {
    kind: "unreachable",
    code: "siteReservationInUse",
    remedy: "check which jobs use it (squeue --reservation=NAME), and try again when they have ended",
  },
  reservationConflict: {
    kind: "refused",
    code: "reservationConflict",
    remedy: "request a new quote: it shows what is free now",
  },
  noCores: {
    kind: "refused",
    code: "siteMayNotReserve",
    remedy: "with SelectType=select/cons_tres Slurm can reserve processors",
  },
  invalidRequest: {
    kind: "refused",
    code: "siteRefused",
    remedy: "request what one of its partitions can provide",
  },
  other: { kind: "unreachable", code: "siteFailed", remedy: "check the command's output, then try again" },
};

/** Fault of a failed command, with the operation and Slurm's message. */
export function slurmFault(what: string, result: CommandResult): Fault {
  // Of one that ended well and yet did not do its work the words count all the same.
  const { kind, code, remedy } = MEANINGS[troubleOf({ ...result, code: result.code || 1 }) ?? "other"];
  return new Fault({ kind, code, what, why: complaintOf(result), remedy });
}

/** First line of the message without the command's name. */
function complaintOf(result: CommandResult): string {
  const { stderr, isTimedOut, notStarted, code } = result;
  if (isTimedOut) return "it did not answer in time";
  if (notStarted !== null) return `the command could not be started (${notStarted})`;
  if (isConnectionLost(result)) return "the connection to it was lost";
  const lines = stderr.split("\n").map((line) => line.replace(/^\w+: (error: |fatal: )?/, "").trim());
  const line = lines.findLast((it) => it !== "") ?? `the command ended with ${code}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a cluster prints must not move a terminal
  return line.replace(/[\u0000-\u001f\u007f]/g, " ").slice(0, 300);
}
