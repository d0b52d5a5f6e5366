/** Phases of a job, which phase an event says it is in, and which of two counts. */
import type { BookedEvent } from "./job-book.ts";

/** States in the order of a life; those after DONE are final. */
const STATES = [
  "UNKNOWN",
  "SUBMITTED",
  "WAITING",
  "READY",
  "SCHEDULED",
  "RUNNING",
  "DONE",
  "CLEARED",
  "ABORTED",
  "CANCELLED",
  "PURGED",
] as const;

/** State of a job by its events. */
export type BookedState = (typeof STATES)[number];

type Table = Readonly<Record<string, BookedState>>;

/** By who logged the event; `*`: whoever did. Events in no table leave the state as it is. */
const PHASES: Readonly<Record<string, Table>> = {
  RegJob: { "*": "SUBMITTED" },
  Accepted: { NS: "WAITING", LM: "READY", LRMS: "SCHEDULED" },
  Refused: { NS: "SUBMITTED", LM: "READY", LRMS: "READY" },
  "EnQueued OK": { NS: "WAITING", WM: "READY", LM: "WAITING" },
  "EnQueued FAIL": { NS: "WAITING", WM: "WAITING" },
  DeQueued: { WM: "WAITING", JSS: "READY" },
  "Transfer OK": { UI: "WAITING", JSS: "READY", LM: "SCHEDULED" },
  "Transfer FAIL": { UI: "SUBMITTED", JSS: "READY", LM: "READY" },
  HelperCall: { "*": "WAITING" },
  HelperReturn: { "*": "WAITING" },
  Match: { "*": "WAITING" },
  Pending: { "*": "WAITING" },
  Running: { "*": "RUNNING" },
  ReallyRunning: { "*": "RUNNING" },
  // A wrapper that says so may still have outputs to send.
  Done: { "*": "DONE", LRMS: "UNKNOWN" },
  "Cancel DONE": { "*": "CANCELLED" },
  Abort: { "*": "ABORTED" },
  Clear: { "*": "CLEARED" },
  Purge: { "*": "PURGED" },
};

/** Fact of an event on which its meaning depends. */
const TOLD_BY: Readonly<Record<string, string>> = {
  EnQueued: "RESULT",
  Transfer: "RESULT",
  Cancel: "STATUS_CODE",
};

/** State that an event tells of; undefined where it tells of none. */
export function phaseAfter(event: BookedEvent): BookedState | undefined {
  const { kind, source, facts } = event;
  if (kind === "CollectionState") return STATES.find((state) => state === facts.STATE?.toUpperCase());
  const told = TOLD_BY[kind];
  const table = PHASES[told === undefined ? kind : `${kind} ${facts[told] ?? ""}`];
  const state = table?.[source] ?? table?.["*"];
  if (state === "DONE" && facts.STATUS_CODE === "CANCELLED") return "CANCELLED";
  return state === "UNKNOWN" ? undefined : state;
}

interface Current {
  readonly state: BookedState;
  readonly branch: number;
  /** The event that tells of the next state. */
  readonly event: BookedEvent;
}

/** True if the next state replaces the current one (rules BK-2, BK-5). */
export function isStronger(
  { state, branch, event }: Current,
  next: { readonly state: BookedState; readonly branch: number },
): boolean {
  const [now, then] = [STATES.indexOf(state), STATES.indexOf(next.state)];
  if (state === "PURGED") return false;
  if (next.state === "PURGED") return now >= STATES.indexOf("DONE");
  if (event.kind === "CollectionState") return state !== "CANCELLED" && state !== "CLEARED";
  if (now > STATES.indexOf("DONE")) return event.kind === "Abort" && event.source === "WM";
  if (next.branch !== branch) return next.branch > branch;
  if (event.source === "UI" || event.source === "NS" || event.kind === "RegJob") return then > now;
  // Queued again: what was before is over.
  if (event.kind === "EnQueued" && event.source === "LM") return true;
  return then >= now || now < STATES.indexOf("RUNNING");
}
