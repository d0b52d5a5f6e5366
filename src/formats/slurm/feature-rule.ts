/**
 * Requested features of nodes: `a100&ib`, `(intel|amd)&ssd`, `[rack1|rack2]`, `rack1*2&rack2*4`.
 *
 * Source: sbatch(1), --constraint. Departs from it: with counts or in brackets not every node needs the same
 * features, so there a node with any of them counts.
 */
import type { FeatureExpression, FeatureRule } from "../../model/index.ts";

/** Reads one; what cannot be read is a rule that every node meets. */
export function featureRule(words: string): FeatureRule {
  if (/[*[]/.test(words)) return { words, needs: any(namesIn(words).map(feature)) };
  const rest = [...(words.match(/[()&|,]|[^()&|,\s]+/g) ?? [])];
  const needs = anyOf(rest);
  return { words, needs: rest.length > 0 ? null : needs };
}

const feature = (name: string): FeatureExpression => ({ kind: "feature", name });
const any = (of: readonly FeatureExpression[]): FeatureExpression => ({ kind: "any", of });

function namesIn(words: string): readonly string[] {
  return (words.match(/[^()[\]&|,*\s]+/g) ?? []).filter((word) => !/^\d+$/.test(word));
}

function anyOf(rest: string[]): FeatureExpression {
  const of = [allOf(rest)];
  while (rest[0] === "|") {
    rest.shift();
    of.push(allOf(rest));
  }
  return of.length === 1 ? of[0] : any(of);
}

function allOf(rest: string[]): FeatureExpression {
  const of = [one(rest)];
  while (rest[0] === "&" || rest[0] === ",") {
    rest.shift();
    of.push(one(rest));
  }
  return of.length === 1 ? of[0] : { kind: "all", of };
}

/** Where a name is missing nothing meets it. */
function one(rest: string[]): FeatureExpression {
  const word = rest.shift();
  if (word !== "(") return word === undefined ? any([]) : feature(word);
  const inside = anyOf(rest);
  if (rest[0] === ")") rest.shift();
  return inside;
}
