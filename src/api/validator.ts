/**
 * Validates requests by their TypeBox schemas, with errors for people. Bodies are not coerced: `"3"` is no
 * number. Parameters of path and query are text by nature, so numbers, `true` and `false`, and a single value
 * for a list are converted to the type of the schema.
 */
import type { TSchema } from "@fastify/type-provider-typebox";
import type { FastifySchemaCompiler } from "fastify";
import { Compile, type Validator } from "typebox/compile";
import { placesOf } from "./places.ts";
import { ProblemError, type ProblemPlace } from "./problem.ts";

/** Limit on the places that a problem lists. */
const placesShown = 20;

/** Fastify's validator compiler. Of the routes, most are never asked: a schema is compiled when one is. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === "body") return validateBody(schema);
  const validator = compiledOnce(schema);
  return (given: unknown) => {
    const value = readParameters(given, schema);
    if (validator().Check(value)) return { value };
    const places = placesOf(validator().Errors(value), schema, value);
    const named = places.map(({ pointer = "", detail }) => ({
      parameter: pointer.split("/")[1] ?? "",
      detail,
    }));
    return { error: invalid(named) };
  };
};

/** `one or many` is validated as whichever it is, or the errors would be of both. */
function validateBody(schema: TSchema): (given: unknown) => { value: unknown } | { error: Error } {
  const choices: readonly TSchema[] = "anyOf" in schema ? (schema.anyOf as TSchema[]) : [schema];
  const branches = choices.map((choice) => ({ choice, validator: compiledOnce(choice) }));
  return (value) => {
    const isArray = Array.isArray(value);
    const branch = branches.find(({ choice }) => typeOf(choice) === (isArray ? "array" : "object"));
    const { choice, validator } = branch ?? branches[0];
    if (validator().Check(value)) return { value };
    return { error: invalid(placesOf(validator().Errors(value), choice, value)) };
  };
}

function compiledOnce(schema: TSchema): () => Validator {
  let compiled: Validator | undefined;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
}

function readParameters(given: unknown, schema: TSchema): unknown {
  if (typeof given !== "object" || given === null) return given;
  const properties: Readonly<Record<string, TSchema>> =
    "properties" in schema ? Object(schema.properties) : {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, readParameter(value, properties[name])]),
  );
}

function readParameter(value: unknown, schema: TSchema | undefined): unknown {
  const type = typeOf(schema);
  if (type === "array" && !Array.isArray(value)) return [value];
  if (type === "integer" && typeof value === "string" && /^-?\d{1,16}$/.test(value)) return Number(value);
  if (type === "number" && typeof value === "string" && /^-?\d{1,16}(\.\d{1,6})?$/.test(value)) {
    return Number(value);
  }
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function typeOf(schema: TSchema | undefined): unknown {
  return schema !== undefined && "type" in schema ? schema.type : undefined;
}

/** Problem for a request that does not match its schema. */
export function invalid(places: readonly ProblemPlace[]): ProblemError {
  const [first] = places;
  const where = first?.parameter ?? first?.pointer;
  const isWhole = where === undefined || where === "";
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  return new ProblemError({
    status: 400,
    code: "invalidRequest",
    what: isWhole ? "the request is not valid" : `${where} is not valid`,
    why: `${first?.detail ?? "it is not what is asked for"}${more}`,
    remedy: "correct it; /api/v1/openapi.json describes valid requests",
    facts: {
      ...(first?.pointer !== undefined && { pointer: first.pointer }),
      ...(first?.parameter !== undefined && { parameter: first.parameter }),
      errors: places.slice(0, placesShown),
    },
  });
}
