/**
 * All that was learnt of the sites, and the answers from it: what the thread of predictions holds.
 *
 * The tasks of one site are done in the order in which they came; a long past is learnt in slices, so that
 * questions about other sites are answered in between. A task that fails takes what was learnt of its site
 * with it: a wrong record is worse than none.
 */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { unreachable } from "../../base/index.ts";
import {
  createSiteHistory,
  explainClusterJob,
  forecastStart,
  forecastVirtual,
  learn,
  needIn,
  pastSteps,
  type ResponseAnswer,
  roomOf,
  type SeenEvent,
  type SiteHistory,
  type SiteShape,
  sayResponseTimes,
  scheduleAtCluster,
  scheduleOfWaiting,
  shapeOfCluster,
  stateOfCluster,
  type VirtualReservationAnswer,
  type WhenAnswer,
} from "../../engine/index.ts";
import {
  promisedStarts,
  replaceStartForecast,
  type SimulatedStarts,
  type SiteSnapshot,
  simulateStarts,
} from "../../predict/index.ts";
import type { Asked, AskedVirtualReservation, AskedWhen, Tasks } from "./protocol.ts";

/** Longest time, in ms, that one slice of the past may take. */
const SLICE_MS = 20;
/** Time in all, in ms, for replaying one site's past; after it, only waits of the past are scored. */
const PAST_MS = 20_000;
/** A submission is simulated for its score no more often than this, in so many futures. */
const SIMULATED_EVERY_MS = 20_000;
const RUNS = 20;
/** First guess of the time of a replay per pair of waiting jobs, in ms, until one was measured. */
const PLAY_GUESS = 0.000002;
const RUNS_GUESS = 0.002;
/** Most simulated futures of one answer. */
const MOST_RUNS = 200;
const RUNS_AT_ONCE = 5;
/** A question has a few seconds: where one bunch of futures takes longer they are left out. */
const LONGEST_BUNCH_MS = 2000;
/** Most new jobs of one snapshot whose start by the cluster's own schedule is computed. */
const MOST_FRESH = 20;

/** Does tasks. */
export interface Oracle {
  carryOut(asked: Asked): Promise<Tasks[keyof Tasks]["answer"]>;
}

/** Knows no site yet. */
export function createOracle(nowMs: () => number = () => performance.now()): Oracle {
  return new OracleOf(nowMs);
}

class OracleOf implements Oracle {
  readonly #nowMs: () => number;
  readonly #sites = new Map<string, SiteHistory>();
  /** Last task of each site; the next one begins when it has ended. */
  readonly #doing = new Map<string, Promise<unknown>>();
  #simulatedAtMs = Number.NEGATIVE_INFINITY;
  readonly #pot = createTimePot();
  readonly #plays = createPlayTime(PLAY_GUESS, this.#pot);
  readonly #runs = createPlayTime(RUNS_GUESS, this.#pot);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  carryOut(asked: Asked): Promise<Tasks[keyof Tasks]["answer"]> {
    // These are about no site's events, or read what is known, and wait for nobody.
    if (asked.kind !== "past" && asked.kind !== "events" && asked.kind !== "look") return this.#do(asked);
    const { site } = asked.asks;
    const before = this.#doing.get(site) ?? Promise.resolve();
    const mine = before.then(() => this.#do(asked));
    const settled = mine.catch(() => {
      this.#sites.delete(site);
    });
    this.#doing.set(site, settled);
    return mine;
  }

