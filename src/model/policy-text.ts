/** Actions of an enforcer with their causes, in words. */
import { unreachable } from "../base/index.ts";
import type { EnforcementAction, EnforcementCause, EnforcementVerb } from "./policy.ts";

const VERBS: Readonly<Record<EnforcementVerb, string>> = {
  release: "let go",
  hold: "hold",
  raise: "raise",
  lower: "lower",
  requeue: "requeue",
  suspend: "suspend",
  resume: "resume",
};

/** `suspend 17, to make room for 18 of vo0, which is within its share`. */
export function enforcementActionText(
  { verb, job, cause }: EnforcementAction,
  formatInstant: (atMs: number) => string,
): string {
  return `${VERBS[verb]} ${job}: ${enforcementCauseText(cause, formatInstant)}`;
}

/** Why an enforcer does something, or has not let a job go yet. */
export function enforcementCauseText(
  cause: EnforcementCause,
  formatInstant: (atMs: number) => string,
): string {
  switch (cause.kind) {
    case "idleSite":
      return "nothing else is in use";
    case "freeCapacity":
      return "it fits into what is free";
    case "contention":
      return "room was made for it: its consumer is within its share";
    case "roomFor":
      return `to make room for ${cause.job} of ${cause.consumer}, which is within its share`;
    case "epochUsed": {
      const until = cause.untilMs === null ? "" : `, until ${formatInstant(cause.untilMs)} at the earliest`;
      return `${cause.consumer} has used its share of the epoch${until}`;
    }
    case "withinAgain":
      return `${cause.consumer} is within its share again`;
    case "burst":
      return `with it ${cause.consumer} would be over its burst limit`;
    case "siteRefused":
      return `the site refused: ${cause.why}`;
    case "notEnforced":
      return "nothing is enforced there now";
    case "undone":
      return `${cause.by} undid what was done to it, and from now on it is left alone`;
    case "notYet":
      return cause.for === null
        ? "others have been served less and come first"
        : `room is kept for ${cause.for}, which needs more than is free`;
    default:
      return unreachable(cause);
  }
}
