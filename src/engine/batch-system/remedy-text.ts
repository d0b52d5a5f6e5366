/**
 * Remedies in words: what its owner can do, or whom to ask.
 */
import { counted, formatDuration, sizeText, unreachable } from "../../base/index.ts";
import type { Remedy } from "./blocker.ts";
import { ofWhat } from "./limit-text.ts";

/** One remedy; null where there is nothing to do but to wait. */
export function remedyText(remedy: Remedy, formatInstant: (atMs: number) => string): string | null {
  switch (remedy.kind) {
    case "wait":
      return null;
    case "release":
      return "release it";
    case "askAdmin":
      return `ask the cluster's administrators (${remedy.about})`;
    case "beginNow":
      return "set its begin time to now";
    case "waitUntil":
      return `wait until ${formatInstant(remedy.atMs)}`;
    case "waitForJobs":
      return remedy.siteJobs.length === 0 ? null : `wait for ${remedy.siteJobs.join(", ")}`;
    case "dropDependency":
      return "take the dependency away";
    case "cancel":
      return "cancel it";
    case "raiseArrayLimit":
      return `let ${remedy.limit} tasks of the array run at once`;
    case "otherPartition":
    case "otherAccount":
    case "otherQos":
    case "otherFeatures":
    case "otherReservation":
      return otherText(remedy);
    default:
      return amountRemedyText(remedy);
  }
}

type Of<Kind extends Remedy["kind"]> = Extract<Remedy, { kind: Kind }>;

function otherText(
  remedy: Of<"otherPartition" | "otherAccount" | "otherQos" | "otherFeatures" | "otherReservation">,
): string {
  switch (remedy.kind) {
    case "otherPartition":
      return `name another partition: ${remedy.partitions.join(", ")}`;
    case "otherAccount":
      return `use another account${among(remedy.accounts)}`;
    case "otherQos":
      return `use another QOS${among(remedy.qos)}`;
    case "otherFeatures":
      return remedy.known.length === 0 ? "ask for no features" : `ask for others${among(remedy.known)}`;
    case "otherReservation":
      return remedy.names.length === 0
        ? "ask the cluster's administrators for a reservation"
        : `use another reservation, or none${among(remedy.names)}`;
    default:
      return unreachable(remedy);
  }
}

function among(names: readonly string[] | null): string {
  return names === null || names.length === 0 ? "" : `: ${names.join(", ")}`;
}

function amountRemedyText(
  remedy: Of<"limitAtMost" | "nodesAtMost" | "nodesAtLeast" | "askAtMost" | "askAtLeast">,
): string {
  switch (remedy.kind) {
    case "limitAtMost":
      return `ask for a time limit of ${formatDuration(remedy.limitMs)} at most`;
    case "nodesAtMost":
      return `ask for ${counted(remedy.nodes, "node")} at most`;
    case "nodesAtLeast":
      return `ask for ${counted(remedy.nodes, "node")} at least`;
    case "askAtLeast":
      return `ask for at least ${ofWhat(remedy.what, remedy.amount)}`;
    case "askAtMost": {
      if (remedy.what === "memory") return `ask for ${sizeText(remedy.amount)} of memory at most`;
      const noun = { procs: "processor", gpus: "GPU", nodes: "node" } as const;
      return `ask for ${counted(remedy.amount, noun[remedy.what])} at most`;
    }
    default:
      return unreachable(remedy);
  }
}
