/**
 * What a site has refused, and what is therefore not asked of it for now, as EN-106 says it: every answer is
 * kept, and gone through anew for each question.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A site's answer to an order. */
export interface PlainAnswer {
  readonly atMs: number;
  readonly verb: string;
  /** Whom the order was for. */
  readonly jobs: readonly string[];
  readonly refused: readonly { readonly job: string; readonly about: "job" | "right" | "site" }[];
}

/** The step of the ladder that a verb is; nothing of what gives back. */
export function plainStep(verb: string): string | undefined {
  if (verb === "release" || verb === "resume") return undefined;
  return verb === "raise" || verb === "lower" ? "priority" : verb;
}

/** Why a verb is not asked for of a job at an instant; undefined where it may be. */
export function whyNotAsked(
  answers: readonly PlainAnswer[],
  { verb, job }: { readonly verb: string; readonly job: string },
  nowMs: number,
): string | undefined {
  const step = plainStep(verb);
  if (step === undefined) return undefined;
  const reasons = answers.flatMap((answer): readonly string[] => {
    const { refused, atMs } = answer;
    // That something was not given back keeps nothing else from being asked.
    if (plainStep(answer.verb) === undefined) return [];
    const isWithin = (lengthMs: number): boolean => nowMs < atMs + lengthMs;
    if (isOfRight(answer)) return plainStep(answer.verb) === step && isWithin(HOUR_MS) ? ["right"] : [];
    const its = refused.find((one) => one.job === job);
    if (its === undefined) return [];
    if (its.about === "site") return isWithin(MINUTE_MS) ? ["site"] : [];
    return answer.verb === verb && isWithin(HOUR_MS) ? ["job"] : [];
  });
  return reasons[0];
}

/** When the next refusal is over, after an instant; infinite where none is in force. */
export function nextEnd(answers: readonly PlainAnswer[], nowMs: number): number {
  const ends = answers
    .filter(({ verb }) => plainStep(verb) !== undefined)
    .flatMap(({ atMs, refused }) =>
      refused.map(({ about }) => atMs + (about === "site" ? MINUTE_MS : HOUR_MS)),
    );
  return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((endMs) => endMs > nowMs));
}

/** All that it was for was refused for want of the right. */
function isOfRight({ jobs, refused }: PlainAnswer): boolean {
  return refused.length === jobs.length && refused.every(({ about }) => about === "right");
}
