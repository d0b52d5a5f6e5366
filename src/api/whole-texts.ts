/**
 * Refuses half surrogate pairs in any text of a request, before a route sees it: JSON can contain one
 * (`"\ud800"`), but neither the log nor a file can. One place for every field of every schema, so that none
 * can be forgotten.
 */

import type { FastifyInstance } from "fastify";
import { isWholeText } from "../base/index.ts";
import type { ProblemPlace } from "./problem.ts";
import { invalid } from "./validator.ts";

/** Limit on nesting, deeper than any schema, which protects the stack. */
const DEEPEST = 100;
const DETAIL = "has half of a surrogate pair, which is no character";

/** Checks the body, the path, the query and the headers of every request. */
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

/** JSON pointer of the first invalid text; for a name, of the object that has it. */
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
