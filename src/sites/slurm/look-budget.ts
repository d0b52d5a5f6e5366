/**
 * How often a cluster is looked at, whoever wants to know something: every command that only looks counts.
 *
 * What somebody asks for is not made to wait; the looks at the queue that the broker takes by itself come
 * later then, up to four times as far apart. Each command takes up an interval of the budget; what is more
 * than a minute's worth (the first look at everything) is forgiven. In no minute are there more than the
 * budget, but for what is asked for the first time: who asks while nothing is left gets the last answer.
 */
import type { Clock } from "../../runtime/index.ts";
import type { RunCommand } from "./command.ts";

/** The commands that look, and when the queue may be looked at again. */
export interface LookBudget {
  /** Runs a command, and counts it. */
  readonly run: RunCommand;
  /** Whether a command can be spared beside the looks at the queue of the minute that is over now. */
  isLeft(): boolean;
  /** The queue is being looked at. */
  surveyed(): void;
  /** From now to the next look at the queue; 0 or less where it is due. */
  nextSurveyMs(): number;
}

const MS_PER_MINUTE = 60_000;
/** Ends and starts are seen this many intervals late at most, however much is asked. */
const LATEST_INTERVALS = 4;
/** Of the commands of a minute, for looks at the queue and what goes with them. */
const FOR_SURVEYS = 3;

/** A budget of so many commands a minute. */
export function lookBudget(run: RunCommand, perMinute: number, clock: Pick<Clock, "nowMs">): LookBudget {
  const everyMs = Math.ceil(MS_PER_MINUTE / perMinute);
  /** Until then everything that was run is within the budget. */
  let takenUntilMs = Number.NEGATIVE_INFINITY;
  let surveyedAtMs = Number.NEGATIVE_INFINITY;
  /** The last so many commands, in order of time. */
  let ranAtMs: readonly number[] = [];
  /** Until when so many more would be over the budget of a minute. */
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
