/**
 * Jobs: submitted, held, cancelled, and what happens to each of their attempts.
 */
import { some } from "../../base/index.ts";
import type { JobEnd } from "../dependency.ts";
import type { FeatureModel } from "../feature.ts";
import type { AttemptEnd, CancelCause, InputHashes, JobPart, JobVerb, LargerAmount } from "../job.ts";
import type { JobDescription } from "../job-description.ts";
import type { JobState } from "../job-state.ts";
import type { RefusalText } from "../problem-text.ts";
import type { PresentedTicket } from "../ticket.ts";

interface SubmittedJob {
  readonly job: string;
  readonly description: JobDescription;
  readonly consumer: string;
  readonly owner: string;
  /** Total size of its input files; absent: none. */
  readonly inputBytes?: number;
  readonly inputs?: InputHashes;
  /** Ends of the jobs that it depends on and that are over. */
  readonly ends?: Readonly<Record<string, JobEnd>>;
  /** The node that it is a job of. */
  readonly part?: JobPart;
}

interface JobsTypes {
  readonly command:
    | ({
        readonly kind: "submit";
        /** True for a caller with a token, which opens only files below the root for tokens. */
        readonly isByToken?: boolean;
        /** The description's ticket, whose signature was found right. */
        readonly ticket?: PresentedTicket;
      } & SubmittedJob)
    | { readonly kind: JobVerb; readonly job: string; readonly by?: string };
  readonly event: JobsEvent;
  readonly refusal: JobsRefusal;
}

type JobsEvent =
  | ({
      readonly kind: "jobAccepted";
      /** Ticket of the job, and the amount·ms held of it; absent without one. */
      readonly ticket?: PresentedTicket & { readonly heldMs: number };
    } & SubmittedJob)
  /** `by`: the owner of the request; absent in logs of earlier versions. */
  | {
      readonly kind: "jobHeld" | "jobReleased" | "jobSuspended" | "jobResumed";
      readonly job: string;
      readonly by?: string;
    }
  /** `cause` where it was nobody who asked for it. */
  | {
      readonly kind: "jobCancelled" | "cancelRequested";
      readonly job: string;
      readonly cause?: CancelCause;
      readonly by?: string;
    }
  /** A decision: the job of a virtual reservation leaves its place, and runs in the priced one instead. */
  | { readonly kind: "virtualGivenUp"; readonly job: string; readonly instead: string }
  /** The attempt is in the queue of a foreign site, held there until this was recorded. */
  | {
      readonly kind: "attemptQueued";
      readonly job: string;
      readonly attempt: number;
      readonly siteJob: string;
    }
  | { readonly kind: "attemptRunning"; readonly job: string; readonly attempt: number }
  /** What a foreign site did of its own accord, or at last did of what it was asked for. */
  | {
      readonly kind:
        | ("attemptHeld" | "attemptReleased" | "attemptSuspended" | "attemptResumed")
        /** The attempt was ended and requeued; its program will start anew. */
        | "attemptRequeued";
      readonly job: string;
      readonly attempt: number;
    }
  /** A second job with the token of an attempt: it is not ours to keep, and is cancelled. */
  | {
      readonly kind: "strayFound";
      readonly job: string;
      readonly attempt: number;
      readonly site: string;
      readonly siteJob: string;
    }
  | {
      readonly kind: "attemptEnded";
      readonly job: string;
      readonly attempt: number;
      readonly end: AttemptEnd;
      /**
       * Another attempt follows: this one failed after its start (`deep`) or before, had too little
       * (`larger`), or asked for it, to go on from its saved state (`resumed`); absent: none.
       */
      readonly retry?: "deep" | "shallow" | "larger" | "resumed";
      /** With `larger`: what the next attempt gets more of. */
      readonly more?: LargerAmount;
    }
  /** No site was found for it by its expiry time. */
  | { readonly kind: "jobExpired"; readonly job: string };

