/** Actions of an enforcer with their causes, in words. */
import { unreachable } from "../base/index.ts";
import type { EnforcementAction, EnforcementCause, EnforcementVerb } from "./policy.ts";

const VERBS: Readonly<Record<EnforcementVerb, string>> = {
  release: "release",
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

/** Why an enforcer does something, or has not released a job yet. */
export function enforcementCauseText(
  cause: EnforcementCause,
  formatInstant: (atMs: number) => string,
): string {
  switch (cause.kind) {
    case "idleSite":
      return "the rest of the site is idle";
    case "freeCapacity":
      return "there is enough free capacity for it";
    case "contention":
      return "its consumer is within its share, so capacity was freed for it";
    case "roomFor":
      return `to free capacity for ${cause.job} of ${cause.consumer}, which is within its share`;
    case "epochUsed": {
      const until = cause.untilMs === null ? "" : `, until ${formatInstant(cause.untilMs)} at the earliest`;
      return `${cause.consumer} has used its share of the epoch${until}`;
    }
    case "withinAgain":
      return `${cause.consumer} is within its share again`;
    case "burst":
      return `with it ${cause.consumer} would exceed its burst limit`;
    case "siteRefused":
      return `the site refused: ${cause.why}`;
    case "notEnforced":
      return "policies are not enforced there now";
    case "undone":
      return `${cause.by} undid the enforcer's actions on it; it is exempt from now on`;
    case "notYet":
      return cause.for === null
        ? "other consumers have used less of their shares and come first"
        : `free capacity is kept for ${cause.for}, which needs more than is free now`;
    default:
      return unreachable(cause);
  }
}
