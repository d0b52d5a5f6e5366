import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { OPERATIONS, PREFIX } from "./operations.ts";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

describe("the table of operations", () => {
  it("AP-1 is what the server serves, each where the table says", async () => {
    const { send } = await serve();
    const { json } = await send("GET", `${PREFIX}/openapi.json`);
    const served = Object.entries((json as unknown as Document).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const known = Object.entries(OPERATIONS).map(
      ([id, { method, path }]) =>
        `${id} ${method.toLowerCase()} ${PREFIX}${path.replaceAll(/:(\w+)/g, "{$1}")}`,
    );
    const beside = ["health get /healthz", "readiness get /readyz", "metrics get /metrics"];
    expect(served.sort()).toEqual([...known, ...beside].sort());
  });
});
