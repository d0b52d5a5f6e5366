/** Binding powers of operators. */

/** Power of `a ? b : c` and `a ?: b`. */
export const CONDITIONAL_POWER = 1;
/** Power of `-a`, `+a`, `!a`, `~a`. */
export const UNARY_POWER = 12;
/** Power of `a.b`, `a[b]` and operands. */
export const POSTFIX_POWER = 13;

/** Powers of the operators with two operands, weakest first; all are left-associative. */
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
