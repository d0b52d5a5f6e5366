/**
 * The JSON Schemas of docs/schemas, made from the shapes of files: what editors complete and check.
 *
 * What is written in several places stands once in `$defs`; descriptions and defaults stay where they are
 * used.
 */
import { parse } from "yaml";
import { type AnyShape, FILE_SHAPES, type FileShape, type ShapeOf } from "../../src/contract/files/index.ts";
import { writtenAs } from "../../src/formats/yaml/index.ts";

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;
type Definitions = Map<string, Schema>;

/** Every published schema by the name of its file. */
export function fileSchemas(): ReadonlyMap<string, Schema> {
  return new Map(
    Object.entries(FILE_SHAPES).map(([name, file]) => [`${name}.schema.json`, schemaOf(file)] as const),
  );
}

/** The schema of stint.yaml, as it is published. */
export function stintSchema(): Schema {
  return schemaOf(FILE_SHAPES.stint);
}

function schemaOf({ title, description, shapes }: FileShape): Schema {
  const definitions: Definitions = new Map();
  const bodies = shapes.map((shape) => used(shape, definitions));
  // What a message shows for the whole is a line of it.
  const [{ examples: _, ...body }] = bodies;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...(description === undefined ? {} : { description }),
    ...(bodies.length === 1 ? body : { anyOf: bodies }),
    ...(definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  };
}

/** The schema of a shape where it is used. */
function used(shape: AnyShape, definitions: Definitions): Schema {
  const { description, keywords } = shape;
  const defined = shape.defined ?? definedByUnit(shape);
  if (defined !== undefined && !definitions.has(defined)) {
    // Entered before its inside, so that definitions stand in the order of their use.
    definitions.set(defined, {});
    definitions.set(defined, { ...bodyOf(shape, definitions), ...examplesOf(shape), ...keywords });
  }
  return {
    ...(description === undefined ? {} : { description }),
    ...(defined === undefined
      ? { ...bodyOf(shape, definitions), ...examplesOf(shape), ...keywords }
      : { $ref: `#/$defs/${defined}` }),
    ...defaultOf(shape),
  };
}

function definedByUnit(shape: AnyShape): string | undefined {
  if (shape.kind !== "quantity") return undefined;
  return shape.ifZero === undefined ? shape.unit : `${shape.unit}AboveZero`;
}

function examplesOf({ kind, examples }: AnyShape): Schema {
  if (examples === undefined || kind === "word") return {};
  return { examples: examples.map((example) => parse(example) as unknown) };
}

function defaultOf(shape: AnyShape): Schema {
  if (shape.default !== undefined) return { default: parse(shape.default) as unknown };
  // Of a mapping its words say it; null is what a reader makes of nothing.
  const isNothing = shape.usual === undefined || (shape.usual === null && shape.kind !== "none");
  if (isNothing || shape.kind === "mapping") return {};
  return { default: writtenAs(shape, shape.usual) };
}

const LENGTH_OF_TIME =
  "^([0-9]+([.][0-9]+)?|([0-9]+([.][0-9]+)? *(w|d|h|m|min|s|ms) *)+|P[0-9TWDHMS.,]+|" +
  "([0-9]+-)?[0-9]+:[0-9]{2}:[0-9]{2}([.][0-9]+)?|[0-9]+-[0-9]+(:[0-9]{2})?)$";
/** Notations of quantities, as regular expressions. */
export const UNIT_PATTERNS = {
  size: "^[0-9]+([.][0-9]+)? *([KMGTP](iB)?|[kMGTP]B|B)?$",
  rate: "^[0-9]+([.][0-9]+)? *([kMGT]?bit|[KMGTP](iB)?|[kMGTP]B|B)/s$",
  duration: LENGTH_OF_TIME,
} as const;

function bodyOf(shape: AnyShape, definitions: Definitions): Schema {
  switch (shape.kind) {
    case "text":
      return {
        type: shape.isStrict ? ["string", "integer"] : ["string", "number", "boolean"],
        ...(shape.pattern === undefined ? {} : { pattern: shape.pattern }),
      };
    case "word":
      return shape.isAnyCase ? { type: "string", pattern: inAnyCase(shape.words) } : { enum: shape.words };
    case "flag":
      return { type: "boolean" };
    case "count":
      return { type: "integer", ...range(shape) };
    case "number":
      return { type: "number", ...range(shape), ...(shape.isAbove ? aboveOf(shape) : {}) };
    case "written":
      return shape.of === undefined ? {} : bodyOf(shape.of, definitions);
    case "quantity":
      return quantity(shape);
    case "notation": {
      const text = { type: "string", pattern: shape.pattern };
      if (shape.numbers === undefined) return text;
      return { anyOf: [{ type: "number", ...range(shape.numbers) }, text] };
    }
    case "path":
      return { type: "string", pattern: "^[^~]" };
    case "list":
      return listOf(shape, definitions);
    case "names":
      return {
        type: "object",
        ...(shape.keys === undefined ? {} : { propertyNames: { pattern: shape.keys.pattern } }),
        additionalProperties: used(shape.value, definitions),
      };
    case "mapping":
      return mappingOf(shape, definitions);
    case "either":
      return { anyOf: [...new Set(Object.values(shape.of))].map((one) => used(one, definitions)) };
    case "none":
      return { anyOf: [used(shape.or, definitions), { const: shape.word }] };
    case "cases":
      return { anyOf: Object.values(shape.cases).map((one) => used(one, definitions)) };
  }
}

function range({ least, most }: { readonly least: number; readonly most: number }): Schema {
  return {
    ...(least === Number.MIN_SAFE_INTEGER ? {} : { minimum: least }),
    ...(most === Number.MAX_SAFE_INTEGER ? {} : { maximum: most }),
  };
}

function aboveOf({ least }: ShapeOf<"number">): Schema {
  return { minimum: undefined, exclusiveMinimum: least };
}

/** A regular expression of these words, with blanks around them. */
function inAnyCase(words: readonly string[]): string {
  const letters = (word: string) => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join("");
  return `^ *(${words.map(letters).join("|")}) *$`;
}

function quantity({ unit, ifZero, words }: ShapeOf<"quantity">): Schema {
  const text = { type: "string", pattern: UNIT_PATTERNS[unit] };
  // A rate without a unit could be bits or bytes.
  if (unit === "rate") return text;
  return {
    anyOf: [
      { type: "number", ...(ifZero === undefined ? { minimum: 0 } : { exclusiveMinimum: 0 }) },
      text,
      ...(words === undefined ? [] : [{ type: "string", pattern: inAnyCase(words) }]),
    ],
  };
}

function listOf({ item, orOne, least, most }: ShapeOf<"list">, definitions: Definitions): Schema {
  const items = used(item, definitions);
  const list = {
    type: "array",
    ...(least === undefined ? {} : { minItems: least }),
    ...(most === undefined ? {} : { maxItems: most }),
    items,
  };
  return orOne ? { anyOf: [items, list] } : list;
}

function mappingOf(
  { fields, required, isOpen = false }: ShapeOf<"mapping">,
  definitions: Definitions,
): Schema {
  const words = Object.keys(required);
  return {
    type: "object",
    ...(words.length === 0 ? {} : { required: words }),
    additionalProperties: isOpen,
    properties: Object.fromEntries(
      Object.entries(fields).map(([word, field]) => [word, used(field, definitions)]),
    ),
  };
}
