/**
 * Published response times of a site: the estimated and the worst one.
 *
 * Each is listed with its method, and with that method's record where it has one here. Simulated starts count
 * only where arrivals and runtimes of jobs were learnt: without them a simulation only repeats the schedule.
 */
import {
  boundWait,
  forecastBySchedule,
  hasHabits,
  type ResponseTime,
  recordOf,
  responseTimes,
  type Score,
  scheduleStart,
  WORST_RESPONSE,
} from "../../predict/index.ts";
import type { WhenQuestion } from "./forecast-start.ts";
import { needIn, type SiteHistory } from "./site-history.ts";

/** A response time with its method, and with how often that method was right here. */
interface SaidResponse<Method extends ResponseTime["method"] = ResponseTime["method"]>
  extends ResponseTime<Method> {
  /** Null: it has no record yet. */
  readonly score: Pick<Score, "of" | "kept" | "medianErrorMs"> | null;
}

/** Response times that a site publishes. */
export interface ResponseAnswer {
  /** Of which instant it is true. */
  readonly atMs: number;
  /** Null where nothing says it. */
  readonly estimated: SaidResponse<"simulation" | "schedule"> | null;
  readonly worst: SaidResponse<"simulation" | "history"> | null;
}

const CONFIDENCE = 0.95;

/** Says how soon a one-processor job would start; `question` is of such a job. */
export function sayResponseTimes(
  site: SiteHistory,
  question: Omit<WhenQuestion, "deadlineMs">,
): ResponseAnswer {
  const { predictor } = site;
  const { facts, nowMs, simulated } = question;
  const bound = boundWait(
    predictor.history,
    facts,
    { quantile: WORST_RESPONSE, confidence: CONFIDENCE },
    nowMs,
  );
  const scheduled = scheduledStart(question);
  const bySchedule = scheduled && forecastBySchedule(scheduled);
  const { estimated, worst } = responseTimes({
    simulated: hasHabits(predictor.habits) ? simulated : undefined,
    scheduled,
    boundMs: bound?.value,
  });
  const scored = <Method extends ResponseTime["method"]>(
    said: ResponseTime<Method> | undefined,
  ): SaidResponse<Method> | null => {
    if (said === undefined) return null;
    const score = recordOf(predictor, facts, said.method, bySchedule);
    if (score === undefined) return { ...said, score: null };
    const { of, kept, medianErrorMs } = score;
    return { ...said, score: { of, kept, medianErrorMs } };
  };
  return { atMs: nowMs, estimated: scored(estimated), worst: scored(worst) };
}

/** By the site's own schedule where it is known, else by that of its queue. */
function scheduledStart({ facts, state, scheduled }: Omit<WhenQuestion, "deadlineMs">) {
  if (scheduled !== undefined) return scheduled.promises[0];
  const job = state && { need: needIn(state, facts), estimateMs: facts.wallTimeMs };
  return state && job && scheduleStart(state, job);
}
