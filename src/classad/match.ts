/**
 * Matching of two ads, and ranking of many.
 *
 * Source: the matchmaking of [WMS] and HTCondor [CLASSAD]; FuzzyRank as in the JDL of EGEE.
 */
import { createRandom, drawFraction, type Random } from "../base/index.ts";
import { clausesOf } from "./clauses.ts";
import { compileExpression } from "./compile.ts";
import { beginEvaluation, evaluateIn, scopeOf } from "./evaluate.ts";
import { findMatches, type RankedMatch } from "./find-matches.ts";
import type { AdTable, ClassAd, ClassAdValue, Expression } from "./language.ts";
import type { MatchContext } from "./row-evaluation.ts";
import { runWithin } from "./scope.ts";
import { unparse } from "./unparse.ts";
import { TRUE, truthOf } from "./values.ts";

interface FailingClause {
  /** Canonical text of the operand. */
  readonly clause: string;
  readonly value: ClassAdValue;
}

/** The result of a match; for each side its `Requirements` and the failing operands. */
export interface MatchVerdict {
  readonly matches: boolean;
  readonly first: SideVerdict;
  readonly second: SideVerdict;
}

interface SideVerdict {
  readonly requirements: ClassAdValue;
  readonly failing: readonly FailingClause[];
}

/** The match of two ads, with the failing operands (rule CA-35). */
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

/** Order of matches. */
export interface RankingOrder {
  /** Id of the matched job: the seed of ties and draws. */
  readonly jobId: string;
  /** Factor of a drawn order (FuzzyRank); absent: by rank. */
  readonly fuzzyFactor?: number;
}

/** All matches, preferred ones first (rules CA-36, CA-37). */
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

/** Draws the matches one after the other, each with its weight among the remaining ones. */
function drawnOrder(matches: readonly RankedMatch[], factor: number, random: Random): readonly RankedMatch[] {
  const weights = fuzzyWeights(
    matches.map(({ rank }) => rank),
    factor,
  );
  // Equivalent to drawing one after the other by weight: the order of exponential waits with these rates.
  const waits = weights.map((weight) => -Math.log(1 - drawFraction(random)) / weight);
  return [...matches.entries()].sort(([a], [b]) => waits[a] - waits[b]).map(([, match]) => match);
}

/** The weights of FuzzyRank: arctan((rank − mean) · factor) + π/2, all above 0. */
export function fuzzyWeights(ranks: readonly number[], factor: number): readonly number[] {
  const finite = ranks.filter(Number.isFinite);
  const mean = finite.reduce((total, rank) => total + rank / finite.length, 0);
  return ranks.map((rank) => Math.max(Math.atan((rank - mean) * factor) + Math.PI / 2, Number.MIN_VALUE));
}

/** A 32-bit seed from a text (FNV-1a by code units). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
