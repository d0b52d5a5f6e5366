/**
 * When a job is to be submitted that is to run at a wanted instant, and how surely it then does.
 *
 * As the source of the rule does, starts are predicted from past waits (QBETS): of all methods they alone say
 * something of a job that is submitted later. They are taken as they are now for the whole of the time. Their
 * record at this site stands beside the probability; without one there is no plan.
 */
import { assert } from "../../base/index.ts";
import {
  type NoVirtualReservationPlan,
  VIRTUAL_RULES,
  type VirtualReservationPlan,
  virtualReservation,
} from "../../plan/index.ts";
import {
  type HistorySource,
  type JobFacts,
  minimumSample,
  predictStarts,
  probabilityOfStart,
  type Score,
} from "../../predict/index.ts";
import type { SiteHistory } from "./site-history.ts";

/** A slot that is wanted where none is sold. */
export interface VirtualReservationQuestion {
  /** The job; its limit follows from the plan. */
  readonly facts: JobFacts;
  readonly nowMs: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** The longest limit that jobs may have there; null: no limit. */
  readonly mostWallTimeMs: number | null;
  /** From 0 to 1; null: the surest. */
  readonly enough: number | null;
}

/** A plan, with what its probability rests on. */
export interface ProvenPlan extends VirtualReservationPlan {
  readonly source: HistorySource;
  readonly score: Score;
  readonly hasBeenWrong: boolean;
}

/** The plan, or the one reason why there is none. */
export interface VirtualReservationAnswer {
  readonly plan: ProvenPlan | null;
  readonly noPlan: NoVirtualReservationPlan | null;
  /** Scored waits or forecasts, and the number needed; null where a record exists. */
  readonly noRecord: { readonly settled: number; readonly needed: number } | null;
}

/** Of the bounds that QBETS states. */
const CONFIDENCE = 0.95;

/** Says when. */
export function forecastVirtual(
  site: SiteHistory,
  question: VirtualReservationQuestion,
): VirtualReservationAnswer {
  const { facts, nowMs, startMs, durationMs, mostWallTimeMs, enough } = question;
  const { history } = site.predictor;
  const likely = (submitMs: number, wallTimeMs: number) => {
    const asked = { withinMs: startMs - submitMs, confidence: CONFIDENCE };
    return probabilityOfStart(history, { ...facts, wallTimeMs }, asked, nowMs);
  };
  const rules = { ...VIRTUAL_RULES, maxWallTimeMs: mostWallTimeMs ?? VIRTUAL_RULES.maxWallTimeMs, enough };
  const wanted = { procs: facts.procs, startMs, durationMs };
  const said = virtualReservation(wanted, nowMs, (...at) => likely(...at)?.value ?? 0, rules);
  if (!said.ok) return { plan: null, noPlan: said.refusal, noRecord: null };
  const { submitMs, wallTimeMs } = said.value;
  const found = likely(submitMs, wallTimeMs);
  if (found === undefined) return { plan: null, noPlan: null, noRecord: fewWaits(site) };
  const { said: spoken, all } = predictStarts(site.predictor, { ...facts, wallTimeMs }, { nowMs });
  const own = all.find(({ method }) => method === "history");
  if (own === undefined) {
    assert(!spoken.ok, "without a snapshot nothing but past waits speaks");
    const { settled, needed } = spoken.refusal;
    return { plan: null, noPlan: null, noRecord: { settled, needed } };
  }
  const { score, hasBeenWrong } = own;
  return { plan: { ...said.value, source: found.source, score, hasBeenWrong }, noPlan: null, noRecord: null };
}

function fewWaits({ predictor }: SiteHistory) {
  const { waitsMs } = predictor.history.site.series;
  return { settled: waitsMs.length, needed: minimumSample({ quantile: 0.95, confidence: CONFIDENCE }) };
}
