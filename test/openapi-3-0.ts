/**
 * The OpenAPI 3.1 document in words of 3.0, for generators that read no other.
 *
 * Differs from the document in what 3.0 cannot say: unions of several types accept any value, and a pattern
 * that contains a quotation mark is left out, since the generator's output would not be valid Python.
 */

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

/** The document, as text of JSON, in OpenAPI 3.0. */
export function asOpenApi30(document: string): string {
  const { info, paths, components, ...rest } = JSON.parse(document) as Readonly<Record<string, JsonObject>>;
  const { schemas, ...others } = components ?? {};
  return JSON.stringify({
    ...rest,
    openapi: "3.0.3",
    info: { title: info?.title, version: info?.version },
    paths: within(paths ?? {}),
    components: { ...others, schemas: mapped(schemas as JsonObject) },
  });
}

/** The parts of the document around schemas: only members called `schema` are schemas. */
function within(given: Json): Json {
  if (Array.isArray(given)) return given.map(within);
  if (!isObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, name === "schema" ? schema30(value) : within(value)]),
  );
}

function schema30(given: Json): Json {
  if (!isObject(given)) return given;
  const { anyOf, type, const: only, examples: _, properties, items, additionalProperties, ...rest } = given;
  const kept = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => name !== "pattern" || !String(value).includes('"')),
  );
  if (Array.isArray(anyOf)) return { ...kept, ...union(anyOf) };
  return {
    ...kept,
    ...(type === undefined ? {} : typed(type)),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
    ...(items === undefined ? {} : { items: schema30(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: schema30(additionalProperties) }),
  };
}

function typed(type: Json): JsonObject {
  return type === "null" ? { nullable: true, enum: [null] } : { type };
}

function union(options: readonly Json[]): JsonObject {
  const others = options.filter((option) => !isObject(option) || option.type !== "null");
  const [single] = others;
  const nullable = others.length < options.length ? { nullable: true } : {};
  if (others.length !== 1 || !isObject(single)) return nullable;
  const converted = schema30(single) as JsonObject;
  return { ...("$ref" in converted ? { allOf: [converted] } : converted), ...nullable };
}

function mapped(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema30(schema)]));
}

function isObject(given: Json | undefined): given is JsonObject {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
