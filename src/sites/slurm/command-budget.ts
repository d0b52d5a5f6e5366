/**
 * Limits how often a cluster is read: every read-only command counts.
 *
 * Requests of users are never delayed; the broker's own surveys come later instead, up to four times as far
 * apart. Each command uses one interval of the budget; more than a minute's worth (the first full reading)
 * is forgiven. No minute exceeds the budget, except for first readings: once it is spent, the last answer
 * is used.
 */
import type { Clock } from "../../runtime/index.ts";
import type { RunCommand } from "./command.ts";

/** Read-only commands within a budget, and the time of the next survey. */
export interface CommandBudget {
  /** Runs and counts a command. */
  readonly run: RunCommand;
  /** True if the last minute's budget has a command left beside the surveys. */
  isLeft(): boolean;
  /** Records that a survey takes place. */
  surveyed(): void;
  /** Time until the next survey, in ms; 0 or less: due. */
  nextSurveyMs(): number;
}

const MS_PER_MINUTE = 60_000;
/** Longest delay of surveys, in intervals, under any load. */
const LATEST_INTERVALS = 4;
/** Commands per minute that are reserved for surveys. */
const FOR_SURVEYS = 3;

/** Budget of a number of commands per minute. */
export function commandBudget(
  run: RunCommand,
  perMinute: number,
  clock: Pick<Clock, "nowMs">,
): CommandBudget {
  const everyMs = Math.ceil(MS_PER_MINUTE / perMinute);
  /** Instant until which all commands so far use up the budget. */
  let takenUntilMs = Number.NEGATIVE_INFINITY;
  let surveyedAtMs = Number.NEGATIVE_INFINITY;
  /** Instants of the last commands, in order. */
  let ranAtMs: readonly number[] = [];
  /** Instant until which further commands would exceed the budget of a minute. */
  const fullUntilMs = (more: number): number => {
    const bound = Math.max(1, perMinute - more + 1);
    return ranAtMs.length < bound
      ? Number.NEGATIVE_INFINITY
      : ranAtMs[ranAtMs.length - bound] + MS_PER_MINUTE;
  };
  return {
    run: (request) => {
      const nowMs = clock.nowMs();
      takenUntilMs = Math.min(Math.max(takenUntilMs, nowMs) + everyMs, nowMs + MS_PER_MINUTE);
      ranAtMs = [...ranAtMs.slice(1 - perMinute), nowMs];
      return run(request);
    },
    isLeft: () => fullUntilMs(1 + FOR_SURVEYS) <= clock.nowMs(),
    surveyed() {
      surveyedAtMs = clock.nowMs();
    },
    nextSurveyMs() {
      const latestMs = surveyedAtMs + LATEST_INTERVALS * everyMs;
      const dueMs = Math.max(surveyedAtMs + everyMs, takenUntilMs, fullUntilMs(1));
      return Math.min(latestMs, dueMs) - clock.nowMs();
    },
  };
}
