/**
 * A played cluster behind the port of a foreign site: its clock, its journal, its delays and losses.
 *
 * Every call first plays the cluster up to now; what comes in is written down and then accepted. Between
 * calls an alarm plays it when something is due, so that programs start on time.
 */
import { assert, Fault } from "../../base/index.ts";
import type { Survey } from "../../engine/index.ts";
import type { AttemptEnd, SimulatedSiteSpec } from "../../model/index.ts";
import {
  attemptNotEnded,
  type Clock,
  checkEnforcementOrder,
  checkReservationOrder,
  checkReservationToken,
  type EnforcementAnswer,
  type EnforcementOrder,
  type FilePart,
  type ForeignSite,
  type ManagedSite,
  type PlacedAttempt,
  type ReservationOrder,
  reservationConflict,
  type SiteAbility,
  type SiteCapacity,
  type SiteVerb,
  type SubmitOrder,
} from "../../runtime/index.ts";
import { simulatedAbilities } from "./abilities.ts";
import { accept, advanceTo, nextInstant } from "./advance.ts";
import type { Background } from "./background.ts";
import { drawFate } from "./chance.ts";
import { divided, hasEnforced } from "./enforce.ts";
import type { Journal } from "./journal.ts";
import { checkInside, checkToken, ownJobOf } from "./own-job.ts";
import { Programs } from "./programs.ts";
import { changeFor, obstacleTo, reservationNow } from "./reservations.ts";
import {
  type Cluster,
  type ClusterInput,
  type ClusterJob,
  nameOfReservation,
  nextSiteJob,
  ownJob,
} from "./simulated-cluster.ts";
import { surveyOf } from "./survey.ts";

/** Everything a site needs, with nothing left to default. */
export interface SimulatedSiteParts {
  readonly name: string;
  readonly spec: SimulatedSiteSpec;
  readonly clock: Clock;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  /** Where the jobs' programs run; undefined where jobs are imitated. */
  readonly programs: ManagedSite | undefined;
  readonly cluster: Cluster;
  readonly background: Background;
  readonly journal: Journal;
}

/** Instants closer together than this are played together, unless somebody looks. */
const TOGETHER_MS = 5;
/** A journal is made short when so many lines are mostly about what is over … */
const MANY_LINES = 2000;
/** … or when so many of others' jobs would have to be played again. */
const MANY_OTHERS = 20_000;

/** A cluster that is played. */
export class SimulatedSite implements ForeignSite {
  readonly name: string;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  readonly #parts: SimulatedSiteParts;
  readonly #cluster: Cluster;
  readonly #programs: Programs | undefined;
  /** Calls that take their time; called when the site is closed, too. */
  readonly #slow = new Map<() => void, () => void>();
  #othersWhenShort: number;
  /** 0, unless the journal could not be made short. */
  #linesWhenTried = 0;
  #alarm: { readonly atMs: number; callOff(): void } | undefined;
  #isClosed = false;
  readonly abilities: ReadonlySet<SiteAbility>;

  constructor(parts: SimulatedSiteParts) {
    this.#parts = parts;
    this.#cluster = parts.cluster;
    this.name = parts.name;
    this.abilities = simulatedAbilities(parts.spec, hasEnforced(parts.cluster));
    this.surveyEveryMs = parts.surveyEveryMs;
    this.lostAfterMs = parts.lostAfterMs;
    this.#othersWhenShort = parts.cluster.othersCome;
    if (parts.programs !== undefined) this.#programs = this.#minderOf(parts.programs);
    this.#cluster.effects = [];
    this.#programs?.recover();
    this.#setAlarm();
  }

  async capacity(): Promise<SiteCapacity> {
    const { procs, memoryBytes } = this.#parts.spec;
    return { procs, memoryBytes };
  }

