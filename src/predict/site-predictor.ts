/**
 * All that is learnt of one site, and what is said of a start there: the methods and the record of each.
 *
 * It is told what happens, with a snapshot where the site shows one. Every method that can speak of a job
 * when it is submitted is written down and scored when it starts; asked, it answers with the best one's
 * forecast and record, or says that nobody has a record yet (rule PD-17). Simulation takes time, so it is
 * run by the caller (in a worker) and handed in as a forecast.
 */
import { type Result, unreachable } from "../base/index.ts";
import { forecastByHistory, forecastBySchedule, forecastBySimilarity } from "./forecasts.ts";
import { classOfJob, createHistory, observeWaits, type WaitHistory } from "./history.ts";
import type { JobEvent, JobFacts } from "./job-facts.ts";
import { createRuntimes, observeRuntime, type RuntimeHistory } from "./runtimes.ts";
import { scheduleStart } from "./schedule-start.ts";
import {
  choose,
  createScores,
  type Forecast,
  type NoRecord,
  noteForecasts,
  type Place,
  replaceForecast,
  type Score,
  type ScoreBook,
  type ScoredForecast,
  type StartMethod,
  settleForecasts,
  withScore,
} from "./scores.ts";
import { createPastStates, type PastStates, rememberState, settleState } from "./similarity.ts";
import { createHabits, noteArrival, noteRuntime, type SiteHabits } from "./site-habits.ts";
import type { SiteSnapshot } from "./snapshot.ts";

/** What is known of one site. */
export interface SitePredictor {
  readonly site: string;
  readonly history: WaitHistory;
  readonly past: PastStates;
  readonly runtimes: RuntimeHistory;
  readonly habits: SiteHabits;
  readonly scores: ScoreBook;
  /** The jobs that wait or run there. */
  readonly jobs: Map<string, KnownJob>;
}

interface KnownJob {
  readonly facts: JobFacts;
  readonly submittedAtMs: number;
  startedAtMs: number | undefined;
}

/** How the site looks, as far as it is known, when something is asked or a job comes. */
export interface Sight {
  readonly nowMs: number;
  /** Undefined of a site that shows nothing. */
  readonly snapshot?: SiteSnapshot;
  /** What a simulation said of the job. */
  readonly simulated?: Forecast;
  /** What the site's own schedule says, where it is known better than a snapshot of one pool shows it. */
  readonly scheduled?: Forecast;
  /** Of a job that was there before anybody looked: what would have been said then scores nobody. */
  readonly isLate?: boolean;
}

/** Everything that may be said of a start. */
export interface StartForecasts {
  /** What the site's schedule says; its record, where it has one, is beside it in `all`. */
  readonly scheduled: Forecast | undefined;
  /** The best method's. */
  readonly said: Result<ScoredForecast, NoRecord>;
  /** Of all methods that have a record here. */
  readonly all: readonly ScoredForecast[];
}

/** Looks at clusters lie ten seconds apart, and nobody who was told minutes minds seconds. */
const FORGIVEN_MS = 15_000;
/** Within this a start is one at once. */
const AT_ONCE_MS = 60_000;

/** Of a site never looked at. */
export function createSitePredictor(site: string): SitePredictor {
  return {
    site,
    history: createHistory(),
    past: createPastStates(),
    runtimes: createRuntimes(),
    habits: createHabits(),
    scores: createScores({ forgivenMs: FORGIVEN_MS, isRecalibrated: true }),
    jobs: new Map(),
  };
}

/** Takes in what happened; `observation` is how the site looked just before. */
export function observe(
  predictor: SitePredictor,
  event: JobEvent,
  observation: Omit<Sight, "nowMs"> = {},
): void {
  const known = event.kind === "submitted" ? undefined : predictor.jobs.get(event.id);
  switch (event.kind) {
    case "submitted":
      submitted(predictor, event.job, { ...observation, nowMs: event.atMs });
      break;
    case "started":
      if (known !== undefined) known.startedAtMs = event.atMs;
      settle(predictor, event.id, known && event.atMs - known.submittedAtMs);
      break;
    case "withdrawn":
      settle(predictor, event.id, undefined);
      predictor.jobs.delete(event.id);
      break;
    case "ended":
      if (known?.startedAtMs !== undefined) ended(predictor, known.facts, event.atMs - known.startedAtMs);
      predictor.jobs.delete(event.id);
      break;
    default:
      unreachable(event);
  }
  observeWaits(predictor.history, event);
}

