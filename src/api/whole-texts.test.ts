import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

interface Route {
  readonly method: string;
  readonly path: string;
}

/** The routes of the document that read a body of JSON; one of bytes has no texts. */
function routesWithBody(document: Readonly<Record<string, unknown>>): Route[] {
  return Object.entries(Object(document.paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, operation]) =>
      Object(operation).requestBody?.content?.["application/json"] === undefined
        ? []
        : { method: method.toUpperCase(), path },
    ),
  );
}

const at = ({ path }: Route) => path.replaceAll(/\{[^}]+\}/g, "abc");

describe("half of a surrogate pair", () => {
  it("is refused in every body, by its place, and nothing is asked of the broker", async () => {
    const { send, brokerApi } = await serve();
    const { json: document } = await send("GET", "/api/v1/openapi.json");
    const routes = routesWithBody(document);
    expect(routes.length).toBeGreaterThan(15);
    for (const route of routes) {
      for (const [body, pointer] of [
        ['{"a":{"b/c":["\\ud800"]}}', "/a/b~1c/0"],
        ['{"a":{"\\udc00":1}}', "/a"],
      ]) {
        const { status, json } = await send(route.method, at(route), { body });
        expect([route, status, json.pointer]).toEqual([route, 400, pointer]);
      }
    }
    expect(brokerApi.asked).toEqual([]);
  });

  it("is refused in one of many descriptions; pairs and all other characters are taken", async () => {
    const { send } = await serve();
    const [good, bad] = ['{"executable":"\\ud83d\\ude00"}', '{"executable":"true","arguments":["\\ude00"]}'];
    expect((await send("POST", "/api/v1/jobs", { body: `[${good},${bad}]` })).json).toMatchObject({
      type: "urn:stint:invalidRequest",
      pointer: "/1/arguments/0",
      why: "has half of a surrogate pair, which is no character",
    });
    expect((await send("POST", "/api/v1/jobs", { body: good })).status).toBe(201);
  });

  it("in a query or a path is no text at all, and finds nothing", async () => {
    const { send } = await serve();
    expect((await send("GET", "/api/v1/jobs?owner=%ED%A0%80")).status).toBeLessThan(500);
    expect((await send("GET", "/api/v1/jobs/%ED%A0%80")).status).toBe(400);
  });

  it("a body that is nested deeper than any schema is refused as such", async () => {
    const { send } = await serve();
    const body = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const { status, json } = await send("POST", "/api/v1/jobs", { body });
    expect([status, json.why]).toEqual([400, "it is nested more than 100 levels deep"]);
  });
});
