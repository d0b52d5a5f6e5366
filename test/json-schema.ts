/**
 * Judges values by a published JSON Schema.
 *
 * Knows just the keywords that our schemas use; another one in a schema is an error of the test.
 */

/** A schema, or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const length = (value: unknown) => (typeof value === "string" ? value.length : 0);

function hasType(value: unknown, type: string): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

/** What tells whether a value is valid under `root`, or under a part of it. */
export function schemaJudge(root: Schema): (value: unknown, within?: Schema) => boolean {
  /** Each keyword as a test of a value; those that only tell people something hold always. */
  const keywords: Record<string, (value: unknown, given: never, within: Schema) => boolean> = {
    $schema: () => true,
    $defs: () => true,
    title: () => true,
    description: () => true,
    default: () => true,
    examples: () => true,
    $ref: (value, path: string) =>
      isValid(value, (root.$defs as Record<string, Schema>)[path.replace("#/$defs/", "")]),
    type: (value, types: string | string[]) => [types].flat().some((type) => hasType(value, type)),
    enum: (value, words: unknown[]) => words.includes(value),
    const: (value, word: unknown) => value === word,
    anyOf: (value, schemas: Schema[]) => schemas.some((one) => isValid(value, one)),
    required: (value, names: string[]) => !isObject(value) || names.every((name) => name in value),
    properties: (value, of: Record<string, Schema>) =>
      !isObject(value) || Object.entries(value).every(([name, it]) => !(name in of) || isValid(it, of[name])),
    additionalProperties: (value, it: Schema | boolean, { properties = {} }) =>
      it === true ||
      !isObject(value) ||
      Object.entries(value).every(
        ([name, one]) => name in (properties as Schema) || (it !== false && isValid(one, it)),
      ),
    propertyNames: (value, it: Schema) =>
      !isObject(value) || Object.keys(value).every((name) => isValid(name, it)),
    items: (value, it: Schema) => !Array.isArray(value) || value.every((one) => isValid(one, it)),
    minItems: (value, least: number) => !Array.isArray(value) || value.length >= least,
    maxItems: (value, most: number) => !Array.isArray(value) || value.length <= most,
    pattern: (value, pattern: string) => typeof value !== "string" || new RegExp(pattern, "u").test(value),
    minLength: (value, least: number) => typeof value !== "string" || length(value) >= least,
    minimum: (value, least: number) => typeof value !== "number" || value >= least,
    maximum: (value, most: number) => typeof value !== "number" || value <= most,
    exclusiveMinimum: (value, least: number) => typeof value !== "number" || value > least,
  };
  function isValid(value: unknown, within: Schema = root): boolean {
    return Object.entries(within).every(([keyword, given]) => {
      const holds = keywords[keyword];
      if (holds === undefined) throw new Error(`the schema uses ${keyword}, which this test does not know`);
      return holds(value, given as never, within);
    });
  }
  return isValid;
}
