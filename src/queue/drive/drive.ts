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

/** A site and its actors, with one function for each phase in which an actor acts. */
export interface Drive<Job extends ReplayJob = ReplayJob> {
  readonly site: DrivenSite<Job>;
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

/** Makes a site ready to be driven. */
export function createDrive<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  actors: readonly Actor[],
): Drive<Job> {
  return {
    site,
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

/** Runs every instant before `untilMs`, without the phase `consult`. */
export function drive<Job extends ReplayJob>(driven: Drive<Job>, untilMs: number): void {
  for (let atMs = nextInstantMs(driven); atMs < untilMs; atMs = nextInstantMs(driven)) {
    playInstant(driven, atMs);
  }
}

/** Runs instants, without the phase `consult`, until `isDone` or until no event is left. */
export function driveUntil<Job extends ReplayJob>(driven: Drive<Job>, isDone: () => boolean): void {
  while (!isDone()) {
    const atMs = nextInstantMs(driven);
    if (atMs === Number.POSITIVE_INFINITY) return;
    playInstant(driven, atMs);
  }
}

/** As `drive`, with the phase `consult`, which is awaited. */
export async function driveWithProgram<Job extends ReplayJob>(
  driven: Drive<Job>,
  untilMs: number,
): Promise<void> {
  for (let atMs = nextInstantMs(driven); atMs < untilMs; atMs = nextInstantMs(driven)) {
    happen(driven, atMs);
    for (const consult of driven.consult) await consult(atMs);
    settleInstant(driven, atMs);
  }
}

/** Next instant with an event of the site or of an actor, or Infinity. */
export function nextInstantMs<Job extends ReplayJob>({ site, nextMs, wakeMs }: Drive<Job>): number {
  let atMs = nextAtSite(site);
  for (let i = 0; i < nextMs.length; i++) atMs = Math.min(atMs, nextMs[i]());
  for (let i = 0; i < wakeMs.length; i++) atMs = Math.min(atMs, wakeMs[i](atMs));
  return atMs;
}

/** Runs one instant, at which an event is due or the site was changed from outside the drive. */
export function playInstant<Job extends ReplayJob>(driven: Drive<Job>, atMs: number): void {
  happen(driven, atMs);
  settleInstant(driven, atMs);
}

/** Runs the phases of an instant that precede the starts; no instant with an event may be left out. */
export function happen<Job extends ReplayJob>(driven: Drive<Job>, atMs: number): void {
  const { site, before, changes, arrivals, admissions } = driven;
  if (before !== undefined) before(atMs);
  endDue(site, atMs);
  if (changes !== undefined) changes(atMs);
  if (arrivals !== undefined) arrivals(atMs);
  if (admissions !== undefined) admissions(atMs);
}

/** Starts the jobs of an instant after all its other changes; repeats while an actor changes something. */
export function settleInstant<Job extends ReplayJob>(driven: Drive<Job>, atMs: number): void {
  const { site, decide, settled } = driven;
  do {
    if (decide !== undefined) decide(atMs);
    settleSite(site, atMs);
  } while (isToSettleAgain(driven, atMs));
  if (settled !== undefined) settled(atMs);
}

function isToSettleAgain<Job extends ReplayJob>({ again }: Drive<Job>, atMs: number): boolean {
  for (let i = 0; i < again.length; i++) if (again[i](atMs)) return true;
  return false;
}
