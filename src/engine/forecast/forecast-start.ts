/**
 * When a job would start at a site: the forecast of the best method with its record, and the others'.
 *
 * Every forecast stands beside how often such ones were right here; without a record there is no number.
 */
import {
  type Forecast,
  forecastBySimulation,
  type JobFacts,
  predictStarts,
  probabilityOfStart,
  SCHEDULE_ASSUMPTIONS,
  type ScoredForecast,
  type SimulatedStarts,
  type SiteSnapshot,
  type StartMethod,
} from "../../predict/index.ts";
import type { SiteHistory } from "./site-history.ts";

/** Assumption of a forecast. */
export type Assumption =
  | (typeof SCHEDULE_ASSUMPTIONS)[number]
  /** Of the jobs that wait there none comes after it. */
  | "comesLast"
  | "runtimesAsOfLate"
  | "arrivalsAsOfLate"
  | "waitsAsOfLate"
  | "asInSimilarStates";

/** A forecast that may be shown. */
export interface StartForecast extends ScoredForecast {
  readonly promises: readonly (ScoredForecast["promises"][number] & { readonly startAtMs: number })[];
  readonly assumptions: readonly Assumption[];
}

/** Inputs of a start forecast. */
export interface WhenQuestion {
  readonly facts: JobFacts;
  readonly nowMs: number;
  /** The queue as it is; undefined where none is shown. */
  readonly state: SiteSnapshot | undefined;
  /** Start computed by the site's own machine, where it has one. */
  readonly scheduled?: Forecast | undefined;
  readonly simulated?: SimulatedStarts | undefined;
  /** Latest acceptable start; null without a deadline. */
  readonly deadlineMs: number | null;
}

/** Start forecast while no method has enough scored promises. */
export interface UnrecordedForecast {
  /** Scored forecasts so far, and the number needed. */
  readonly settled: number;
  readonly needed: number;
  /** By the site's schedule, which is exact as far as it is assumed; null where it says nothing. */
  readonly scheduled: {
    readonly waitMs: number;
    readonly startAtMs: number;
    readonly assumptions: readonly Assumption[];
  } | null;
}

/** Forecast of a job's start. */
export interface WhenAnswer {
  /** Null while no method has a record. */
  readonly forecast: StartForecast | null;
  readonly otherMethods: readonly StartForecast[];
  /** Where there is no forecast. */
  readonly noRecord: UnrecordedForecast | null;
  /** By the method of `forecast`: at least so likely; null without either. */
  readonly probabilityByDeadline: number | null;
  /** Submissions learnt from: of the site's past, and since. */
  readonly learnt: { readonly past: number; readonly live: number };
}

/** Says when. */
export function forecastStart(site: SiteHistory, question: WhenQuestion): WhenAnswer {
  const { facts, nowMs, state, scheduled, simulated } = question;
  const bySimulation = simulated && forecastBySimulation(simulated);
  const {
    said,
    all,
    scheduled: bySchedule,
  } = predictStarts(site.predictor, facts, {
    nowMs,
    ...(state === undefined ? {} : { snapshot: state }),
    ...(scheduled === undefined ? {} : { scheduled }),
    ...(bySimulation === undefined ? {} : { simulated: bySimulation }),
  });
  const shown = (it: ScoredForecast): StartForecast => ({
    ...it,
    promises: it.promises.map((promise) => ({ ...promise, startAtMs: nowMs + Math.ceil(promise.waitMs) })),
    assumptions: assumptionsOf(it.method, scheduled !== undefined),
  });
  const learnt = { ...site.learnt };
  if (!said.ok) {
    const { settled, needed } = said.refusal;
    const [first] = bySchedule?.promises ?? [];
    const assumptions = assumptionsOf("schedule", scheduled !== undefined);
    const noRecord = {
      ...{ settled, needed },
      scheduled: first === undefined ? null : { ...startAfter(nowMs, first), assumptions },
    };
    return { forecast: null, otherMethods: [], noRecord, probabilityByDeadline: null, learnt };
  }
  const best = said.value;
  return {
    forecast: shown(best),
    otherMethods: all.filter(({ method }) => method !== best.method).map(shown),
    noRecord: null,
    probabilityByDeadline: probabilityBy(site, question, best),
    learnt,
  };
}

function startAfter(nowMs: number, { waitMs }: { readonly waitMs: number }) {
  return { waitMs, startAtMs: nowMs + Math.ceil(waitMs) };
}

const CONFIDENCE = 0.95;

/** At least so likely, as the method that speaks has it. */
function probabilityBy(site: SiteHistory, question: WhenQuestion, best: ScoredForecast): number | null {
  const { deadlineMs, nowMs, facts, simulated } = question;
  if (deadlineMs === null) return null;
  const withinMs = deadlineMs - nowMs;
  if (withinMs < 0) return 0;
  if (best.method === "simulation" && simulated !== undefined) {
    const inTime = simulated.waitsMs.filter((waitMs) => waitMs <= withinMs).length;
    return simulated.waitsMs.length === 0 ? 0 : inTime / simulated.waitsMs.length;
  }
  if (best.method === "history") {
    const asked = { withinMs, confidence: CONFIDENCE };
    const found = probabilityOfStart(site.predictor.history, facts, asked, nowMs);
    if (found !== undefined) return found.value;
  }
  const kept = best.promises.filter(({ waitMs }) => waitMs <= withinMs);
  return kept.reduce((most, { probability }) => Math.max(most, probability), 0);
}

function assumptionsOf(method: StartMethod, isAtCluster: boolean): readonly Assumption[] {
  switch (method) {
    case "schedule":
      return isAtCluster ? [...SCHEDULE_ASSUMPTIONS, "comesLast"] : SCHEDULE_ASSUMPTIONS;
    case "simulation":
      return ["runtimesAsOfLate", "arrivalsAsOfLate"];
    case "history":
      return ["waitsAsOfLate"];
    case "similarity":
      return ["asInSimilarStates"];
  }
}
