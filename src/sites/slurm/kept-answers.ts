/**
 * Answers of a cluster that are kept for a while, as what they tell changes seldom: limits, settings.
 *
 * For how long is counted in the intervals at which the queue is looked at: a cluster that may be asked more
 * often is asked more often for these too. What is older is given all the same while no command is left.
 */
import {
  LICENSES_COMMAND,
  NODES_COMMAND,
  PARTITIONS_COMMAND,
  PRIORITIES_COMMAND,
  QOS_COMMAND,
  RESERVATIONS_COMMAND,
  SETTINGS_COMMAND,
} from "../../formats/slurm/index.ts";
import type { Clock } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";

/** By default an interval is ten seconds: one, two, and ten minutes. */
const SOON = 6;
const LATER = 12;
const SELDOM = 60;

const INTERVALS: ReadonlyMap<string, number> = new Map([
  [keyOf(RESERVATIONS_COMMAND), SOON],
  // As long as a snapshot is kept: nodes and queue are looked at together, but for a job that has just come.
  [keyOf(NODES_COMMAND), SOON],
  [keyOf(PARTITIONS_COMMAND), LATER],
  [keyOf(SETTINGS_COMMAND), SELDOM],
  [keyOf(QOS_COMMAND), SELDOM],
  [keyOf(LICENSES_COMMAND), SELDOM],
  [keyOf(PRIORITIES_COMMAND), LATER],
]);

/** What it is asked with, and when that may be done. */
export interface KeptAnswersOptions {
  readonly everyMs: number;
  readonly clock: Pick<Clock, "nowMs">;
  /** Whether a command is left of the budget. */
  isLeft(): boolean;
}

/** Asks only for what is not kept. What could not be seen is asked for again after a few intervals. */
export function keptAnswers(ask: Ask, { everyMs, clock, isLeft }: KeptAnswersOptions): Ask {
  const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<string> }>();
  return (what, words) => {
    const key = keyOf(words);
    // Beside those, one names the cluster: its associations.
    const intervals = INTERVALS.get(key) ?? (words[0] === "sacctmgr" ? SELDOM : 0);
    const nowMs = clock.nowMs();
    const before = kept.get(key);
    if (before !== undefined && (nowMs < before.untilMs || !isLeft())) return before.answer;
    const answer = ask(what, words);
    if (intervals === 0) return answer;
    const keep = (its: number): void => void kept.set(key, { untilMs: nowMs + its * everyMs, answer });
    keep(intervals);
    answer.then(
      (text) => isTaken(text) && keep(SOON),
      () => keep(Math.min(SOON, intervals)),
    );
    return answer;
  };
}

/** Where there are licences at all, jobs take them and give them back. */
function isTaken(text: string): boolean {
  return text.startsWith("LicenseName=");
}

function keyOf(words: readonly string[]): string {
  return words.join(" ");
}
