import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { RESPONSE_EXAMPLES } from "./response-examples.ts";

interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

async function document() {
  const { send } = await serve();
  const { json } = await send("GET", "/api/v1/openapi.json");
  const { paths, components } = json as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  return { operations: Object.values(paths).flatMap((path) => Object.values(path)), ...components };
}

describe("the document for generators", () => {
  it("names every body of a request, and the items of a list of jobs", async () => {
    const { operations, schemas } = await document();
    const bodies = operations.flatMap(({ requestBody }) => requestBody?.content["application/json"] ?? []);
    expect(bodies.length).toBeGreaterThan(15);
    for (const { schema } of bodies) expect(schema?.$ref).toMatch(/^#\/components\/schemas\/\w+$/);
    const item = { $ref: "#/components/schemas/JobSubmission" };
    expect(schemas.SubmitJobsRequest).toMatchObject({ anyOf: [item, { type: "array", items: item }] });
  });

  it("uses no word for tuples that JSON Schema 2020-12, and so OpenAPI 3.1, lacks", async () => {
    const { operations, schemas } = await document();
    const written = JSON.stringify([
      schemas,
      operations.map(({ requestBody, responses }) => [requestBody?.content, responses]),
    ]);
    expect(written).not.toMatch(/"additionalItems":/);
  });

  it("leaves no reference without a target", async () => {
    const { operations, schemas } = await document();
    const references = JSON.stringify([operations, schemas]).matchAll(/"\$ref":"([^"]+)"/g);
    const missing = [...references]
      .map(([, to = ""]) => to)
      .filter((to) => !((to.split("/").at(-1) ?? "") in schemas));
    expect(missing).toEqual([]);
  });

  it("shows responses that their schemas allow", async () => {
    const { operations, schemas } = await document();
    const shown = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).flatMap((media) =>
          media.example === undefined ? [] : [{ operationId, ...media }],
        ),
      ),
    );
    const ids = new Set(shown.map(({ operationId }) => operationId));
    expect([...ids]).toEqual(
      expect.arrayContaining([...Object.keys(RESPONSE_EXAMPLES), "holdJob", "addSite"]),
    );
    const local = JSON.parse(JSON.stringify(schemas).replaceAll("#/components/schemas/", ""));
    for (const { operationId, schema, example } of shown) {
      const name = String(schema?.$ref).replace("#/components/schemas/", "");
      const errors = [...Compile(local, local[name]).Errors(example)];
      expect({ operationId, errors }).toEqual({ operationId, errors: [] });
    }
  });
});
