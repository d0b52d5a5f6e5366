/**
 * How often a method was right, and which one speaks.
 *
 * Every forecast of every method is written down when it is made and compared with what came; the methods'
 * records are kept by site and class. The best has the smallest mean pinball loss [KB78] over its latest 400
 * forecasts: of a promise "within w at probability p" and a wait t that is (t − w) p where it was broken
 * and (w − t)(1 − p) where it was kept, so that both broken and empty promises cost. What was
 * promised where there was room, and where others waited, has records of its own: the one says nothing about
 * the other. What a method
 * says is stretched by how late it was of late (recalibrate.ts), and scored as it was told. Rules PD-17 …
 * PD-19, PD-24.
 */
import { accepted, type Result, refused } from "../base/index.ts";
import {
  addLateness,
  noLateness,
  type Outcome,
  type RecentLateness,
  stretched,
  type WaitPromise,
} from "./recalibrate.ts";
import { addValue, meanOf, noValues, quantileOf, type RecentValues, valuesOf } from "./recent-values.ts";

/** The ways to say when a job starts, in the order in which equal ones are preferred. */
export const START_METHODS = ["schedule", "simulation", "history", "similarity"] as const;
/** One of them. */
export type StartMethod = (typeof START_METHODS)[number];

/** What one method says, before its record stands beside it. Never shown. */
export interface Forecast<Method extends string = StartMethod> {
  readonly method: Method;
  readonly promises: readonly WaitPromise[];
}

/** How often promises of one probability were kept. */
interface KeptScore {
  readonly probability: number;
  /** How many of them were made, at most the latest 400. */
  readonly promises: number;
  /** The part that was kept. */
  readonly kept: number;
  /** Whether fewer were kept than promised, by more than chance explains (two standard errors). */
  readonly fellShort: boolean;
}

/** A method's record. */
export interface Score {
  /** Whether it is the record of this class, or of the whole site. */
  readonly of: "class" | "site";
  readonly kept: readonly KeptScore[];
  /** The median of |wait − promised|, in ms, over the promises of the least probability. */
  readonly medianErrorMs: number;
  readonly meanLossMs: number;
}

/** A forecast that may be shown: it has its record with it. */
export interface ScoredForecast<Method extends string = StartMethod> extends Forecast<Method> {
  readonly score: Score;
  /** Whether it has been wrong here lately: some of its promises fell short. */
  readonly hasBeenWrong: boolean;
}

/** Why nothing is said: nobody has a record yet. */
export interface NoRecord {
  readonly kind: "noRecord";
  /** How many forecasts have come true or not so far, of the method that has most. */
  readonly settled: number;
  readonly needed: number;
}

interface MethodRecord {
  readonly losses: RecentValues;
  readonly errors: RecentValues;
  /** 1 kept, 0 broken, by probability. */
  readonly kept: Map<number, RecentValues>;
  readonly lateness: RecentLateness;
}

/** How promises are told and judged. */
export interface ScoreRules {
  /** So much later than promised is kept, beside a hundredth of the wait: nobody minds. 0: nothing is. */
  readonly forgivenMs: number;
  /** Whether promises are stretched by how late such ones were. */
  readonly isRecalibrated: boolean;
}

/** Records of all methods by site and class. Treat as opaque. */
export interface ScoreBook {
  readonly rules: ScoreRules;
  readonly records: Map<string, MethodRecord>;
  /** Forecasts whose job still waits, by place and job. */
  readonly open: Map<string, { readonly place: Place; readonly forecasts: readonly ToldForecast[] }>;
}

/** What a method said, and what was told of it. */
interface ToldForecast extends Forecast<string> {
  readonly told: readonly WaitPromise[];
}

/** Where a forecast holds. */
export interface Place {
  readonly site: string;
  readonly waitClass: string;
  /** Whether the site's schedule had it start at once; undefined where none is known. */
  readonly isAtOnce?: boolean | undefined;
}

/** Where a record is kept: under the conditions of its forecasts, and under any. */
type RecordPlace = Omit<Place, "isAtOnce"> & { readonly isAtOnce?: boolean | "any" | undefined };

function inAny(place: Place): RecordPlace {
  return { ...place, isAtOnce: "any" };
}

const MOST_SCORED = 400;
/** Fewer say nothing about a method. */
const LEAST_SCORED = 20;
const STANDARD_ERRORS = 2;

const FORGIVEN_PART = 0.01;

