/**
 * What concerns usage policies in words: refusals, and what an enforcer does to whom and why.
 */
import { some, unreachable } from "../base/index.ts";
import type { Refusal } from "./command.ts";
import type { EnforcementAction, EnforcementCause, EnforcementVerb } from "./policy.ts";
import type { RefusalText } from "./problem-text.ts";

/** The refusals of this file. */
export type PolicyRefusal = Extract<
  Refusal,
  {
    kind:
      | "policiesChanged"
      | "unknownProvider"
      | "siteOfAnother"
      | "followerOfAnother"
      | "unknownVersion"
      | "unknownFollower"
      | "unknownPeer"
      | "notEnforced"
      | "stoppedByPolicy";
  }
>;

function notUndoneThere(job: string, cluster: string): RefusalText {
  return {
    what: `what the enforcer of ${cluster} did to job ${job} is not undone for it alone`,
    why: "at a cluster it holds, releases and suspends jobs by what the cluster shows at each look",
    remedy: `\`stint pause ${cluster}\` lets go of all jobs; an operator of the cluster may release one`,
  };
}

/** The words for a refusal that concerns policies. */
export function policyRefusalText(refusal: PolicyRefusal): RefusalText {
  switch (refusal.kind) {
    case "policiesChanged":
      return {
        what: "these policies are not applied",
        why: `they were made on version ${refusal.onVersion}, and version ${refusal.isVersion} holds now`,
        remedy: "see what changed with `stint policy show`, and apply them on top of that",
      };
    case "unknownProvider":
      return {
        what: `there is no provider ${refusal.provider} for ${refusal.consumer}`,
        why: `providers are ${some([...refusal.known])}`,
        remedy: "name a site of this broker, or a consumer that another policy gives something",
      };
    case "siteOfAnother":
      return {
        what: `${refusal.site} cannot be a site of this follower`,
        why: `it is one of ${refusal.of}, and policies name sites by their names alone`,
        remedy: "give one of the two another name",
      };
    case "followerOfAnother":
      return {
        what: `there is a follower ${refusal.follower} already`,
        why: `${refusal.by} speaks for it`,
        remedy: "take another name, or have an admin forget that one",
      };
    case "unknownVersion":
      return {
        what: `there is no version ${refusal.version} of the policies`,
        why: `the last one is ${refusal.last}`,
        remedy: "take over the policies as they are here (`stint policy show`)",
      };
    case "unknownFollower":
      return {
        what: `nobody of the name ${refusal.follower} follows the policies`,
        why: refusal.known.length === 0 ? "nobody does" : `those that do are ${some([...refusal.known])}`,
        remedy: "see `stint policy show`",
      };
    case "unknownPeer":
      return {
        what: `nothing was heard of a broker of the name ${refusal.peer}`,
        why:
          refusal.known.length === 0 ? "nor of any other" : `those heard of are ${some([...refusal.known])}`,
        remedy: "see `stint peer list`",
      };
    case "notEnforced":
      if (refusal.cluster !== undefined) return notUndoneThere(refusal.job, refusal.cluster);
      return {
        what: `nothing is to be undone for job ${refusal.job}`,
        why: refusal.isOver ? "it is over" : "no enforcer has done anything to it",
        remedy: "see `stint policy actions` for what was done",
      };
    case "stoppedByPolicy":
      return {
        what: `job ${refusal.job} cannot be resumed by hand`,
        why: `the enforcer of ${refusal.site ?? "its site"} suspended it, to keep the usage policies`,
        remedy: `it resumes when its consumer may; \`stint why ${refusal.job}\` says more`,
      };
    default:
      return unreachable(refusal);
  }
}

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
