/**
 * Evaluating expressions: in an ad, opposite another, at a time.
 */
import type { Random } from "../base/index.ts";
import { compileAd } from "./compile.ts";
import {
  type ClassAd,
  type ClassAdValue,
  type Evaluation,
  type Expression,
  keyOf,
  type Scope,
} from "./language.ts";
import { parseExpression } from "./parse.ts";
import { attributeOf, LimitReached, rootScope, runWithin, WORK_LIMIT } from "./scope.ts";
import { ERROR } from "./values.ts";

/** What an expression is evaluated in. */
export interface EvaluationContext {
  /** The ad in which names are looked up; none of them is defined where it is left out. */
  readonly self?: ClassAd;
  /** The ad opposite: `other.`, `target.`. */
  readonly other?: ClassAd;
  /** The time, in milliseconds of Unix time; where it is left out `time()` is `error`. */
  readonly nowMs?: number;
  /** The zone of times that name none, in seconds east of Greenwich; 0 unless said. */
  readonly zoneOffsetSeconds?: number;
  /** Where `random()` draws; where it is left out `random()` is `error`. */
  readonly random?: Random;
  /** What the evaluation may cost (rule CA-31); 100,000 unless said. */
  readonly workLimit?: number;
}

const emptyAd = compileAd({ kind: "record", attributes: [] });

/** The value of an expression; `error` where it would cost more than it may. */
export function evaluate(expression: Expression, context: EvaluationContext): ClassAdValue {
  const self = scopeOf(context);
  return evaluateIn(beginEvaluation(context), (evaluation) => runWithin(expression, self, evaluation));
}

/** The value of an attribute of the ad `self`; `undefined` where it has none of that name. */
export function evaluateAttribute(name: string, context: EvaluationContext): ClassAdValue {
  const self = scopeOf(context);
  return evaluateIn(beginEvaluation(context), (evaluation) => attributeOf(keyOf(name), self, evaluation));
}

/** The scopes of two ads opposite each other, the first one's. */
export function scopeOf({ self = emptyAd, other }: Pick<EvaluationContext, "self" | "other">): Scope {
  const scope = rootScope(self);
  if (other !== undefined) {
    scope.other = rootScope(other);
    scope.other.other = scope;
  }
  return scope;
}

/** What an evaluation begins with. */
export function beginEvaluation(context: Omit<EvaluationContext, "self" | "other">): Evaluation {
  return {
    workLeft: context.workLimit ?? WORK_LIMIT,
    height: 0,
    depth: 0,
    scopes: [],
    attributes: [],
    nowSeconds: context.nowMs === undefined ? undefined : context.nowMs / 1_000,
    zoneOffsetSeconds: context.zoneOffsetSeconds ?? 0,
    random: context.random,
    parse: parsed,
  };
}

/** Runs an evaluation; where a limit is reached it is `error` as a whole. */
export function evaluateIn(
  evaluation: Evaluation,
  run: (evaluation: Evaluation) => ClassAdValue,
): ClassAdValue {
  try {
    return run(evaluation);
  } catch (error) {
    if (error instanceof LimitReached) return ERROR;
    throw error;
  }
}

function parsed(text: string): Expression | undefined {
  const read = parseExpression(text);
  return read.ok ? read.value : undefined;
}
