/**
 * A condition on the rows of a choice table, as a request gives it.
 */
import { type Condition, readCondition } from "../engine/index.ts";
import { ProblemError } from "./problem.ts";

/** @throws ProblemError with the place in the condition */
export function conditionGiven(text: string): Condition {
  const read = readCondition(text);
  if (read.ok) return read.value;
  const { code: reason, line, column, what, why, remedy } = read.refusal;
  const place = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
  throw new ProblemError({
    ...{
      status: 400,
      code: "conditionInvalid",
      what: `the condition has an error at ${place}: ${what}`,
      why,
    },
    ...{ remedy, facts: { pointer: "/condition", reason, line, column } },
  });
}
