/**
 * Matching two ads, and ranking many: who fits, who is preferred, and what stands in the way.
 *
 * Source: the matchmaking of [WMS] and HTCondor [CLASSAD]; FuzzyRank as in the JDL of EGEE.
 */
import { createRandom, drawFraction, type Random } from "../base/index.ts";
import { compileExpression } from "./compile.ts";
import { beginEvaluation, type EvaluationContext, evaluateIn, scopeOf } from "./evaluate.ts";
import type {
  AdTable,
  Attribute,
  ClassAd,
  ClassAdValue,
  Evaluation,
  Expression,
  Node,
  Scope,
} from "./language.ts";
import { enter, LimitReached, rootScope, runWithin } from "./scope.ts";
import { unparse } from "./unparse.ts";
import { ERROR, numberOf, TRUE, truthOf, UNDEFINED } from "./values.ts";

/** What all evaluations of a match know of the world. */
export type MatchContext = Omit<EvaluationContext, "self" | "other">;

/** A part of a `Requirements` that stands in the way. */
export interface FailingClause {
  /** Its canonical text. */
  readonly clause: string;
  readonly value: ClassAdValue;
}

/** Whether two ads match; for each side its `Requirements` and what of it fails. */
export interface MatchVerdict {
  readonly matches: boolean;
  readonly first: SideVerdict;
  readonly second: SideVerdict;
}

/** What one side says of the other. */
export interface SideVerdict {
  readonly requirements: ClassAdValue;
  readonly failing: readonly FailingClause[];
}

/** Whether two ads match, with what stands in the way (rule CA-35). */
export function explainMatch(first: ClassAd, second: ClassAd, context: MatchContext = {}): MatchVerdict {
  const [one, another] = [verdictOf(first, second, context), verdictOf(second, first, context)];
  return { matches: demandsNothing(one) && demandsNothing(another), first: one, second: another };
}

function demandsNothing({ requirements }: SideVerdict): boolean {
  return truthOf(requirements) === true;
}

function verdictOf(ad: ClassAd, opposite: ClassAd, context: MatchContext): SideVerdict {
  const attribute = ad.attributes.get("requirements");
  if (attribute === undefined) return { requirements: TRUE, failing: [] };
  const scope = scopeOf({ self: ad, other: opposite });
  const valueIn = (expression: Expression) =>
    evaluateIn(beginEvaluation(context), (evaluation) => runWithin(expression, scope, evaluation));
  const requirements = valueIn(attribute.expression);
  if (truthOf(requirements) === true) return { requirements, failing: [] };
  const failing = clausesOf(attribute.node).flatMap((clause) => {
    const value = valueIn(compileExpression(clause));
    return truthOf(value) === true ? [] : [{ clause: unparse(clause), value }];
  });
  return { requirements, failing };
}

/** The parts that are joined by `&&`. */
function clausesOf(node: Node): readonly Node[] {
  if (node.kind !== "binary" || node.operator !== "&&") return [node];
  return [...clausesOf(node.left), ...clausesOf(node.right)];
}

/** One that matches, by its place among those asked, and what the asking ad's `Rank` is of it. */
export interface RankedMatch {
  readonly index: number;
  readonly rank: number;
}

/** How matches are ordered. */
export interface RankingOrder {
  /** The asking job's id: what ties and draws depend on. */
  readonly jobId: string;
  /** Set where the order is to be drawn (rule CA-38). */
  readonly fuzzyFactor?: number;
}

/** All that match, the preferred ones first (rules CA-36 to CA-38). */
export function rankMatches(
  ad: ClassAd,
  candidates: AdTable,
  order: RankingOrder,
  context: MatchContext = {},
): readonly RankedMatch[] {
  const matches = findMatches(ad, candidates, context);
  const random = createRandom(seedOf(order.jobId));
  if (order.fuzzyFactor !== undefined) return drawnOrder(matches, order.fuzzyFactor, random);
  const shuffled = matches.map((match) => ({ match, draw: drawFraction(random) }));
  shuffled.sort((a, b) => b.match.rank - a.match.rank || a.draw - b.draw);
  return shuffled.map(({ match }) => match);
}

/** Those that match, in their own order, each with its rank. */
export function findMatches(
  ad: ClassAd,
  candidates: AdTable,
  context: MatchContext = {},
): readonly RankedMatch[] {
  const matches: RankedMatch[] = [];
  const evaluation = beginEvaluation(context);
  const workLimit = evaluation.workLeft;
  const requirements = ad.attributes.get("requirements");
  const rank = ad.attributes.get("rank");
  const self = rootScope(ad);
  const other: Scope = { ...rootScope(ad), table: candidates, other: self };
  self.other = other;
  for (let row = 0; row < candidates.ads.length; row++) {
    other.ad = candidates.ads[row];
    other.row = row;
    other.nested = undefined;
    if (requirements !== undefined && !isMet(requirements, self, renew(evaluation, workLimit))) continue;
    const theirs = candidates.requirements[row];
    if (theirs !== undefined && !isMet(theirs, other, renew(evaluation, workLimit))) continue;
    const value = rank === undefined ? UNDEFINED : evaluated(rank, self, renew(evaluation, workLimit));
    matches.push({ index: row, rank: rankOf(value) });
  }
  return matches;
}

/** Each evaluation begins with nothing in progress and all its work before it. */
function renew(evaluation: Evaluation, workLimit: number): Evaluation {
  evaluation.workLeft = workLimit;
  evaluation.height = 0;
  evaluation.depth = 0;
  return evaluation;
}

function isMet(requirements: Attribute, scope: Scope, evaluation: Evaluation): boolean {
  return truthOf(evaluated(requirements, scope, evaluation)) === true;
}

/** The value of an attribute; `error` where a limit is reached. */
function evaluated(attribute: Attribute, scope: Scope, evaluation: Evaluation): ClassAdValue {
  try {
    return enter(attribute, scope, evaluation);
  } catch (error) {
    if (error instanceof LimitReached) return ERROR;
    throw error;
  }
}

function rankOf(value: ClassAdValue): number {
  const rank = numberOf(value);
  return rank === undefined || Number.isNaN(rank) ? 0 : rank;
}

/** One after the other, each with its weight among those that are left. */
function drawnOrder(matches: readonly RankedMatch[], factor: number, random: Random): readonly RankedMatch[] {
  const weights = fuzzyWeights(
    matches.map(({ rank }) => rank),
    factor,
  );
  // The same as drawing one after the other by weight: the order of exponential waits with these rates.
  const waits = weights.map((weight) => -Math.log(1 - drawFraction(random)) / weight);
  return [...matches.entries()].sort(([a], [b]) => waits[a] - waits[b]).map(([, match]) => match);
}

/** The weights of FuzzyRank: arctan((rank − mean) · factor) + π/2, all above 0. */
export function fuzzyWeights(ranks: readonly number[], factor: number): readonly number[] {
  const finite = ranks.filter(Number.isFinite);
  const mean = finite.reduce((total, rank) => total + rank / finite.length, 0);
  return ranks.map((rank) => Math.max(Math.atan((rank - mean) * factor) + Math.PI / 2, Number.MIN_VALUE));
}

/** A 32-bit seed of a text (FNV-1a by code units). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