/** No records. */
export function createScores(rules: ScoreRules = { forgivenMs: 0, isRecalibrated: false }): ScoreBook {
  return { rules, records: new Map(), open: new Map() };
}

/** Writes down what the methods say of a job; told again for the same job, the new forecasts count. */
export function noteForecasts(
  book: ScoreBook,
  place: Place,
  id: string,
  forecasts: readonly Forecast<string>[],
): void {
  const told = forecasts.map((it) => ({ ...it, told: toldOf(book, place, it) }));
  book.open.set(openKey(place.site, id), { place, forecasts: told });
}

/** Of a job that still waits: what one method says now counts instead of what it said before. */
export function replaceForecast(book: ScoreBook, site: string, id: string, forecast: Forecast<string>): void {
  const open = book.open.get(openKey(site, id));
  if (open === undefined) return;
  const others = open.forecasts.filter(({ method }) => method !== forecast.method);
  const anew = { ...forecast, told: toldOf(book, open.place, forecast) };
  book.open.set(openKey(site, id), { place: open.place, forecasts: [...others, anew] });
}

/** What came of it; undefined where the job was withdrawn, which scores nobody. */
export function settleForecasts(book: ScoreBook, site: string, id: string, waitMs: number | undefined): void {
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

/** The forecast of the method with the best record here, with it; refused while nobody has one. */
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

/** The forecast with the record of its method, the class's before the site's; undefined without one. */
export function withScore<Method extends string>(
  book: ScoreBook,
  place: Place,
  forecast: Forecast<Method>,
): ScoredForecast<Method> | undefined {
  const promises = toldOf(book, place, forecast);
  for (const { of, record } of recordsFor(book, place, forecast.method)) {
    if (valuesOf(record.losses).length < LEAST_SCORED) continue;
    const score = scoreOf(record, of);
    return { ...forecast, promises, score, hasBeenWrong: score.kept.some(({ fellShort }) => fellShort) };
  }
  return undefined;
}

/** Whose promises were kept goes first; then a class's own record, which says more; then the smaller loss. */
function isBetter<Method extends string>(a: ScoredForecast<Method>, b: ScoredForecast<Method>): boolean {
  if (a.hasBeenWrong !== b.hasBeenWrong) return b.hasBeenWrong;
  if (a.score.of !== b.score.of) return a.score.of === "class";
  return a.score.meanLossMs < b.score.meanLossMs;
}

/** A method's promises as they are told: stretched by how late those in like conditions were. */
function toldOf(book: ScoreBook, place: Place, forecast: Forecast<string>): readonly WaitPromise[] {
  if (!book.rules.isRecalibrated) return forecast.promises;
  const lateness = recordsFor(book, place, forecast.method).map(({ record }) => record.lateness);
  return stretched(forecast.promises, lateness);
}

/**
 * The class's before the site's; where none of like conditions is there, those made when none were known.
 * Asked when none are known, those of all conditions.
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
  { promises: said, told: promises }: ToldForecast,
  waitMs: number,
  { forgivenMs }: ScoreRules,
): void {
  let lossMs = 0;
  const outcomes: Outcome[] = [];
  for (const [at, { probability, waitMs: promisedMs }] of promises.entries()) {
    const overMs = waitMs - promisedMs;
    const isForgiven = overMs <= forgivenMs + (forgivenMs > 0 ? promisedMs * FORGIVEN_PART : 0);
    const lateMs = overMs > 0 && isForgiven ? 0 : overMs;
    lossMs += lateMs > 0 ? lateMs * probability : -lateMs * (1 - probability);
    const kept = record.kept.get(probability) ?? noValues(MOST_SCORED);
    record.kept.set(probability, kept);
    addValue(kept, lateMs > 0 ? 0 : 1);
    outcomes.push({ probability, saidMs: said[at].waitMs, waitMs, isKept: lateMs <= 0 });
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
    ...{ losses: noValues(MOST_SCORED), errors: noValues(MOST_SCORED), kept: new Map() },
    lateness: noLateness(),
  };
  records.set(key, record);
  return record;
}

/** What held where there was room says nothing of a queue. */
function recordKey({ site, waitClass, isAtOnce }: RecordPlace, of: Score["of"], method: string): string {
  return JSON.stringify([site, method, isAtOnce ?? null, ...(of === "class" ? [waitClass] : [])]);
}

function openKey(site: string, id: string): string {
  return JSON.stringify([site, id]);
}
