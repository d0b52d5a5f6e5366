/**
 * The state of a job and what is known of it, from its book (rules BK-2 to BK-5).
 *
 * Source: [WMS] slide 59; events and states are those of gLite's Logging and Bookkeeping. Departs from it:
 * the whole book is looked at twice, first for the branches that count, then for the state, so that nothing
 * depends on the order of arrival; and exit codes belong to the branch in which they were reported.
 */
import { type Branches, branchesOf, isOfJob, wmOf } from "./branches.ts";
import type { BookedEvent, JobBook } from "./job-book.ts";
import { type BookedState, isStronger, phaseAfter } from "./phases.ts";

/** A job as its events tell. */
export interface JobStatus {
  /** UNKNOWN: no event says anything of it. */
  readonly state: BookedState;
  /** Instant of the event that began the state; Unix ms. */
  readonly sinceMs: number | null;
  readonly isSuspended: boolean;
  /** A cancellation was requested, and is neither carried out nor refused. */
  readonly isCancelling: boolean;
  /** The program itself runs, not only its wrapper. */
  readonly isPayloadRunning: boolean;
  readonly reason: string | null;
  readonly destination: string | null;
  readonly node: string | null;
  /** Of the branches since the last deep resubmission, in order. */
  readonly possibleDestinations: readonly string[];
  readonly possibleNodes: readonly string[];
  readonly doneCode: string | null;
  readonly exitCode: number | null;
  readonly resubmissions: number;
  readonly jobType: string | null;
  readonly parent: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

interface Standing {
  readonly state: BookedState;
  readonly sinceMs: number | null;
  readonly branch: number;
  readonly by: BookedEvent | undefined;
}

/** The status that follows from a book. */
export function statusOf({ events }: JobBook): JobStatus {
  const branches = branchesOf(events);
  const standing = standingOf(events, branches);
  const { state, sinceMs, by } = standing;
  const done = by?.kind === "Done" && state === "DONE" ? by : doneBefore(events, standing, branches);
  const matches = factsOf(events, branches, "Match", "DEST_ID");
  const nodes = factsOf(events, branches, "Running", "NODE");
  return {
    state,
    sinceMs,
    isSuspended: state === "RUNNING" && lastOf(events, branches, ["Suspend", "Resume"])?.kind === "Suspend",
    isCancelling: !isOver(state) && events.findLast(isCancel)?.facts.STATUS_CODE === "REQ",
    isPayloadRunning: isPayloadRunning(events, branches),
    reason: by?.facts.REASON ?? null,
    destination: inBranch(matches, branches)?.fact ?? null,
    node: inBranch(nodes, branches)?.fact ?? null,
    possibleDestinations: [...new Set(matches.map(({ fact }) => fact))],
    possibleNodes: [...new Set(nodes.map(({ fact }) => fact))],
    doneCode: done?.facts.STATUS_CODE ?? null,
    exitCode: exitCodeOf(done),
    resubmissions: events.filter((event) => event.kind === "Resubmission" && isNewBranch(event)).length,
    ...registered(events),
    tags: tagsOf(events),
  };
}

function isNewBranch({ source, facts }: BookedEvent): boolean {
  return source === "WM" && facts.RESULT !== "WONTRESUB";
}

function isCancel({ kind }: BookedEvent): boolean {
  return kind === "Cancel";
}

function isOver(state: BookedState): boolean {
  return ["ABORTED", "CANCELLED", "CLEARED", "PURGED"].includes(state);
}

function standingOf(events: readonly BookedEvent[], branches: Branches): Standing {
  let standing: Standing = { state: "UNKNOWN", sinceMs: null, branch: -1, by: undefined };
  for (const event of events) {
    const state = phaseAfter(event);
    if (state === undefined) continue;
    const branch = isOfJob(event) ? standing.branch : wmOf(event);
    if (!isOfJob(event) && !branches.counts(event)) continue;
    if (!isStronger({ ...standing, event }, { state, branch })) continue;
    const sinceMs = state === standing.state ? standing.sinceMs : event.atMs;
    standing = { state, sinceMs, branch, by: event };
  }
  return standing;
}

/** The end of a program whose files were removed since. */
function doneBefore(
  events: readonly BookedEvent[],
  { state, branch }: Standing,
  branches: Branches,
): BookedEvent | undefined {
  if (state !== "CLEARED" && state !== "PURGED") return undefined;
  return events.findLast((event) => isDone(event) && branches.counts(event) && wmOf(event) === branch);
}

/** The wrapper's own word is not the end: its outputs may still be on their way. */
function isDone({ kind, source }: BookedEvent): boolean {
  return kind === "Done" && source !== "LRMS";
}

function exitCodeOf(done: BookedEvent | undefined): number | null {
  const text = done?.facts.EXIT_CODE ?? "";
  return done?.facts.STATUS_CODE === "OK" && /^-?\d{1,9}$/.test(text) ? Number(text) : null;
}

function isPayloadRunning(events: readonly BookedEvent[], { running, counts }: Branches): boolean {
  if (running === undefined) return false;
  const begun = events.findIndex((event) => event.kind === "ReallyRunning" && wmOf(event) === running);
  return !events.slice(begun).some((event) => event.kind === "Done" && counts(event));
}

interface Fact {
  readonly branch: number;
  readonly fact: string;
}

function factsOf(
  events: readonly BookedEvent[],
  { isGivenUp }: Branches,
  kind: string,
  name: string,
): readonly Fact[] {
  return events.flatMap((event) => {
    const fact = event.kind === kind && !isGivenUp(event) ? event.facts[name] : undefined;
    return fact === undefined ? [] : [{ branch: wmOf(event), fact }];
  });
}

/** Of the branch that runs, if one is known to: a match precedes the submission by a few counts. */
function inBranch(facts: readonly Fact[], { running }: Branches): Fact | undefined {
  return running === undefined ? facts.at(-1) : facts.findLast(({ branch }) => branch <= running);
}

function lastOf(
  events: readonly BookedEvent[],
  branches: Branches,
  kinds: readonly string[],
): BookedEvent | undefined {
  return events.findLast((event) => kinds.includes(event.kind) && branches.counts(event));
}

function registered(events: readonly BookedEvent[]): Pick<JobStatus, "jobType" | "parent"> {
  const facts = events.findLast(({ kind }) => kind === "RegJob")?.facts;
  return { jobType: facts?.JOBTYPE ?? null, parent: facts?.PARENT || null };
}

function tagsOf(events: readonly BookedEvent[]): Readonly<Record<string, string>> {
  const tags = new Map<string, string>();
  for (const { kind, facts } of events) {
    if (kind === "UserTag" && facts.NAME) tags.set(facts.NAME.toLowerCase(), facts.VALUE ?? "");
  }
  return Object.fromEntries([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
}
