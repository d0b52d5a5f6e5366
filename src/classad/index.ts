export { tableOf } from "./ad-table.ts";
export type { MatchContext } from "./asking.ts";
export { type EvaluationContext, evaluate, evaluateAttribute } from "./evaluate.ts";
export { findMatches, type RankedMatch } from "./find-matches.ts";
export type { AdTable, ClassAd, ClassAdValue, Expression, Node } from "./language.ts";
export {
  explainMatch,
  type FailingClause,
  fuzzyWeights,
  type MatchVerdict,
  type RankingOrder,
  rankMatches,
  type SideVerdict,
} from "./match.ts";
export { childrenOf } from "./node-size.ts";
export { parseAd, parseExpression } from "./parse.ts";
export { adOf, type PlainValue, plainOf } from "./plain-ad.ts";
export type { ClassAdProblem, ClassAdProblemCode } from "./problem.ts";
export { runScript, type ScriptResult, unmetText } from "./script.ts";
export { adText, unparse, valueText } from "./unparse.ts";