  async submit(order: SubmitOrder): Promise<string> {
    const job = ownJobOf(order, this.#cluster.rules);
    const atMs = this.#play();
    checkInside(this.#cluster, order);
    const { losses, seed, delays } = this.#parts.spec;
    const { token } = order;
    const fate = drawFate(losses, seed, token, this.#cluster.submissions.get(token) ?? 0);
    if (fate.answer === "failed") {
      this.#take({ kind: "failed", atMs, token });
      await this.#slowly(atMs);
      throw noAnswer(token);
    }
    const siteJob = nextSiteJob(this.#cluster);
    if (siteJob === undefined) throw full(token);
    const effectMs = atMs + delays.orderMs;
    const vanishAtMs = fate.vanishAfterMs === null ? null : effectMs + fate.vanishAfterMs;
    this.#take({ kind: "submitted", atMs, effectMs, siteJob, vanishAtMs, job });
    await this.#slowly(atMs);
    if (fate.answer === "doubtful") throw noAnswer(token);
    return String(siteJob);
  }

  async act(verb: SiteVerb, { token, siteJob }: PlacedAttempt): Promise<void> {
    checkToken(token);
    const atMs = this.#play();
    const job = ownJob(this.#cluster, Number(siteJob), token);
    if (job !== undefined) {
      const effectMs = atMs + this.#parts.spec.delays.orderMs;
      this.#take({ kind: "ordered", atMs, effectMs, verb, siteJob: job.siteJob, token });
    }
    await this.#slowly(atMs);
  }

  async signal({ token, siteJob }: PlacedAttempt, name: string): Promise<void> {
    checkToken(token);
    this.#play();
    const job = ownJob(this.#cluster, Number(siteJob), token);
    if (job !== undefined && job.startedAtMs !== null) await this.#parts.programs?.signal(token, name);
  }

  async enforce(order: EnforcementOrder): Promise<EnforcementAnswer> {
    const { name, spec } = this.#parts;
    checkEnforcementOrder(name, order, spec.enforcement);
    const atMs = this.#play();
    const { verb, untilMs } = order;
    const { jobs, refused } = divided(this.#cluster, order);
    if (jobs.length === 0) return { commands: [], refused };
    this.#take({ kind: "enforced", atMs, effectMs: atMs + spec.delays.orderMs, verb, untilMs, jobs });
    await this.#slowly(atMs);
    const until = verb === "hold" ? ` until ${new Date(untilMs).toISOString()}` : "";
    return { commands: [`${verb} ${jobs.map(({ siteJob }) => siteJob).join(",")}${until}`], refused };
  }

  async survey(): Promise<Survey> {
    this.#play();
    return surveyOf(this.#cluster);
  }

  async reserve(order: ReservationOrder): Promise<string> {
    checkReservationOrder(order);
    const atMs = this.#play();
    const change = changeFor(this.#cluster, order);
    if (change !== undefined) {
      const obstacle = obstacleTo(this.#cluster, change);
      if (obstacle !== undefined) throw reservationConflict(order.token, obstacle);
      this.#take(change);
    }
    await this.#slowly(atMs);
    const reserved = reservationNow(this.#cluster, order.token) ?? change;
    assert(reserved !== undefined, "what was there or was made has a name");
    return nameOfReservation(reserved);
  }

  async unreserve(token: string): Promise<void> {
    checkReservationToken(token);
    const atMs = this.#play();
    const reserved = reservationNow(this.#cluster, token);
    if (reserved !== undefined) this.#take({ kind: "unreserved", atMs, id: reserved.id, token });
    await this.#slowly(atMs);
  }

  async acknowledge(token: string): Promise<void> {
    checkToken(token);
    const atMs = this.#play();
    if (!this.#cluster.ended.some((end) => end.token === token)) return;
    this.#take({ kind: "acknowledged", atMs, token });
    await this.#parts.programs?.acknowledge(token);
  }

  async readFile(
    token: string,
    name: string,
    fromByte: number,
    maxBytes: number,
  ): Promise<FilePart | undefined> {
    checkToken(token);
    const { programs } = this.#parts;
    if (programs !== undefined) return programs.readFile(token, name, fromByte, maxBytes);
    this.#play();
    const isThere = this.#cluster.turns.get(token)?.files.includes(name) === true;
    return isThere ? { bytes: new Uint8Array(), sizeBytes: 0 } : undefined;
  }

  async listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    checkToken(token);
    const { programs } = this.#parts;
    if (programs !== undefined) return programs.listFiles(token);
    this.#play();
    return (this.#cluster.turns.get(token)?.files ?? []).map((name) => ({ name, sizeBytes: 0 }));
  }

  async purge(token: string): Promise<void> {
    checkToken(token);
    this.#play();
    for (const { own } of this.#cluster.jobs.values()) if (own?.token === token) throw attemptNotEnded(token);
    await this.#parts.programs?.purge(token);
    this.#take({ kind: "purged", atMs: this.#play(), token });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alarm?.callOff();
    for (const [done, callOff] of this.#slow) {
      callOff();
      done();
    }
    await this.#programs?.close();
    this.#parts.journal.close();
  }

  /** Plays the cluster up to now; gives the instant. A clock that is set back does not take it back. */
  #play(): number {
    assert(!this.#isClosed, "a closed site is not used");
    const { background, clock } = this.#parts;
    const nowMs = Math.max(this.#cluster.nowMs, clock.nowMs());
    advanceTo(this.#cluster, background, nowMs);
    this.#programs?.retell();
    const { effects } = this.#cluster;
    this.#cluster.effects = [];
    this.#programs?.mind(effects);
    this.#shortenJournal();
    this.#setAlarm();
    return this.#cluster.nowMs;
  }

  #take(input: ClusterInput): void {
    this.#parts.journal.write(input);
    accept(this.#cluster, input);
    this.#setAlarm();
  }

  #setAlarm(): void {
    const { background, clock } = this.#parts;
    const dueMs = nextInstant(this.#cluster, background);
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const atMs = Math.max(dueMs + 1, this.#cluster.nowMs + TOGETHER_MS);
    if (this.#alarm !== undefined && this.#alarm.atMs <= atMs) return;
    this.#alarm?.callOff();
    const callOff = clock.wakeAt(atMs, () => {
      this.#alarm = undefined;
      if (!this.#isClosed) this.#play();
    });
    this.#alarm = { atMs, callOff };
  }

  /** Resolves when what was ordered at `atMs` has taken effect; at once where the site is not slow. */
  #slowly(atMs: number): Promise<void> {
    const { orderMs } = this.#parts.spec.delays;
    if (orderMs === 0 || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#slow.delete(done);
        resolve();
      };
      this.#slow.set(done, this.#parts.clock.wakeAt(atMs + orderMs + 1, done));
    });
  }

  #shortenJournal(): void {
    const { journal } = this.#parts;
    const { ended, jobs, othersCome } = this.#cluster;
    const lines = journal.lines - this.#linesWhenTried;
    const isMostlyOver = lines > MANY_LINES && journal.lines > 4 * (jobs.size + ended.length);
    if (!isMostlyOver && othersCome - this.#othersWhenShort < MANY_OTHERS) return;
    journal.compact(this.#cluster);
    this.#linesWhenTried = journal.lines;
    this.#othersWhenShort = othersCome;
  }

  #minderOf(programs: ManagedSite): Programs {
    const told = ({ siteJob, own }: ClusterJob) => ({ siteJob, token: own?.token ?? "" });
    return new Programs(programs, {
      cluster: this.#cluster,
      clock: this.#parts.clock,
      startMs: this.#parts.spec.delays.startMs,
      began: (job, startedAtMs) => {
        this.#take({ kind: "began", atMs: this.#play(), ...told(job), startedAtMs });
      },
      ended: (job, endedAtMs: number, end: AttemptEnd) => {
        this.#take({ kind: "ended", atMs: this.#play(), ...told(job), endedAtMs, end });
      },
    });
  }
}

/** The same words whether it was accepted or not: that is what is in doubt. */
function noAnswer(token: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "siteNoAnswer",
    what: `submitting ${token} got no answer`,
    why: "the site's controller did not answer in time",
    remedy: "look for it in the site's queue, and submit it again if it is not there",
  });
}

function full(token: string): Fault {
  return new Fault({
    kind: "failed",
    code: "siteFull",
    what: `cannot submit ${token} now`,
    why: "the site has as many jobs as it has ids",
    remedy: "submit it again when some have ended",
  });
}
