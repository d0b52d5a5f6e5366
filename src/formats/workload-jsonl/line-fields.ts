/**
 * The fields of one line by name and type; what is not as it should be is a Fault with its column.
 */
import { Fault, formatPosition, parseDuration, parseSize } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import type { FlatField } from "./flat-line.ts";

/** What is wrong with a line, in the words of a Fault. */
export interface LineWords {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** A line with its fields, for typed reading. */
export interface LineFields {
  readonly file: string;
  readonly line: number;
  readonly fields: readonly FlatField[];
}

/** The fault of something at a column of a line. */
export function lineFault(
  { file, line }: Omit<LineFields, "fields">,
  column: number,
  words: LineWords,
): Fault {
  const { code, what, why, remedy } = words;
  return new Fault({
    kind: "badInput",
    code,
    what: `${formatPosition({ file, line, column })}: ${what}`,
    why,
    remedy,
  });
}

/** The value of a field that has to be there. */
export function required<Value>(from: LineFields, name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw lineFault(from, 1, {
    code: "workloadFieldMissing",
    what: `this line has no ${name}`,
    why: `a line of this kind cannot do without ${name}`,
    remedy: `add "${name}": …`,
  });
}

/** The field of that name; `null` counts as not said. */
export function fieldOf({ fields }: LineFields, name: string): FlatField | undefined {
  return fields.find(({ key, value }) => key === name && value !== null);
}

/** A text of 1 to 200 characters without control characters; a whole number counts as its digits. */
export function textField(from: LineFields, name: string): string | undefined {
  const field = fieldOf(from, name);
  if (field === undefined) return undefined;
  const text = Number.isSafeInteger(field.value) ? field.text : field.value;
  if (typeof text === "string" && isName(text)) return text;
  throw wrong(from, field, "a text of 1 to 200 characters, without control characters", `"${name}": "a"`);
}

/** A list of one or more texts. */
export function textsField(from: LineFields, name: string): readonly string[] | undefined {
  const field = fieldOf(from, name);
  if (field === undefined) return undefined;
  if (typeof field.value === "object" && field.value !== null && field.value.length > 0) {
    if (field.value.every(isName)) return field.value;
  }
  throw wrong(from, field, "a list of one or more names", `"${name}": ["batch"]`);
}

/** A whole number of at least `least`. */
export function countField(from: LineFields, name: string, least: number): number | undefined {
  const field = fieldOf(from, name);
  if (field === undefined) return undefined;
  const { value } = field;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw wrong(from, field, `a whole number, ${least} or more`, `"${name}": ${Math.max(1, least)}`);
}

/** Bytes: a number, or a text with a unit. */
export function sizeField(from: LineFields, name: string): number | undefined {
  return quantityField(from, name, { parse: parseSize, noun: "a size", example: `"${name}": "8G"` });
}

/** A length of time in milliseconds: a number of seconds, or a text with units. */
export function timeField(from: LineFields, name: string): number | undefined {
  return quantityField(from, name, {
    parse: parseDuration,
    noun: "a length of time",
    example: `"${name}": "1h30m"`,
  });
}

/** An instant in milliseconds: seconds on the file's clock, or a date with time and zone. */
export function instantField(from: LineFields, name: string): number | undefined {
  const field = fieldOf(from, name);
  if (typeof field?.value === "string" && DATE.test(field.value)) {
    const unixMs = Date.parse(field.value);
    if (unixMs >= 0) return unixMs;
  }
  return quantityField(from, name, {
    parse: parseDuration,
    noun: "an instant",
    example: `"${name}": 3600, or "${name}": "2026-03-01T08:00:00Z"`,
  });
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/;

interface Sort {
  readonly parse: typeof parseSize;
  readonly noun: string;
  readonly example: string;
}

function quantityField(from: LineFields, name: string, { parse, noun, example }: Sort): number | undefined {
  const field = fieldOf(from, name);
  if (field === undefined) return undefined;
  if (typeof field.value !== "string" && typeof field.value !== "number") {
    throw wrong(from, field, noun, example);
  }
  const parsed = parse(String(field.value));
  if (parsed.ok) return parsed.value;
  throw lineFault(from, field.column, {
    code: "workloadField",
    what: `${name}: ${echoText(field.text)} is not ${noun}`,
    why: parsed.refusal.why,
    remedy: parsed.refusal.remedy,
  });
}

function isName(text: string): boolean {
  return text.length >= 1 && text.length <= 200 && !/\p{Cc}/u.test(text);
}

function wrong(from: LineFields, field: FlatField, noun: string, example: string): Fault {
  return lineFault(from, field.column, {
    code: "workloadField",
    what: `${field.key}: ${echoText(field.text)} is not what stands here`,
    why: `it is ${noun}`,
    remedy: `write for instance ${example}`,
  });
}
