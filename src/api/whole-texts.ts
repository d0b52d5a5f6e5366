/**
 * Refuses requests with half of a surrogate pair in any text, before a route sees them: JSON can write one
 * (`"\ud800"`), and neither the log nor a file can keep it. One place for every field of every schema, so
 * that none can be forgotten.
 */

import type { FastifyInstance } from "fastify";
import { isWholeText } from "../base/index.ts";
import type { ProblemPlace } from "./problem.ts";
import { invalid } from "./validator.ts";

/** Deeper than any schema; whoever sends more has no end of the stack to run into. */
const DEEPEST = 100;
const DETAIL = "has half of a surrogate pair, which is no character";

/** Looks at the body, the path, the query and the headers of every request. */
export function refuseHalfCharacters(server: FastifyInstance): void {
  server.addHook("preValidation", async ({ body, params, query, headers }) => {
    const pointer = placeOfHalf(body, "");
    if (pointer !== undefined) throw invalid([{ pointer, detail: DETAIL }]);
    const place = parameterWithHalf([params, query, headers]);
    if (place !== undefined) throw invalid([place]);
  });
}

function parameterWithHalf(parts: readonly unknown[]): ProblemPlace | undefined {
  for (const part of parts) {
    const pointer = placeOfHalf(part, "");
    if (pointer !== undefined) return { parameter: pointer.split("/")[1] ?? "", detail: DETAIL };
  }
  return undefined;
}

/** The JSON pointer of the first text that is not whole; of what has it for a name, where it is a name. */
function placeOfHalf(value: unknown, at: string, depth = 0): string | undefined {
  if (typeof value === "string") return isWholeText(value) ? undefined : at;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  if (depth === DEEPEST) throw invalid([{ detail: `it is nested more than ${DEEPEST} deep` }]);
  for (const [name, within] of Object.entries(value)) {
    // The name itself cannot be written.
    if (!isWholeText(name)) return at;
    const found = placeOfHalf(within, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
