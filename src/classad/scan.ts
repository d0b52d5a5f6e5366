/**
 * Rows of a table that meet `Requirements`, column by column.
 *
 * Equivalent to evaluating the `Requirements` for each row; for speed it differs in these ways. The operands
 * of `&&` are evaluated one by one, cheap ones first, and one that is not true removes the row (rule CA-12).
 * An operand that depends on one column is evaluated once for each value there, and a comparison of numbers
 * with a number is done on the numbers. Rows with expressions in these columns go to the evaluator, and all
 * rows do where the whole might exceed the work limit (rule CA-34).
 */

import { codedColumnOf } from "./coded-column.ts";
import { columnsAskedBy, type Side, type Standing } from "./dependence.ts";
import type { Attribute, Clause, CodedColumn, Comparing, Expression, Node } from "./language.ts";
import { evaluatePart, type RowEvaluation, selectRow, spentBy } from "./row-evaluation.ts";
import { numberOf, truthOf } from "./values.ts";

/** Rows of a table, in order; the first `count` entries are valid. */
export interface Rows {
  readonly at: Int32Array;
  count: number;
}

/** The `Requirements` of one side, by operands of `&&`. */
export interface Demand {
  readonly side: Side;
  readonly attribute: Attribute;
  readonly clauses: readonly Clause[];
}

interface Filter {
  /** Order of evaluation: cheaper operands first. */
  readonly expense: number;
  readonly keeps: (row: number) => boolean;
}

interface Scan {
  readonly rowEvaluation: RowEvaluation;
  readonly standing: Standing;
  /** Largest cost of each operand, added up with the nodes of the whole. */
  work: number;
}

/**
 * Removes the rows that fail. Returns, by row, which of the remaining ones need the evaluator; undefined
 * where all of them do.
 */
export function narrow(rows: Rows, rowEvaluation: RowEvaluation, demand: Demand): Uint8Array | undefined {
  const { side, attribute, clauses } = demand;
  const standing: Standing = { side, ad: rowEvaluation.ad, within: attribute };
  const scan: Scan = { rowEvaluation, standing, work: attribute.expression.size };
  const asked = new Uint8Array(rowEvaluation.table.ads.length);
  const filters: Filter[] = [];
  for (const clause of clauses) {
    const keys = columnsAskedBy(clause.expression.node, standing);
    if (keys === undefined) return undefined;
    const columns = Array.from(keys, (key) => codedColumnOf(rowEvaluation.table, key));
    for (const column of columns) if (column.hasExpressions) markExpressions(column, asked);
    filters.push(filterOf(clause, columns, scan));
  }
  for (const { keeps } of filters.sort((one, other) => one.expense - other.expense)) {
    keepRows(rows, (row) => asked[row] === 1 || keeps(row));
  }
  return scan.work <= rowEvaluation.workLimit ? asked : undefined;
}

function markExpressions({ codes }: CodedColumn, asked: Uint8Array): void {
  for (let row = 0; row < codes.length; row++) if (codes[row] === -1) asked[row] = 1;
}

function keepRows(rows: Rows, keeps: (row: number) => boolean): void {
  const { at } = rows;
  let kept = 0;
  for (let place = 0; place < rows.count; place++) {
    const row = at[place];
    if (keeps(row)) at[kept++] = row;
  }
  rows.count = kept;
}

function filterOf(clause: Clause, columns: readonly CodedColumn[], scan: Scan): Filter {
  const meets = evaluatorOf(clause.expression, scan);
  if (columns.length > 1) return { expense: 3, keeps: meets };
  const [column] = columns;
  if (column === undefined) return { expense: 0, keeps: once(meets) };
  const byValue = onceEach(column, meets);
  const compares = clause.compares && numbersOf(clause.compares, column, scan);
  if (compares === undefined) return { expense: 2, keeps: byValue };
  const { numbers } = column;
  const keeps = (row: number) => (Number.isNaN(numbers[row]) ? byValue(row) : compares(row));
  return { expense: 1, keeps };
}

/** Evaluates an operand in a row, by the evaluator. */
function evaluatorOf(expression: Expression, scan: Scan): (row: number) => boolean {
  const { rowEvaluation, standing } = scan;
  const scope = rowEvaluation.scopes[standing.side];
  let most = 0;
  return (row) => {
    selectRow(rowEvaluation, row);
    const isTrue = truthOf(evaluatePart(rowEvaluation, expression, scope)) === true;
    const spent = spentBy(rowEvaluation);
    if (spent > most) {
      scan.work += spent - most;
      most = spent;
    }
    return isTrue;
  };
}

function once(meets: (row: number) => boolean): (row: number) => boolean {
  let known: boolean | undefined;
  return (row) => {
    known ??= meets(row);
    return known;
  };
}

function onceEach({ codes, codeCount }: CodedColumn, meets: (row: number) => boolean) {
  const NO = 1;
  const YES = 2;
  const known = new Uint8Array(codeCount);
  return (row: number): boolean => {
    const code = codes[row];
    if (known[code] === 0) known[code] = meets(row) ? YES : NO;
    return known[code] === YES;
  };
}

/**
 * Compares the numbers of a column with a number; undefined where one side is no column or the other no
 * number.
 */
function numbersOf({ operator, left, right }: Comparing, column: CodedColumn, scan: Scan) {
  if (isColumn(left.node, scan)) {
    const number = constantOf(right, scan);
    return number === undefined ? undefined : comparesWith(operator, column.numbers, number);
  }
  if (!isColumn(right.node, scan)) return undefined;
  const number = constantOf(left, scan);
  return number === undefined ? undefined : comparesWith(MIRRORED[operator], column.numbers, number);
}

const MIRRORED: Readonly<Record<Comparing["operator"], Comparing["operator"]>> = {
  "<": ">",
  "<=": ">=",
  "==": "==",
  "!=": "!=",
  ">=": "<=",
  ">": "<",
};

/** True where a node is exactly the value of a column; rows without that value are not asked here. */
function isColumn(node: Node, { standing: { side, ad } }: Scan): boolean {
  switch (node.kind) {
    case "reference":
      return side === "row" || !ad.attributes.has(node.key);
    case "absolute":
      return side === "row";
    case "select":
      return node.of.kind === "scope" && node.of.scope === (side === "row" ? "self" : "other");
    default:
      return false;
  }
}

/** The number that an expression has in every row; undefined where it has none. */
function constantOf(expression: Expression, scan: Scan): number | undefined {
  const { rowEvaluation, standing } = scan;
  const columns = columnsAskedBy(expression.node, standing);
  if (columns === undefined || columns.size > 0) return undefined;
  selectRow(rowEvaluation, 0);
  const value = evaluatePart(rowEvaluation, expression, rowEvaluation.scopes[standing.side]);
  const number = value.kind === "integer" && value.exact !== undefined ? undefined : numberOf(value);
  // The reference to the column costs one.
  scan.work += spentBy(rowEvaluation) + 1;
  return number;
}

function comparesWith(operator: Comparing["operator"], numbers: Float64Array, number: number) {
  switch (operator) {
    case "<":
      return (row: number) => numbers[row] < number;
    case "<=":
      return (row: number) => numbers[row] <= number;
    case "==":
      return (row: number) => numbers[row] === number;
    case "!=":
      return (row: number) => numbers[row] !== number;
    case ">=":
      return (row: number) => numbers[row] >= number;
    case ">":
      return (row: number) => numbers[row] > number;
  }
}
