import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { Webhook, WebhookRequest, Webhooks } from "../runtime/index.ts";

const one: Webhook = {
  ...{
    id: "4f1c22",
    url: "https://h.example/",
    kinds: [],
    isPrivateAllowed: false,
    by: "me",
    createdAtMs: 0,
  },
  ...{ throughSeq: 7, failing: null, dead: [{ seq: 3, kind: "jobHeld", atMs: 0, why: "it answered 500" }] },
};

function fakes() {
  const asked: WebhookRequest[] = [];
  const webhooks: Webhooks = {
    list: () => [one, { ...one, id: "99" }],
    add: async (request) => {
      asked.push(request);
      return { webhook: { ...one, ...request }, secret: "whsec_x" };
    },
    remove: async (id) => (id === one.id ? one : undefined),
    redeliver: async (id) => (id === one.id ? { ...one, dead: [] } : undefined),
  };
  return { asked, webhooks };
}

describe("/webhooks", () => {
  it("AP-12 one is made; only that response has its secret, and is kept nowhere", async () => {
    const { asked, webhooks } = fakes();
    const { send } = await serve({ webhooks });
    const body = { url: "https://h.example/x?y=1", kinds: ["attemptEnded"], allowPrivate: true };
    const made = await send("POST", "/api/v1/webhooks", { body });
    expect(made).toMatchObject({ status: 201, json: { secret: "whsec_x", kinds: ["attemptEnded"] } });
    expect(made.headers["cache-control"]).toBe("no-store");
    expect(asked).toEqual([{ url: body.url, kinds: ["attemptEnded"], isPrivateAllowed: true, by: "me" }]);
    const list = await send("GET", "/api/v1/webhooks");
    expect(list.json).toMatchObject({ items: [{ id: "4f1c22", dead: [{ seq: 3 }] }, { id: "99" }] });
    expect(list.text).not.toContain("secret");
  });

  it.each([
    [{ url: "ftp://h.example/" }, 422, "webhookUrl"],
    [{ url: "file:///etc/passwd" }, 422, "webhookUrl"],
    [{ url: "https://ann:pw@h.example/" }, 422, "webhookUrl"],
    [{ url: "nonsense" }, 422, "webhookUrl"],
    [{ url: "https://h.example/", kinds: ["atemptEnded"] }, 422, "unknownEventKind"],
  ])("AP-12 %j is refused", async (body, status, code) => {
    const { send } = await serve({ webhooks: fakes().webhooks });
    const { json, status: is } = await send("POST", "/api/v1/webhooks", { body });
    expect({ status: is, type: json.type }).toEqual({ status, type: `urn:stint:${code}` });
  });

  it("AP-12 is redelivered and removed by as much of its id as is unique", async () => {
    const { send } = await serve({ webhooks: fakes().webhooks });
    expect((await send("POST", "/api/v1/webhooks/4f/redeliver")).json).toMatchObject({ dead: [] });
    expect((await send("DELETE", "/api/v1/webhooks/4f1c22")).status).toBe(200);
    expect((await send("DELETE", "/api/v1/webhooks/nope")).json.type).toBe("urn:stint:unknownWebhook");
  });
});
