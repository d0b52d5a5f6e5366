/**
 * Matching two ads, and ranking many: who fits, who is preferred, and what stands in the way.
 *
 * Source: the matchmaking of [WMS] and HTCondor [CLASSAD]; FuzzyRank as in the JDL of EGEE.
 */
import { createRandom, drawFraction, type Random } from "../base/index.ts";
import type { MatchContext } from "./asking.ts";
import { clausesOf } from "./clauses.ts";
import { compileExpression } from "./compile.ts";
import { beginEvaluation, evaluateIn, scopeOf } from "./evaluate.ts";
import { findMatches, type RankedMatch } from "./find-matches.ts";
import type { AdTable, ClassAd, ClassAdValue, Expression } from "./language.ts";
import { runWithin } from "./scope.ts";
import { unparse } from "./unparse.ts";
import { TRUE, truthOf } from "./values.ts";

/** A part of a `Requirements` that stands in the way. */
interface FailingClause {
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
interface SideVerdict {
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
