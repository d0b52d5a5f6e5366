/**
 * A simulated cluster behind the port of a foreign site: its clock, its journal, its delays and losses.
 *
 * Every call first simulates up to now; inputs are written to the journal and then accepted. Between calls
 * a timer advances the cluster when an event is due, so that programs start on time.
 */
import { assert, Fault } from "../../base/index.ts";
import type { Survey } from "../../engine/index.ts";
import type { AttemptEnd, SimulatedSiteSpec } from "../../model/index.ts";
import {
  type AppendedPart,
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
import { hasEnforced, split } from "./enforce.ts";
import type { Journal } from "./journal.ts";
import { drawOutcome } from "./losses.ts";
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

/** Configuration of a site, complete with all defaults. */
export interface SimulatedSiteParts {
  readonly name: string;
  readonly spec: SimulatedSiteSpec;
  readonly clock: Clock;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  /** Site for the programs; undefined if jobs are imitated. */
  readonly programs: ManagedSite | undefined;
  readonly cluster: Cluster;
  readonly background: Background;
  readonly journal: Journal;
}

/** Events within this time, in ms, are simulated together, unless a call needs them earlier. */
const BATCH_MS = 5;
/** Number of lines after which a journal is compacted, as most are about ended jobs. */
const MANY_LINES = 2000;
/** Number of other users' jobs, to be replayed at opening, after which it is compacted. */
const MANY_OTHERS = 20_000;

/** A simulated cluster. */
export class SimulatedSite implements ForeignSite {
  readonly name: string;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  readonly #parts: SimulatedSiteParts;
  readonly #cluster: Cluster;
  readonly #programs: Programs | undefined;
  /** Pending calls with a delay; resolved early when the site is closed. */
  readonly #slow = new Map<() => void, () => void>();
  #othersWhenShort: number;
  /** Number of lines at the last failed compaction, else 0. */
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
    const { procs, memoryBytes, gpus = 0 } = this.#parts.spec;
    return { procs, memoryBytes, gpus };
  }

  async submit(order: SubmitOrder): Promise<string> {
    const job = ownJobOf(order, this.#cluster.rules);
    const atMs = this.#simulate();
    checkInside(this.#cluster, order);
    const { losses, seed, delays } = this.#parts.spec;
    const { token } = order;
    const fate = drawOutcome(losses, seed, token, this.#cluster.submissions.get(token) ?? 0);
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
    const atMs = this.#simulate();
    const job = ownJob(this.#cluster, Number(siteJob), token);
    if (job !== undefined) {
      const effectMs = atMs + this.#parts.spec.delays.orderMs;
      this.#take({ kind: "ordered", atMs, effectMs, verb, siteJob: job.siteJob, token });
    }
    await this.#slowly(atMs);
  }

  async signal({ token, siteJob }: PlacedAttempt, name: string): Promise<void> {
    checkToken(token);
    this.#simulate();
    const job = ownJob(this.#cluster, Number(siteJob), token);
    if (job !== undefined && job.startedAtMs !== null) await this.#parts.programs?.signal(token, name);
  }

  async enforce(order: EnforcementOrder): Promise<EnforcementAnswer> {
    const { name, spec } = this.#parts;
    checkEnforcementOrder(name, order, spec.enforcement);
    const atMs = this.#simulate();
    const { verb, untilMs } = order;
    const { jobs, refused } = split(this.#cluster, order);
    if (jobs.length === 0) return { commands: [], refused };
    this.#take({ kind: "enforced", atMs, effectMs: atMs + spec.delays.orderMs, verb, untilMs, jobs });
    await this.#slowly(atMs);
    const until = verb === "hold" ? ` until ${new Date(untilMs).toISOString()}` : "";
    return { commands: [`${verb} ${jobs.map(({ siteJob }) => siteJob).join(",")}${until}`], refused };
  }

  async survey(): Promise<Survey> {
    this.#simulate();
    return surveyOf(this.#cluster);
  }

  async reserve(order: ReservationOrder): Promise<string> {
    checkReservationOrder(order);
    const atMs = this.#simulate();
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
    const atMs = this.#simulate();
    const reserved = reservationNow(this.#cluster, token);
    if (reserved !== undefined) this.#take({ kind: "unreserved", atMs, id: reserved.id, token });
    await this.#slowly(atMs);
  }

  async acknowledge(token: string): Promise<void> {
    checkToken(token);
    const atMs = this.#simulate();
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
    this.#simulate();
    const isThere = this.#cluster.turns.get(token)?.files.includes(name) === true;
    return isThere ? { bytes: new Uint8Array(), sizeBytes: 0 } : undefined;
  }

  async addFile(token: string, name: string, bytes: Uint8Array): Promise<void> {
    checkToken(token);
    await this.#parts.programs?.addFile?.(token, name, bytes);
  }

  async appendFile(token: string, name: string, part: AppendedPart): Promise<number | undefined> {
    checkToken(token);
    return this.#parts.programs?.appendFile?.(token, name, part);
  }

  async removeFile(token: string, name: string): Promise<void> {
    checkToken(token);
    await this.#parts.programs?.removeFile?.(token, name);
  }

  async listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    checkToken(token);
    const { programs } = this.#parts;
    if (programs !== undefined) return programs.listFiles(token);
    this.#simulate();
    return (this.#cluster.turns.get(token)?.files ?? []).map((name) => ({ name, sizeBytes: 0 }));
  }

  async sizeOfFiles(token: string): Promise<number> {
    checkToken(token);
    return (await this.#parts.programs?.sizeOfFiles(token)) ?? 0;
  }

  async purge(token: string): Promise<void> {
    checkToken(token);
    this.#simulate();
    for (const { own } of this.#cluster.jobs.values()) if (own?.token === token) throw attemptNotEnded(token);
    await this.#parts.programs?.purge(token);
    this.#take({ kind: "purged", atMs: this.#simulate(), token });
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

  /** Simulates up to now; returns the instant, which never decreases if the clock is set back. */
  #simulate(): number {
    assert(!this.#isClosed, "a closed site is not used");
    const { background, clock } = this.#parts;
    const nowMs = Math.max(this.#cluster.nowMs, clock.nowMs());
    advanceTo(this.#cluster, background, nowMs);
    this.#programs?.repeatReports();
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
    const atMs = Math.max(dueMs + 1, this.#cluster.nowMs + BATCH_MS);
    if (this.#alarm !== undefined && this.#alarm.atMs <= atMs) return;
    this.#alarm?.callOff();
    const callOff = clock.wakeAt(atMs, () => {
      this.#alarm = undefined;
      if (!this.#isClosed) this.#simulate();
    });
    this.#alarm = { atMs, callOff };
  }

  /** Resolves when an order of `atMs` has taken effect; at once without a delay. */
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
        this.#take({ kind: "began", atMs: this.#simulate(), ...told(job), startedAtMs });
      },
      ended: (job, endedAtMs: number, end: AttemptEnd) => {
        this.#take({ kind: "ended", atMs: this.#simulate(), ...told(job), endedAtMs, end });
      },
    });
  }
}

/** Fault of a submission in doubt: equal whether or not it was accepted. */
function noAnswer(token: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "siteNoAnswer",
    what: `the submission of ${token} got no response`,
    why: "the site's controller did not answer in time",
    remedy: "look for it in the site's queue, and submit it again if it is not there",
  });
}

function full(token: string): Fault {
  return new Fault({
    kind: "failed",
    code: "siteFull",
    what: `cannot submit ${token} now`,
    why: "all job ids of the site are in use",
    remedy: "submit it again when some jobs have ended",
  });
}
