/** Job arrays: submitted and acted on as one, with a limit on how many of their jobs are at sites at once. */
import { counted } from "../../base/index.ts";
import type { JobEnd } from "../dependency.ts";
import type { FeatureModel } from "../feature.ts";
import type { JobVerb } from "../job.ts";
import { type ArrayFault, MOST_MEMBERS } from "../job-array.ts";
import type { JobDescription } from "../job-description.ts";

interface SubmittedArray {
  readonly array: string;
  /** The indexes are its `array`. */
  readonly description: JobDescription;
  readonly consumer: string;
  readonly owner: string;
  /** Total size of the input files of each job; absent: none. */
  readonly inputBytes?: number;
  /** Ends of the jobs and arrays that it depends on and that are over. */
  readonly ends?: Readonly<Record<string, JobEnd>>;
}

interface ArraysTypes {
  readonly command:
    | ({
        readonly kind: "submitArray";
        /** True for a caller with a token, which opens only files below the root for tokens. */
        readonly isByToken?: boolean;
      } & SubmittedArray)
    /** The verb on all jobs of the array to which it applies now. */
    | { readonly kind: "actOnArray"; readonly array: string; readonly verb: JobVerb; readonly by: string };
  readonly event: { readonly kind: "arrayAccepted" } & SubmittedArray;
  readonly refusal:
    | { readonly kind: "badArray"; readonly array: string; readonly why: ArrayFault }
    /** An option that counts by the job, and for which arrays have no sum. */
    | { readonly kind: "notForArrays"; readonly option: "ticket" | "delayCostSuPerHour" | "bid" }
    | { readonly kind: "unknownArray"; readonly array: string }
    | { readonly kind: "noneInState"; readonly array: string; readonly verb: JobVerb };
  readonly cause: {
    readonly kind: "arrayFull";
    readonly array: string;
    readonly atMost: number;
    readonly before: number;
  };
}

const WHY: Readonly<Record<ArrayFault, string>> = {
  notUnderstood:
    "indexes are numbers, ranges and steps (0-9, 1,3,5, 0-20:4); after % comes how many run at once",
  backwards: "a range ends before it begins",
  noStep: "a step is 1 or more",
  noneAtOnce: "%0 would let none of its jobs start",
  sweepEmpty: "its sweep has no points",
  sweepTooSmall: "an index is beyond the points of its sweep, or these are not numbers in order",
  searchWaits: "a search cannot depend on other jobs: its points are chosen while it runs",
  searchScouts: "a search cannot have scouts: its points are chosen from earlier results",
  searchPattern: "the pattern of its search is no valid regular expression",
  searchByToken:
    "a program that chooses points runs as the broker's own account, which only those on its machine may use",
  tooMany: `an array has at most ${MOST_MEMBERS} jobs`,
};

const OPTIONS = { ticket: "a ticket", delayCostSuPerHour: "a delay cost", bid: "a bid" } as const;

const VERB_STATES: Readonly<Record<JobVerb, string>> = {
  cancel: "all of them have ended",
  hold: "none of them is waiting",
  release: "none of them is held",
  suspend: "none of them is running",
  resume: "none of them was suspended by a user",
};

export const arrays: FeatureModel<ArraysTypes> = {
  events: { arrayAccepted: 1 },
  refusals: {
    badArray: {
      status: 422,
      text: ({ array, why }) => ({
        what: `${JSON.stringify(array)} is not an array of jobs`,
        why: WHY[why],
        remedy: "write for instance 0-99, 1,3,5 or 0-999%50",
      }),
    },
    notForArrays: {
      status: 422,
      text: ({ option }) => ({
        what: `an array cannot be submitted with ${OPTIONS[option]}`,
        why: "it applies to single jobs, and an array has no total limit",
        remedy: "omit it, or submit the jobs one by one",
      }),
    },
    unknownArray: {
      status: 404,
      text: ({ array }) => ({
        what: `there is no array ${array}`,
        why: "no array of this broker has an id with this prefix",
        remedy: "`stint list` shows jobs and arrays; ids may be abbreviated while unique",
      }),
    },
    noneInState: {
      status: 409,
      text: ({ array, verb }) => ({
        what: `no job of array ${array} can be changed by ${verb}`,
        why: VERB_STATES[verb],
        remedy: `see \`stint status ${array}\` for the states of its jobs`,
      }),
    },
  },
  causes: {
    arrayFull: ({ array, atMost, before }) =>
      `the array ${array} lets at most ${atMost} of its jobs run at once, and ` +
      (before === 0
        ? "this one is the next"
        : `${counted(before, "other job")} of it ${before === 1 ? "comes" : "come"} before this one`),
  },
};
