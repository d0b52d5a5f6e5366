/**
 * Limits of QOS and associations in words.
 */
import { counted, formatDuration, sizeText, unreachable } from "../../base/index.ts";
import type { Blocker } from "./blocker.ts";

/** The sentence for a limit that is reached, or for a minimum that is not. */
export function limitText(blocker: Extract<Blocker, { kind: "limit" | "minimum" }>): string {
  if (blocker.kind === "minimum") {
    const { qos, what, minimum, wanted } = blocker;
    return `QOS ${qos} asks for at least ${ofWhat(what, minimum)}; it wants ${ofWhat(what, wanted)}`;
  }
  const { holder, name, scope, what, used, limit, wanted, isAlone } = blocker;
  const whose = `${holderText(holder)}${name === null ? "" : ` ${name}`}`;
  if (limit === null || wanted === null || what === null) {
    return `a limit of ${whose} for ${scopeText(scope)} is reached; its numbers are not shown`;
  }
  const allowed = `${whose} allows ${scopeText(scope)} ${ofWhat(what, limit)}`;
  if (isAlone || used === null) return `${allowed}; it wants ${ofWhat(what, wanted)}`;
  return `${allowed}; ${ofWhat(what, used)} in use, it wants ${ofWhat(what, wanted)} more`;
}

function holderText(holder: Extract<Blocker, { kind: "limit" }>["holder"]): string {
  switch (holder) {
    case "qos":
      return "QOS";
    case "partitionQos":
      return "the partition's QOS";
    case "association":
      return "the Slurm account";
    case null:
      return "the batch system";
    default:
      return unreachable(holder);
  }
}

function scopeText(scope: Extract<Blocker, { kind: "limit" }>["scope"]): string {
  switch (scope) {
    case "job":
      return "a job";
    case "user":
      return "a user";
    case "account":
      return "an account";
    case "group":
      return "all its jobs together";
    default:
      return unreachable(scope);
  }
}

/** `4 processors`, `2 jobs`, `1h`, `8G of memory`, `3 of gres/gpu:a100`. */
export function ofWhat(what: string, amount: number): string {
  switch (what) {
    case "cpu":
      return counted(amount, "processor");
    case "node":
      return counted(amount, "node");
    case "jobs":
      return counted(amount, "running job");
    case "gres/gpu":
      return counted(amount, "GPU");
    case "mem":
      return `${sizeText(amount)} of memory`;
    case "wall":
      return `a time limit of ${formatDuration(amount)}`;
    default:
      return `${amount} of ${what}`;
  }
}
