/** The ClassAd language for the command line: ads and scripts from files, results as plain data. */
import { createRandom } from "../base/index.ts";
import {
  type ClassAd,
  type ClassAdValue,
  evaluate,
  evaluateAttribute,
  explainMatch,
  parseAd,
  parseExpression,
  plainOf,
  runScript,
  type ScriptResult,
  unmetText,
  unparse,
  valueText,
} from "../classad/index.ts";
import type { ClassAdTools, ExpressionAnswer, ScriptAnswer, ShownValue, SideAnswer } from "../cli/index.ts";
import { readBounded, remarkFault, textOfBytes } from "../formats/yaml/index.ts";

/** Environment of evaluations. At a terminal, random values may change every second. */
function world(nowMs: number) {
  return { nowMs, random: createRandom(Math.floor(nowMs / 1_000) | 0) };
}

/** Evaluation, matching and scripts. */
export const classAdTools: ClassAdTools = {
  evaluate: async ({ expression, ads, other, nowMs }) => {
    const read = parseExpression(expression);
    if (!read.ok) throw remarkFault("expression", read.refusal);
    const context = other === undefined ? world(nowMs) : { ...world(nowMs), other: await readAd(other) };
    const canonical = unparse(read.value.node);
    const answers: ExpressionAnswer[] = [];
    for (const ad of ads) {
      const value = evaluate(read.value, { ...context, self: await readAd(ad) });
      answers.push({ ad, expression: canonical, ...shown(value) });
    }
    if (ads.length > 0) return answers;
    return [{ ad: null, expression: canonical, ...shown(evaluate(read.value, context)) }];
  },
  match: async (first, second, nowMs) => {
    const [one, another] = [await readAd(first), await readAd(second)];
    const verdict = explainMatch(one, another, world(nowMs));
    const rankOf = (self: ClassAd, other: ClassAd) =>
      shown(evaluateAttribute("Rank", { ...world(nowMs), self, other }));
    const sides: readonly SideAnswer[] = [
      { ad: first, ...sideOf(verdict.first), rank: rankOf(one, another) },
      { ad: second, ...sideOf(verdict.second), rank: rankOf(another, one) },
    ];
    return { matches: verdict.matches, sides };
  },
  script: async (file, nowMs, onAnswer) => {
    for (const result of runScript(await readText(file), world(nowMs))) onAnswer(answerOf(file, result));
  },
};

function sideOf({ requirements, failing }: ReturnType<typeof explainMatch>["first"]) {
  return {
    requirements: shown(requirements),
    failing: failing.map(({ clause, value }) => ({ clause, value: shown(value) })),
  };
}

function shown(value: ClassAdValue): ShownValue {
  return { kind: value.kind, text: valueText(value), value: plainOf(value) };
}

function answerOf(file: string, result: ScriptResult): ScriptAnswer {
  const { line } = result;
  switch (result.kind) {
    case "value":
      return { line, says: shown(result.value) };
    case "echo":
      return { line, says: result.text };
    case "unmet":
      return { line, unmet: unmetText(result.demand, result.values) };
    case "problem":
      throw remarkFault(file, result.problem);
  }
}

async function readAd(file: string): Promise<ClassAd> {
  const read = parseAd(await readText(file));
  if (!read.ok) throw remarkFault(file, read.refusal);
  return read.value;
}

/** @throws Fault if there is no text to read */
async function readText(file: string): Promise<string> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (!text.ok) throw remarkFault(file, text.refusal);
  return text.value;
}
