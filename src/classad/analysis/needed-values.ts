/** Values that a subject would need for its conditions to be met. */
import type { AdTable, ClassAd, ClassAdValue, Scalar } from "../language.ts";
import { beginRowEvaluation, evaluatePart, type MatchContext, selectRow } from "../row-evaluation.ts";
import { valueText } from "../unparse.ts";
import { integerValue, numberOf } from "../values.ts";
import type { Subject } from "./subjects.ts";

interface Asking {
  readonly ad: ClassAd;
  readonly table: AdTable;
  readonly context: MatchContext;
}

/**
 * For rows that fail, the values that each would let through: of numbers with `<` or `>` each once, the
 * nearest to the present value first; of others the most frequent one.
 */
export function neededValues(
  subjects: readonly Subject[],
  rows: readonly number[],
  { ad, table, context }: Asking,
): readonly Scalar[] {
  const rowEvaluation = beginRowEvaluation(ad, table, context);
  const counts = new Map<string, { readonly value: Scalar; count: number }>();
  for (const row of rows) {
    selectRow(rowEvaluation, row);
    const needs = subjects.map((subject) => {
      const { counterpart, side } = subject;
      return needed(subject, evaluatePart(rowEvaluation, counterpart, rowEvaluation.scopes[side]));
    });
    const value = tightest(subjects, needs);
    if (value === undefined) continue;
    const text = valueText(value);
    const known = counts.get(text) ?? { value, count: 0 };
    known.count++;
    counts.set(text, known);
  }
  const found = [...counts.values()];
  if (subjects.some(({ operator }) => operator === "==")) return mostFrequent(found);
  const now = numberOf(subjects[0].value ?? { kind: "undefined" });
  const distance = (value: Scalar) => Math.abs((numberOf(value) ?? 0) - (now ?? 0));
  found.sort((one, another) => distance(one.value) - distance(another.value));
  return found.map(({ value }) => value);
}

function mostFrequent(
  found: readonly { readonly value: Scalar; readonly count: number }[],
): readonly Scalar[] {
  const most = found.reduce((best, { count }) => Math.max(best, count), 0);
  return found
    .filter(({ count }) => count === most)
    .slice(0, 1)
    .map(({ value }) => value);
}

/** The value next to the counterpart that meets the condition; undefined where there is none. */
function needed({ operator }: Subject, counterpart: ClassAdValue): Scalar | undefined {
  if (operator === "==") return isNamed(counterpart) ? counterpart : undefined;
  if (counterpart.kind !== "integer" && counterpart.kind !== "real") return undefined;
  if (operator === "<=" || operator === ">=") return counterpart;
  const beyond = operator === "<" ? Math.ceil(counterpart.value) - 1 : Math.floor(counterpart.value) + 1;
  const next = integerValue(beyond);
  return next.kind === "integer" ? next : undefined;
}

function isNamed(value: ClassAdValue): value is Scalar {
  return ["boolean", "integer", "real", "string"].includes(value.kind);
}

/** The value that meets all conditions of a row, where they ask for the same direction. */
function tightest(subjects: readonly Subject[], needs: readonly (Scalar | undefined)[]): Scalar | undefined {
  let best: Scalar | undefined;
  for (const [at, need] of needs.entries()) {
    if (need === undefined) return undefined;
    const isUpper = subjects[at].operator.startsWith("<");
    const [one, another] = [numberOf(best ?? need), numberOf(need)];
    if (best === undefined || one === undefined || another === undefined) best = need;
    else if (isUpper ? another < one : another > one) best = need;
  }
  return best;
}
