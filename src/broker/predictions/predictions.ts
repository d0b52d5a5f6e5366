/**
 * The broker's knowledge of starts: a thread receives the events of each site and answers questions.
 *
 * The past of a site is read when it is attached: from its accounting, else from the logbook's record of our
 * jobs there. Later events come from surveys of foreign queues and from our own records. Sending events costs
 * the round next to nothing, never blocks and never fails it (rule BR-16).
 */
import { Fault, messageOf } from "../../base/index.ts";
import {
  type ClusterExplanation,
  createSnapshotDiff,
  lookAgain,
  noteRecord,
  pastOfCluster,
  type ResponseAnswer,
  type SeenEvent,
  type SnapshotDiff,
  type Survey,
  shapeOfCluster,
  shapeOfSite,
  type VirtualReservationAnswer,
  type WhenAnswer,
  waitingInEvents,
} from "../../engine/index.ts";
import { type ClusterSnapshot, isForeign, type JobRecord, type SiteSpec } from "../../model/index.ts";
import type { PromisedStart } from "../../predict/index.ts";
import type { Clock, ForeignSite, Logbook, Round } from "../../runtime/index.ts";
import type { Snapshots } from "../snapshots.ts";
import { pastInLogbook } from "./logbook-past.ts";
import type { AskedVirtualReservation, AskedWhen, FreshJob, Tasks } from "./protocol.ts";
import { createPredictionThread, type PredictionThread } from "./thread.ts";

/** Predictions of starts, by site. */
export interface Predictions {
  /** Reads a site's past in the background; its later events are sent to the thread. */
  attached(name: string, source: PastSource): void;
  detached(name: string): void;
  /** A look at a foreign queue was taken in. */
  surveyed(name: string, survey: Survey): void;
  /** A record has changed, durably. */
  changed(record: JobRecord): void;
  /** @throws Fault where there is no answer in time */
  when(asked: AskedWhen): Promise<WhenAnswer>;
  /** Response time of such a job, as published by the site. @throws Fault where there is no answer in time */
  respond(asked: AskedWhen): Promise<ResponseAnswer>;
  /** @throws Fault where there is no answer in time */
  virtual(asked: AskedVirtualReservation): Promise<VirtualReservationAnswer>;
  /**
   * Starts promised to jobs of a site when they came, by the names given: at a foreign site its own,
   * else ids. Without those that no longer wait or to which nothing was promised.
   *
   * @throws Fault where there is no answer in time
   */
  promised(site: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly PromisedStart[]>>;
  /** @throws Fault where there is no answer in time */
  explain(snapshot: ClusterSnapshot, siteJob: string): Promise<ClusterExplanation | undefined>;
  stop(): Promise<void>;
}

/** Source of a site's past and present. */
export interface PastSource {
  readonly spec: SiteSpec;
  readonly history?: ForeignSite["history"];
  readonly look?: Snapshots | undefined;
}

/** Dependencies on the broker. */
export interface PredictionWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  readonly logbook: Pick<Logbook, "rows">;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

const PAST_MS = 30 * 86_400_000;
/** Limit of jobs read from an accounting; more do not improve the prediction. */
const MOST_PAST = 20_000;
/** A past that could not be had is asked for again after this time, then more and more seldom … */
const TRY_AGAIN_MS = 60_000;
/** … but at least this often. */
const SELDOM_MS = 3_600_000;
/** Events are sent at this number, and before every question. */
const MOST_BUFFERED = 500;
/** A cluster's own schedule is asked no more often than this, and only of jobs that have just come. */
const LOOK_EVERY_MS = 300_000;
/** Time limits of tasks. */
const LEARNING_MS = 600_000;
const WHEN_MS = 8000;
const EXPLAIN_MS = 5000;
const PROMISED_MS = 2000;

/** Predictions of a broker; `thread` replaces the default one. */
export function createPredictions(
  world: PredictionWorld,
  thread?: (onLost: () => void) => PredictionThread,
): Predictions {
  return new PredictionsOf(world, thread ?? createPredictionThread);
}

/** One site. */
interface Feed {
  readonly name: string;
  readonly source: PastSource;
  sightings: SnapshotDiff;
  /** True once the past is read, and events are sent. */
  isLive: boolean;
  /** Not sent to the thread yet: the past, then later events. */
  past: Past | undefined;
  events: SeenEvent[];
  lookedAtMs: number;
  cancelRetry: () => void;
}

type Past = Omit<Tasks["past"]["asks"], "site">;

class PredictionsOf implements Predictions {
  readonly #world: PredictionWorld;
  readonly #thread: PredictionThread;
  readonly #feeds = new Map<string, Feed>();
  #isStopped = false;