  async #do(asked: Asked): Promise<Tasks[keyof Tasks]["answer"]> {
    switch (asked.kind) {
      case "past":
        return this.#past(asked.asks);
      case "events":
        return this.#events(asked.asks);
      case "look":
        return this.#look(asked.asks);
      case "when":
        return this.#when(asked.asks);
      case "respond":
        return this.#respond(asked.asks);
      case "virtual":
        return this.#virtual(asked.asks);
      case "promised":
        return this.#promised(asked.asks);
      case "explain":
        return explainClusterJob(asked.asks.snapshot, asked.asks.siteJob);
      case "pack":
        await Promise.all(this.#doing.values());
        return serialize(this.#sites);
      case "unpack":
        for (const [name, site] of deserialize(asked.asks) as Map<string, SiteHistory>) {
          this.#sites.set(name, site);
        }
        return null;
      default:
        return unreachable(asked);
    }
  }

  async #past({ site: name, shape, jobs, isWhole }: Tasks["past"]["asks"]): Promise<null> {
    const site = createSiteHistory(name, shape);
    this.#sites.set(name, site);
    let playedMs = 0;
    let sliceMs = this.#nowMs();
    for (const _ of pastSteps(site, jobs, () => isWhole && playedMs < PAST_MS)) {
      const nowMs = this.#nowMs();
      if (nowMs - sliceMs < SLICE_MS) continue;
      playedMs += nowMs - sliceMs;
      await setImmediate();
      sliceMs = this.#nowMs();
    }
    return null;
  }

  #events({ site: name, events }: Tasks["events"]["asks"]): null {
    const site = this.#sites.get(name);
    if (site === undefined) return null;
    for (const event of events) this.#learnLive(site, event);
    return null;
  }

  /** A long queue is played for a part of what is submitted: for all it would keep a processor busy. */
  #learnLive(site: SiteHistory, event: SeenEvent): void {
    const { size } = site.predictor.jobs;
    const nowMs = this.#nowMs();
    const isPlayed = event.event.kind === "submitted" && this.#plays.hasTimeFor(size, nowMs);
    const isDue = isPlayed && nowMs - this.#simulatedAtMs >= SIMULATED_EVERY_MS;
    const isSimulated = isDue && this.#runs.hasTimeFor(size, nowMs);
    const wasPlayed = learn(site, event, { from: "live", isPlayed, runs: isSimulated ? RUNS : 0 });
    if (!wasPlayed) return;
    const endMs = this.#nowMs();
    if (isSimulated) this.#simulatedAtMs = nowMs;
    (isSimulated ? this.#runs : this.#plays).took(size, endMs - nowMs);
  }

  #look({ site: name, snapshot, jobs }: Tasks["look"]["asks"]): null {
    const site = this.#sites.get(name);
    if (site === undefined) return null;
    site.shape = shapeOfCluster(snapshot);
    for (const { siteJob, id } of jobs.slice(-MOST_FRESH)) {
      const forecast = scheduleOfWaiting(snapshot, siteJob);
      if (forecast !== undefined) replaceStartForecast(site.predictor, id, forecast);
    }
    return null;
  }

  #when(asked: AskedWhen): WhenAnswer {
    const { site, question } = this.#known(asked);
    return forecastStart(site, { ...question, deadlineMs: asked.deadlineMs });
  }

  #respond(asked: AskedWhen): ResponseAnswer {
    const { site, question } = this.#known(asked);
    return sayResponseTimes(site, question);
  }

  /** History of the site, with its queue and simulated futures for the job. */
  #known(asked: AskedWhen) {
    const { site: name, facts, nowMs, cluster, answerMs } = asked;
    const untilMs = this.#nowMs() + answerMs;
    const shape = cluster === null ? onePool(asked.state) : shapeOfCluster(cluster.snapshot);
    const site = this.#sites.get(name) ?? createSiteHistory(name, shape);
    const room = cluster === null ? undefined : roomOf(shape, facts.queue);
    const state =
      cluster === null || room === undefined ? asked.state : stateOfCluster(cluster.snapshot, room, shape);
    const scheduled = cluster === null ? undefined : scheduleAtCluster(cluster.snapshot, cluster.job);
    const simulated = state && this.#simulateIfShort(site, state, asked, untilMs);
    return { site, question: { facts, nowMs, state, scheduled, simulated } };
  }

  #virtual({ site: name, ...question }: AskedVirtualReservation): VirtualReservationAnswer {
    return forecastVirtual(this.#sites.get(name) ?? createSiteHistory(name, onePool(undefined)), question);
  }

  #promised({ site: name, ids }: Tasks["promised"]["asks"]): Tasks["promised"]["answer"] {
    const site = this.#sites.get(name);
    return ids.map((id) => (site === undefined ? [] : promisedStarts(site.predictor, id)));
  }

  /** Simulated futures of a job; undefined where simulating would take too long. */
  #simulateIfShort(site: SiteHistory, snapshot: SiteSnapshot, asked: AskedWhen, untilMs: number) {
    const { length } = snapshot.jobs;
    const bunchMs = (this.#runs.foreseenMs(length) * RUNS_AT_ONCE) / RUNS;
    return bunchMs > LONGEST_BUNCH_MS ? undefined : this.#simulate(site, snapshot, asked, untilMs);
  }

  /** As many futures as there is time for, and a few in any case. */
  #simulate(site: SiteHistory, snapshot: SiteSnapshot, asked: AskedWhen, untilMs: number): SimulatedStarts {
    const { facts } = asked;
    const { habits } = site.predictor;
    const job = { need: needIn(snapshot, facts), estimateMs: facts.wallTimeMs };
    const waitsMs: number[] = [];
    for (let seed = 1; waitsMs.length < MOST_RUNS; seed++) {
      waitsMs.push(...simulateStarts({ snapshot, habits, job, runs: RUNS_AT_ONCE, seed }).waitsMs);
      if (this.#nowMs() >= untilMs) break;
    }
    return { waitsMs: waitsMs.sort((a, b) => a - b), seed: 1 };
  }
}

