/**
 * Events for people: a short sentence of each, who did it, and the state in which it leaves its job.
 */
import { roughTimeText, some, suText, utcText } from "../base/index.ts";
import type { OfKind } from "./feature.ts";
import { changeText } from "./features/editing.ts";
import { largerText } from "./features/placement.ts";
import type { AttemptEnd } from "./job.ts";
import type { JobState } from "./job-state.ts";
import { enforcementActionText } from "./policy-text.ts";
import type { StintEvent } from "./register.ts";

/** An event as a sentence. */
interface EventSummary {
  readonly text: string;
  /** Owner or program that asked for it; null where the broker or a site did it. */
  readonly by: string | null;
  /** State of its job after it; null where it leaves the state as it is, or is about no job alone. */
  readonly state: JobState | null;
}

type Kind = StintEvent["kind"];
interface EventBy extends Readonly<{ [Name in Kind]: OfKind<StintEvent, Name> }> {}
type Texts = { readonly [Name in Kind]?: (event: EventBy[Name], about: string | undefined) => string };

/**
 * An event in words.
 *
 * @param about the job that is asked about; an event of many jobs is told as far as it is about that one
 */
export function eventSummary(event: StintEvent, about?: string): EventSummary {
  return { text: textOf(event, about), by: byOf(event), state: stateAfter(event) };
}

function textOf<Name extends Kind>(event: EventBy[Name] & { readonly kind: Name }, about?: string): string {
  const { kind }: { readonly kind: Name } = event;
  const text: Texts[Name] = TEXTS[kind];
  return text === undefined ? plainText(event as StintEvent) : text(event, about);
}

const TEXTS: Texts = {
  jobAccepted: ({ consumer }) => `submitted for ${consumer}`,
  arrayAccepted: ({ consumer, description }) =>
    `an array of jobs, ${description.array}, submitted for ${consumer}`,
  dagAccepted: ({ consumer, plan }) => `a DAG of ${plan.nodes.length} nodes submitted for ${consumer}`,
  dagActed: ({ verb, nodes }) => `${verb}${nodes === null ? "" : ` of ${nodes.length} nodes`}`,
  dagRetried: ({ nodes }) => `${nodes.length} nodes run again`,
  jobPlaced: ({ site, queue, pilot, attempt }) => {
    const queued = queue === undefined ? site : `${site}, queue ${queue}`;
    const place = pilot === undefined ? queued : `${site}, pilot ${pilot}`;
    return `sent to ${place}${attempt > 1 ? ` (attempt ${attempt})` : ""}`;
  },
  jobsParked: () => "no site accepts it now; it waits until one does",
  queueSettled: ({ site, starts }, about) =>
    about !== undefined && starts.includes(about)
      ? `${site} starts it`
      : `${site} starts ${starts.length === 0 ? "nothing" : some(starts)}`,
  jobEdited: ({ change }) => `changed: ${changeText(change)}`,
  jobEditRequested: ({ change, site }) =>
    `change requested: ${changeText(change)}; it takes effect when the job has left the queue of ${site}`,
  jobHeld: () => "held",
  jobReleased: () => "released",
  jobSuspended: () => "suspended",
  jobResumed: () => "resumed",
  jobCancelled: ({ cause }) => `cancelled${causeText(cause)}`,
  cancelRequested: ({ cause }) => `cancellation requested${causeText(cause)}`,
  attemptQueued: ({ siteJob }) => `queued at the site as ${siteJob}`,
  attemptRunning: () => "running",
  attemptHeld: () => "held by the site",
  attemptReleased: () => "released by the site",
  attemptSuspended: () => "suspended by the site",
  attemptResumed: () => "resumed by the site",
  attemptRequeued: () => "ended by the site and queued again",
  attemptEnded: ({ end, more, retry }) => {
    if (retry === "resumed") return `${endText(end)}; it requests another attempt from its saved state`;
    return more === undefined ? endText(end) : `${endText(end)}; it is tried again with ${largerText(more)}`;
  },
  queueTimeOver: ({ site }) => `not started at ${site} within its queue time: withdrawn from the queue there`,
  replicasQueued: ({ replicas }) =>
    `waits at ${some(
      replicas.map(({ site }) => site),
      "and",
    )} at once`,
  replicaWithdrawn: ({ site, why }) => `withdrawn from ${site}, not begun: ${WITHDRAWN[why]}`,
  replicaAdded: ({ name, site, store }) => `a copy of ${name} at ${site}/${store} recorded`,
  replicaRemoved: ({ name, at }) =>
    `${at === null ? "all copies" : `the copy at ${at.site}/${at.store}`} of ${name} removed`,
  outputsRegistered: ({ names, failed }) =>
    `outputs registered in the replica catalogue: ${names.length}` +
    failed.map(({ name, why }) => `; ${name} was not: ${why}`).join(""),
  jobCleared: ({ by }) => `its files were removed${by === null ? " (jobRetention)" : ""}`,
  jobPurged: ({ by }) => `purged${by === null ? " (jobRetention)" : ""}: its accounting and provenance stay`,
  strayFound: ({ site, siteJob }) => `a duplicate at ${site} (${siteJob}) is cancelled`,
  posted: ({ what, procMs, consumer }) =>
    `${consumer} ${procMs < 0 ? "pays" : "gets"} ${amountText(procMs)} (${what})`,
  enforced: ({ actions }, about) => actionsText(actions, about),
  enforcementAdvised: ({ actions }, about) => `not permitted to act; it would ${actionsText(actions, about)}`,
  enforcementUndone: () => "the enforcer's actions are undone",
  nodeSetAside: ({ site, node, quick, ended }) =>
    `node ${node} of ${site} is set aside: ${quick} of ${ended} jobs failed there immediately after their ` +
    "start",
  nodeReadmitted: ({ site, node, by }) =>
    `node ${node} of ${site} is readmitted${by === null ? " after two successful tests" : ` by ${by}`}`,
  offerLapsed: () => "the offer was not accepted in time",
};

