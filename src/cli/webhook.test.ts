import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { StintClient, WebhookView } from "../api/client/index.ts";

const one: WebhookView = {
  ...{
    id: "4f1c22",
    url: "https://h.example/",
    kinds: ["attemptEnded"],
    allowPrivate: false,
    createdBy: "me",
  },
  ...{ createdAt: "2026-05-31T12:00:00.000Z", throughSeq: 7, failing: null },
  dead: [{ seq: 3, kind: "jobHeld", at: "2026-05-31T12:00:00.000Z", why: "it answered 500" }],
};

function program() {
  const asked: unknown[] = [];
  const call = (async (operation: string, given: unknown) => {
    asked.push([operation, given]);
    if (operation === "listWebhooks") return { items: [one] };
    return operation === "createWebhook" ? { ...one, secret: "whsec_x" } : one;
  }) as StintClient["call"];
  return { asked, ...capturedProgram({ call }) };
}

describe("stint webhook", () => {
  it("add prints the secret once, and the id to people", async () => {
    const { call, asked } = program();
    const words = ["--event", "attemptEnded", "--event", "jobHeld", "--allow-private"];
    expect(await call("webhook", "add", "https://h.example/", ...words)).toMatchObject({
      ...{ code: 0, out: "whsec_x\n", err: "stint: webhook 4f1c22\n" },
    });
    const body = { url: "https://h.example/", allowPrivate: true, kinds: ["attemptEnded", "jobHeld"] };
    expect(asked).toEqual([["createWebhook", { body }]]);
  });

  it("list shows how far they are, and what was given up", async () => {
    const { out } = await program().call("webhook", "list", "-o", "wide");
    expect(out).toMatch(/^WEBHOOK +URL +EVENTS +THROUGH +DEAD +TROUBLE\n4f1c22 .* 7 +1 +it answered 500\n$/);
  });

  it("redeliver and remove say what they did", async () => {
    const { call } = program();
    expect((await call("webhook", "redeliver", "4f")).err).toBe(
      "stint: webhook 4f1c22: 1 event sent again\n",
    );
    expect((await call("webhook", "remove", "4f")).err).toBe("stint: webhook 4f1c22: removed\n");
  });
});
