/**
 * How strongly operators bind to what stands beside them.
 */

/** Of `a ? b : c` and `a ?: b`. */
export const CONDITIONAL_POWER = 1;
/** Of `-a`, `+a`, `!a`, `~a`. */
export const UNARY_POWER = 12;
/** Of `a.b`, `a[b]` and whatever stands alone. */
export const POSTFIX_POWER = 13;

/** How strongly each operator with two operands binds, weakest first; all of them to the left. */
export const BINARY_POWERS: ReadonlyMap<string, number> = new Map(
  [
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!=", "=?=", "=!="],
    ["<", "<=", ">", ">="],
    ["<<", ">>", ">>>"],
    ["+", "-"],
    ["*", "/", "%"],
  ].flatMap((operators, at) => operators.map((operator) => [operator, at + 2] as const)),
);