function amountText(procMs: number): string {
  return suText(Math.abs(procMs));
}

function actionsText(actions: EventBy["enforced"]["actions"], about: string | undefined): string {
  const shown = about === undefined ? actions : actions.filter(({ job }) => job === about);
  return (shown.length === 0 ? actions : shown)
    .map((action) => enforcementActionText(action, utcText))
    .join("; ");
}

const WITHDRAWN: Readonly<Record<EventBy["replicaWithdrawn"]["why"], string>> = {
  otherBegins: "the job starts at another site",
  jobChanged: "the job was held or changed",
  jobOver: "the job has ended",
  denied: "the site declined to run it now",
  lost: "it ended there without a grant",
};

const CAUSES = {
  reservationEnded: ": its reservation ended",
  startMissed: ": it was not running when its program was due to start",
  dagAborted: ": a node of its DAG has ended the DAG",
  dependencyFailed: ": a job that it depends on did not end as required",
} as const;

function causeText(cause: keyof typeof CAUSES | undefined): string {
  return cause === undefined ? "" : CAUSES[cause];
}

function endText({ cause, exitCode, signal, cpuMs, detail, isImitated }: AttemptEnd): string {
  const used = cpuMs === null ? "" : `, ${roughTimeText(cpuMs)} of CPU time`;
  switch (cause) {
    case "exited":
      return isImitated
        ? "ended without running anything"
        : `ended with exit code ${exitCode ?? "unknown"}${used}`;
    case "signalled":
      return `ended by ${signal ?? "a signal"}${used}`;
    case "timeLimit":
      return `ended by its time limit${used}`;
    case "cancelled":
      return `cancelled${used}`;
    case "launchFailed":
      return `could not be started${detail === null ? "" : `: ${detail}`}`;
    case "lost":
      return `lost${detail === null ? "" : `: ${detail}`}`;
  }
}

/** Fields that say what an event of another kind is about, the first that it has; else its first text. */
const SUBJECTS = ["reservation", "token", "peer", "vo", "key", "site", "consumer"] as const;

/** The words of the kind and the subject: `slot offered: 7f3a`. */
function plainText(event: StintEvent): string {
  const words = event.kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const facts: Readonly<Record<string, unknown>> = { ...event };
  const { kind: _, by: _by, ...others } = facts;
  const subject = [...SUBJECTS.map((field) => facts[field]), ...Object.values(others)].find(
    (value) => typeof value === "string",
  );
  return subject === undefined ? words : `${words}: ${subject}`;
}

function byOf(event: StintEvent): string | null {
  if (event.kind === "jobAccepted" || event.kind === "arrayAccepted" || event.kind === "slotOffered")
    return event.owner;
  if (event.kind === "tokenCreated") return event.createdBy;
  return "by" in event && typeof event.by === "string" ? event.by : null;
}

const STATES: { readonly [Name in Kind]?: JobState } = {
  jobAccepted: "WAITING",
  jobPlaced: "SCHEDULED",
  jobHeld: "HELD",
  jobSuspended: "SUSPENDED",
  jobResumed: "SCHEDULED",
  jobCancelled: "CANCELLED",
  jobExpired: "ABORTED",
  attemptQueued: "SCHEDULED",
  attemptRunning: "RUNNING",
  attemptHeld: "HELD",
  attemptSuspended: "SUSPENDED",
  attemptResumed: "RUNNING",
  attemptRequeued: "SCHEDULED",
  jobPurged: "PURGED",
};

function stateAfter(event: StintEvent): JobState | null {
  if (event.kind === "jobCleared" && event.record.state === "DONE") return "CLEARED";
  if (event.kind !== "attemptEnded") return STATES[event.kind] ?? null;
  const { cause } = event.end;
  if (event.retry !== undefined) return "WAITING";
  if (cause === "cancelled") return "CANCELLED";
  return cause === "lost" || cause === "launchFailed" ? "ABORTED" : "DONE";
}
