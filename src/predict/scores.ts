/**
 * Scores of forecasts, and the choice of the published one (rules PD-17, PD-18, PD-24).
 *
 * Every forecast of every method is stored when it is made and compared with the outcome; the methods'
 * records are kept by site and class. The best method has the smallest mean pinball loss [KB78] over its
 * latest 400 forecasts: of a promise "within w at probability p" and a wait t that is (t − w) p where it
 * missed and (w − t)(1 − p) where it held, so that both missed and loose promises cost. Forecasts made while
 * the schedule had the job start at once, and those made while it had to wait, have separate records. A
 * forecast is recalibrated by recent lateness (recalibrate.ts), and scored as published.
 */
import { accepted, type Result, refused } from "../base/index.ts";
import {
  addLateness,
  emptyLateness,
  type Outcome,
  type RecentLateness,
  stretched,
  type WaitPromise,
} from "./recalibrate.ts";
import { addValue, emptyValues, meanOf, quantileOf, type RecentValues, valuesOf } from "./recent-values.ts";

/** Methods of start prediction, in the order in which equally good ones are preferred. */
export const START_METHODS = ["schedule", "simulation", "history", "similarity"] as const;
/** A method of start prediction. */
export type StartMethod = (typeof START_METHODS)[number];

/** A method's forecast without its record. Never shown. */
export interface Forecast<Method extends string = StartMethod> {
  readonly method: Method;
  readonly promises: readonly WaitPromise[];
}

/** Coverage of the promises of one probability. */
interface KeptScore {
  readonly probability: number;
  /** Number of promises scored, at most the latest 400. */
  readonly promises: number;
  /** The part of them that held, 0 to 1. */
  readonly kept: number;
  /** True where fewer held than promised, by more than chance explains (two standard errors). */
  readonly fellShort: boolean;
}

/** The record of a method. */
export interface Score {
  /** Record of the job's class, or of the whole site. */
  readonly of: "class" | "site";
  readonly kept: readonly KeptScore[];
  /** The median of |wait − promised|, in ms, over the promises of the least probability. */
  readonly medianErrorMs: number;
  readonly meanLossMs: number;
}

/** A forecast with its record; only such ones are shown. */
export interface ScoredForecast<Method extends string = StartMethod> extends Forecast<Method> {
  readonly score: Score;
  /** True where some of its promises fell short here lately. */
  readonly hasBeenWrong: boolean;
}

/** Refusal of a forecast: no method has a record yet. */
export interface NoRecord {
  readonly kind: "noRecord";
  /** Number of scored forecasts so far, of the method with most. */
  readonly settled: number;
  readonly needed: number;
}

interface MethodRecord {
  readonly losses: RecentValues;
  readonly errors: RecentValues;
  /** By probability: 1 for each promise that held, 0 for each that missed. */
  readonly kept: Map<number, RecentValues>;
  readonly lateness: RecentLateness;
}

/** Rules of publishing and scoring promises. */
export interface ScoreRules {
  /**
   * Delay beyond the promise, besides a hundredth of the wait, that still counts as held. 0: none, and no
   * hundredth.
   */
  readonly toleranceMs: number;
  /** True where promises are stretched by recent lateness. */
  readonly isRecalibrated: boolean;
}

/** Records of all methods by site and class. Treat as opaque. */
export interface ScoreBook {
  readonly rules: ScoreRules;
  readonly records: Map<string, MethodRecord>;
  /** Forecasts of jobs that still wait, by place and job. */
  readonly open: Map<string, { readonly place: Place; readonly forecasts: readonly PublishedForecast[] }>;
}

interface PublishedForecast extends Forecast<string> {
  readonly published: readonly WaitPromise[];
}

/** The scope of a forecast. */
export interface Place {
  readonly site: string;
  readonly waitClass: string;
  /** True where the site's schedule starts the job at once; undefined without a known schedule. */
  readonly isAtOnce?: boolean | undefined;
}

/** The scope of a record: the conditions of its forecasts, or any. */
type RecordPlace = Omit<Place, "isAtOnce"> & { readonly isAtOnce?: boolean | "any" | undefined };

