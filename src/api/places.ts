/** Validation errors in words for people, each at its field. */
import { nearestWord } from "../base/index.ts";
import { RENAMED } from "../contract/index.ts";
import type { ProblemPlace } from "./problem.ts";

/** An error of TypeBox. */
export interface SchemaError {
  readonly keyword: string;
  /** JSON pointer into the schema, after `#`. */
  readonly schemaPath: string;
  /** JSON pointer into the value. */
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/**
 * Errors at the fields that are wrong: a missing or unknown field is named itself. Fields with names of
 * earlier versions come first: they explain what is missing.
 */
export function placesOf(errors: Iterable<SchemaError>, schema: object, value: unknown): ProblemPlace[] {
  const places = [...errors].flatMap((error) => placesOfOne(error, schema, value));
  const isRenamed = ({ detail }: ProblemPlace) => detail.includes(IS_CALLED);
  return [...places.filter(isRenamed), ...places.filter((place) => !isRenamed(place))];
}

const IS_CALLED = " is not known: it is called ";
const renamed: ReadonlyMap<string, string> = new Map(Object.entries(RENAMED));

function placesOfOne(error: SchemaError, schema: object, value: unknown): ProblemPlace[] {
  const { keyword, instancePath, params, message } = error;
  const below = (name: string) => `${instancePath}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  switch (keyword) {
    // Said better by additionalProperties, which comes with it.
    case "boolean":
      return [];
    case "required":
      return names(params, "requiredProperties").map((name) => ({
        pointer: below(name),
        detail: `${name} is missing`,
      }));
    case "additionalProperties": {
      const known = Object.keys(Object(at(schema, error.schemaPath)?.properties));
      return names(params, "additionalProperties").map((name) => ({
        pointer: below(name),
        detail: unknownText(name, known),
      }));
    }
    case "type":
      return [{ pointer: instancePath, detail: `${message}, not ${nameOfType(at(value, instancePath))}` }];
    case "pattern": {
      const wanted = at(schema, error.schemaPath)?.description;
      return [{ pointer: instancePath, detail: typeof wanted === "string" ? formText(wanted) : message }];
    }
    case "enum": {
      const allowed = names(params, "allowedValues");
      return [{ pointer: instancePath, detail: `must be one of ${allowed.join(", ")}` }];
    }
    default:
      return [{ pointer: instancePath, detail: message }];
  }
}

/** The expected form in words, by the description of a schema: a noun with its article, or a label. */
function formText(wanted: string): string {
  return /^(?:an?|the|text|vo)\b/.test(wanted)
    ? `must be ${wanted}`
    : `has the wrong form; expected: ${wanted}`;
}

function unknownText(name: string, known: readonly string[]): string {
  const present = renamed.get(name);
  if (present !== undefined && known.includes(present)) {
    return `${name}${IS_CALLED}${present}${unitOf(present)}`;
  }
  const near = nearestWord(name, known);
  const shown = name.length > 40 ? `${name.slice(0, 39)}…` : name;
  return near === undefined ? `${shown} is not known` : `${shown} is not known; is ${near} meant?`;
}

function unitOf(name: string): string {
  if (name.endsWith("Sec")) return ", in seconds";
  return name === "procs" ? "" : ", an instant as in 2026-11-20T08:30:00Z";
}

function names(params: object, key: string): string[] {
  const found: unknown = Object.entries(params).find(([name]) => name === key)?.[1];
  return Array.isArray(found) ? found.map(String) : [];
}

/** Value in `root` at a JSON pointer, with or without a leading `#`. */
function at(root: unknown, pointer: string): Readonly<Record<string, unknown>> | undefined {
  let here: unknown = root;
  for (const part of pointer.replace(/^#/, "").split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    here = Object(here)[name];
  }
  return here as Readonly<Record<string, unknown>> | undefined;
}

function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return value === undefined ? "nothing" : typeof value;
}