  constructor(world: PredictionWorld, thread: (onLost: () => void) => PredictionThread) {
    this.#world = world;
    this.#thread = thread(() => this.#learnAllAnew());
  }

  attached(name: string, source: PastSource): void {
    this.detached(name);
    const feed: Feed = {
      ...{ name, source, sightings: createSnapshotDiff(), isLive: false, past: undefined, events: [] },
      ...{ lookedAtMs: Number.NEGATIVE_INFINITY, cancelRetry: () => undefined },
    };
    this.#feeds.set(name, feed);
    void this.#learn(feed, TRY_AGAIN_MS);
  }

  detached(name: string): void {
    this.#feeds.get(name)?.cancelRetry();
    this.#feeds.delete(name);
  }

  surveyed(name: string, survey: Survey): void {
    const feed = this.#feeds.get(name);
    if (feed?.isLive !== true) return;
    const fresh = freshIn(this.#tell(feed, () => lookAgain(feed.sightings, survey, feed.source.spec)));
    if (fresh.length === 0 || feed.source.look === undefined) return;
    if (survey.atMs - feed.lookedAtMs < LOOK_EVERY_MS) return;
    feed.lookedAtMs = survey.atMs;
    void this.#askItsSchedule(feed, feed.source.look, fresh);
  }

  changed(record: JobRecord): void {
    const feed = this.#feeds.get(record.site ?? "");
    if (feed?.isLive !== true || isForeign(feed.source.spec)) return;
    const nowMs = this.#world.round.nowMs();
    this.#tell(feed, () => noteRecord(feed.sightings, record, feed.source.spec, nowMs));
  }

  async when(asked: AskedWhen): Promise<WhenAnswer> {
    this.#tellAll(asked.site);
    return this.#thread.ask("when", asked, WHEN_MS);
  }

  async respond(asked: AskedWhen): Promise<ResponseAnswer> {
    this.#tellAll(asked.site);
    return this.#thread.ask("respond", asked, WHEN_MS);
  }

  async virtual(asked: AskedVirtualReservation): Promise<VirtualReservationAnswer> {
    const feed = this.#feeds.get(asked.site);
    if (feed !== undefined) this.#handOver(feed);
    return this.#thread.ask("virtual", asked, WHEN_MS);
  }

  async promised(site: string, names: readonly string[]) {
    const feed = this.#feeds.get(site);
    const known = names.flatMap((name) => {
      const id = feed && waitingInEvents(feed.sightings, name);
      return id === undefined ? [] : [{ name, id }];
    });
    if (known.length === 0) return new Map();
    this.#tellAll(site);
    const ids = known.map(({ id }) => id);
    const promises = await this.#thread.ask("promised", { site, ids }, PROMISED_MS);
    return new Map(known.flatMap(({ name }, at) => (promises[at].length > 0 ? [[name, promises[at]]] : [])));
  }

  explain(snapshot: ClusterSnapshot, siteJob: string): Promise<ClusterExplanation | undefined> {
    return this.#thread.ask("explain", { snapshot, siteJob }, EXPLAIN_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const name of [...this.#feeds.keys()]) this.detached(name);
    await this.#thread.stop();
  }

  /** Learns what a site remembers, then begins to tell what happens there. */
  async #learn(feed: Feed, waitMs: number): Promise<void> {
    const isThere = (): boolean => this.#feeds.get(feed.name) === feed;
    try {
      const past = await this.#pastOf(feed);
      if (isThere()) this.#goLive(feed, past);
    } catch (error) {
      if (!isThere()) return;
      this.#world.warn(`site ${feed.name}: its past cannot be learnt: ${messageOf(error)}`);
      this.#learnLater(feed, waitMs);
      const shape = shapeOfSite(feed.source.spec);
      if (!feed.isLive) this.#goLive(feed, { shape, jobs: [], isWhole: false });
    }
  }

