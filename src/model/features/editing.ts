/** Changes of jobs that wait: what they need, where they go, and what they are called. */
import { counted, formatDuration, formatSize } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { JobChange } from "../job-change.ts";
import type { JobState } from "../job-state.ts";

/** Why a job can no longer be changed, or not so. */
type NotEditable =
  | { readonly kind: "started"; readonly state: JobState }
  | { readonly kind: "priorityWithNeeds"; readonly site: string }
  | {
      readonly kind: "noPriority";
      readonly site: string | null;
      readonly because: "arrivalOrder" | "notQueued" | "held";
    }
  | { readonly kind: "bound"; readonly to: "ticket" | "reservation" | "virtual" | "delayCost" };

interface EditingTypes {
  readonly command: {
    readonly kind: "editJob";
    readonly job: string;
    readonly change: JobChange;
    readonly by: string;
    /** True where the job may get a higher priority than its queue gives it. */
    readonly mayRaise?: boolean;
  };
  readonly event:
    | {
        readonly kind: "jobEdited";
        readonly job: string;
        readonly change: JobChange;
        readonly by: string;
      }
    /** Of a job in a cluster's queue: the change takes effect when the job has left it without starting. */
    | {
        readonly kind: "jobEditRequested";
        readonly job: string;
        readonly site: string;
        readonly change: JobChange;
        readonly by: string;
      };
  readonly refusal: { readonly kind: "notEditable"; readonly job: string; readonly why: NotEditable };
}

const BOUND_TO = {
  ticket: "runs under a ticket, which holds an amount for the job as it was submitted",
  reservation: "runs in a reservation, which was made for the job as it is",
  virtual: "is a virtual reservation, which was planned for the job as it is",
  delayCost: "has a delay cost, which was admitted for the job as it was submitted",
} as const;

export const editing: FeatureModel<EditingTypes> = {
  events: { jobEdited: 1, jobEditRequested: 1 },
  refusals: {
    notEditable: {
      status: 409,
      text: ({ job, why }) => ({ what: `job ${job} cannot be changed`, ...whyNot(why) }),
    },
  },
};

function whyNot(why: NotEditable) {
  const anew = "cancel it and submit it anew";
  switch (why.kind) {
    case "started":
      return {
        why: `it is ${why.state}, and only jobs that have not started can be changed`,
        remedy: "cancel it if it still runs, and submit it again with the new values",
      };
    case "priorityWithNeeds":
      return {
        why: `the other changes remove it from the queue of ${why.site}, in which the priority would be set`,
        remedy: "make the other changes first, then set the priority",
      };
    case "noPriority":
      return noPriority(why);
    case "bound":
      return {
        why: `it ${BOUND_TO[why.to]}`,
        remedy: `change its name and tags only, or ${anew}`,
      };
  }
}

function noPriority({ site, because }: Extract<NotEditable, { kind: "noPriority" }>) {
  if (site === null || because === "notQueued") {
    const where = site === null ? "no site has queued it yet" : `it is not in the queue of ${site} yet`;
    return { why: `${where}, and a priority is set in the queue of a site`, remedy: "try again in a moment" };
  }
  if (because === "held") {
    return { why: "it is held, and a held job has no position in the queue", remedy: "release it first" };
  }
  return {
    why: `the queue of ${site} has no priorities: jobs are served in order of arrival`,
    remedy:
      "reduce its size or time limit so that it may start sooner, or move it to a cluster with priorities",
  };
}

function siteText(site: string | null): string {
  return site === null ? "any site" : `site ${site}`;
}

/** A change in words: `4 processors, time limit 2h`. */
export function changeText({
  wallTimeMs,
  procs,
  memoryBytes,
  site,
  name,
  userTags,
  priority,
}: JobChange): string {
  const words = [
    procs === undefined ? [] : counted(procs, "processor"),
    wallTimeMs === undefined ? [] : `time limit ${formatDuration(wallTimeMs)}`,
    memoryBytes === undefined ? [] : `memory ${formatSize(memoryBytes)}`,
    site === undefined ? [] : siteText(site),
    name === undefined ? [] : `name ${name}`,
    userTags === undefined ? [] : `tags ${Object.keys(userTags).join(", ")}`,
    priority === undefined ? [] : `priority ${priority}`,
  ];
  return words.flat().join(", ");
}
