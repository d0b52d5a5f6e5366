/** Verdicts: what each condition of either side is for each ad of a table. */
import { compileExpression } from "../compile.ts";
import type { Side } from "../dependence.ts";
import type { AdTable, ClassAd, ClassAdValue, Expression } from "../language.ts";
import { beginRowEvaluation, evaluatePart, type MatchContext, selectRow } from "../row-evaluation.ts";
import { unparse } from "../unparse.ts";
import { truthOf } from "../values.ts";
import { type Condition, conditionsOf } from "./conditions.ts";

/** Verdict of a condition for one ad of the table; `unasked` where that ad does not make it. */
export const VERDICTS = { unasked: 0, true: 1, false: 2, undefined: 3, error: 4 } as const;

/** A condition with its verdict for each ad of the table. */
export interface JudgedCondition extends Condition {
  /** The side that demands it: the analysed ad, or ads of the table. */
  readonly side: Side;
  /** Canonical text. */
  readonly text: string;
  readonly expression: Expression;
  /** By row, a number of {@link VERDICTS}. */
  readonly verdicts: Uint8Array;
}

/** Most different conditions of the ads of a table; the demands of further ads are judged as a whole. */
const TABLE_CONDITION_LIMIT = 400;

/** The conditions of the ad, then those of the table by first appearance, each judged for each row. */
export function judgeConditions(
  ad: ClassAd,
  table: AdTable,
  context: MatchContext,
): readonly JudgedCondition[] {
  const rowEvaluation = beginRowEvaluation(ad, table, context);
  const verdictIn = (side: Side, row: number, expression: Expression): number => {
    selectRow(rowEvaluation, row);
    return verdictOf(evaluatePart(rowEvaluation, expression, rowEvaluation.scopes[side]));
  };
  const mine = conditionsOf(ad).map((condition) => judged(condition, "ad", table));
  for (const { expression, verdicts } of mine) {
    for (let row = 0; row < verdicts.length; row++) verdicts[row] = verdictIn("ad", row, expression);
  }
  const theirs = new Map<string, JudgedCondition>();
  for (const [row, other] of table.ads.entries()) {
    for (const condition of rowConditions(other, theirs)) {
      const key = textOf(condition);
      const found = theirs.get(key) ?? judged(condition, "row", table);
      theirs.set(key, found);
      found.verdicts[row] = verdictIn("row", row, found.expression);
    }
  }
  return [...mine, ...theirs.values()];
}

/** The conditions of a row; its `Requirements` as a whole where the table has too many different ones. */
function rowConditions(ad: ClassAd, known: ReadonlyMap<string, JudgedCondition>): readonly Condition[] {
  const conditions = conditionsOf(ad);
  const isFull = known.size >= TABLE_CONDITION_LIMIT;
  if (!isFull || conditions.every((condition) => known.has(textOf(condition)))) return conditions;
  return [{ node: { kind: "absolute", name: "Requirements", key: "requirements" }, through: [] }];
}

function textOf({ node, through }: Condition): string {
  return `${through.join(" ")}\n${unparse(node)}`;
}

function judged(condition: Condition, side: Side, table: AdTable): JudgedCondition {
  const expression = compileExpression(condition.node);
  const verdicts = new Uint8Array(table.ads.length);
  return { ...condition, side, text: unparse(condition.node), expression, verdicts };
}

function verdictOf(value: ClassAdValue): number {
  const truth = truthOf(value);
  if (truth !== undefined) return truth ? VERDICTS.true : VERDICTS.false;
  return value.kind === "undefined" ? VERDICTS.undefined : VERDICTS.error;
}

/** True where a verdict does not stand in the way of a match. */
export function isPassed(verdict: number): boolean {
  return verdict <= VERDICTS.true;
}
