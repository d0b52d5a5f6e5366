/**
 * The OpenAPI document as generators of clients like it: each body and each of its parts that they would
 * otherwise number has a name, and responses have examples.
 */
import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import { PROBLEM_EXAMPLE, RESPONSE_EXAMPLES } from "./response-examples.ts";

interface Media {
  schema?: Schema;
  example?: unknown;
}
type Schema = Readonly<Record<string, unknown>>;
type Content = Record<string, Media>;
interface Described {
  readonly operationId?: string;
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** Names the bodies of requests and adds the examples of responses. */
export const forGenerators: NonNullable<FastifyDynamicSwaggerOptions["transformObject"]> = (given) => {
  if (!("openapiObject" in given)) return given.swaggerObject;
  const document = given.openapiObject as Document;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) nameBody(operation, document.components.schemas);
  const examples = examplesOf(operations);
  for (const media of operations.flatMap(mediaOf)) {
    const example = examples.get(media.schema?.$ref);
    if (example !== undefined) media.example = example;
  }
  return given.openapiObject;
};

/** `SubmitJobsRequest` of `submitJobs`; where a list may be sent, its items are `JobSubmission`s. */
function nameBody({ operationId = "", requestBody }: Described, schemas: Record<string, Schema>): void {
  const media = requestBody?.content?.["application/json"];
  if (media?.schema === undefined || media.schema.$ref !== undefined) return;
  const reference = (name: string, schema: Schema): Schema => {
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const { anyOf } = media.schema as { readonly anyOf?: readonly Schema[] };
  if (operationId === "submitJobs" && anyOf !== undefined) {
    const [single = {}, list] = anyOf;
    const item = reference("JobSubmission", single);
    media.schema = { ...media.schema, anyOf: [item, { ...list, items: item }] };
  }
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  media.schema = reference(name, media.schema);
}

/** Examples by the reference of their schema. */
function examplesOf(operations: readonly Described[]): ReadonlyMap<unknown, unknown> {
  const named: Readonly<Record<string, unknown>> = RESPONSE_EXAMPLES;
  const found = operations.flatMap(({ operationId = "", responses = {} }) => {
    const response = responses["200"] ?? responses["201"];
    const example = named[operationId];
    const schema = response?.content?.["application/json"]?.schema;
    return example === undefined ? [] : ([[schema?.$ref, example]] as const);
  });
  return new Map([...found, ["#/components/schemas/Problem", PROBLEM_EXAMPLE]]);
}

function mediaOf({ responses = {} }: Described): readonly Media[] {
  return Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
}
