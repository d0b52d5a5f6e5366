import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

describe("where a result came from", () => {
  it("AP-12 the description as it can be submitted again, and the hashes of its input files", async () => {
    const { send, brokerApi } = await serve();
    const files = { "a.txt": "f".repeat(64) };
    brokerApi.put(
      "abcdefabcdef",
      { state: "DONE", site: "gone", attempt: 1, inputs: { digest: "d".repeat(64), files } },
      { environment: { KEY: "secret" }, wallTimeMs: 60_000, inputSandbox: ["/data/a.txt", "/data/b.txt"] },
    );
    const { status, json } = await send("GET", "/api/v1/jobs/abcdefabcdef/provenance");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      job: { id: "abcdefabcdef" },
      description: { executable: "true", environment: { KEY: "secret" }, wallTimeSec: 60 },
      inputs: {
        digest: "d".repeat(64),
        files: [
          { path: "/data/a.txt", name: "a.txt", sha256: "f".repeat(64) },
          { path: "/data/b.txt", name: "b.txt", sha256: null },
        ],
      },
      site: null,
    });
  });
});
