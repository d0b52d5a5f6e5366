/**
 * Types of the ClassAd language: values, expression trees, compiled expressions, ads and tables.
 *
 * An expression is an immutable tree of nodes. It is compiled once into a function of a scope (where names
 * are looked up) and an evaluation (cost so far, time). Integers are exact in 64 bits; instants are whole
 * seconds, lengths of time seconds with a fraction.
 */
import type { Random } from "../base/index.ts";

/** Value of an expression. */
export type ClassAdValue = Scalar | ListValue | AdValue;

/** A value that has a literal form. */
export type Scalar =
  | { readonly kind: "undefined" }
  | { readonly kind: "error" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | IntegerValue
  | { readonly kind: "real"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | AbsTime
  | { readonly kind: "relTime"; readonly seconds: number };

/** An integer of 64 bits. */
export interface IntegerValue {
  readonly kind: "integer";
  /** The nearest number. */
  readonly value: number;
  /** The integer itself where it is beyond ±(2^53 − 1), and so perhaps no number; only there. */
  readonly exact?: bigint;
}

/** An instant in whole seconds of Unix time, with its written zone (seconds east). */
export interface AbsTime {
  readonly kind: "absTime";
  readonly seconds: number;
  readonly offsetSeconds: number;
}

/** A list with evaluated items. */
export interface ListValue {
  readonly kind: "list";
  readonly items: readonly ClassAdValue[];
}

/** An ad in its scope: attributes are evaluated on access. */
export interface AdValue {
  readonly kind: "ad";
  readonly scope: Scope;
}

/** Operators with one operand. */
export type UnaryOperator = "-" | "+" | "!" | "~";

/** Operators with two operands, in canonical spelling. */
export type BinaryOperator =
  | ("||" | "&&" | "|" | "^" | "&")
  | ("==" | "!=" | "=?=" | "=!=" | "<" | "<=" | ">" | ">=")
  | ("<<" | ">>" | ">>>" | "+" | "-" | "*" | "/" | "%");

/** The other ad, the innermost ad, the next one around it, or the outermost. */
export type ScopeWord = "other" | "self" | "parent" | "root";

/** A name as written, and the key for lookups (A–Z in lower case). */
export interface Name {
  readonly name: string;
  readonly key: string;
}

/** A node of an expression tree. */
export type Node =
  | { readonly kind: "literal"; readonly value: Scalar }
  | ({ readonly kind: "reference" } & Name)
  /** `.name`: an attribute of the outermost ad. */
  | ({ readonly kind: "absolute" } & Name)
  /** The word for an ad, unless the innermost ad has an attribute of that name. */
  | ({ readonly kind: "scope"; readonly scope: ScopeWord } & Name)
  | ({ readonly kind: "select"; readonly of: Node } & Name)
  | { readonly kind: "subscript"; readonly of: Node; readonly index: Node }
  | { readonly kind: "unary"; readonly operator: UnaryOperator; readonly operand: Node }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: "conditional"; readonly test: Node; readonly then: Node; readonly otherwise: Node }
  | { readonly kind: "elvis"; readonly first: Node; readonly second: Node }
  | ({ readonly kind: "call"; readonly operands: readonly Node[] } & Name)
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | RecordNode;

/** `[ name = expression; … ]`. */
export interface RecordNode {
  readonly kind: "record";
  readonly attributes: readonly RecordAttribute[];
  /** Attributes replaced by later ones of the same name; absent where there is none. */
  readonly replaced?: readonly RecordAttribute[];
}

/** One attribute of an ad as written; line and column are those of its expression, from 1. */
export interface RecordAttribute extends Name {
  readonly node: Node;
  readonly line: number;
  readonly column: number;
}

/** An expression, ready for evaluation. */
export interface Expression {
  readonly node: Node;
  /** Nodes on the longest path from the root to a leaf. */
  readonly height: number;
  /** Number of nodes; each 64 characters of a string count as one more. */
  readonly size: number;
  readonly run: Run;
}

/** A compiled expression. */
export type Run = (scope: Scope, evaluation: Evaluation) => ClassAdValue;

/** An attribute of an ad, compiled. */
export interface Attribute extends RecordAttribute {
  readonly expression: Expression;
  /** Value of a literal; undefined for other expressions. */
  readonly constant: ClassAdValue | undefined;
}

/** An ad: uniquely named expressions, in written order. */
export interface ClassAd {
  readonly node: RecordNode;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** True where an attribute bears the word for an ad (`self`, `other` …), which then means the attribute. */
  readonly namesScopes: boolean;
}

/** Literal values of many ads under one name, and the cost of entering each. */
export interface Column {
  readonly values: readonly (ClassAdValue | undefined)[];
  readonly costs: Int32Array;
}

/** A table of ads, with caches by column. */
export interface AdTable {
  readonly ads: readonly ClassAd[];
  /** True where an ad bears it. */
  readonly namesScopes: boolean;
  /** Literal values by key; computed on first access. */
  readonly columns: Map<string, Column>;
  /** Literal values by key, with equal values under one code; computed on first access. */
  readonly coded: Map<string, CodedColumn>;
  /** The `Requirements` of the ads; equal texts share one compiled expression. */
  readonly requirements: readonly (Attribute | undefined)[];
  /** The attribute that all ads have with the same expression, no literal; computed on first access. */
  readonly alike: Map<string, Attribute | undefined>;
  /** Operands of `&&` of expressions of the rows; computed on first access. */
  readonly clauses: Map<Node, InlinedClauses>;
  /** Verdicts of conditions that depend on the row alone, by expression; added as rows are evaluated. */
  readonly decided: Map<Expression, DecidedRows>;
  /** Ranks that depend on the row alone, by expression; undefined where it was used once so far. */
  readonly ranked: Map<Expression, RankedRows | undefined>;
}

/** Operands of `&&`, also those in attributes that all ads of a table have alike. */
export interface InlinedClauses {
  readonly clauses: readonly Clause[];
  /** These attributes. */
  readonly entered: readonly Attribute[];
}

/** Context in which rows were evaluated. */
export interface RowContext {
  readonly nowSeconds: number | undefined;
  readonly zoneOffsetSeconds: number;
  readonly workLimit: number;
}

/** Ranks by row; NaN where a row has not been evaluated. */
interface RankedRows extends RowContext {
  readonly ranks: Float64Array;
}

/** Which rows meet a condition. */
export interface DecidedRows extends RowContext {
  /** By row: 0 not evaluated, 1 not met, 2 met. */
  readonly verdicts: Uint8Array;
  /** Largest cost of one row so far. */
  most: number;
}

/** Values of many ads under one name, with equal values under one code. */
export interface CodedColumn {
  /** For each ad 0 without the name, −1 with an expression, else the code of the value. */
  readonly codes: Int32Array;
  /** Upper bound of the codes, exclusive. */
  readonly codeCount: number;
  /** The integer, real, or boolean (1, 0) of each ad; NaN where there is none. */
  readonly numbers: Float64Array;
  readonly hasExpressions: boolean;
  readonly hasGaps: boolean;
}

/** One operand of `&&`. */
export interface Clause {
  readonly expression: Expression;
  /** Set where the operand is a comparison. */
  readonly compares: Comparing | undefined;
}

/** A comparison with compiled sides. */
export interface Comparing {
  readonly operator: "<" | "<=" | "==" | "!=" | ">=" | ">";
  readonly left: Expression;
  readonly right: Expression;
}

/** The ad in which names are looked up, the ads around it, and the other ad. */
export interface Scope {
  /** Changes only while the rows of a table are evaluated in turn. */
  ad: ClassAd;
  /** The table that the ad is a row of. */
  readonly table: AdTable | undefined;
  row: number;
  readonly parent: Scope | undefined;
  /**
   * The ad in which bare names are looked up last: of the outermost ad the other one of the match, of an ad
   * within none, but while an expression is evaluated in it as a context.
   */
  other: Scope | undefined;
  /** Scopes of the ads nested in this one, one each, so that circular references are detected. */
  nested: Map<ClassAd, Scope> | undefined;
}

/** State of one evaluation: remaining work, expressions in progress, and context. */
export interface Evaluation {
  workLeft: number;
  /** Sum of the heights of all expressions in progress. */
  height: number;
  /** Number of attributes in progress: the first ones of both lists, innermost last. */
  depth: number;
  readonly scopes: Scope[];
  readonly attributes: Attribute[];
  readonly nowSeconds: number | undefined;
  readonly zoneOffsetSeconds: number;
  readonly random: Random | undefined;
  /** Entry of a map of the function `userMap` for a user, comma-separated. */
  readonly userMap: ((map: string, user: string) => string | undefined) | undefined;
  /** Told each pattern that is not supported, and why; its search is `error`. */
  readonly onUnsupported: ((pattern: string, why: string) => void) | undefined;
  /** Reads the text that the function `eval` was given. */
  readonly parse: (text: string) => Expression | undefined;
}

/** Keys of names that were seen, since the ads of a pool have the same names. */
const keys = new Map<string, string>();
const KEPT_KEYS = 4_096;

/** The key of a name: A–Z in lower case, the same in every locale. */
export function keyOf(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (keys.size >= KEPT_KEYS) keys.clear();
  // Names of usual length alone, so that the keys take little memory.
  if (name.length <= 64) keys.set(name, key);
  return key;
}
