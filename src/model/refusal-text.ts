/**
 * Every "no" of the broker in words: what is so, why, and what to do about it.
 *
 * The one writer of these messages: the API puts them into its answers and the command line prints
 * them, so that a refusal reads the same wherever it is met.
 */
import { counted, nearestWord, sizeText, some, unreachable } from "../base/index.ts";
import type { Refusal } from "./command.ts";
import { policyDeniedText } from "./policy-denial.ts";
import { policyRefusalText } from "./policy-text.ts";
import type { RefusalText } from "./problem-text.ts";
import { type ReservationRefusal, reservationRefusalText } from "./reservation-refusal-text.ts";
import { filesOverQuotaText, jobNotOverText } from "./stored-files-text.ts";
import { ticketRefusalText } from "./ticket-text.ts";

/** The words for a refusal. */
export function refusalText(refusal: Refusal): RefusalText {
  switch (refusal.kind) {
    case "unknownJob":
      return {
        what: `there is no job ${refusal.job}`,
        why: "no job of this broker has an id that begins so",
        remedy: "see `stint list` for the jobs that are there; ids may be abbreviated while unique",
      };
    case "idInUse":
      return {
        what: `the id ${refusal.id} is taken`,
        why: "something else of this broker has it already",
        remedy: "choose another id, or let Stint choose",
      };
    case "unknownSite":
      return unknownSiteText(refusal);
    case "noSite":
      return {
        what: "the job has nowhere to go",
        why: "this broker has no site yet",
        remedy: "add one with `stint site add`, or start the broker with `stint up --this-machine`",
      };
    case "widerThanAnySite":
      return widerText(refusal);
    case "onlyImitated":
      return {
        what: "no site would run the job",
        why: `at ${some(refusal.sites)} jobs only take time, and nothing runs; no other site is large enough`,
        remedy: `name one (--site ${refusal.sites[0]}) to have it imitated, or add a site that runs jobs`,
      };
    case "gpusNotOffered":
      return gpusText(refusal);
    case "policyDenied":
      return policyDeniedText(refusal.consumer, refusal.denials);
    case "filesOverQuota":
      return filesOverQuotaText(refusal.limits);
    case "jobNotOver":
      return jobNotOverText(refusal);
    case "wrongState":
      return wrongStateText(refusal);
    case "siteNameInvalid":
    case "siteTypeFixed":
    case "siteInUse":
    case "siteHasJobs":
    case "siteHasShares":
      return siteText(refusal);
    case "unknownToken":
    case "tokenRevoked":
    case "expiryPast":
    case "consumerInvalid":
    case "siteUnfit":
      return tokenText(refusal);
    case "ticketRefused":
    case "unknownTicketKey":
    case "ticketKeyRevoked":
      return ticketRefusalText(refusal);
    case "policiesChanged":
    case "unknownProvider":
    case "siteOfAnother":
    case "followerOfAnother":
    case "unknownVersion":
    case "unknownFollower":
    case "unknownPeer":
    case "notEnforced":
    case "stoppedByPolicy":
      return policyRefusalText(refusal);
    default:
      return reservationRefusalText(refusal satisfies ReservationRefusal);
  }
}

function gpusText({ gpus }: RefusalOf<"gpusNotOffered">): RefusalText {
  return {
    what: `no site offers ${counted(gpus, "GPU")}`,
    why: "no site of this broker has said that it has GPUs",
    remedy: "leave the GPUs out of the description; no site can offer them yet",
  };
}