function inAny(place: Place): RecordPlace {
  return { ...place, isAtOnce: "any" };
}

const MOST_SCORED = 400;
/** Least number of scored forecasts in a record. */
const LEAST_SCORED = 20;
const STANDARD_ERRORS = 2;

const TOLERATED_PART = 0.01;

/** A book without records. */
export function createScores(rules: ScoreRules = { toleranceMs: 0, isRecalibrated: false }): ScoreBook {
  return { rules, records: new Map(), open: new Map() };
}

/** Stores the methods' forecasts for a job; for the same job again, the new forecasts replace the old. */
export function recordForecasts(
  book: ScoreBook,
  place: Place,
  id: string,
  forecasts: readonly Forecast<string>[],
): void {
  const published = forecasts.map((it) => ({ ...it, published: publishedPromises(book, place, it) }));
  book.open.set(openKey(place.site, id), { place, forecasts: published });
}

/** Replaces the forecast of one method for a job that still waits. */
export function replaceForecast(book: ScoreBook, site: string, id: string, forecast: Forecast<string>): void {
  const open = book.open.get(openKey(site, id));
  if (open === undefined) return;
  const others = open.forecasts.filter(({ method }) => method !== forecast.method);
  const replacement = { ...forecast, published: publishedPromises(book, open.place, forecast) };
  book.open.set(openKey(site, id), { place: open.place, forecasts: [...others, replacement] });
}

/** Scores the forecasts of a job by its wait; undefined for a withdrawn job, which is not scored. */
export function scoreForecasts(book: ScoreBook, site: string, id: string, waitMs: number | undefined): void {
  const open = book.open.get(openKey(site, id));
  book.open.delete(openKey(site, id));
  if (open === undefined || waitMs === undefined) return;
  for (const forecast of open.forecasts) {
    for (const place of [open.place, inAny(open.place)]) {
      for (const of of ["class", "site"] as const) {
        settle(recordAt(book, recordKey(place, of, forecast.method)), forecast, waitMs, book.rules);
      }
    }
  }
}

/** The forecast of the method with the best record here; refused while no method has a record. */
export function choose<Method extends string>(
  book: ScoreBook,
  place: Place,
  forecasts: readonly Forecast<Method>[],
): Result<ScoredForecast<Method>, NoRecord> {
  const scored = forecasts.flatMap((forecast) => withScore(book, place, forecast) ?? []);
  const [first, ...others] = scored;
  if (first === undefined) {
    const settled = forecasts.map(({ method }) => settledAt(book, place, "site", method));
    return refused({ kind: "noRecord", settled: Math.max(0, ...settled), needed: LEAST_SCORED });
  }
  return accepted(others.reduce((best, it) => (isBetter(it, best) ? it : best), first));
}

/**
 * The forecast with the record of its method, of the class before that of the site; undefined without one.
 */
export function withScore<Method extends string>(
  book: ScoreBook,
  place: Place,
  forecast: Forecast<Method>,
): ScoredForecast<Method> | undefined {
  const promises = publishedPromises(book, place, forecast);
  for (const { of, record } of recordsFor(book, place, forecast.method)) {
    if (valuesOf(record.losses).length < LEAST_SCORED) continue;
    const score = scoreOf(record, of);
    return { ...forecast, promises, score, hasBeenWrong: score.kept.some(({ fellShort }) => fellShort) };
  }
  return undefined;
}

/**
 * Ordering of methods: held promises first; then a record of the class before one of the site; then the
 * smaller loss.
 */
function isBetter<Method extends string>(a: ScoredForecast<Method>, b: ScoredForecast<Method>): boolean {
  if (a.hasBeenWrong !== b.hasBeenWrong) return b.hasBeenWrong;
  if (a.score.of !== b.score.of) return a.score.of === "class";
  return a.score.meanLossMs < b.score.meanLossMs;
}

/**
 * Promises to a job that still waits, as published when it came, of the method with the best record now; none
 * while no method has one.
 */
export function openPromises(book: ScoreBook, site: string, id: string): readonly WaitPromise[] {
  const open = book.open.get(openKey(site, id));
  if (open === undefined) return [];
  const best = choose(book, open.place, open.forecasts);
  if (!best.ok) return [];
  return open.forecasts.find(({ method }) => method === best.value.method)?.published ?? [];
}

