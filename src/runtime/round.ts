/**
 * The round: reads, decides, commits, dispatches.
 *
 * Events take effect in memory when they are appended; answers to people and effects on sites wait until
 * their commit is durable ("commit, then speak"). Decisions are made soon after something happened
 * (changes within 10 ms share one round) and at wake-ups, one round at a time, until nothing follows.
 */
import { assert, wholeText } from "../base/index.ts";
import {
  type Answer,
  type AttemptReport,
  answer,
  apply,
  decide,
  hear,
  type Look,
  noteTrouble,
  observe,
  observeReservation,
  observeSurvey,
  outdated,
  outdatedText,
  type Projection,
  type RecordChange,
  type ReservationReport,
  takeSurvey,
} from "../engine/index.ts";
import {
  type Command,
  type EnforcementReport,
  EVENT_VERSIONS,
  type JobRecord,
  type ShareChangeOutcome,
  type StintEvent,
} from "../model/index.ts";
import type { Clock } from "./clock.ts";
import type { EventToLog, Logbook } from "./logbook.ts";
import { asJson, rowsOf } from "./views.ts";

/** Time for which changes are collected before a round decides. */
const COALESCE_MS = 10;

/** Dependencies of a round. */
export interface RoundWorld {
  readonly projection: Projection;
  readonly logbook: Logbook;
  readonly clock: Clock;
  /** Called with events when they are durable, in order: effects on sites follow from them. */
  readonly dispatch: (event: StintEvent, projection: Projection) => void;
  readonly onJobChange: (record: JobRecord) => void;
  /** Record of an ended job that was cleared or purged. */
  readonly onJobRetired?: (record: JobRecord) => void;
  /** The log cannot be written: memory is ahead of it, and the only honest end is to stop. */
  readonly onBroken: (error: unknown) => void;
  /** Something that was decided or reported is not recorded, since the state has moved on; one sentence. */
  readonly warn: (message: string) => void;
}

/** Where everything that changes the state passes through. */
export interface Round {
  readonly projection: Projection;
  /** The instant that counts as now; never goes back. */
  nowMs(): number;
  /** Resolves with what was done, once it is recorded for good, or at once with the reason why not. */
  ask(command: Command): Promise<Answer>;
  /** Accepts a site's report; resolves when it is recorded durably (also without news). */
  report(report: AttemptReport): Promise<void>;
  /** Takes a look at a foreign site's queue; resolves when what follows from it is recorded for good. */
  survey(look: Look): Promise<void>;
  /**
   * Records that a foreign site cannot be reached or used; it gets no new jobs until the next survey. A
   * managed one has a shortage, until the call with `null`.
   */
  trouble(site: string, sentence: string | null): void;
  /** Records that a foreign site has a job of ours that it should not have. */
  stray(
    site: string,
    attempt: { readonly job: string; readonly attempt: number },
    siteJob: string,
  ): Promise<void>;
  /** A foreign site has made a reservation, or never will. */
  reservation(report: ReservationReport): Promise<void>;
  /** Records the outcome of an enforcer's order at a foreign site. */
  enforcement(report: EnforcementReport): Promise<void>;
  /** Records the outcomes of changes of a cluster's own shares. */
  shares(site: string, outcomes: readonly ShareChangeOutcome[]): Promise<void>;
  /** Resolves when everything that is in effect is recorded for good. */
  durable(): Promise<void>;
  /** Decides soon, as if something had happened. */
  wake(): void;
  /** Waits for what is being written, and decides no more. */
  stop(): Promise<void>;
}

/** Begins rounds over a state. */
export function createRound(world: RoundWorld): Round {
  return new RoundOf(world);
}

class RoundOf implements Round {
  readonly projection: Projection;
  readonly #world: RoundWorld;
  #lastMs = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Resolves when all that was appended is durable; rejects for ever once something could not be. */
  #durable: Promise<void> = Promise.resolve();
  #cancelAlarm: (() => void) | undefined;
  #alarmAtMs = Number.POSITIVE_INFINITY;
  #hasStopped = false;

