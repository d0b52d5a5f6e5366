import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { createClient } from "./client/index.ts";

describe("the rate of one caller", () => {
  it("beyond it is 429 with when to ask again, and nothing happens", async () => {
    let atMs = 1000;
    const { send, brokerApi } = await serve({ rate: { perSecond: 1, burst: 2 }, nowMs: () => atMs });
    const submit = () => send("POST", "/api/v1/jobs", { body: { executable: "true" } });
    expect([(await submit()).status, (await submit()).status]).toEqual([201, 201]);
    const answer = await submit();
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(answer.json).toMatchObject({ type: "urn:stint:tooManyRequests", retryAfterSec: 1 });
    expect(brokerApi.asked).toHaveLength(2);
    atMs += 999;
    expect((await submit()).status).toBe(429);
    atMs += 1;
    expect((await submit()).status).toBe(201);
    atMs += 3_600_000;
    expect([(await submit()).status, (await submit()).status, (await submit()).status]).toEqual([
      201, 201, 429,
    ]);
    // A clock that is put back neither gives nor takes.
    atMs -= 3_600_000;
    expect((await submit()).status).toBe(429);
  });

  it("says when to ask again where that is later", async () => {
    const { send } = await serve({ rate: { perSecond: 0.1, burst: 1 }, nowMs: () => 0 });
    await send("GET", "/api/v1/sites");
    expect((await send("GET", "/api/v1/sites")).headers["retry-after"]).toBe("10");
  });

  it("is each caller's own; what is for anyone has none", async () => {
    const { send } = await serve({
      rate: { perSecond: 1, burst: 1 },
      nowMs: () => 0,
      identify: ({ headers }) => ({ owner: String(headers.from), consumer: "cms", role: "user" }),
    });
    const as = async (from: string) => (await send("GET", "/api/v1/sites", { headers: { from } })).status;
    expect([await as("ann"), await as("ann"), await as("bob")]).toEqual([200, 429, 200]);
    for (let i = 0; i < 5; i++) expect((await send("GET", "/healthz")).status).toBe(200);
  });

  it("is refused, to a client", async () => {
    const { socketPath } = await serve({ rate: { perSecond: 1, burst: 1 }, nowMs: () => 0 });
    const client = createClient({ socketPath });
    await client.sites();
    await expect(client.sites()).rejects.toMatchObject({ kind: "refused", code: "tooManyRequests" });
    client.close();
  });
});
