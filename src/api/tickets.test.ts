import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { newTicketKey, readPrivateKey, signTicket, ticketKeyId } from "../formats/ticket/index.ts";
import type {
  Identity,
  Refusal,
  Role,
  Ticket,
  TicketHindrance,
  TicketKeyRecord,
  TicketRecord,
} from "../model/index.ts";

const PAIR = newTicketKey();
const TICKET: Ticket = {
  ...{ id: "t1", vo: "vo0", site: "local", consumer: "vo0/physics", resource: "cpu", amountMs: 7_200_000 },
  ...{ fromMs: 0, untilMs: 3_600_000, issuedAtMs: 0, expiresAtMs: 3_600_000 },
};
const LINE = signTicket(TICKET, readPrivateKey(PAIR.privateText));
const RECORD: TicketRecord = {
  ...{ ticket: TICKET, digest: "d", key: "k", name: "vo0/t1", presentedAtMs: 1000 },
  ...{ heldMs: 1_800_000, debitedMs: 500, jobs: 2 },
};
const FACTS = {
  ...{ name: "vo0/t1", vo: "vo0", site: "local", consumer: "vo0/physics", resource: "cpu", amountSec: 7200 },
  window: { from: "1970-01-01T00:00:00.000Z", until: "1970-01-01T01:00:00.000Z" },
  ...{ issuedAt: "1970-01-01T00:00:00.000Z", expiresAt: "1970-01-01T01:00:00.000Z" },
};
const KEY: TicketKeyRecord = {
  ...{ id: ticketKeyId(PAIR.publicText), vo: "vo0", publicKey: PAIR.publicText, label: "desk" },
  ...{ trustedBy: "me", trustedAtMs: 0, revokedAtMs: null },
};
const KEY_VIEW = {
  ...{ id: KEY.id, vo: "vo0", publicKey: KEY.publicKey, label: "desk", trustedBy: "me" },
  ...{ trustedAt: "1970-01-01T00:00:00.000Z", revokedAt: null },
};

function as(role: Role, consumer: string) {
  return { identify: (): Identity => ({ owner: consumer, consumer, role }) };
}

describe("the keys of tickets", () => {
  it("are listed, trusted for a VO and revoked", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.ticketKeyRecords = [KEY];
    expect(await client.ticketKeys()).toEqual([KEY_VIEW]);
    const request = { publicKey: KEY.publicKey, vo: "vo0" };
    expect(await client.trustTicketKey({ ...request, label: "desk" })).toEqual(KEY_VIEW);
    expect(await client.revokeTicketKey(KEY.id)).toEqual(KEY_VIEW);
    expect(brokerApi.asked).toEqual([
      { kind: "trustTicketKey", key: KEY.id, ...request, label: "desk", by: "me" },
      { kind: "revokeTicketKey", key: KEY.id, by: "me" },
    ]);
  });

  it("what is no public key is told at its place", async () => {
    const { send, brokerApi } = await serve();
    const body = { publicKey: "ed25519:short", vo: "vo0" };
    const { status, json } = await send("POST", "/api/v1/ticket-keys", { body });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ pointer: "/publicKey" }]);
    expect(brokerApi.asked).toEqual([]);
  });

  it("are seen by whoever sees the policies, and changed by admins alone", async () => {
    const { send, brokerApi } = await serve(as("voAdmin", "vo0"));
    brokerApi.ticketKeyRecords = [KEY];
    expect((await send("GET", "/api/v1/ticket-keys")).json).toEqual({ items: [KEY_VIEW] });
    const body = { publicKey: KEY.publicKey, vo: "vo0" };
    expect((await send("POST", "/api/v1/ticket-keys", { body })).status).toBe(403);
    expect((await send("DELETE", `/api/v1/ticket-keys/${KEY.id}`)).status).toBe(403);
  });
});

