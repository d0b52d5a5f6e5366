import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { DOCS } from "./describe.ts";
import { EXAMPLES } from "./examples.ts";
import { OPERATIONS, type OperationId, PREFIX } from "./operations.ts";

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly securitySchemes: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

async function document(): Promise<{ readonly text: string; readonly whole: Document }> {
  const { send } = await serve({ identify: () => undefined });
  const { text, json } = await send("GET", `${PREFIX}/openapi.json`);
  return { text, whole: json as unknown as Document };
}

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((path) => Object.values(path));

describe("the API's document", () => {
  it("says where it is served, what identifies a caller, and where nobody needs to be known", async () => {
    const { whole } = await document();
    expect(whole.servers).toMatchObject([{ url: "/" }]);
    expect(whole.components.securitySchemes).toEqual({ token: { type: "http", scheme: "bearer" } });
    const open = operationsOf(whole).filter(({ security }) => security?.length === 0);
    const known = ["health", "openApi", "readiness", "signIn", "signOut"];
    expect(open.map(({ operationId }) => operationId).sort()).toEqual(known);
  });

  it("explains every tag, and has an operation of each", async () => {
    const { whole } = await document();
    const used = new Set(operationsOf(whole).flatMap(({ tags }) => tags));
    expect([...used].sort()).toEqual(whole.tags.map(({ name }) => name).sort());
  });

  it("says of every response what it is", async () => {
    const { whole } = await document();
    const silent = operationsOf(whole).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { description }]) => /^(Default Response)?$/.test(description))
        .map(([code]) => `${operationId} ${code}`),
    );
    expect(silent).toEqual([]);
  });

  it("shows a body for each operation that has one", async () => {
    const { whole } = await document();
    const shown = operationsOf(whole).flatMap(({ operationId, requestBody }) => {
      return requestBody ? [[operationId, requestBody.content["application/json"]?.example]] : [];
    });
    expect(Object.fromEntries(shown)).toEqual(EXAMPLES);
  });

  it.each(Object.entries(EXAMPLES))("shows a body of %s that the server takes", async (id, body) => {
    const { send } = await serve({ onError: () => undefined });
    const { method, path } = OPERATIONS[id as OperationId];
    const url = PREFIX + path.replace(":id", "abcdefabcdef").replace(":name", "elm");
    expect(await send(method, url, { body })).not.toMatchObject({ status: 400 });
    const wrong = await send(method, url, { body: { ...body, nothingOfIt: 1 } });
    expect(wrong.json).toMatchObject({ type: "urn:stint:invalidRequest" });
  });
});

describe("the page", () => {
  it("is for anyone, and fetches nothing from elsewhere", async () => {
    const { send } = await serve({ identify: () => undefined });
    const page = await send("GET", `${DOCS}/`);
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'self'");
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      const { status } = await send("GET", new URL(source, `http://x${DOCS}/`).pathname);
      expect([source, status]).toEqual([source, 200]);
    }
  });

  it("has no document of its own", async () => {
    const { send } = await serve({ identify: () => undefined });
    for (const name of ["json", "yaml"]) {
      const { status, headers } = await send("GET", `${DOCS}/${name}`);
      expect({ status, location: headers.location }).toEqual({
        status: 302,
        location: `${PREFIX}/openapi.json`,
      });
    }
  });
});