function onePool(state: SiteSnapshot | undefined): SiteShape {
  const { capacity = [], discipline = "easy" } = state ?? {};
  return { rooms: [{ queues: null, capacity }], discipline };
}

// How much of the processor the thread of predictions takes unasked: plays of a queue are worth their time
// where they are short, and of a long queue they take as long as everything else together.
//
// What has happened is always learnt; whether the queue is played for it, too, is a matter of what is left of
// a hundredth of the time that passes. A play of a queue of n jobs takes about as n² does, so how long one
// will take is foreseen from those before it.

/** Part of the time that passes. */
const PART = 0.01;
/** Maximum, after an idle period. */
const MOST_MS = 2000;
/** Queues shorter than this are estimated as if they had this many jobs. */
const FEWEST_JOBS = 100;

/** Time for simulations of queues. */
interface PlayTime {
  /** True where the simulation of a queue of this length fits into the time left. */
  hasTimeFor(jobs: number, nowMs: number): boolean;
  /** Records the duration of a simulation. */
  took(jobs: number, playedMs: number): void;
  /** Estimated duration of a simulation. */
  foreseenMs(jobs: number): number;
}

/** Time for simulations, initially at its maximum. @param firstGuess ms for a pair of jobs */
export function createPlayTime(firstGuess: number, pot: TimePot = createTimePot()): PlayTime {
  let msAPair = firstGuess;
  const pairs = (jobs: number): number => Math.max(FEWEST_JOBS, jobs) ** 2;
  const foreseenMs = (jobs: number): number => msAPair * pairs(jobs);
  return {
    foreseenMs,
    hasTimeFor: (jobs, nowMs) => foreseenMs(jobs) <= pot.leftMs(nowMs),
    took(jobs, playedMs) {
      msAPair = playedMs / pairs(jobs);
      pot.take(playedMs);
    },
  };
}

/** Time left for simulations of all kinds. */
interface TimePot {
  leftMs(nowMs: number): number;
  take(spentMs: number): void;
}

/** A time pot at its maximum. */
export function createTimePot(): TimePot {
  let leftMs = MOST_MS;
  let atMs = Number.NaN;
  return {
    leftMs(nowMs) {
      if (nowMs > atMs) leftMs = Math.min(MOST_MS, leftMs + PART * (nowMs - atMs));
      atMs = nowMs;
      return leftMs;
    },
    take(spentMs) {
      leftMs -= spentMs;
    },
  };
}