describe("tickets", () => {
  it("are shown with what is held, used and left", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.ticketRecords = [RECORD];
    const kept = { key: "k", presentedAt: "1970-01-01T00:00:01.000Z", jobs: 2, reservations: 0 };
    expect(await client.tickets()).toEqual([
      { ...FACTS, ...kept, heldSec: 1800, debitedSec: 0.5, leftSec: 5399.5 },
    ]);
  });

  it.each<[string, Role, string, number]>([
    ["its VO's admin", "voAdmin", "vo0", 1],
    ["whoever may use it", "user", "vo0/physics/anna", 1],
    ["another group", "user", "vo0/biology/bob", 0],
    ["another VO's admin", "voAdmin", "vo1", 0],
    ["an auditor", "auditor", "x", 1],
  ])("%s sees as many as concern him", async (_, role, consumer, count) => {
    const { send, brokerApi } = await serve(as(role, consumer));
    brokerApi.ticketRecords = [RECORD];
    brokerApi.ticketCheck = { ticket: TICKET, why: null, record: RECORD };
    expect((await send("GET", "/api/v1/tickets")).json.items).toHaveLength(count);
    const checked = await send("POST", "/api/v1/tickets/check", { body: { ticket: LINE } });
    expect(checked.status).toBe(count === 1 ? 200 : 403);
  });

  it("one is checked: taken or why not, and what is left; nothing is recorded", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.ticketCheck = { ticket: TICKET, why: null, record: null };
    expect(await client.checkTicket(LINE)).toEqual({
      isTaken: true,
      why: null,
      ticket: FACTS,
      leftSec: 7200,
    });
    brokerApi.ticketCheck = { ticket: TICKET, why: { kind: "expired", expiredAtMs: 5000 }, record: RECORD };
    expect(await client.checkTicket(LINE)).toMatchObject({
      isTaken: false,
      why: {
        kind: "expired",
        expiredAt: "1970-01-01T00:00:05.000Z",
        text: "it expired at 1970-01-01T00:00:05Z",
      },
      leftSec: 5399.5,
    });
    brokerApi.ticketCheck = { ticket: null, why: { kind: "unreadable", detail: "it is none" }, record: null };
    expect(await client.checkTicket("x")).toMatchObject({ isTaken: false, ticket: null, leftSec: null });
    expect(brokerApi.asked).toEqual([]);
  });

  it("a job's ticket names its site, and is shown by its name", async () => {
    const { client, brokerApi } = await serve();
    const [id] = await client.submit([{ executable: "true", ticket: LINE }]);
    expect(brokerApi.asked).toMatchObject([{ kind: "submit", description: { ticket: LINE, site: "local" } }]);
    const record = brokerApi.records.get(id);
    if (record === undefined) throw new Error("it was submitted");
    const { name } = RECORD;
    const ticket = { name, vo: "vo0", site: "local", resource: "cpu", untilMs: 1, heldMs: 1 } as const;
    brokerApi.records.set(id, { ...record, ticket });
    expect((await client.job(id)).ticket).toBe("vo0/t1");
  });

  const spent = { resource: "cpu", amountMs: 1, heldMs: 0, debitedMs: 1, neededMs: 3_600_000 } as const;
  it.each<[TicketHindrance, number]>([
    [{ kind: "spent", ...spent }, 402],
    [{ kind: "notSigned", vo: "vo0", keys: 1 }, 403],
    [{ kind: "wrongConsumer", consumer: "vo0", asked: "vo1" }, 403],
    [{ kind: "expired", expiredAtMs: 0 }, 422],
  ])("%j is told with its facts", async (why, status) => {
    const { send, brokerApi } = await serve();
    const refusal: Refusal = { kind: "ticketRefused", ticket: "vo0/t1", why };
    brokerApi.ask = async () => ({ ok: false, refusal });
    const answer = await send("POST", "/api/v1/jobs", { body: { executable: "true", ticket: LINE } });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ type: "urn:stint:ticketRefused", ticket: "vo0/t1" });
  });
});
