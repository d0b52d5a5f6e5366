/**
 * The event loop of virtual time: a site, and actors that each know one kind of thing that happens to it.
 *
 * The order of one instant (rule QU-8) is written here and nowhere else. An actor says when it next has
 * something to do, and has a method for each phase in which it acts; all are called in the order in which
 * they are listed. Where a program decides, `driveWithProgram` waits for it between two phases.
 */
import type { ReplayJob } from "./replay-job.ts";
import { type DrivenSite, endDue, inTurn, nextAtSite, settleSite } from "./site.ts";

/**
 * A source of changes at a site other than the ends of its jobs. Phases are listed in the order in which an
 * instant runs them. Functions are called without `this`: a bound one costs the loop a tenth of its time.
 */
export interface Actor {
  /** Next instant at which the actor acts, or Infinity. */
  readonly nextMs?: () => number;
  /** As `nextMs`, for an actor whose next instant depends on the next instant of all others. */
  readonly wakeMs?: (othersMs: number) => number;
  /** Nothing has happened yet at this instant; jobs end after it. */
  readonly before?: (atMs: number) => void;
  /** Cancels, holds, suspends, outages, reservations, releases and resumes. */
  readonly changes?: (atMs: number) => void;
  /** Jobs are submitted: to the site, or to an actor that holds some of them outside the queue. */
  readonly arrivals?: (atMs: number) => void;
  /** Jobs held outside the queue enter it; an enforcer also stops running jobs. */
  readonly admissions?: (atMs: number) => void;
  /** All changes of the instant are made: starts jobs where the discipline is `external`. */
  readonly decide?: (atMs: number) => void;
  /** As `decide`, for a program whose answer is awaited. */
  readonly consult?: (atMs: number) => Promise<void>;
  /** Called after the starts; returns true after a change, and the instant is settled once more. */
  readonly again?: (atMs: number) => boolean;
  /** The instant is over. */
  readonly settled?: (atMs: number) => void;
}

type PhaseOf<Kind extends keyof Actor> = NonNullable<Actor[Kind]>;

/** Events of a site itself, beside those of its actors. Functions are called without `this`. */
export interface OwnEvents {
  /** Next end, planned start or end of a reservation, or Infinity. */
  readonly nextOwnMs: () => number;
  /** Ends the jobs whose ends are at this instant. */
  readonly end: (atMs: number) => void;
  /** Starts the jobs that can start, after all changes of the instant. */
  readonly settle: (atMs: number) => void;
}

/** One function for each phase in which an actor acts. */
interface Phases {
  readonly nextMs: readonly PhaseOf<"nextMs">[];
  readonly wakeMs: readonly PhaseOf<"wakeMs">[];
  readonly before: PhaseOf<"before"> | undefined;
  readonly changes: PhaseOf<"changes"> | undefined;
  readonly arrivals: PhaseOf<"arrivals"> | undefined;
  readonly admissions: PhaseOf<"admissions"> | undefined;
  readonly decide: PhaseOf<"decide"> | undefined;
  readonly consult: readonly PhaseOf<"consult">[];
  readonly again: readonly PhaseOf<"again">[];
  readonly settled: PhaseOf<"settled"> | undefined;
}

/**
 * A site and its actors. The drive calls a `site` directly: with its events as `own`, the loop would be a few
 * percent slower.
 */
export type Drive = Phases &
  (
    | { readonly site: DrivenSite; readonly own: undefined }
    | { readonly site: undefined; readonly own: OwnEvents }
  );

/** Makes a site ready to be driven. */
export function createDrive<Job extends ReplayJob>(site: DrivenSite<Job>, actors: readonly Actor[]): Drive {
  return { ...phasesOf(actors), site, own: undefined };
}

/** Drive of a site whose own events are kept elsewhere. */
export function driveOf(own: OwnEvents, actors: readonly Actor[]): Drive {
  return { ...phasesOf(actors), site: undefined, own };
}

function phasesOf(actors: readonly Actor[]): Phases {
  return {
    nextMs: actors.flatMap((actor) => actor.nextMs ?? []),
    wakeMs: actors.flatMap((actor) => actor.wakeMs ?? []),
    before: inTurn(actors.map((actor) => actor.before)),
    changes: inTurn(actors.map((actor) => actor.changes)),
    arrivals: inTurn(actors.map((actor) => actor.arrivals)),
    admissions: inTurn(actors.map((actor) => actor.admissions)),
    decide: inTurn(actors.map((actor) => actor.decide)),
    consult: actors.flatMap((actor) => actor.consult ?? []),
    again: actors.flatMap((actor) => actor.again ?? []),
    settled: inTurn(actors.map((actor) => actor.settled)),
  };
}

/**
 * Runs every instant before `untilMs`, without the phase `consult`.
 *
 * @param most number of instants after which it stops
 * @returns true if no instant before `untilMs` is left
 */
export function drive(driven: Drive, untilMs: number, most = Number.POSITIVE_INFINITY): boolean {
  for (let left = most; ; left--) {
    const atMs = nextInstantMs(driven);
    if (atMs >= untilMs) return true;
    if (left === 0) return false;
    playInstant(driven, atMs);
  }
}

/** Runs instants, without the phase `consult`, until `isDone` or until no event is left. */
export function driveUntil(driven: Drive, isDone: () => boolean): void {
  while (!isDone()) {
    const atMs = nextInstantMs(driven);
    if (atMs === Number.POSITIVE_INFINITY) return;
    playInstant(driven, atMs);
  }
}

/** As `drive`, with the phase `consult`, which is awaited. */
export async function driveWithProgram(driven: Drive, untilMs: number): Promise<void> {
  for (let atMs = nextInstantMs(driven); atMs < untilMs; atMs = nextInstantMs(driven)) {
    happen(driven, atMs);
    for (const consult of driven.consult) await consult(atMs);
    settleInstant(driven, atMs);
  }
}

/** Next instant with an event of the site or of an actor, or Infinity. */
export function nextInstantMs({ site, own, nextMs, wakeMs }: Drive): number {
  let atMs = site === undefined ? own.nextOwnMs() : nextAtSite(site);
  for (let i = 0; i < nextMs.length; i++) atMs = Math.min(atMs, nextMs[i]());
  for (let i = 0; i < wakeMs.length; i++) atMs = Math.min(atMs, wakeMs[i](atMs));
  return atMs;
}

/** Runs one instant, at which an event is due or the site was changed from outside the drive. */
export function playInstant(driven: Drive, atMs: number): void {
  happen(driven, atMs);
  settleInstant(driven, atMs);
}

/** Runs the phases of an instant that precede the starts; no instant with an event may be left out. */
export function happen(driven: Drive, atMs: number): void {
  const { site, own, before, changes, arrivals, admissions } = driven;
  if (before !== undefined) before(atMs);
  if (site === undefined) own.end(atMs);
  else endDue(site, atMs);
  if (changes !== undefined) changes(atMs);
  if (arrivals !== undefined) arrivals(atMs);
  if (admissions !== undefined) admissions(atMs);
}

/** Starts the jobs of an instant after all its other changes; repeats while an actor changes something. */
export function settleInstant(driven: Drive, atMs: number): void {
  const { site, own, decide, settled } = driven;
  do {
    if (decide !== undefined) decide(atMs);
    if (site === undefined) own.settle(atMs);
    else settleSite(site, atMs);
  } while (isToSettleAgain(driven, atMs));
  if (settled !== undefined) settled(atMs);
}

function isToSettleAgain({ again }: Drive, atMs: number): boolean {
  for (let i = 0; i < again.length; i++) if (again[i](atMs)) return true;
  return false;
}
