/**
 * Rows of a table that meet `Requirements`, column by column.
 *
 * Equivalent to evaluating the `Requirements` for each row; for speed it differs in these ways. The operands
 * of `&&` are evaluated one by one, cheap ones first, and one that is not true removes the row (rule CA-12).
 * Attributes that all rows have alike are put in place of references to them, and what depends on the row
 * alone is decided once for all ads. An operand that depends on one column is evaluated once for each value
 * there, and a comparison of numbers with a number is done on the numbers. Rows with expressions in these
 * columns go to the evaluator, and all rows do where the whole might exceed the work limit (rule CA-34).
 */

import { clausesInTable } from "./clauses.ts";
import { codedColumnOf } from "./coded-column.ts";
import { compileExpression } from "./compile.ts";
import { type Dependence, dependenceOf, type Side, type Standing } from "./dependence.ts";
import type {
  Attribute,
  Clause,
  CodedColumn,
  Comparing,
  DecidedRows,
  Expression,
  InlinedClauses,
  Node,
} from "./language.ts";
import {
  contextOf,
  evaluatePart,
  isSameContext,
  type RowEvaluation,
  selectRow,
  spentBy,
} from "./row-evaluation.ts";
import { numberOf, truthOf } from "./values.ts";

/** Rows of a table, in order; the first `count` entries are valid. */
export interface Rows {
  readonly at: Int32Array;
  count: number;
}

/** The `Requirements` of one side, by operands of `&&`. */
export interface Demand extends InlinedClauses {
  readonly side: Side;
  readonly attribute: Attribute;
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
  const { side, attribute, clauses, entered } = demand;
  const { ad, table } = rowEvaluation;
  const within = [attribute, ...entered];
  const work = within.reduce((sum, { expression }) => sum + expression.size, 0);
  const scan: Scan = { rowEvaluation, standing: { side, ad, table, within }, work };
  const asked = new Uint8Array(rowEvaluation.table.ads.length);
  const filters: Filter[] = [];
  for (const clause of clauses.flatMap((one) => chosenClauses(one, scan))) {
    const dependence = dependenceOf(clause.expression.node, scan.standing);
    if (dependence === undefined) return undefined;
    for (const key of dependence.columns) {
      const column = codedColumnOf(table, key);
      if (column.hasExpressions) markExpressions(column, asked);
    }
    filters.push(filterOf(clause, dependence, scan));
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

/**
 * The operands of `&&` of the branch that `ifThenElse` or `?:` takes in every row, where the test depends on
 * no column; else the clause itself. A test that is no boolean leaves the clause as it is.
 */
function chosenClauses(clause: Clause, scan: Scan): readonly Clause[] {
  const branches = branchesOf(clause.expression.node);
  const { standing, rowEvaluation } = scan;
  if (branches === undefined || standing.side === "ad") return [clause];
  const [test, then, otherwise] = branches;
  const columns = dependenceOf(test, standing)?.columns;
  if (columns === undefined || columns.size > 0) return [clause];
  selectRow(rowEvaluation, 0);
  const truth = truthOf(evaluatePart(rowEvaluation, compileExpression(test), rowEvaluation.scopes.row));
  scan.work += spentBy(rowEvaluation);
  if (truth === undefined) return [clause];
  const { clauses, entered } = clausesInTable(rowEvaluation.table, truth ? then : otherwise);
  return entered.length > 0 ? [clause] : clauses.flatMap((one) => chosenClauses(one, scan));
}

function branchesOf(node: Node): readonly [Node, Node, Node] | undefined {
  if (node.kind === "conditional") return [node.test, node.then, node.otherwise];
  if (node.kind !== "call" || node.key !== "ifthenelse" || node.operands.length !== 3) return undefined;
  const [test, then, otherwise] = node.operands;
  return [test, then, otherwise];
}

function filterOf(clause: Clause, { columns: keys, isOfAd }: Dependence, scan: Scan): Filter {
  const meets = evaluatorOf(clause.expression, scan);
  const [key] = keys;
  if (key === undefined) return { expense: 0, keeps: once(meets) };
  if (!isOfAd && scan.standing.side === "row") return { expense: 1, keeps: decidedOnce(clause, meets, scan) };
  if (keys.size > 1) return { expense: 3, keeps: meets };
  const column = codedColumnOf(scan.rowEvaluation.table, key);
  const byValue = onceEach(column, meets);
  const compares = clause.compares && numbersOf(clause.compares, { key, column }, scan);
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

/** Evaluates a condition that depends on the row alone once for each row, whatever ads are matched. */
function decidedOnce(
  { expression }: Clause,
  meets: (row: number) => boolean,
  scan: Scan,
): (row: number) => boolean {
  const { table } = scan.rowEvaluation;
  const context = contextOf(scan.rowEvaluation);
  const known = table.decided.get(expression);
  const isKnown = known !== undefined && isSameContext(known, context);
  const decided: DecidedRows = isKnown
    ? known
    : { ...context, verdicts: new Uint8Array(table.ads.length), most: 0 };
  table.decided.set(expression, decided);
  scan.work += decided.most;
  const { verdicts } = decided;
  return (row) => {
    if (verdicts[row] === 0) {
      verdicts[row] = meets(row) ? 2 : 1;
      decided.most = Math.max(decided.most, spentBy(scan.rowEvaluation));
    }
    return verdicts[row] === 2;
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
function numbersOf({ operator, left, right }: Comparing, { key, column }: KeyedColumn, scan: Scan) {
  if (isColumn(left.node, key, scan)) {
    const number = constantOf(right, scan);
    return number === undefined ? undefined : comparesWith(operator, column.numbers, number);
  }
  if (!isColumn(right.node, key, scan)) return undefined;
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

interface KeyedColumn {
  readonly key: string;
  readonly column: CodedColumn;
}

/** True where a node is exactly the value of a column; rows without that value are not asked here. */
function isColumn(node: Node, key: string, { standing: { side, ad } }: Scan): boolean {
  if (!("key" in node) || node.key !== key) return false;
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
  const columns = dependenceOf(expression.node, standing)?.columns;
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
