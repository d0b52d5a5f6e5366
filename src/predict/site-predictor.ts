/**
 * Start predictions for one site: the methods, and the record of each.
 *
 * Input are events, with a snapshot where the site publishes one. When a job is submitted, the forecast of
 * every method that has one is stored, and scored when the job starts. The answer to a question is the best
 * method's forecast with its record, or a refusal while no method has a record (rule PD-17). Simulations take
 * time, so the caller runs them (in a worker) and passes the forecast.
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
  openPromises,
  type Place,
  recordForecasts,
  replaceForecast,
  type Score,
  type ScoreBook,
  type ScoredForecast,
  type StartMethod,
  scoreForecasts,
  withScore,
} from "./scores.ts";
import { createPastStates, type PastStates, recordState, recordStateWait } from "./similarity.ts";
import { createHabits, recordArrival, recordRuntime, type SiteHabits } from "./site-habits.ts";
import type { SiteSnapshot } from "./snapshot.ts";

/** State of the predictions for one site. */
export interface SitePredictor {
  readonly site: string;
  readonly history: WaitHistory;
  readonly past: PastStates;
  readonly runtimes: RuntimeHistory;
  readonly habits: SiteHabits;
  readonly scores: ScoreBook;
  readonly jobs: Map<string, KnownJob>;
}

interface KnownJob {
  readonly facts: JobFacts;
  readonly submittedAtMs: number;
  startedAtMs: number | undefined;
}

/** State of the site when a start is predicted or a job is submitted. */
export interface SiteObservation {
  readonly nowMs: number;
  /** Undefined for a site that publishes nothing. */
  readonly snapshot?: SiteSnapshot;
  readonly simulated?: Forecast;
  /** Forecast by the site's own schedule, where it is known better than from a snapshot of one pool. */
  readonly scheduled?: Forecast;
  /** True for a job that was there before observation began: its forecasts are not scored. */
  readonly isLate?: boolean;
}

/** Forecasts of a start. */
export interface StartForecasts {
  /** Forecast by the site's schedule; its record, if any, is in `all`. */
  readonly scheduled: Forecast | undefined;
  /** Forecast of the best method. */
  readonly said: Result<ScoredForecast, NoRecord>;
  /** Forecasts of all methods that have a record here. */
  readonly all: readonly ScoredForecast[];
}

/** Site snapshots are ten seconds apart, and a few seconds do not matter for a wait of minutes. */
const TOLERANCE_MS = 15_000;
/** A start within this time is immediate. */
const AT_ONCE_MS = 60_000;

/** A site without past events. */
export function createSitePredictor(site: string): SitePredictor {
  return {
    site,
    history: createHistory(),
    past: createPastStates(),
    runtimes: createRuntimes(),
    habits: createHabits(),
    scores: createScores({ toleranceMs: TOLERANCE_MS, isRecalibrated: true }),
    jobs: new Map(),
  };
}

/** Adds an event; `observation` is the state of the site just before it. */
export function observe(
  predictor: SitePredictor,
  event: JobEvent,
  observation: Omit<SiteObservation, "nowMs"> = {},
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

/** The best method's forecast, with its record, for a job that is submitted now. */
export function predictStart(
  predictor: SitePredictor,
  job: JobFacts,
  observation: SiteObservation,
): Result<ScoredForecast, NoRecord> {
  return predictStarts(predictor, job, observation).said;
}

/** The best forecast, beside those of all methods that have a record. */
export function predictStarts(
  predictor: SitePredictor,
  job: JobFacts,
  observation: SiteObservation,
): StartForecasts {
  const { scores } = predictor;
  const forecasts = forecastsOf(predictor, job, observation);
  const place = placeOf(predictor, job, forecasts);
  const all = forecasts.flatMap((forecast) => withScore(scores, place, forecast) ?? []);
  const scheduled = forecasts.find(({ method }) => method === "schedule");
  return { scheduled, said: choose(scores, place, forecasts), all };
}

/**
 * A method's record for jobs like this one, else for all here; undefined without a record.
 *
 * @param scheduled the forecast by the site's schedule
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

/**
 * Replaces a method's forecast for a waiting job; the newest one is scored, against the wait since
 * submission.
 */
export function replaceStartForecast(
  { scores, site, jobs }: SitePredictor,
  id: string,
  forecast: Forecast,
): void {
  if (jobs.get(id)?.startedAtMs === undefined) replaceForecast(scores, site, id, forecast);
}

/** A job starts by an instant (Unix ms) with this probability. */
export interface PromisedStart {
  readonly probability: number;
  readonly startAtMs: number;
}

/** Starts promised to a job that waits, as predicted when it came; none for one that is not known. */
export function promisedStarts({ scores, site, jobs }: SitePredictor, id: string): readonly PromisedStart[] {
  const submittedAtMs = jobs.get(id)?.submittedAtMs;
  if (submittedAtMs === undefined) return [];
  return openPromises(scores, site, id).map(({ probability, waitMs }) => {
    return { probability, startAtMs: submittedAtMs + Math.ceil(waitMs) };
  });
}

function forecastsOf(
  { history, past }: SitePredictor,
  job: JobFacts,
  observation: SiteObservation,
): Forecast[] {
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

function submitted(predictor: SitePredictor, job: JobFacts, observation: SiteObservation): void {
  const { scores, past, habits, jobs } = predictor;
  const { user, queue, wallTimeMs } = job;
  jobs.set(job.id, { facts: job, submittedAtMs: observation.nowMs, startedAtMs: undefined });
  if (observation.isLate !== true) {
    const forecasts = forecastsOf(predictor, job, observation);
    recordForecasts(scores, placeOf(predictor, job, forecasts), job.id, forecasts);
    if (observation.snapshot !== undefined) recordState(past, job, observation.snapshot);
  }
  recordArrival(habits, { user, queue, need: allNeeds(job), estimateMs: wallTimeMs }, observation.nowMs);
}

function settle({ scores, past, site }: SitePredictor, id: string, waitMs: number | undefined): void {
  scoreForecasts(scores, site, id, waitMs);
  recordStateWait(past, id, waitMs);
}

function ended({ runtimes, habits }: SitePredictor, job: JobFacts, runtimeMs: number): void {
  observeRuntime(runtimes, job, runtimeMs);
  recordRuntime(habits, job, { runtimeMs, estimateMs: job.wallTimeMs });
}

function allNeeds({ procs, alsoNeeds = [] }: JobFacts): number[] {
  return [procs, ...alsoNeeds];
}

function placeOf({ site, history }: SitePredictor, job: JobFacts, forecasts: readonly Forecast[]): Place {
  const [scheduled] = forecasts.find(({ method }) => method === "schedule")?.promises ?? [];
  const isAtOnce = scheduled === undefined ? undefined : scheduled.waitMs <= AT_ONCE_MS;
  return { site, waitClass: `${job.queue} ${classOfJob(history, job) ?? ""}`, isAtOnce };
}
