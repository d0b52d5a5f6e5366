export { tableOf } from "./ad-table.ts";
export { analyzeMatch } from "./analysis/index.ts";
export { clausesOf } from "./clauses.ts";
export { type EvaluationContext, evaluate, evaluateAttribute } from "./evaluate.ts";
export { findMatches } from "./find-matches.ts";
export { flattened } from "./flatten.ts";
export { type AdForm, type AdLayout, formOf, laidOut, readAds, writeAds } from "./forms/index.ts";
export { type ClassAd, type ClassAdValue, type Expression, keyOf, type Node } from "./language.ts";
export {
  explainMatch,
  fuzzyWeights,
  rankMatches,
} from "./match.ts";
export { childrenOf } from "./node-size.ts";
export { parseAd, parseExpression } from "./parse.ts";
export { adOf, adWith, type PlainValue, plainOf } from "./plain-ad.ts";
export type { ClassAdProblem } from "./problem.ts";
export { compileRegexp, searchRegexp } from "./regexp/index.ts";
export type { MatchContext } from "./row-evaluation.ts";
export { runScript, type ScriptFiles, type ScriptResult } from "./script.ts";
export { unparse, valueText } from "./unparse.ts";
export { truthOf } from "./values.ts";
