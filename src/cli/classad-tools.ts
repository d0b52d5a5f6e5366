/**
 * What the commands of the ClassAd language are handed: their questions and the answers, as plain data.
 */
import type { PlainValue } from "../classad/index.ts";

/** A value as it is shown. */
export interface ShownValue {
  /** `integer`, `string`, `list`, … */
  readonly kind: string;
  /** Its canonical text. */
  readonly text: string;
  /** As JSON has it; null for `undefined` and `error`. */
  readonly value: PlainValue;
}

/** An expression, asked in each of the ads on file, or in none. */
interface ExpressionQuestion {
  readonly expression: string;
  readonly ads: readonly string[];
  /** The file of the ad opposite. */
  readonly other?: string;
  readonly nowMs: number;
}

/** Its value in one of them. */
export interface ExpressionAnswer extends ShownValue {
  readonly ad: string | null;
  /** The expression in its canonical form. */
  readonly expression: string;
}

/** What one of two ads says of the other. */
export interface SideAnswer {
  readonly ad: string;
  readonly requirements: ShownValue;
  readonly rank: ShownValue;
  readonly failing: readonly { readonly clause: string; readonly value: ShownValue }[];
}

/** Whether two ads match. */
interface MatchAnswer {
  readonly matches: boolean;
  readonly sides: readonly SideAnswer[];
}

/** What a statement of a script came to. */
export interface ScriptAnswer {
  readonly line: number;
  /** What it says: a value, or what `echo` says. */
  readonly says?: ShownValue | string;
  /** The demand that is not met, in words. */
  readonly unmet?: string;
}

/** What the language can be asked; problems with a text are Faults that begin with their place. */
export interface ClassAdTools {
  readonly evaluate: (question: ExpressionQuestion) => Promise<readonly ExpressionAnswer[]>;
  readonly match: (first: string, second: string, nowMs: number) => Promise<MatchAnswer>;
  readonly script: (file: string, nowMs: number, onAnswer: (answer: ScriptAnswer) => void) => Promise<void>;
}
