/** Which branches of a job count: those since its last deep resubmission, or the one whose program began. */
import type { BookedEvent } from "./job-book.ts";
import { counterOf, readCode } from "./sequence-code.ts";

/** The branches of a job. */
export interface Branches {
  /** Branch in which the program really began; undefined while none is known. */
  readonly running: number | undefined;
  /** True for events from before the last deep resubmission (rule BK-3). */
  readonly isGivenUp: (event: BookedEvent) => boolean;
  /** True for events of a branch that counts. */
  readonly counts: (event: BookedEvent) => boolean;
}

/** Kinds of events that concern the job in whatever branch it is. */
const OF_JOB: readonly string[] = ["Cancel", "Clear", "Purge", "CollectionState"];

/** True for events that no branch confines. */
export function isOfJob({ kind, source }: BookedEvent): boolean {
  return OF_JOB.includes(kind) || (kind === "Abort" && source === "WM");
}

/** Branch of an event: the WM's counter; of a program that was seen to begin elsewhere, the counter there. */
export function wmOf({ kind, code, source, facts }: BookedEvent): number {
  const there =
    kind === "ReallyRunning" && source === "LM" && facts.WN_SEQ ? readCode(facts.WN_SEQ) : undefined;
  return counterOf(there ?? code, "WM");
}

/** The branches that events tell of. */
export function branchesOf(events: readonly BookedEvent[]): Branches {
  let since = 0;
  for (const event of events) if (isDeepResubmission(event)) since = Math.max(since, wmOf(event));
  const isGivenUp = (event: BookedEvent): boolean => wmOf(event) < since;
  const began = events.find((event) => event.kind === "ReallyRunning" && !isGivenUp(event));
  const running = began === undefined ? undefined : wmOf(began);
  const counts = (event: BookedEvent): boolean =>
    !isGivenUp(event) && (running === undefined || wmOf(event) === running);
  return { running, isGivenUp, counts };
}

/** The submission component announces resubmissions, and the WM makes them. */
function isDeepResubmission({ kind, source, facts }: BookedEvent): boolean {
  return kind === "Resubmission" && source === "WM" && facts.RESULT === "WILLRESUB";
}
