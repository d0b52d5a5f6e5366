/**
 * Cache for answers of a cluster that change seldom: limits, settings.
 *
 * Lifetimes are counted in survey intervals, so a cluster that may be read more often refreshes them more
 * often. An older answer is used while the command budget is spent.
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

/** Lifetimes in survey intervals; with ten seconds these are one, two and ten minutes. */
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

/** Clock, interval and budget of the cache. */
export interface AnswerCacheOptions {
  readonly everyMs: number;
  readonly clock: Pick<Clock, "nowMs">;
  /** True while the budget has a command left. */
  isLeft(): boolean;
}

/** Reads through the cache. A failed reading is repeated after a few intervals. */
export function answerCache(ask: Ask, { everyMs, clock, isLeft }: AnswerCacheOptions): Ask {
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

/** True if the cluster has licences, whose use changes with jobs. */
function isTaken(text: string): boolean {
  return text.startsWith("LicenseName=");
}

function keyOf(words: readonly string[]): string {
  return words.join(" ");
}
