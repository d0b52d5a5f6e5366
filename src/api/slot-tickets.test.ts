import { describe, expect, it } from "vitest";
import { aPrice, aReservation } from "../../test/api/fake-reservations.ts";
import { serve } from "../../test/api/serving.ts";
import type { PresentedTicket, Refusal, Ticket, TicketHindrance } from "../model/index.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 20, 8);
const startAt = "2026-11-20T08:00:00Z";
const TICKET: Ticket = {
  ...{ id: "t1", vo: "vo0", site: "local", consumer: "vo0", resource: "cpu", amountMs: 2 * HOUR },
  ...{ fromMs: START, untilMs: START + HOUR, issuedAtMs: 0, expiresAtMs: START + HOUR },
};
const PRESENTED: PresentedTicket = { ticket: TICKET, digest: "d", key: "k" };
const slot = { procs: 4, durationSec: 3600 };
const offer = { ...slot, site: "local", startAt, ticket: "line" };
const OFFERS = "/api/v1/reservations";
const why: TicketHindrance = {
  ...({ kind: "spent", resource: "cpu", amountMs: 2 * HOUR, heldMs: HOUR, debitedMs: 0 } as const),
  neededMs: 4 * HOUR,
};
/** The hindrance in the API, where amounts are the resource times seconds. */
const shown = {
  ...{ kind: "spent", resource: "cpu", amountSec: 7200, heldSec: 3600, debitedSec: 0, neededSec: 14_400 },
};

async function serving() {
  const all = await serve();
  all.brokerApi.presented = PRESENTED;
  return all;
}

describe("slots under tickets", () => {
  it("a quote is of the ticket's site, and says how much short of it the ticket is", async () => {
    const { client, brokerApi } = await serving();
    const hindrance = { kind: "ticketRefused", ticket: "vo0/t1", why } as const;
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [aPrice({ hindrance })] }];
    const { items, chosen } = await client.quote({ ...slot, ticket: "line", alpha: 0 });
    expect(brokerApi.quoteQuestions).toMatchObject([{ ticket: PRESENTED, sites: ["local"] }]);
    expect(chosen).toBeNull();
    expect(items[0]?.starts[0]?.hindrance).toEqual({
      ...{ kind: "ticketRefused", ticket: "vo0/t1", why: shown },
      text:
        "ticket vo0/t1 is not accepted: of its 2 SU 0 SU were used and 1 SU are held; up to 4 SU are " +
        "needed, which is 3 SU more than remain",
    });
  });

  it("a line that nobody signed is refused before anything is asked", async () => {
    const { send, brokerApi } = await serving();
    brokerApi.presented = undefined;
    for (const path of ["/api/v1/quotes", OFFERS]) {
      const { site: _, startAt: __, ...asked } = offer;
      const { status, json } = await send("POST", path, { body: path === OFFERS ? offer : asked });
      expect(status).toBe(422);
      expect(json).toMatchObject({ type: "urn:stint:ticketRefused", hindrance: { kind: "unreadable" } });
    }
    expect(brokerApi.asked).toEqual([]);
    expect(brokerApi.quoteQuestions).toEqual([]);
  });

  it("an offer is made under it; the same key with another ticket is another request", async () => {
    const { send, brokerApi } = await serving();
    const headers = { "idempotency-key": "k1" };
    expect((await send("POST", OFFERS, { body: offer, headers })).status).toBe(201);
    expect(brokerApi.asked).toMatchObject([{ kind: "offerSlot", site: "local", ticket: PRESENTED }]);
    expect((await send("POST", OFFERS, { body: offer, headers })).status).toBe(200);
    brokerApi.presented = { ...PRESENTED, digest: "e" };
    expect((await send("POST", OFFERS, { body: offer, headers })).status).toBe(409);
  });

  it("what it does not cover is refused with the shortage", async () => {
    const { send, brokerApi } = await serving();
    const refusal: Refusal = { kind: "ticketRefused", ticket: "vo0/t1", why };
    brokerApi.ask = async () => ({ ok: false, refusal });
    const { status, json } = await send("POST", OFFERS, { body: offer });
    expect(status).toBe(402);
    expect(json).toMatchObject({ type: "urn:stint:ticketRefused", ticket: "vo0/t1", hindrance: shown });
  });

  it("slots together have a ticket each", async () => {
    const { client, brokerApi } = await serving();
    const { siteViews } = brokerApi;
    const [local] = siteViews.values();
    if (local !== undefined) siteViews.set("far", { ...local, name: "far" });
    const parts = [
      { site: "local", procs: 4, ticket: "line" },
      { site: "far", procs: 2 },
    ];
    await client.offerCoReservation({ parts, durationSec: 3600, startAt });
    expect(brokerApi.asked).toMatchObject([
      { kind: "offerTogether", parts: [{ site: "local", ticket: PRESENTED }, { site: "far" }] },
    ]);
    const [command] = brokerApi.asked;
    expect(command?.kind === "offerTogether" && command.parts[1]?.ticket).toBeUndefined();
  });

  it("a reservation shows its ticket, and what it holds of it", async () => {
    const { client, brokerApi } = await serving();
    const under = aReservation("abcdefghijkl", { ticket: { ...PRESENTED, heldMs: HOUR } });
    brokerApi.reservationRecords.set(under.id, under);
    const free = aReservation("mnopqrstuvwx");
    brokerApi.reservationRecords.set(free.id, free);
    expect((await client.reservation(under.id)).ticket).toEqual({ name: "vo0/t1", heldSec: 3600 });
    expect("ticket" in (await client.reservation(free.id))).toBe(false);
  });

  it("a ticket says how many reservations were taken under it", async () => {
    const { client, brokerApi } = await serving();
    const kept = { ...PRESENTED, name: "vo0/t1", presentedAtMs: 0, heldMs: 0, debitedMs: 0, jobs: 1 };
    brokerApi.ticketRecords = [{ ...kept, reservations: 2 }];
    expect(await client.tickets()).toMatchObject([{ jobs: 1, reservations: 2 }]);
  });
});

describe("virtual reservations under tickets", () => {
  const job = { startAt, durationSec: 3600, executable: "/bin/sim", arguments: [], procs: 4 };

  it("are asked for at the ticket's site; in a priced one the job needs no ticket", async () => {
    const { client, brokerApi } = await serving();
    const record = aReservation("abcdefghijkl", { state: "ACCEPTED", fixedProcMs: 0 });
    brokerApi.reservationRecords.set(record.id, record);
    await client.reserveVirtually({ ...job, ticket: "line", besides: record.id });
    expect(brokerApi.asked).toMatchObject([{ kind: "submit", description: { reservation: record.id } }]);
    const [command] = brokerApi.asked;
    expect(command?.kind === "submit" && "ticket" in command.description).toBe(false);
    const answer = client.reserveVirtually({ ...job, ticket: "line" });
    await expect(answer).rejects.toMatchObject({ code: "nothingToReserve" });
    expect(brokerApi.virtualReservationQuestions.at(-1)).toMatchObject({ sites: ["local"] });
  });
});
