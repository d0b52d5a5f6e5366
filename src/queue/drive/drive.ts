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
 * What acts at a site beside its jobs' ends. Each phase of an instant comes after the one above it. Its
 * functions are called without `this`: a bound one costs the loop a tenth of its time.
 */
export interface Actor {
  /** When it next has something to do, or Infinity. */
  readonly nextMs?: () => number;
  /** As `nextMs`, of an actor that depends on when something else next happens. */
  readonly wakeMs?: (othersMs: number) => number;
  /** Nothing has happened yet at this instant; jobs end after it. */
  readonly before?: (atMs: number) => void;
  /** Cancels, holds, suspends, outages, reservations, releases and resumes. */
  readonly changes?: (atMs: number) => void;
  /** Jobs are submitted: to the site, or to somebody who keeps some of them outside. */
  readonly arrivals?: (atMs: number) => void;
  /** Who keeps jobs outside lets some in; an enforcer also stops others. */
  readonly admissions?: (atMs: number) => void;
  /** Everything has happened: tells the machine who starts, where its discipline is `external`. */
  readonly decide?: (atMs: number) => void;
  /** The same, by somebody who is waited for. */
  readonly consult?: (atMs: number) => Promise<void>;
  /** Who starts has started; true where it changed something, and the instant is settled once more. */
  readonly again?: (atMs: number) => boolean;
  /** The instant is over. */
  readonly settled?: (atMs: number) => void;
}

type PhaseOf<Kind extends keyof Actor> = NonNullable<Actor[Kind]>;

/** A site and its actors, one function a phase in which anybody acts. */
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

/** Plays every instant before `untilMs`. Nobody is consulted. */
export function drive<Job extends ReplayJob>(driven: Drive<Job>, untilMs: number): void {
  for (let atMs = nextInstantMs(driven); atMs < untilMs; atMs = nextInstantMs(driven)) {
    playInstant(driven, atMs);
  }
}

/** As `drive`, waiting for whoever is consulted. */
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

/** When something next happens by itself, or Infinity. */
export function nextInstantMs<Job extends ReplayJob>({ site, nextMs, wakeMs }: Drive<Job>): number {
  let atMs = nextAtSite(site);
  for (let i = 0; i < nextMs.length; i++) atMs = Math.min(atMs, nextMs[i]());
  for (let i = 0; i < wakeMs.length; i++) atMs = Math.min(atMs, wakeMs[i](atMs));
  return atMs;
}

/** Plays one instant, at which something happens or somebody outside has changed something. */
export function playInstant<Job extends ReplayJob>(driven: Drive<Job>, atMs: number): void {
  happen(driven, atMs);
  settleInstant(driven, atMs);
}

/** Everything of an instant up to who starts; no instant with something to do may be left out. */
export function happen<Job extends ReplayJob>(driven: Drive<Job>, atMs: number): void {
  const { site, before, changes, arrivals, admissions } = driven;
  if (before !== undefined) before(atMs);
  endDue(site, atMs);
  if (changes !== undefined) changes(atMs);
  if (arrivals !== undefined) arrivals(atMs);
  if (admissions !== undefined) admissions(atMs);
}

/** Who starts at an instant at which everything has happened, and what follows. */
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
