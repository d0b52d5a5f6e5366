/**
 * How many long questions of one caller are answered at once: whoever asks for more is told so at once,
 * instead of having everybody's questions wait behind his.
 */
import { ProblemError } from "./problem.ts";

/** Of one owner. More would not be answered sooner. */
const MOST_AT_ONCE = 4;

/** Counts who is being answered. */
export interface LongQuestions {
  /** @throws ProblemError `tooManyQuestions` where as many of this owner's are being answered as may */
  answered<Answer>(owner: string, answer: () => Promise<Answer>): Promise<Answer>;
}

/** Nobody has asked yet. */
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
    what: "too many of your questions are being answered",
    why: `${underWay} are, each of which may take seconds beside a long queue; ${mostAtOnce} may be at once`,
    remedy: "wait for their answers, then ask again",
    facts: { underWay, mostAtOnce, retryAfterSec: 1 },
  });
}