  constructor(world: RoundWorld) {
    this.#world = world;
    this.projection = world.projection;
  }

  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#world.clock.nowMs());
    return this.#lastMs;
  }

  async ask(command: Command): Promise<Answer> {
    const answered = answer(this.projection, command, this.nowMs());
    if (!answered.ok) return answered;
    await this.#record(answered.value);
    hear(this.projection, command, this.nowMs());
    return answered;
  }

  async report(report: AttemptReport): Promise<void> {
    await this.#note(observe(this.projection, report, this.nowMs()));
  }

  async survey(look: Look): Promise<void> {
    const nowMs = this.nowMs();
    const written = this.#note(observeSurvey(this.projection, look, nowMs));
    takeSurvey(this.projection, look.site, look.survey, nowMs);
    const { unplaced, virtual, sites } = this.projection;
    // The enforcer of the site decides on what was seen.
    const isEnforced = sites.get(look.site)?.enforcer.use.keeper !== undefined;
    if (isEnforced || unplaced.size > 0 || virtual.size > 0) this.wake();
    await written;
  }

  trouble(site: string, sentence: string | null): void {
    noteTrouble(this.projection, site, sentence);
  }

  async stray(site: string, of: { readonly job: string; readonly attempt: number }, siteJob: string) {
    await this.#note([{ kind: "strayFound", ...of, site, siteJob, atMs: this.nowMs() }]);
  }

  async reservation(report: ReservationReport) {
    await this.#note(observeReservation(this.projection.reserved, report, this.nowMs()));
  }

  async enforcement(report: EnforcementReport) {
    await this.#note([{ kind: "enforcementAnswered", ...report, atMs: this.nowMs() }]);
  }

  async shares(site: string, outcomes: readonly ShareChangeOutcome[]) {
    await this.#note([{ kind: "sharesAnswered", site, outcomes, atMs: this.nowMs() }]);
  }

  durable(): Promise<void> {
    return this.#durable;
  }

  wake(): void {
    this.#alarm(this.nowMs() + COALESCE_MS);
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    this.#cancelAlarm?.();
    await this.#writing;
  }

  /** As {@link #record}, of what happened: it cannot be refused, so text that is not whole is mended. */
  #note(events: readonly StintEvent[]): Promise<void> {
    return this.#isOutdated(events) ? this.#durable : this.#record(events.map(mended));
  }

  /**
   * True for a group of events that can no longer be recorded: the subject of one has gone since the
   * decision, or while its report was on the way.
   */
  #isOutdated(events: readonly StintEvent[]): boolean {
    for (const event of events) {
      const why = outdated(this.projection, event);
      if (why === undefined) continue;
      this.#world.warn(`${event.kind} is not recorded: ${outdatedText(why)}`);
      return true;
    }
    return false;
  }

  /**
   * Appends events: in effect at once, resolved when durable; effects follow then. Nothing takes effect
   * of what the logbook would refuse.
   */
  #record(events: readonly StintEvent[]): Promise<void> {
    if (events.length === 0) return this.#durable;
    const { logbook } = this.#world;
    const toLog = events.map(logged);
    try {
      logbook.check(toLog);
    } catch (error) {
      return Promise.reject(error);
    }
    const changes = events.flatMap((event) => apply(this.projection, event));
    const written = logbook.commit({ events: toLog, changes: rowsOf(changes) });
    this.#writing = written.then(() => this.#speak(events, changes), this.#world.onBroken);
    this.wake();
    const before = this.#durable;
    this.#durable = written.then(() => before);
    // Whoever waits for it hears of the failure; nobody may be waiting.
    this.#durable.catch(() => undefined);
    return this.#durable;
  }

  #speak(events: readonly StintEvent[], changes: readonly RecordChange[]): void {
    for (const event of events) this.#world.dispatch(event, this.projection);
    for (const change of changes) {
      if (change.kind === "job") this.#world.onJobChange(change.record);
      else if (change.kind === "retiredJob") this.#world.onJobRetired?.(change.record);
    }
  }

  #decideUntilQuiet(): void {
    for (;;) {
      const { events, wakeAtMs } = decide(this.projection, this.nowMs());
      if (events.length === 0) {
        this.#alarm(wakeAtMs);
        return;
      }
      if (this.#isOutdated(events)) {
        this.wake();
        return;
      }
      void this.#record(events).catch(this.#world.onBroken);
      // Many jobs are placed in several decisions: what came meanwhile is heard in between.
      if (this.projection.unplaced.size > 0) {
        this.#alarm(this.nowMs());
        return;
      }
    }
  }

  /** Sets the alarm, unless it rings earlier anyway. */
  #alarm(atMs: number): void {
    if (this.#hasStopped || atMs >= this.#alarmAtMs || atMs === Number.POSITIVE_INFINITY) return;
    this.#cancelAlarm?.();
    this.#alarmAtMs = atMs;
    this.#cancelAlarm = this.#world.clock.wakeAt(atMs, () => {
      this.#alarmAtMs = Number.POSITIVE_INFINITY;
      this.#decideUntilQuiet();
    });
  }
}

function logged(event: StintEvent): EventToLog {
  const { kind, atMs, ...body } = event;
  assert(EVENT_VERSIONS[kind] > 0, "every kind of event has a version");
  return { kind, version: EVENT_VERSIONS[kind], atMs, body: asJson(body) };
}

/** The event with whole characters; itself where they are. */
function mended(event: StintEvent): StintEvent {
  // JSON.stringify writes half of a pair as an escape, and nothing else of a character beyond controls.
  if (!/\\ud[89a-f]/.test(JSON.stringify(event))) return event;
  return withWholeText(event) as StintEvent;
}

function withWholeText(value: unknown): unknown {
  if (typeof value === "string") return wholeText(value);
  if (Array.isArray(value)) return value.map(withWholeText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, within]) => [wholeText(name), withWholeText(within)]),
  );
}
