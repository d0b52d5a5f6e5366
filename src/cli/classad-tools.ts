/** Capability of the ClassAd commands: their requests and results, as plain data. */
import type { PlainValue } from "../classad/index.ts";

/** A value in the forms that commands print. */
export interface ShownValue {
  /** Type of the value: `integer`, `string`, `list`, … */
  readonly kind: string;
  /** Canonical text of the value. */
  readonly text: string;
  /** JSON form of the value; null for `undefined` and `error`. */
  readonly value: PlainValue;
}

/** An expression to evaluate in each of the ads, or in none. */
interface ExpressionQuestion {
  readonly expression: string;
  readonly ads: readonly string[];
  /** File of the other ad (`other`, `target`). */
  readonly other?: string;
  readonly nowMs: number;
}

/** Value of the expression in one ad. */
export interface ExpressionAnswer extends ShownValue {
  readonly ad: string | null;
  /** The expression in its canonical form. */
  readonly expression: string;
}

/** Evaluation of one ad against the other. */
export interface SideAnswer {
  readonly ad: string;
  readonly requirements: ShownValue;
  readonly rank: ShownValue;
  readonly failing: readonly { readonly clause: string; readonly value: ShownValue }[];
}

/** Result of matching two ads. */
interface MatchAnswer {
  readonly matches: boolean;
  readonly sides: readonly SideAnswer[];
}

/** Result of a statement of a script. */
export interface ScriptAnswer {
  readonly line: number;
  /** Printed text: a value, or the words of `echo`. */
  readonly says?: ShownValue | string;
  /** Message about a check that failed. */
  readonly unmet?: string;
}

/** Evaluation, matching and scripts; syntax errors are Faults that begin with their place. */
export interface ClassAdTools {
  readonly evaluate: (question: ExpressionQuestion) => Promise<readonly ExpressionAnswer[]>;
  readonly match: (first: string, second: string, nowMs: number) => Promise<MatchAnswer>;
  readonly script: (file: string, nowMs: number, onAnswer: (answer: ScriptAnswer) => void) => Promise<void>;
}
