/**
 * How much of the processor the thread of predictions takes unasked: plays of a queue are worth their time
 * where they are short, and of a long queue they take as long as everything else together.
 *
 * What has happened is always learnt; whether the queue is played for it, too, is a matter of what is left of
 * a hundredth of the time that passes. A play of a queue of n jobs takes about as n² does, so how long one
 * will take is foreseen from those before it.
 */

/** Part of the time that passes. */
const PART = 0.01;
/** After a quiet time. */
const MOST_MS = 2000;
/** What is foreseen of shorter queues, which take their time otherwise. */
const FEWEST_JOBS = 100;

/** Time for plays. */
export interface PlayTime {
  /** Whether there is time for a play of a queue of so many jobs. */
  hasTimeFor(jobs: number, nowMs: number): boolean;
  /** It was played. */
  took(jobs: number, playedMs: number): void;
  /** How long it will take. */
  foreseenMs(jobs: number): number;
}

/** Nothing was played yet, and there is some time. @param firstGuess ms for a pair of jobs */
export function createPlayTime(firstGuess: number, pot: TimePot = createTimePot()): PlayTime {
  let msAPair = firstGuess;
  const pairs = (jobs: number): number => Math.max(FEWEST_JOBS, jobs) ** 2;
  const foreseenMs = (jobs: number): number => msAPair * pairs(jobs);
  return {
    foreseenMs,
    hasTimeFor: (jobs, nowMs) => foreseenMs(jobs) <= pot.leftMs(nowMs),
    took(jobs, playedMs) {
      msAPair = playedMs / pairs(jobs);
      pot.take(playedMs);
    },
  };
}

/** What is left of the time for plays of every kind. */
export interface TimePot {
  leftMs(nowMs: number): number;
  take(spentMs: number): void;
}

/** As much as after a quiet time. */
export function createTimePot(): TimePot {
  let leftMs = MOST_MS;
  let atMs = Number.NaN;
  return {
    leftMs(nowMs) {
      if (nowMs > atMs) leftMs = Math.min(MOST_MS, leftMs + PART * (nowMs - atMs));
      atMs = nowMs;
      return leftMs;
    },
    take(spentMs) {
      leftMs -= spentMs;
    },
  };
}