/** The promises of a forecast as published: stretched by the lateness of those in like conditions. */
function publishedPromises(
  book: ScoreBook,
  place: Place,
  forecast: Forecast<string>,
): readonly WaitPromise[] {
  if (!book.rules.isRecalibrated) return forecast.promises;
  const lateness = recordsFor(book, place, forecast.method).map(({ record }) => record.lateness);
  return stretched(forecast.promises, lateness);
}

/**
 * Records of a method, of the class before those of the site. Without records of like conditions, those made
 * while no schedule was known; without a known schedule, those of all conditions.
 */
function recordsFor(book: ScoreBook, place: Place, method: string) {
  const likes = place.isAtOnce === undefined ? [inAny(place)] : [place, { ...place, isAtOnce: undefined }];
  return likes.flatMap((at) =>
    (["class", "site"] as const).flatMap((of) => {
      const record = book.records.get(recordKey(at, of, method));
      return record === undefined ? [] : [{ of, record }];
    }),
  );
}

function settle(
  record: MethodRecord,
  { promises: forecast, published: promises }: PublishedForecast,
  waitMs: number,
  { toleranceMs }: ScoreRules,
): void {
  let lossMs = 0;
  const outcomes: Outcome[] = [];
  for (const [at, { probability, waitMs: promisedMs }] of promises.entries()) {
    const overMs = waitMs - promisedMs;
    const isTolerated = overMs <= toleranceMs + (toleranceMs > 0 ? promisedMs * TOLERATED_PART : 0);
    const lateMs = overMs > 0 && isTolerated ? 0 : overMs;
    lossMs += lateMs > 0 ? lateMs * probability : -lateMs * (1 - probability);
    const kept = record.kept.get(probability) ?? emptyValues(MOST_SCORED);
    record.kept.set(probability, kept);
    addValue(kept, lateMs > 0 ? 0 : 1);
    outcomes.push({ probability, saidMs: forecast[at].waitMs, waitMs, isKept: lateMs <= 0 });
  }
  addLateness(record.lateness, outcomes);
  const [first] = [...promises].sort((a, b) => a.probability - b.probability);
  if (first === undefined) return;
  addValue(record.losses, lossMs / promises.length);
  addValue(record.errors, Math.abs(waitMs - first.waitMs));
}

function scoreOf(record: MethodRecord, of: Score["of"]): Score {
  const kept = [...record.kept]
    .sort(([a], [b]) => a - b)
    .map(([probability, outcomes]) => keptScore(probability, valuesOf(outcomes)));
  return {
    of,
    kept,
    medianErrorMs: quantileOf(valuesOf(record.errors), 0.5),
    meanLossMs: meanOf(valuesOf(record.losses)),
  };
}

function keptScore(probability: number, outcomes: readonly number[]): KeptScore {
  const promises = outcomes.length;
  const kept = meanOf(outcomes);
  const standardError = Math.sqrt((probability * (1 - probability)) / promises);
  return { probability, promises, kept, fellShort: kept < probability - STANDARD_ERRORS * standardError };
}

function settledAt(book: ScoreBook, place: Place, of: Score["of"], method: string): number {
  const at = place.isAtOnce === undefined ? inAny(place) : place;
  return book.records.get(recordKey(at, of, method))?.losses.values.length ?? 0;
}

function recordAt({ records }: ScoreBook, key: string): MethodRecord {
  const known = records.get(key);
  if (known !== undefined) return known;
  const record = {
    ...{ losses: emptyValues(MOST_SCORED), errors: emptyValues(MOST_SCORED), kept: new Map() },
    lateness: emptyLateness(),
  };
  records.set(key, record);
  return record;
}

/** Key of a record, which separates immediate starts from waits. */
function recordKey({ site, waitClass, isAtOnce }: RecordPlace, of: Score["of"], method: string): string {
  return JSON.stringify([site, method, isAtOnce ?? null, ...(of === "class" ? [waitClass] : [])]);
}

function openKey(site: string, id: string): string {
  return JSON.stringify([site, id]);
}
