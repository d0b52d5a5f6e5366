/** Capability of the ClassAd commands: their requests and results, as plain data. */
import type { AdForm, AdLayout, analyzeMatch, PlainValue } from "../classad/index.ts";

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
  /** True where the answer is what remains of the expression in each ad. */
  readonly flatten?: boolean;
  readonly nowMs: number;
  /** Told each pattern that is not supported, once for each reason. */
  readonly onWarning: (text: string) => void;
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

/** A job to match with many ads. */
export interface ManyQuestion {
  readonly job: string;
  readonly files: readonly string[];
  /** Seed of ties and draws; the job's own id by default. */
  readonly jobId?: string;
  /** Factor of a drawn order; by rank where neither this nor `FuzzyRank` of the job asks for one. */
  readonly fuzzyFactor?: number;
  readonly nowMs: number;
}

/** An ad that matches, preferred ones first. */
export interface RankedAd {
  readonly ad: string;
  readonly file: string;
  /** Number of the ad in its file, from 1. */
  readonly number: number;
  readonly rank: number;
}

/** Ads that match a job; of one ad alone, both sides. */
export type MatchResult =
  | ({ readonly kind: "pair" } & MatchAnswer)
  | { readonly kind: "ranking"; readonly ads: number; readonly ranked: readonly RankedAd[] };

/** Conditions of a match over many ads, and changes that win ads. */
export type AdAnalysis = ReturnType<typeof analyzeMatch>;

/** Ads to write in another form. */
interface Conversion {
  readonly files: readonly string[];
  readonly from?: AdForm;
  readonly to: AdForm;
  /** Of the new form. */
  readonly layout?: AdLayout;
}

/** Result of a statement of a script. */
export interface ScriptAnswer {
  readonly line: number;
  /** Printed text: a value, an expression, or the words of `echo`. */
  readonly says?: ShownValue | string;
  /** Message about a check that failed. */
  readonly unmet?: string;
}

/** Evaluation, matching and scripts; syntax errors are Faults that begin with their place. */
export interface ClassAdTools {
  readonly evaluate: (question: ExpressionQuestion) => Promise<readonly ExpressionAnswer[]>;
  readonly match: (question: ManyQuestion) => Promise<MatchResult>;
  readonly analyze: (question: ManyQuestion) => Promise<AdAnalysis>;
  readonly convert: (conversion: Conversion) => Promise<string>;
  readonly script: (file: string, nowMs: number, onAnswer: (answer: ScriptAnswer) => void) => Promise<void>;
}