function siteText(
  refusal: RefusalOf<"siteNameInvalid" | "siteTypeFixed" | "siteInUse" | "siteHasJobs" | "siteHasShares">,
): RefusalText {
  switch (refusal.kind) {
    case "siteNameInvalid":
      return {
        what: `a site cannot be called ${refusal.site.slice(0, 80)}`,
        why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
        remedy: "choose a name like cluster-a",
      };
    case "siteTypeFixed":
      return {
        what: `site ${refusal.site} cannot become ${refusal.asked}`,
        why: `it is ${refusal.present}, and its jobs are there as such`,
        remedy: "give the other site a name of its own",
      };
    case "siteInUse":
      return {
        what: `site ${refusal.site} cannot become that small`,
        why: `job ${refusal.job} is there and needs more than it would have`,
        remedy: `wait until it is over, or cancel it: \`stint cancel ${refusal.job}\``,
      };
    case "siteHasJobs":
      return siteHasJobsText(refusal);
    case "siteHasShares":
      return {
        what: `site ${refusal.site} cannot be removed`,
        why: `${counted(refusal.count, "change")} of its own shares would stay for good`,
        remedy: `take them back first: \`stint policy compile ${refusal.site} --take-back\``,
      };
    default:
      return unreachable(refusal);
  }
}

function siteHasJobsText({ site, jobs, count, isDraining }: RefusalOf<"siteHasJobs">): RefusalText {
  const more = count > jobs.length ? [`${count - jobs.length} more`] : [];
  const noMore = isDraining ? "" : `let no more come with \`stint site drain ${site}\`; `;
  return {
    what: `site ${site} cannot be removed`,
    why: `not over, and there or to go there: ${some([...jobs, ...more])}`,
    remedy: `${noMore}wait until they are over, or cancel them with \`stint cancel\``,
  };
}

function tokenText(
  refusal: RefusalOf<"unknownToken" | "tokenRevoked" | "expiryPast" | "consumerInvalid" | "siteUnfit">,
): RefusalText {
  switch (refusal.kind) {
    case "unknownToken":
      return {
        what: `there is no token ${refusal.token}`,
        why: "no token that you may see has this id",
        remedy: "see `stint token list` for those that are there",
      };
    case "tokenRevoked":
      return {
        what: `token ${refusal.token} cannot be revoked`,
        why: "it was revoked before",
        remedy: "nothing is left to do: it opens nothing any more",
      };
    case "expiryPast":
      return {
        what: "the token would never be good for anything",
        why: "it would expire before it is made",
        remedy: "let it expire later, for instance --expires 30d",
      };
    case "consumerInvalid":
      return {
        what: "the token's consumer path is none",
        why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
        remedy: "write for instance --vo cms/higgs/ann",
      };
    case "siteUnfit":
      return {
        what: refusal.site === null ? "the token names no site" : `the token names the site ${refusal.site}`,
        why: "a site admin and a sensor have one site, and no other role has one",
        remedy: "name a site for the roles siteAdmin and sensor, and none for any other",
      };
    default:
      return unreachable(refusal);
  }
}

type RefusalOf<Kind extends Refusal["kind"]> = Extract<Refusal, { kind: Kind }>;

function unknownSiteText({ site, known }: RefusalOf<"unknownSite">): RefusalText {
  const near = nearestWord(site, known);
  return {
    what: `there is no site ${site}`,
    why: known.length === 0 ? "this broker has no site yet" : `this broker knows ${some(known)}`,
    remedy: near === undefined ? "name one of its sites, or none and let Stint choose" : `write ${near}`,
  };
}

function widerText({ procs, memoryBytes, sites }: RefusalOf<"widerThanAnySite">): RefusalText {
  const has = sites.map(
    (it) => `${it.site} has ${counted(it.procs, "processor")} and ${sizeText(it.memoryBytes)} of memory`,
  );
  const request = memoryBytes > 0 ? ` and ${sizeText(memoryBytes)} of memory` : "";
  return {
    what: `no site is large enough for ${counted(procs, "processor")}${request}`,
    why: has.length === 0 ? "no site may take the job" : some(has),
    remedy: "ask for no more than one of them has in all, or split the job",
  };
}

function wrongStateText({ job, verb, state, allowedIn }: RefusalOf<"wrongState">): RefusalText {
  return {
    what: `job ${job} cannot be ${pastOf[verb]}`,
    why: `it is ${state}, and ${verb} is for jobs that are ${some(allowedIn, "or")}`,
    remedy: `see \`stint why ${job}\` for where it stands`,
  };
}

const pastOf = {
  cancel: "cancelled",
  hold: "held",
  release: "released",
  suspend: "suspended",
  resume: "resumed",
} as const;
