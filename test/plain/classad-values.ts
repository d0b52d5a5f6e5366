/** Values and operators of ClassAds, as docs/reference/classads.md says them (rules CA-8 to CA-12). */
import type { RecordNode } from "../../src/classad/language.ts";

/** A value: its kind, then what there is to say of it. */
export type Plain =
  | readonly ["undefined" | "error"]
  | readonly ["boolean", boolean]
  | readonly ["integer", bigint]
  | readonly ["real", number]
  | readonly ["string", string]
  | readonly ["list", readonly Plain[]]
  | readonly ["ad", Place];

/** An ad where it stands. */
export interface Place {
  readonly record: RecordNode;
  readonly around: Place | undefined;
  /** Of the outermost ad: the one opposite. */
  other?: Place | undefined;
  /** Attributes in progress in the whole evaluation: place by place, name by name. */
  readonly busy: [RecordNode, string][];
}

export const U: Plain = ["undefined"];
export const E: Plain = ["error"];

/** CA-8: what strict operators begin with. */
export function exception(...values: readonly Plain[]): Plain | undefined {
  if (values.some(([kind]) => kind === "error")) return E;
  return values.some(([kind]) => kind === "undefined") ? U : undefined;
}

/** A number, booleans as 1 and 0; nothing where it is none. */
export function number(value: Plain): bigint | number | undefined {
  if (value[0] === "boolean") return value[1] ? 1n : 0n;
  return value[0] === "integer" || value[0] === "real" ? value[1] : undefined;
}

/** CA-12: true, false, undefined or error. */
export function truth(value: Plain): boolean | "undefined" | "error" {
  if (value[0] === "undefined") return "undefined";
  const counted = number(value);
  // biome-ignore lint/suspicious/noDoubleEquals: 0 and 0n alike
  return counted === undefined ? "error" : counted != 0;
}

/** A verdict as a value. */
export function ofTruth(verdict: boolean | "undefined" | "error"): Plain {
  if (verdict === "undefined") return U;
  return verdict === "error" ? E : ["boolean", verdict];
}

/** Every operator with one operand. */
export function unary(operator: string, operand: Plain): Plain {
  const special = exception(operand);
  if (special !== undefined) return special;
  if (operator === "!") {
    const verdict = truth(operand);
    return typeof verdict === "boolean" ? ["boolean", !verdict] : ofTruth(verdict);
  }
  if (operator === "~") return operand[0] === "integer" ? integer(~operand[1]) : E;
  const counted = operand[0] === "boolean" ? undefined : number(operand);
  if (counted === undefined) return E;
  if (operator === "+") return typeof counted === "bigint" ? integer(counted) : ["real", counted];
  return typeof counted === "bigint" ? integer(-counted) : ["real", -counted];
}

/** Exact in 64 bits, else an error. */
export function integer(value: bigint): Plain {
  return value > 2n ** 63n - 1n || value < -(2n ** 63n) ? E : ["integer", value];
}

/** Every operator with two operands but the logical ones. */
export function binary(operator: string, left: Plain, right: Plain): Plain {
  if (operator === "=?=") return ["boolean", identical(left, right)];
  if (operator === "=!=") return ["boolean", !identical(left, right)];
  const special = exception(left, right);
  if (special !== undefined) return special;
  if (["&", "|", "^", "<<", ">>", ">>>"].includes(operator)) return bits(operator, left, right);
  if (["==", "!=", "<", "<=", ">", ">="].includes(operator)) return comparison(operator, left, right);
  const [a, b] = [number(left), number(right)];
  if (a === undefined || b === undefined) return E;
  if (typeof a === "bigint" && typeof b === "bigint") return ofIntegers(operator, a, b);
  if (operator === "%") return E;
  const result = ofReals(operator, Number(a), Number(b));
  return result === Number.POSITIVE_INFINITY ? E : ["real", result];
}

/** JSON in which integers of 64 bits have all their digits. */
function exactText(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));
}

/** CA-11 */
export function identical(left: Plain, right: Plain): boolean {
  if (left[0] !== right[0]) return false;
  if (left[0] === "list" && right[0] === "list") {
    const items = right[1];
    return left[1].length === items.length && left[1].every((item, at) => identical(item, items[at]));
  }
  if (left[0] === "ad" && right[0] === "ad") {
    return exactText(bare(left[1].record)) === exactText(bare(right[1].record));
  }
  return left[1] === right[1];
}

/** A tree without places and keys: what its text depends on. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !["key", "line", "column"].includes(name));
  return kept.map(([name, part]) => [name, bare(part)]);
}

function ofIntegers(operator: string, a: bigint, b: bigint): Plain {
  if (operator === "+") return integer(a + b);
  if (operator === "-") return integer(a - b);
  if (operator === "*") return integer(a * b);
  if (b === 0n) return E;
  return integer(operator === "/" ? a / b : a % b);
}

function ofReals(operator: string, a: number, b: number): number {
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  if (operator === "*") return a * b;
  return a / b;
}

/** */
function bits(operator: string, left: Plain, right: Plain): Plain {
  if (left[0] !== "integer" || right[0] !== "integer") return E;
  const [a, b] = [left[1], right[1]];
  if (operator === "&") return integer(a & b);
  if (operator === "|") return integer(a | b);
  if (operator === "^") return integer(a ^ b);
  if (b < 0n || b > 63n) return E;
  if (operator === "<<") return integer(BigInt.asIntN(64, a << b));
  return integer(operator === ">>" ? a >> b : BigInt.asIntN(64, BigInt.asUintN(64, a) >> b));
}

/** CA-10 */
function comparison(operator: string, left: Plain, right: Plain): Plain {
  let [a, b]: readonly (string | bigint | number | undefined)[] = [number(left), number(right)];
  if (left[0] === "string" && right[0] === "string") [a, b] = [folded(left[1]), folded(right[1])];
  if (a === undefined || b === undefined) return E;
  const below = a < b;
  // biome-ignore lint/suspicious/noDoubleEquals: 3 and 3n alike
  const equal = a == b;
  const verdicts: Readonly<Record<string, boolean>> = {
    "==": equal,
    "!=": !equal,
    "<": below,
    "<=": below || equal,
    ">": a > b,
    ">=": a > b || equal,
  };
  return ["boolean", verdicts[operator] ?? false];
}

/** A–Z as a–z, nothing else. */
export function folded(text: string): string {
  return [...text].map((one) => (one >= "A" && one <= "Z" ? one.toLowerCase() : one)).join("");
}