/** When a job would start that is submitted now: the best method's forecast with its record. */
export function predictStart(
  predictor: SitePredictor,
  job: JobFacts,
  observation: Sight,
): Result<ScoredForecast, NoRecord> {
  return predictStarts(predictor, job, observation).said;
}

/** The same, with what the other methods say that have a record. */
export function predictStarts(predictor: SitePredictor, job: JobFacts, observation: Sight): StartForecasts {
  const { scores } = predictor;
  const forecasts = forecastsOf(predictor, job, observation);
  const place = placeOf(predictor, job, forecasts);
  const all = forecasts.flatMap((forecast) => withScore(scores, place, forecast) ?? []);
  const scheduled = forecasts.find(({ method }) => method === "schedule");
  return { scheduled, said: choose(scores, place, forecasts), all };
}

/**
 * How often a method was right about jobs like this one, else about all here; undefined without a record.
 *
 * @param scheduled what the site's schedule says of it
 */
export function recordOf(
  predictor: SitePredictor,
  job: JobFacts,
  method: StartMethod,
  scheduled: Forecast | undefined,
): Score | undefined {
  const place = placeOf(predictor, job, scheduled === undefined ? [] : [scheduled]);
  return withScore(predictor.scores, place, { method, promises: [] })?.score;
}

/** A method says anew when a job will start that waits: from now on that counts (rule PD-22). */
export function sayAnew({ scores, site, jobs }: SitePredictor, id: string, forecast: Forecast): void {
  if (jobs.get(id)?.startedAtMs === undefined) replaceForecast(scores, site, id, forecast);
}

function forecastsOf({ history, past }: SitePredictor, job: JobFacts, observation: Sight): Forecast[] {
  const { nowMs, snapshot, simulated } = observation;
  const need = allNeeds(job);
  const bySnapshot = () =>
    snapshot && forecastBySchedule(scheduleStart(snapshot, { need, estimateMs: job.wallTimeMs }));
  const said = [
    observation.scheduled ?? bySnapshot(),
    simulated,
    forecastByHistory(history, job, nowMs),
    snapshot && forecastBySimilarity(past, job, snapshot),
  ];
  return said.filter((forecast) => forecast !== undefined);
}

function submitted(predictor: SitePredictor, job: JobFacts, observation: Sight): void {
  const { scores, past, habits, jobs } = predictor;
  const { user, queue, wallTimeMs } = job;
  jobs.set(job.id, { facts: job, submittedAtMs: observation.nowMs, startedAtMs: undefined });
  if (observation.isLate !== true) {
    const forecasts = forecastsOf(predictor, job, observation);
    noteForecasts(scores, placeOf(predictor, job, forecasts), job.id, forecasts);
    if (observation.snapshot !== undefined) rememberState(past, job, observation.snapshot);
  }
  noteArrival(habits, { user, queue, need: allNeeds(job), estimateMs: wallTimeMs }, observation.nowMs);
}

function settle({ scores, past, site }: SitePredictor, id: string, waitMs: number | undefined): void {
  settleForecasts(scores, site, id, waitMs);
  settleState(past, id, waitMs);
}

function ended({ runtimes, habits }: SitePredictor, job: JobFacts, runtimeMs: number): void {
  observeRuntime(runtimes, job, runtimeMs);
  noteRuntime(habits, job, { runtimeMs, estimateMs: job.wallTimeMs });
}

function allNeeds({ procs, alsoNeeds = [] }: JobFacts): number[] {
  return [procs, ...alsoNeeds];
}

function placeOf({ site, history }: SitePredictor, job: JobFacts, forecasts: readonly Forecast[]): Place {
  const [scheduled] = forecasts.find(({ method }) => method === "schedule")?.promises ?? [];
  const isAtOnce = scheduled === undefined ? undefined : scheduled.waitMs <= AT_ONCE_MS;
  return { site, waitClass: `${job.queue} ${classOfJob(history, job) ?? ""}`, isAtOnce };
}
