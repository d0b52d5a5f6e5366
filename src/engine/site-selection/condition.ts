/**
 * A condition on the rows of a choice table, in the ClassAd language.
 *
 * A row is recommended where the condition is true; false, undefined and error do not recommend it. What is
 * not known of a site is undefined.
 */
import { accepted, MS_PER_HOUR, nearestWord, type Result, refused } from "../../base/index.ts";
import {
  adOf,
  type ClassAd,
  type ClassAdProblem,
  childrenOf,
  type Expression,
  evaluate,
  type Node,
  parseExpression,
} from "../../classad/index.ts";
import { type ChoiceRow, honouredPpm } from "./choice-row.ts";

/** A condition that was read. */
export interface Condition {
  readonly text: string;
  readonly expression: Expression;
}

/** Fault in a condition, with its position; lines and columns from 1. */
export type ConditionProblem = Pick<ClassAdProblem, "line" | "column" | "what" | "why" | "remedy"> & {
  /** Stable: one of the language's own, or `unknownAttribute`. */
  readonly code: ClassAdProblem["code"] | "unknownAttribute";
};

/** Attributes of a row that a condition can use. */
const ROW_ATTRIBUTES = [
  ...(["Site", "Type", "TakesJobs", "Honoured", "Limit", "LimitOf", "PredictedStart", "Wait"] as const),
  ...(["Price", "UsedShare", "FreeProcs", "HonouredRate", "Followed"] as const),
];

/** Reads a condition; one that names what no row has would never be true, and is refused. */
export function readCondition(text: string): Result<Condition, ConditionProblem> {
  const parsed = parseExpression(text);
  if (!parsed.ok) return refused(parsed.refusal);
  const known = new Set(ROW_ATTRIBUTES.map((name) => name.toLowerCase()));
  const unknown = namesIn(parsed.value.node).find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) return refused(unknownAttribute(text, unknown));
  return accepted({ text, expression: parsed.value });
}

/** True if a row meets the condition. */
export function meets({ expression }: Condition, row: ChoiceRow, nowMs: number): boolean {
  const value = evaluate(expression, { self: adOfRow(row, nowMs), nowMs });
  return value.kind === "boolean" && value.value;
}

/** A row as an ad. Shares and rates are parts of one, instants Unix seconds, prices SU. */
function adOfRow(row: ChoiceRow, nowMs: number): ClassAd {
  const { predictedStartMs: startMs, costProcMs, score } = row;
  const ratePpm = honouredPpm(score);
  const values: Record<(typeof ROW_ATTRIBUTES)[number], string | number | boolean | null> = {
    Site: row.site,
    Type: row.type,
    TakesJobs: row.takesJobs,
    Honoured: row.honoured,
    Limit: row.because?.limit ?? null,
    LimitOf: row.because?.level ?? null,
    PredictedStart: startMs === null ? null : Math.ceil(startMs / 1000),
    Wait: startMs === null ? null : Math.max(0, Math.ceil((startMs - nowMs) / 1000)),
    Price: costProcMs === null ? null : costProcMs / MS_PER_HOUR,
    UsedShare: row.usedPpm / 1_000_000,
    FreeProcs: row.freeProcs,
    HonouredRate: ratePpm === null ? null : ratePpm / 1_000_000,
    Followed: score.kept + score.missed,
  };
  return adOf(values);
}

/** The names that are looked up in the row, in the order of the text. */
function namesIn(node: Node): readonly string[] {
  if (node.kind === "reference" || node.kind === "absolute") return [node.name];
  if (node.kind === "select") {
    return node.of.kind === "scope" && node.of.scope === "self" ? [node.name] : namesIn(node.of);
  }
  // What is written inside an ad is that ad's business.
  return node.kind === "record" ? [] : childrenOf(node).flatMap(namesIn);
}

function unknownAttribute(text: string, name: string): ConditionProblem {
  // In a string the same letters are no name.
  const bare = text.replaceAll(/"(?:\\.|[^"\\])*"/g, (string) => " ".repeat(string.length));
  const at = Math.max(0, bare.search(new RegExp(`\\b${name.replaceAll(/\W/g, "\\$&")}\\b`)));
  const lines = text.slice(0, at).split("\n");
  const near = nearestWord(name, ROW_ATTRIBUTES);
  return {
    ...{ code: "unknownAttribute", line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 },
    what: `a row has no ${name}`,
    why: `a row has ${ROW_ATTRIBUTES.join(", ")}`,
    remedy: near === undefined ? "name one of these" : `did you mean ${near}?`,
  };
}
