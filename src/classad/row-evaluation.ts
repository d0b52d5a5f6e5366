/** Evaluation of one ad against each row of a table in turn. */
import { beginEvaluation, type EvaluationContext } from "./evaluate.ts";
import type {
  AdTable,
  Attribute,
  ClassAd,
  ClassAdValue,
  Evaluation,
  Expression,
  RowContext,
  Scope,
} from "./language.ts";
import { enter, LimitReached, rootScope, runWithin } from "./scope.ts";
import { ERROR } from "./values.ts";

/** Context of all evaluations of a match: time, zone, random numbers, limits. */
export type MatchContext = Omit<EvaluationContext, "self" | "other">;

/** The evaluating ad and the current row. */
export interface RowEvaluation {
  readonly ad: ClassAd;
  readonly table: AdTable;
  /** Scopes of the ad, and of the row. */
  readonly scopes: { readonly ad: Scope; readonly row: Scope };
  readonly evaluation: Evaluation;
  readonly workLimit: number;
}

/** Prepares the evaluation; {@link selectRow} sets the row. */
export function beginRowEvaluation(ad: ClassAd, table: AdTable, context: MatchContext): RowEvaluation {
  const evaluation = beginEvaluation(context);
  const self = rootScope(ad);
  const row: Scope = { ...rootScope(ad), table, other: self };
  self.other = row;
  return { ad, table, scopes: { ad: self, row }, evaluation, workLimit: evaluation.workLeft };
}

/** Makes a row the other ad. */
export function selectRow({ table, scopes }: RowEvaluation, row: number): void {
  scopes.row.ad = table.ads[row];
  scopes.row.row = row;
  scopes.row.nested = undefined;
}

/** The value of an attribute; `error` where a limit is reached. */
export function evaluateWhole(
  rowEvaluation: RowEvaluation,
  attribute: Attribute,
  scope: Scope,
): ClassAdValue {
  const evaluation = renewed(rowEvaluation);
  try {
    return enter(attribute, scope, evaluation);
  } catch (error) {
    if (error instanceof LimitReached) return ERROR;
    throw error;
  }
}

/** The value of an expression; `error` where a limit is reached. */
export function evaluatePart(
  rowEvaluation: RowEvaluation,
  expression: Expression,
  scope: Scope,
): ClassAdValue {
  const evaluation = renewed(rowEvaluation);
  try {
    return runWithin(expression, scope, evaluation);
  } catch (error) {
    if (error instanceof LimitReached) return ERROR;
    throw error;
  }
}

/** Cost of the latest evaluation. */
export function spentBy({ evaluation, workLimit }: RowEvaluation): number {
  return workLimit - evaluation.workLeft;
}

/** The context of the evaluation, for what is kept in the table. */
export function contextOf({ evaluation, workLimit }: RowEvaluation): RowContext {
  const { nowSeconds, zoneOffsetSeconds } = evaluation;
  return { nowSeconds, zoneOffsetSeconds, workLimit };
}

/** True where rows that were evaluated in one context have the same values in another. */
export function isSameContext(one: RowContext | undefined, another: RowContext): boolean {
  return (
    one?.nowSeconds === another.nowSeconds &&
    one?.zoneOffsetSeconds === another.zoneOffsetSeconds &&
    one?.workLimit === another.workLimit
  );
}

/** Resets work and height for the next evaluation. */
function renewed({ evaluation, workLimit }: RowEvaluation): Evaluation {
  evaluation.workLeft = workLimit;
  evaluation.height = 0;
  evaluation.depth = 0;
  return evaluation;
}