  async #pastOf({ name, source }: Feed): Promise<Past> {
    const { spec, history, look } = source;
    const snapshot = await look?.();
    const shape = snapshot === undefined ? shapeOfSite(spec) : shapeOfCluster(snapshot);
    if (history === undefined) {
      const jobs = await pastInLogbook(this.#world.logbook, name, spec);
      return { shape, jobs, isWhole: !isForeign(spec) };
    }
    const jobs = pastOfCluster(await history(this.#world.round.nowMs() - PAST_MS), spec);
    return { shape, jobs: jobs.slice(-MOST_PAST), isWhole: true };
  }

  #goLive(feed: Feed, past: Past): void {
    const { projection } = this.#world.round;
    feed.past = past;
    feed.events = [];
    feed.sightings = createSnapshotDiff(past.jobs);
    feed.isLive = true;
    if (!isForeign(feed.source.spec)) {
      for (const job of projection.jobs.values()) if (job.site === feed.name) this.changed(job);
      feed.sightings.isFirst = false;
    }
    // Where there is an accounting it is learnt at once, so that the first question finds it known.
    if (feed.source.history !== undefined) this.#handOver(feed);
  }

  #learnLater(feed: Feed, waitMs: number): void {
    const { clock } = this.#world;
    const again = (): void => void this.#learn(feed, Math.min(SELDOM_MS, 2 * waitMs));
    feed.cancelRetry = clock.wakeAt(clock.nowMs() + waitMs, again);
  }

  #learnAllAnew(): void {
    if (this.#isStopped) return;
    this.#world.warn("predictions: what was learnt of the sites is lost; their past is learnt anew");
    for (const feed of this.#feeds.values()) {
      feed.isLive = false;
      feed.past = undefined;
      feed.cancelRetry();
      this.#learnLater(feed, TRY_AGAIN_MS);
    }
  }

  /** Buffers events for the thread. A failure in here must not reach the round. */
  #tell(feed: Feed, happened: () => readonly SeenEvent[]): readonly SeenEvent[] {
    try {
      const events = happened();
      for (const event of events) feed.events.push(event);
      if (feed.events.length >= MOST_BUFFERED) this.#handOver(feed);
      return events;
    } catch (error) {
      feed.isLive = false;
      this.#world.warn(`site ${feed.name}: predictions lost track of it: ${messageOf(error)}`);
      this.#learnLater(feed, TRY_AGAIN_MS);
      return [];
    }
  }

  #tellAll(site: string): void {
    const feed = this.#feeds.get(site);
    if (feed !== undefined) this.#handOver(feed);
  }

  #handOver(feed: Feed): void {
    const { name: site, past, events } = feed;
    if (past !== undefined) this.#order("past", { site, ...past });
    if (events.length > 0) this.#order("events", { site, events });
    feed.past = undefined;
    feed.events = [];
  }

  #order<Kind extends "past" | "events" | "look">(kind: Kind, asks: Tasks[Kind]["asks"]): void {
    this.#thread.ask(kind, asks, LEARNING_MS).catch((error: unknown) => {
      if (!this.#isStopped && !isLost(error)) this.#world.warn(`predictions: ${messageOf(error)}`);
    });
  }

  async #askItsSchedule(feed: Feed, look: Snapshots, jobs: readonly FreshJob[]): Promise<void> {
    const snapshot = await look().catch(() => undefined);
    if (snapshot === undefined || this.#feeds.get(feed.name) !== feed || !feed.isLive) return;
    this.#handOver(feed);
    this.#order("look", { site: feed.name, snapshot, jobs });
  }
}

/** Jobs whose waiting is reported by these events. */
function freshIn(events: readonly SeenEvent[]): readonly FreshJob[] {
  return events.flatMap(({ event, isLate }) => {
    if (event.kind !== "submitted" || isLate) return [];
    const { id } = event.job;
    return [{ id, siteJob: id.split(/[@#]/)[0] ?? id }];
  });
}

/** The thread's end is reported once, by the code that reads everything again. */
function isLost(error: unknown): boolean {
  return error instanceof Fault && error.code === "predictionsEnded";
}
