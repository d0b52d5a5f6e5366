/**
 * What an expression of the ClassAd language is, and what it evaluates to.
 *
 * An expression is an immutable tree of nodes. It is compiled once into a function of a scope (where names
 * are looked up) and an evaluation (what it may cost, and the time). Integers are exact from −(2^53 − 1) to
 * 2^53 − 1; times are whole seconds, lengths of time seconds with a fraction.
 */
import type { Random } from "../base/index.ts";

/** What an expression evaluates to. */
export type ClassAdValue = Scalar | ListValue | AdValue;

/** A value that can stand in a text as it is. */
export type Scalar =
  | { readonly kind: "undefined" }
  | { readonly kind: "error" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "real"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | AbsTime
  | { readonly kind: "relTime"; readonly seconds: number };

/** An instant in whole seconds of Unix time, with the zone in which it is written (seconds east). */
export interface AbsTime {
  readonly kind: "absTime";
  readonly seconds: number;
  readonly offsetSeconds: number;
}

/** A list whose items are evaluated. */
export interface ListValue {
  readonly kind: "list";
  readonly items: readonly ClassAdValue[];
}

/** An ad in its place: its attributes are evaluated when they are asked for. */
export interface AdValue {
  readonly kind: "ad";
  readonly scope: Scope;
}

/** The operators with one operand. */
export type UnaryOperator = "-" | "+" | "!" | "~";

/** The operators with two operands, in their canonical spelling. */
export type BinaryOperator =
  | ("||" | "&&" | "|" | "^" | "&")
  | ("==" | "!=" | "=?=" | "=!=" | "<" | "<=" | ">" | ">=")
  | ("<<" | ">>" | ">>>" | "+" | "-" | "*" | "/" | "%");

/** A name as it was written, and the key under which it is looked up (letters A–Z in lower case). */
export interface Name {
  readonly name: string;
  readonly key: string;
}

/** A node of an expression. */
export type Node =
  | { readonly kind: "literal"; readonly value: Scalar }
  | ({ readonly kind: "reference" } & Name)
  /** `.name`: of the outermost ad. */
  | ({ readonly kind: "absolute" } & Name)
  /** `other`, `self`, or `parent` so many ads outwards. */
  | { readonly kind: "scope"; readonly scope: "other" | "self" | "parent"; readonly levels: number }
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
}

/** One attribute of an ad as it is written; line and column are those of its expression, from 1. */
export interface RecordAttribute extends Name {
  readonly node: Node;
  readonly line: number;
  readonly column: number;
}

/** An expression, ready to be evaluated. */
export interface Expression {
  readonly node: Node;
  /** Nodes on the longest way from the root to a leaf. */
  readonly height: number;
  /** Nodes in all, each 64 characters of a string as one more. */
  readonly size: number;
  readonly run: Run;
}

/** A compiled expression. */
export type Run = (scope: Scope, evaluation: Evaluation) => ClassAdValue;

/** One attribute of an ad. */
export interface Attribute extends RecordAttribute {
  readonly expression: Expression;
  /** Its value, where it is written as it is. */
  readonly constant: ClassAdValue | undefined;
}

/** An ad: uniquely named expressions, in the order in which they were written. */
export interface ClassAd {
  readonly node: RecordNode;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** What is written in many ads under one name, as it is, and what entering it costs. */
export interface Column {
  readonly values: readonly (ClassAdValue | undefined)[];
  readonly costs: Int32Array;
}

/** Many ads, side by side. */
export interface AdTable {
  readonly ads: readonly ClassAd[];
  /** By key, of each ad what is written there as it is; made when it is first asked for. */
  readonly columns: Map<string, Column>;
  /** By key, the same with equal values numbered; made when it is first asked for. */
  readonly coded: Map<string, CodedColumn>;
  /** Their `Requirements`, those with the same text compiled once. */
  readonly requirements: readonly (Attribute | undefined)[];
  /** The parts of these, by what is compiled; made when they are first asked for. */
  readonly clauses: Map<Expression, readonly Clause[]>;
}

/** What is written in many ads under one name, equal values under one number. */
export interface CodedColumn {
  /** Of each ad 0 where it has none of that name, −1 where it has an expression, else the value's number. */
  readonly codes: Int32Array;
  /** Above every number. */
  readonly codeCount: number;
  /** The integer, real, or boolean (1, 0) of each ad; NaN where there is none. */
  readonly numbers: Float64Array;
  readonly hasExpressions: boolean;
  readonly hasGaps: boolean;
}

/** A part of an expression that is joined to the others by `&&`. */
export interface Clause {
  readonly expression: Expression;
  /** Set where it compares. */
  readonly compares: Comparing | undefined;
}

/** A comparison, its sides compiled. */
export interface Comparing {
  readonly operator: "<" | "<=" | "==" | "!=" | ">=" | ">";
  readonly left: Expression;
  readonly right: Expression;
}

/** Where the names of an expression are looked up: an ad, the ads around it, and the one opposite. */
export interface Scope {
  /** Changes only where the ads of a table are gone through. */
  ad: ClassAd;
  /** The table that the ad is a row of. */
  readonly table: AdTable | undefined;
  row: number;
  readonly parent: Scope | undefined;
  /** Of the outermost ad: the one with which it is matched. Set once, when a match is set up. */
  other: Scope | undefined;
  /** The ads written in this one, each in one place only, so that a circle through them is seen. */
  nested: Map<ClassAd, Scope> | undefined;
}

/** What one evaluation may still cost, what is in progress, and what it knows of the world. */
export interface Evaluation {
  workLeft: number;
  /** The heights of all expressions in progress. */
  height: number;
  /** How many attributes are in progress; they are the first ones of both lists, innermost last. */
  depth: number;
  readonly scopes: Scope[];
  readonly attributes: Attribute[];
  readonly nowSeconds: number | undefined;
  readonly zoneOffsetSeconds: number;
  readonly random: Random | undefined;
  /** Reads the text that the function `eval` was given. */
  readonly parse: (text: string) => Expression | undefined;
}

/** Names are compared without case, of the letters A–Z alone: the same in every locale. */
export function keyOf(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