type JobsRefusal =
  | { readonly kind: "unknownJob"; readonly job: string }
  | { readonly kind: "idInUse"; readonly id: string }
  /** The job whose state another is to begin from is not one of the owner's. */
  | { readonly kind: "noCheckpointJob"; readonly job: string }
  /** A job has no state of this name. */
  | {
      readonly kind: "noCheckpoint";
      readonly job: string;
      readonly name: string;
      readonly names: readonly string[];
    }
  /** The verb does not apply to a job in this state. */
  | {
      readonly kind: "wrongState";
      readonly job: string;
      readonly verb: JobVerb;
      readonly state: JobState;
      readonly allowedIn: readonly JobState[];
    }
  /** The batch system of the site has no way to suspend jobs. */
  | { readonly kind: "siteWithoutSuspension"; readonly job: string; readonly site: string }
  /** More than waiting jobs of a consumer may declare beyond their processors; null: none may. SU an hour. */
  | {
      readonly kind: "delayCostOverBudget";
      readonly site: string;
      readonly consumer: string;
      readonly declaredSuPerHour: number;
      readonly procs: number;
      readonly usedSuPerHour: number;
      readonly budgetSuPerHour: number | null;
    };

type RefusalOf<Kind extends JobsRefusal["kind"]> = Extract<JobsRefusal, { kind: Kind }>;

export const jobs: FeatureModel<JobsTypes> = {
  events: {
    jobAccepted: 2,
    ...{ jobHeld: 1, jobReleased: 1, jobSuspended: 1, jobResumed: 1 },
    ...{ jobCancelled: 1, cancelRequested: 1, virtualGivenUp: 1 },
    ...{ attemptQueued: 1, attemptRunning: 1, attemptRequeued: 1, attemptEnded: 1 },
    ...{ attemptHeld: 1, attemptReleased: 1, attemptSuspended: 1, attemptResumed: 1 },
    ...{ strayFound: 1, jobExpired: 1 },
  },
  refusals: {
    unknownJob: {
      status: 404,
      text: ({ job }) => ({
        what: `there is no job ${job}`,
        why: "no job at this broker has an id with this prefix",
        remedy: "`stint list` shows the jobs; ids may be abbreviated while unique",
      }),
    },
    idInUse: {
      status: 409,
      text: ({ id }) => ({
        what: `the id ${id} is already used`,
        why: "another object of this broker has this id",
        remedy: "choose another id, or let Stint choose",
      }),
    },
    noCheckpointJob: {
      status: 404,
      text: ({ job }) => ({
        what: `you have no job ${job}`,
        why: "a job can only start from a checkpoint of a job of the same owner",
        remedy: "`stint list` shows the jobs, `stint checkpoint list ID` the checkpoints of one",
      }),
    },
    noCheckpoint: {
      status: 404,
      text: ({ job, name, names }) => ({
        what: `job ${job} has no checkpoint ${name}`,
        why: names.length === 0 ? "it has written none, or its files were removed" : `it has ${some(names)}`,
        remedy: "name one that `stint checkpoint list` shows, or omit it",
      }),
    },
    wrongState: { status: 409, text: wrongStateText },
    siteWithoutSuspension: {
      status: 409,
      text: ({ job, site }) => ({
        what: `job ${job} cannot be suspended`,
        why: `it runs at ${site}, whose batch system or adapter cannot suspend jobs`,
        remedy: "let it run, or cancel it; jobs that wait can be held",
      }),
    },
    delayCostOverBudget: { status: 402, text: delayCostText },
  },
};

const pastOf = {
  cancel: "cancelled",
  hold: "held",
  release: "released",
  suspend: "suspended",
  resume: "resumed",
} as const;

function wrongStateText({ job, verb, state, allowedIn }: RefusalOf<"wrongState">): RefusalText {
  return {
    what: `job ${job} cannot be ${pastOf[verb]}`,
    why: `it is ${state}, and ${verb} applies only to jobs that are ${some(allowedIn, "or")}`,
    remedy: `see \`stint why ${job}\` for where it stands`,
  };
}

function delayCostText(refusal: RefusalOf<"delayCostOverBudget">): RefusalText {
  const { site, consumer, declaredSuPerHour, procs, usedSuPerHour, budgetSuPerHour } = refusal;
  const wanted = `it declares ${declaredSuPerHour - procs} SU an hour in addition to one per processor`;
  const whose = `waiting jobs of ${consumer}`;
  const has =
    budgetSuPerHour === null
      ? `${site} has given ${consumer} nothing for that`
      : `${whose} may declare ${budgetSuPerHour} in all at ${site}, and have ${usedSuPerHour}`;
  return {
    what: `a delay cost of ${declaredSuPerHour} SU an hour cannot be declared`,
    why: `${wanted}; ${has}`,
    remedy:
      `declare at most ${procs + Math.max(0, (budgetSuPerHour ?? 0) - usedSuPerHour)}, wait until other ` +
      "jobs have started, or ask the site's administrator (delayBudgets)",
  };
}
