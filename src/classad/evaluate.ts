/** Evaluation of expressions: in an ad, with another ad, at a time. */
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

/** Context of an evaluation. */
export interface EvaluationContext {
  /** The ad in which names are looked up; without it every name is `undefined`. */
  readonly self?: ClassAd;
  /** The ad behind `other.` and `target.`. */
  readonly other?: ClassAd;
  /** Unix time in milliseconds; without it `time()` is `error`. */
  readonly nowMs?: number;
  /** The zone of times without a zone, in seconds east of Greenwich; default 0. */
  readonly zoneOffsetSeconds?: number;
  /** Generator for `random()`; without it `random()` is `error`. */
  readonly random?: Random;
  /** Entry of a map of the function `userMap` for a user, comma-separated; absent: no map is known. */
  readonly userMap?: (map: string, user: string) => string | undefined;
  /** Told each pattern that is not supported, and why; its search is `error`. */
  readonly onUnsupported?: (pattern: string, why: string) => void;
  /** Largest cost of the evaluation (rule CA-34); default 100,000. */
  readonly workLimit?: number;
}

const emptyAd = compileAd({ kind: "record", attributes: [] });

/** The value of an expression; `error` where it exceeds the work limit. */
export function evaluate(expression: Expression, context: EvaluationContext): ClassAdValue {
  const self = scopeOf(context);
  return evaluateIn(beginEvaluation(context), (evaluation) => runWithin(expression, self, evaluation));
}

/** The value of an attribute of the ad `self`; `undefined` where there is none of that name. */
export function evaluateAttribute(name: string, context: EvaluationContext): ClassAdValue {
  const self = scopeOf(context);
  return evaluateIn(beginEvaluation(context), (evaluation) => attributeOf(keyOf(name), self, evaluation));
}

/** The scope of `self`, with `other` as the other ad of the match. */
export function scopeOf({ self = emptyAd, other }: Pick<EvaluationContext, "self" | "other">): Scope {
  const scope = rootScope(self);
  if (other !== undefined) {
    scope.other = rootScope(other);
    scope.other.other = scope;
  }
  return scope;
}

/** The initial state of an evaluation. */
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
    userMap: context.userMap,
    onUnsupported: context.onUnsupported,
    parse: parsed,
  };
}

/** Runs an evaluation; where a limit is reached the whole result is `error`. */
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
