/**
 * Canonical JSON: RFC 8785 (JCS). Members sorted by UTF-16 code units, no blanks, numbers and strings as
 * JavaScript writes them. Equal values give equal bytes, so that any JCS library can recompute a hash.
 *
 * Departs from JSON.stringify: values without an exact form in JSON (NaN, a Date, half of a surrogate pair)
 * are refused, not changed. Undefined members are left out. Cost: about that of JSON.stringify.
 */
import { isWholeText } from "../base/index.ts";
import type { Json } from "../runtime/index.ts";

/** Deepest nesting that is accepted: deeper than any event, and far from the end of the stack. */
const deepest = 100;

/**
 * Canonical text of a value; `refuse` makes the error for a value without one.
 *
 * @param within number of enclosing levels
 */
export function canonicalJson(value: Json, refuse: (why: string) => Error, within = 0): string {
  return write(value, within, refuse);
}

type Refuse = (why: string) => Error;

function write(value: unknown, depth: number, refuse: Refuse): string {
  switch (typeof value) {
    case "string":
      return writeText(value, refuse);
    case "number":
      if (!Number.isFinite(value)) throw refuse(`${value} is not a number that JSON knows`);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth === deepest) throw refuse(`it is nested more than ${deepest} levels deep`);
      return Array.isArray(value)
        ? `[${value.map((item) => write(item, depth + 1, refuse)).join(",")}]`
        : writeObject(value, depth, refuse);
    default:
      throw refuse(`JSON cannot say a value of type ${typeof value}`);
  }
}

function writeText(text: string, refuse: Refuse): string {
  if (!isWholeText(text)) throw refuse("a text has half of a surrogate pair, which UTF-8 cannot say");
  return JSON.stringify(text);
}

function writeObject(object: object, depth: number, refuse: Refuse): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw refuse(`JSON cannot say a ${object.constructor.name}`);
  }
  let text = "";
  for (const [name, value] of Object.entries(object).sort(byName)) {
    if (value === undefined) continue;
    text += `${text === "" ? "" : ","}${writeText(name, refuse)}:${write(value, depth + 1, refuse)}`;
  }
  return `{${text}}`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
