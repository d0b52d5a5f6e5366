/** Answers in the order of α·cost + (1 − α)·finish. */

/** Criterion of a solution, with its weight. */
export interface Weighed {
  readonly site: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly costSu: number;
}

/** The best first, both normalised over the answers; ties go to the earliest finish, start, site. */
export function byWeight<Answer extends Weighed>(
  answers: readonly Answer[],
  alpha: number,
): readonly Answer[] {
  const cost = normaliser(answers.map(({ costSu }) => costSu));
  const finish = normaliser(answers.map(({ endMs }) => endMs));
  const weight = (it: Answer): number => alpha * cost(it.costSu) + (1 - alpha) * finish(it.endMs);
  return [...answers].sort(
    (one, other) =>
      weight(one) - weight(other) ||
      one.endMs - other.endMs ||
      one.startMs - other.startMs ||
      one.site - other.site,
  );
}

/** Maps the values to 0 for the least … 1 for the greatest; all to 0 where they are equal. */
export function normaliser(values: readonly number[]): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most === least ? 0 : (value - least) / (most - least));
}
