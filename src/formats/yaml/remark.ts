/** Problems and warnings of a text, collected so that all are reported together. */

/** One problem or one warning. */
export interface Remark {
  /** Stable, for scripts: `wordMissing`, `yamlSyntax`, … */
  readonly code: string;
  /** Line and column count from 1; absent where it is about the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** A remark without its position, which the reporter adds. */
export type Words = Pick<Remark, "code" | "what" | "why" | "remedy">;

/** Where remarks about one text are collected; places are offsets into it. */
export interface Notes {
  readonly problem: (at: number, words: Words) => void;
  readonly warning: (at: number, words: Words) => void;
  /** The line, from 1, of an offset. */
  readonly lineOf: (at: number) => number;
  /** Number of problems so far, including those beyond the limit. */
  readonly problemCount: () => number;
  /** All remarks in the order of their places. */
  readonly collected: () => { readonly problems: readonly Remark[]; readonly warnings: readonly Remark[] };
}

/** Limit of remarks of each kind for one text; the rest is counted (rule FO-22). */
const MAX_REMARKS = 100;

/** Collects remarks; `positionOf` gives line and column, from 1, of an offset. */
export function takeNotes(positionOf: (at: number) => { line: number; column: number }): Notes {
  const problems: Remark[] = [];
  const warnings: Remark[] = [];
  let problemCount = 0;
  let warningCount = 0;
  const place = (at: number, words: Words): Remark => ({ ...words, ...positionOf(at) });
  return {
    problem: (at, words) => {
      problemCount++;
      if (problems.length < MAX_REMARKS) problems.push(place(at, words));
    },
    warning: (at, words) => {
      warningCount++;
      if (warnings.length < MAX_REMARKS) warnings.push(place(at, words));
    },
    lineOf: (at) => positionOf(at).line,
    problemCount: () => problemCount,
    collected: () => ({
      problems: [...inOrder(problems), ...rest("problems", problemCount - problems.length)],
      warnings: [...inOrder(warnings), ...rest("warnings", warningCount - warnings.length)],
    }),
  };
}

function inOrder(remarks: readonly Remark[]): Remark[] {
  const key = ({ line = 0, column = 0 }: Remark) => [line, column] as const;
  return [...remarks].sort((one, other) => {
    const [[lineA, columnA], [lineB, columnB]] = [key(one), key(other)];
    return lineA - lineB || columnA - columnB;
  });
}

/** The first of problems that were found without notes; the rest is counted. */
export function firstProblems(problems: readonly Remark[]): readonly Remark[] {
  const told = problems.slice(0, MAX_REMARKS);
  return [...told, ...rest("problems", problems.length - told.length)];
}

function rest(sort: "problems" | "warnings", count: number): Remark[] {
  if (count === 0) return [];
  return [
    {
      code: "moreRemarks",
      what: `${count} more ${sort}`,
      why: `only the first ${MAX_REMARKS} are listed`,
      remedy: "correct these, then check again",
    },
  ];
}
