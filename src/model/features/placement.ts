/**
 * Which site's queue a job goes into, and who starts there.
 */
import { counted, formatDuration, formatSize, sizeText, some, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { LargerAmount, RecommendedPlace } from "../job.ts";
import type { RefusalText } from "../problem-text.ts";
import type { SiteNeed } from "../site-amounts.ts";

interface PlacementTypes {
  readonly event: /** A decision: no site takes these now; they wait until one opens. */
    | { readonly kind: "jobsParked"; readonly jobs: readonly string[] }
    /** A decision: into which site's queue a job goes. */
    | {
        readonly kind: "jobPlaced";
        readonly job: string;
        readonly attempt: number;
        readonly site: string;
        /** The queue that it names there; absent: none. */
        readonly queue?: string;
        /** Pilot that runs the job; absent: the site's own queue. */
        readonly pilot?: string;
        /** Local account under which the pilot runs the job; absent: the pilot's own account. */
        readonly account?: string;
        /** Prediction for the site when it was chosen among several, to be scored. */
        readonly recommended?: RecommendedPlace;
      }
    /** A decision: the site's queue was looked at, and these attempts start. */
    | { readonly kind: "queueSettled"; readonly site: string; readonly starts: readonly string[] };
  readonly refusal: PlacementRefusal;
  readonly cause: PlacementCause;
}

/** Shortage of a queue for a job: the resource, and the maximum for such a job in bytes, ms or units. */
export interface QueueLack {
  readonly of: "procs" | "memory" | "gpus" | "wallTime";
  readonly most: number;
}

/** A queue that is too small for a job. */
export interface QueueTooSmall extends QueueLack {
  readonly queue: string;
}

interface QueuesTooSmall {
  readonly site: string;
  /** Queues that are too small; for a site that publishes aggregates, the limits over all its queues. */
  readonly queues: readonly (QueueTooSmall | QueueLack)[];
}

/** Number of sites that a clause of Requirements excludes; `of`: whose clause it is. */
interface CostlyClause {
  readonly of: "job" | "site";
  readonly text: string;
  /** Application that the clause asks for; absent: another clause. */
  readonly application?: string;
  readonly sites: number;
}

type PlacementCause =
  /** Of so many sites that it could use, none matches: what each clause costs, and what would help. */
  | {
      readonly kind: "noMatch";
      readonly sites: number;
      readonly clauses: readonly CostlyClause[];
      /** Tried changes of the job's ad with which sites match, the most first. */
      readonly changes: readonly { readonly text: string; readonly sites: number }[];
    }
  /** Sites that are large enough as a whole, but have no queue that is. */
  | { readonly kind: "fitsNoQueue"; readonly sites: readonly QueuesTooSmall[] }
  /** Queue requested at the site because of the job's requirements, size or preferred queues. */
  | { readonly kind: "inNamedQueue"; readonly site: string; readonly queue: string }
  /** Attempts of a job that were lost or too small, after which the job is tried again. */
  | {
      readonly kind: "retried";
      readonly deep: number;
      readonly shallow: number;
      readonly at: readonly string[];
      /** Amounts that were too small, and what it got instead. */
      readonly larger?: readonly LargerAmount[];
      /** Times that it asked for a further attempt, from its saved state. */
      readonly resumed?: number;
    };

/** A larger amount in words: `8G of memory instead of 4G`. */
export function largerText({ of, from, to }: LargerAmount): string {
  const text = of === "memory" ? formatSize : formatDuration;
  const before = from === null ? "" : ` instead of ${text(from)}`;
  return of === "memory" ? `${text(to)} of memory${before}` : `a time limit of ${text(to)}${before}`;
}

function retriedText({
  deep,
  shallow,
  at,
  larger = [],
  resumed = 0,
}: Extract<PlacementCause, { kind: "retried" }>): string {
  const last = larger.at(-1);
  const parts = [
    ...(last === undefined ? [] : [`it had too little, and is tried again with ${largerText(last)}`]),
    ...(resumed === 0
      ? []
      : [`it asked ${counted(resumed, "time")} for a further attempt, from its saved state`]),
    ...(deep + shallow === 0
      ? []
      : [
          `${counted(deep + shallow, "attempt")} at ${some(at)} failed or did not start in time ` +
            `(${deep} after the start); it is tried again`,
        ]),
  ];
  return parts.join("; ");
}

type PlacementRefusal =
  | { readonly kind: "noSite" }
  /** Amounts larger than those of every site that the job may use. */
  | {
      readonly kind: "widerThanAnySite";
      readonly procs: number;
      readonly memoryBytes: number;
      /** Absent: none are asked for. */
      readonly gpus?: number;
      readonly sites: readonly {
        readonly site: string;
        readonly procs: number;
        readonly memoryBytes: number;
        readonly gpus?: number;
      }[];
    }
  /** Each site is large enough as a whole, but none of its queues is: what each queue lacks. */
  | { readonly kind: "fitsNoQueue"; readonly sites: readonly QueuesTooSmall[] }
  /** Sites that are large enough, all of which only simulate jobs; the job names none of them. */
  | { readonly kind: "onlyImitated"; readonly sites: readonly string[] }
  /** GPUs of a job that may use only sites without GPUs. */
  | { readonly kind: "gpusNotOffered"; readonly gpus: number }
  /** Expression of a description with an error; line and column count from 1 within the expression. */
  | {
      readonly kind: "unreadableExpression";
      readonly attribute: string;
      readonly line: number;
      readonly column: number;
      readonly what: string;
      readonly why: string;
      readonly remedy: string;
    }
  /** Two attributes of the job's ad that differ in case at most. */
  | { readonly kind: "attributeTwice"; readonly attribute: string; readonly also: string }
  /** A clause of the requirements that depends on the job alone, and its value. */
  | { readonly kind: "neverTrue"; readonly clause: string; readonly value: string }
  /** Two clauses of the requirements that no site can fulfil together. */
  | { readonly kind: "clausesExclude"; readonly first: string; readonly second: string }
  /** Rank by the transfer time of input data that has other terms, or of a job without input data. */
  | { readonly kind: "dataCostRank"; readonly attribute: "rank"; readonly why: "notAlone" | "noData" }
  | { readonly kind: "expired"; readonly expiredAtMs: number }
  /** The larger amount for a retry is no more than what the job asks for. */
  | {
      readonly kind: "retryNotLarger";
      readonly attribute: "retryMemory" | "retryTime";
      readonly has: number;
      readonly most: number;
    };

export const placement: FeatureModel<PlacementTypes> = {
  events: { jobsParked: 1, jobPlaced: 1, queueSettled: 1 },
  causes: {
    noMatch: noMatchText,
    inNamedQueue: ({ site, queue }) =>
      `at ${site} it is in the queue ${queue}, chosen by its requirements, size and preferred queues`,
    fitsNoQueue: ({ sites }) => `it is too large for every queue at ${some(sites.map(queuesText))}`,
    retried: retriedText,
  },
  refusals: {
    noSite: {
      status: 422,
      text: () => ({
        what: "the job cannot be placed",
        why: "this broker has no site yet",
        remedy: "add one with `stint site add`, or start the broker with `stint up --this-machine`",
      }),
    },
    widerThanAnySite: { status: 422, text: widerText },
    fitsNoQueue: {
      status: 422,
      text: ({ sites }) => ({
        what: "the job is too large for every queue of the sites that it may use",
        why: some(sites.map(queuesText)),
        remedy: "request no more than a queue allows, or name another site (`stint site show NAME`)",
      }),
    },
    onlyImitated: {
      status: 422,
      text: ({ sites }) => ({
        what: "no site can run the job",
        why: `${some(sites)} only simulates jobs, and no other site is large enough`,
        remedy:
          `to simulate the job, name such a site (--site ${sites[0]}); to ` +
          "run it, add a site that runs jobs",
      }),
    },
    gpusNotOffered: {
      status: 422,
      text: ({ gpus }) => ({
        what: `no site offers ${counted(gpus, "GPU")}`,
        why: "no site that the job may use has GPUs",
        remedy:
          "add a site that has GPUs (`gpus: N` in stint.yaml, `stint site add --gpus N`), or ask for none",
      }),
    },
    unreadableExpression: {
      status: 400,
      text: ({ attribute, line, column, what, why, remedy }) => ({
        what: `${attribute}, line ${line}, column ${column}: ${what}`,
        ...{ why, remedy },
      }),
    },
    attributeTwice: {
      status: 400,
      text: ({ attribute, also }) => ({
        what: `the attribute ${attribute} is given twice`,
        why: `the job also has ${also}, and attribute names are case-insensitive`,
        remedy: "remove one of them, or rename it",
      }),
    },
    neverTrue: {
      status: 422,
      text: ({ clause, value }) => ({
        what: "no site can ever meet the requirements of the job",
        why: `the clause ${clause} does not depend on the site, and is ${value}`,
        remedy: "change an attribute in the clause, or correct or remove the clause",
      }),
    },
    clausesExclude: {
      status: 422,
      text: ({ first, second }) => ({
        what: "no site can ever fulfil the requirements of the job",
        why: `their clauses ${first} and ${second} exclude each other`,
        remedy: "change the value in one of them, or remove one of them",
      }),
    },
    expired: {
      status: 422,
      text: ({ expiredAtMs }) => ({
        what: "the job would never be matched",
        why: `its expiryTime, ${utcText(expiredAtMs)}, is in the past`,
        remedy: "set a later expiryTime, or none",
      }),
    },
    dataCostRank: {
      status: 422,
      text: ({ why }) => ({
        what: "rank: DataAccessCost cannot be used here",
        why:
          why === "noData"
            ? "the job has no inputData, so no site has a data transfer advantage"
            : "DataAccessCost must be the whole rank: the site that has the input data soonest comes first",
        remedy:
          why === "noData"
            ? "list its files in inputData, or omit the rank"
            : "write rank: other.DataAccessCost, or omit it: the default rank also counts transfers",
      }),
    },
    retryNotLarger: { status: 422, text: notLargerText },
  },
};

function notLargerText({
  attribute,
  has,
  most,
}: Extract<PlacementRefusal, { kind: "retryNotLarger" }>): RefusalText {
  const isMemory = attribute === "retryMemory";
  const text = isMemory ? formatSize : formatDuration;
  const asked = isMemory ? "memory" : "wallTime";
  return {
    what: `${attribute}, ${text(most)}, would have no effect`,
    why: `the job already requests ${asked} ${text(has)}, so a retry could not get more`,
    remedy: `set a larger ${attribute}, a smaller ${asked}, or omit ${attribute}`,
  };
}

function noMatchText({ sites, clauses, changes }: Extract<PlacementCause, { kind: "noMatch" }>): string {
  const costs = clauses.map((clause) => {
    if (clause.application !== undefined) {
      const isNowhere = clause.sites === sites;
      const where = isNowhere ? "at none of them" : `missing at ${counted(clause.sites, "site")}`;
      return `the application ${clause.application} is ${where}`;
    }
    return `${clause.text} ${clause.of === "site" ? "(demanded by sites) " : ""}excludes ${clause.sites}`;
  });
  const helps = changes.map((change) => `${change.text}: ${counted(change.sites, "site")} would match`);
  return [
    `no site fulfils its requirements (${counted(sites, "site")}): ${costs.join(", ")}`,
    ...(helps.length === 0 ? [] : [`what would help: ${helps.join("; ")}`]),
  ].join("; ");
}

/** `far (short: at most 30 minutes; main: at most 4 processors)`. */
function queuesText({ site, queues }: QueuesTooSmall): string {
  const told = queues
    .slice(0, MOST_QUEUES_TOLD)
    .map((lack) => ("queue" in lack ? `${lack.queue}: ${lackText(lack)}` : lackText(lack)));
  const others = queues.length - told.length;
  return `${site} (${[...told, ...(others > 0 ? [`${others} more`] : [])].join("; ")})`;
}

/** Maximum number of queues of a site that a sentence lists. */
const MOST_QUEUES_TOLD = 8;

function lackText({ of, most }: QueueLack): string {
  switch (of) {
    case "procs":
      return `at most ${counted(most, "processor")}`;
    case "gpus":
      return most === 0 ? "no GPUs" : `at most ${counted(most, "GPU")}`;
    case "memory":
      return `at most ${sizeText(most)} of memory for so many processors`;
    case "wallTime":
      return `a time limit of at most ${formatDuration(most)}`;
  }
}

function widerText({
  sites,
  ...asked
}: Extract<PlacementRefusal, { kind: "widerThanAnySite" }>): RefusalText {
  const has = sites.map(({ site, ...size }) => `${site} has ${amountsText(size)}`);
  return {
    what: `no site is large enough for ${amountsText(asked)}`,
    why: has.length === 0 ? "no site may take the job" : some(has),
    remedy: "request no more than the largest site has, or split the job",
  };
}

/** `4 processors, 8G of memory and 1 GPU`; memory of 0 bytes and absent GPUs are left out. */
function amountsText({ procs, memoryBytes = 0, gpus }: SiteNeed): string {
  const texts = [
    counted(procs, "processor"),
    ...(memoryBytes > 0 ? [`${sizeText(memoryBytes)} of memory`] : []),
    ...(gpus === undefined ? [] : [counted(gpus, "GPU")]),
  ];
  return some(texts);
}
