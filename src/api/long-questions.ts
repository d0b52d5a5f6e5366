/**
 * Limit on concurrent long requests of one caller: further ones are refused at once, so that nobody else
 * waits behind them.
 */
import { ProblemError } from "./problem.ts";

/** Limit per owner. More would not be answered sooner. */
const MOST_AT_ONCE = 4;

/** Counts the running requests by owner. */
export interface LongQuestions {
  /** @throws ProblemError `tooManyQuestions` at this owner's limit */
  answered<Answer>(owner: string, answer: () => Promise<Answer>): Promise<Answer>;
}

/** A counter without requests. */
export function createLongQuestions(mostAtOnce = MOST_AT_ONCE): LongQuestions {
  const underWay = new Map<string, number>();
  return {
    async answered(owner, answer) {
      const its = underWay.get(owner) ?? 0;
      if (its >= mostAtOnce) throw tooMany(its, mostAtOnce);
      underWay.set(owner, its + 1);
      try {
        return await answer();
      } finally {
        const left = (underWay.get(owner) ?? 1) - 1;
        if (left === 0) underWay.delete(owner);
        else underWay.set(owner, left);
      }
    },
  };
}

function tooMany(underWay: number, mostAtOnce: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: "tooManyQuestions",
    what: "too many of your requests are in progress",
    why:
      `${underWay} are running, and each may take seconds when a queue is long; the limit is ` +
      `${mostAtOnce} at a time`,
    remedy: "wait for their responses, then try again",
    facts: { underWay, mostAtOnce, retryAfterSec: 1 },
  });
}
