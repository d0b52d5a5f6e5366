import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene } from "../../../test/engine-scene.ts";
import { go, leftOf, MINUTE, NAME, policy, presented, request, stage } from "../../../test/ticket-scene.ts";
import type { Command, OfferRequest, Policy, Refusal } from "../../model/index.ts";
import { answer, apply, createProjection, livePrices, livePricesCoReservation, restore } from "../index.ts";

/** All that is asked for here is within it. */
const WIDE = presented({ untilMs: 3 * HOUR, expiresAtMs: 3 * HOUR });

function slot(reservation: string, more: Partial<OfferRequest> = {}): OfferRequest {
  const whose = { site: "here", consumer: "vo0/physics/anna", owner: "anna" };
  const size = { procs: 2, memoryBytes: 0, startMs: 10 * MINUTE, durationMs: 30 * MINUTE };
  return { reservation, ...whose, ...size, ticket: WIDE, ...more };
}

function refusalTo(play: Scene, command: Command): Refusal | undefined {
  const answered = answer(play.projection, command, play.now);
  return answered.ok ? undefined : answered.refusal;
}

function whyNot(play: Scene, more: Partial<OfferRequest> = {}): string {
  const refusal = refusalTo(play, { kind: "offerSlot", ...slot("asked", more) });
  return refusal?.kind === "ticketRefused" ? refusal.why.kind : (refusal?.kind ?? "taken");
}

function reserve(play: Scene, id: string, more: Partial<OfferRequest> = {}): string {
  const offered = play.ask({ kind: "offerSlot", ...slot(id, more) });
  return offered === "ok" ? play.ask({ kind: "acceptOffer", reservation: id, by: "anna" }) : offered;
}

function act(play: Scene, kind: "cancelReservation" | "relinquish" | "acceptOffer", reservation: string) {
  return play.ask({ kind, reservation, by: "anna" });
}

function extend(play: Scene, reservation: string, moreMs: number) {
  const mostFixedProcMs = Number.MAX_SAFE_INTEGER;
  return play.ask({ kind: "extendReservation", reservation, moreMs, mostFixedProcMs, by: "anna" });
}

function debits(play: Scene) {
  return play.log.filter(({ kind }) => kind === "reservationDebited");
}

describe("a slot that comes with a ticket", () => {
  const all = { ticket: presented({ amountMs: HOUR, untilMs: 3 * HOUR }) };
  it.each<[string, Partial<OfferRequest>, string]>([
    ["that covers it", {}, "taken"],
    ["that covers it just", all, "taken"],
    ["with a ms more than is left", { ...all, durationMs: 30 * MINUTE + 1 }, "spent"],
    ["of another site", { ticket: presented({ site: "there" }) }, "wrongSite"],
    ["of somebody else", { consumer: "vo0/biology/bob" }, "wrongConsumer"],
    ["that has expired", { ticket: presented({ expiresAtMs: 1000 }) }, "expired"],
    ["signed by a key that nobody trusts", { ticket: presented({}, "k2") }, "notSigned"],
    ["for GPUs", { ticket: presented({ resource: "gpu" }) }, "resourceNotNeeded"],
    ["for memory of which it has none", { ticket: presented({ resource: "memory" }) }, "resourceNotNeeded"],
    ["whose window begins with it", { ticket: presented({ fromMs: 10 * MINUTE }) }, "taken"],
    ["whose window begins a ms later", { ticket: presented({ fromMs: 10 * MINUTE + 1 }) }, "windowAhead"],
    ["whose window ends with it", { ticket: presented({ untilMs: 40 * MINUTE }) }, "taken"],
    ["whose window ends a ms before", { ticket: presented({ untilMs: 40 * MINUTE - 1 }) }, "windowShort"],
    ["for more than its VO has", { ticket: presented({ amountMs: 6 * HOUR }) }, "beyondEntitlement"],
  ])("EN-92 %s", (_, more, outcome) => {
    expect(whyNot(stage(), more)).toBe(outcome);
  });

  it("EN-92 reports the shortage in the quote and on request", () => {
    const play = stage();
    const site = play.projection.sites.get("here");
    if (site === undefined) throw new Error("there is a site");
    const requested = slot("r", { procs: 3, durationMs: HOUR });
    const why = {
      ...{ kind: "spent", resource: "cpu", amountMs: 2 * HOUR, heldMs: 0, debitedMs: 0 },
      neededMs: 3 * HOUR,
    };
    const when = { kind: "at", startMs: requested.startMs } as const;
    const { resource: _, ...asked } = { ...requested, when };
    const [price] = livePrices(play.projection, site, asked, play.now);
    expect(price.hindrance).toEqual({ kind: "ticketRefused", ticket: NAME, why });
    expect(refusalTo(play, { kind: "offerSlot", ...requested })).toEqual({
      ...{ kind: "ticketRefused", ticket: NAME, why },
    });
  });

  it("EN-92 an offer holds nothing; use by others before acceptance may refuse it", () => {
    const play = stage();
    play.ask({ kind: "offerSlot", ...slot("a", { durationMs: 40 * MINUTE }) });
    play.ask({ kind: "offerSlot", ...slot("b", { durationMs: 40 * MINUTE, startMs: HOUR }) });
    expect(leftOf(play)).toBeUndefined();
    expect(act(play, "acceptOffer", "a")).toBe("ok");
    expect(leftOf(play)).toBe(40 * MINUTE);
    expect(refusalTo(play, { kind: "acceptOffer", reservation: "b", by: "anna" })).toMatchObject({
      why: { kind: "spent", heldMs: 80 * MINUTE, neededMs: 80 * MINUTE },
    });
  });

  it("EN-92 a key revoked after the offer refuses its acceptance", () => {
    const play = stage();
    play.ask({ kind: "offerSlot", ...slot("a") });
    play.ask({ kind: "revokeTicketKey", key: "k1", by: "admin" });
    expect(refusalTo(play, { kind: "acceptOffer", reservation: "a", by: "anna" })).toMatchObject({
      why: { kind: "keyRevoked" },
    });
  });

  it("EN-92 co-reserved slots are judged by their sum", () => {
    const stores = { scratch: { sizeBytes: 10 * 2 ** 30 }, home: { sizeBytes: 10 * 2 ** 30 } };
    const play = stage([policy("vo0", 50, { resource: "storage" })], { stores });
    const ticket = presented({ resource: "storage", amountMs: 2 * HOUR, untilMs: 3 * HOUR });
    const part = (id: string, name: string, gib: number) =>
      slot(id, {
        ...{ procs: 0, ticket, durationMs: 30 * MINUTE },
        resource: { kind: "store", name, amount: gib * 2 ** 30 },
      });
    const both = (gib: number) =>
      play.ask({
        ...{ kind: "offerTogether", together: `t${gib}` },
        parts: [part(`a${gib}`, "scratch", 2), part(`b${gib}`, "home", gib)],
      });
    const site = play.projection.sites.get("here");
    if (site === undefined) throw new Error("there is a site");
    const asked = [part("a", "scratch", 2), part("b", "home", 3)].map((it) => ({
      ...{ site, procs: 0, memoryBytes: 0, ticket },
      ...{ resource: { kind: "store", name: "scratch", amount: 1, ...it.resource, perProc: 1 } as const },
    }));
    const when = { kind: "at", startMs: 10 * MINUTE } as const;
    const whose = { consumer: "vo0/physics/anna", durationMs: 30 * MINUTE, when };
    const [start] = livePricesCoReservation(play.projection, asked, whose, play.now);
    expect(start.parts.map(({ hindrance }) => hindrance?.kind)).toEqual([undefined, "ticketRefused"]);
    expect(both(3)).toBe("ticketRefused");
    expect(both(2)).toBe("ok");
    expect(act(play, "acceptOffer", "a2")).toBe("ok");
    expect(leftOf(play)).toBe(0);
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({ jobs: 0, reservations: 2 });
    expect(act(play, "cancelReservation", "b2")).toBe("ok");
    expect(leftOf(play)).toBe(2 * HOUR);
  });
});

describe("holds of reservations on tickets", () => {
  it("EN-93 the whole hold is debited at its end, used or not", () => {
    const play = stage();
    expect(reserve(play, "r")).toBe("ok");
    expect(leftOf(play)).toBe(HOUR);
    play.now = 10 * MINUTE;
    play.settle();
    play.now = 40 * MINUTE;
    play.settle();
    expect(debits(play)).toMatchObject([
      { reservation: "r", ticket: NAME, site: "here", amountMs: HOUR, why: "ended" },
    ]);
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({ heldMs: 0, debitedMs: HOUR });
  });

  it("EN-93 a released reservation is debited the time it existed", () => {
    const play = stage();
    reserve(play, "r");
    play.now = 10 * MINUTE;
    play.settle();
    play.now = 25 * MINUTE;
    expect(act(play, "relinquish", "r")).toBe("ok");
    expect(debits(play)).toMatchObject([{ amountMs: 30 * MINUTE, why: "relinquished" }]);
    expect(leftOf(play)).toBe(90 * MINUTE);
  });

  it("EN-93 a cancelled or violated reservation releases its whole hold", () => {
    const play = stage();
    reserve(play, "r");
    expect(act(play, "cancelReservation", "r")).toBe("ok");
    expect(leftOf(play)).toBe(2 * HOUR);
    reserve(play, "s");
    play.now = 10 * MINUTE;
    play.settle();
    play.tell({ kind: "reservationViolated", reservation: "s", site: "here", why: "gone", refundProcMs: 0 });
    expect(leftOf(play)).toBe(2 * HOUR);
    expect(debits(play)).toEqual([]);
  });

  it("EN-93 an extension holds more, within the window and the remaining amount", () => {
    const play = stage();
    reserve(play, "r");
    expect(extend(play, "r", 31 * MINUTE)).toBe("ticketRefused");
    expect(extend(play, "r", 20 * MINUTE)).toBe("ok");
    expect(leftOf(play)).toBe(20 * MINUTE);
    play.now = 10 * MINUTE;
    play.settle();
    play.now = HOUR;
    play.settle();
    expect(debits(play)).toMatchObject([{ amountMs: 100 * MINUTE }]);
    expect(leftOf(play)).toBe(20 * MINUTE);
  });

  it("EN-93 is the same after a restart, and computed again from the log", () => {
    const play = stage();
    reserve(play, "r");
    play.now = 10 * MINUTE;
    play.settle();
    extend(play, "r", 10 * MINUTE);
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect(again.tickets).toEqual(play.projection.tickets);
    const { tickets, reserved, sites } = play.projection;
    const views = {
      ...NOTHING_STORED,
      sites: [...sites.values()].map(({ name, spec, order }) => ({ name, spec, order })),
      reservations: [...reserved.records.values()],
      tickets: [...tickets.records.values()],
      ticketKeys: [...tickets.keys.values()],
    };
    const restored = restore(JSON.parse(JSON.stringify(views)), play.now);
    expect(restored.tickets).toEqual(tickets);
    expect(restored.reserved.records.get("r")?.ticket?.heldMs).toBe(80 * MINUTE);
  });

  it("EN-93 a job in one has no hold on the ticket and is debited nothing", () => {
    const play = stage();
    reserve(play, "r");
    play.now = 10 * MINUTE;
    play.settle();
    const { description, ...rest } = request("j", { procs: 2, limitMs: 20 * MINUTE });
    expect(play.ask({ ...rest, description: { ...description, reservation: "r" } })).toBe("ok");
    expect(go(play)).toEqual(["j"]);
    expect(leftOf(play)).toBe(HOUR);
    play.now = 20 * MINUTE;
    play.ended("j");
    expect(play.log.some(({ kind }) => kind === "ticketDebited")).toBe(false);
    expect(leftOf(play)).toBe(HOUR);
  });
});

describe("what a ticket gives a slot", () => {
  it("EN-94 it may pass limits below the VO, but not the VO's own", () => {
    const play = stage([policy("vo0", 30), policy("vo0/physics", 10)]);
    const { ticket: _, ...without } = slot("plain");
    expect(refusalTo(play, { kind: "offerSlot", ...without })).toMatchObject({
      hindrance: { kind: "overPolicy", refusal: { level: "vo0/physics" } },
    });
    expect(reserve(play, "r")).toBe("ok");
    expect(refusalTo(play, { kind: "offerSlot", ...slot("wide") })).toMatchObject({
      hindrance: { kind: "overPolicy", refusal: { level: "vo0" } },
    });
  });

  it("EN-94 its booking counts at every level of its consumer", () => {
    const play = stage([policy("vo0", 50), policy("vo0/physics", 80), policy("vo1", 50)]);
    const { ticket: _, ...without } = slot("plain", { procs: 3 });
    expect(whyNot(play, { procs: 2 })).toBe("taken");
    reserve(play, "r");
    expect(refusalTo(play, { kind: "offerSlot", ...without })).toMatchObject({
      hindrance: { kind: "overPolicy", refusal: { level: "vo0/physics" } },
    });
  });
});

describe("tickets for every resource", () => {
  const GIB = 2 ** 30;
  const RICH = { memoryBytes: 16 * GIB, stores: { scratch: { sizeBytes: 100 * GIB } } };
  const LINKS = { links: { uplink: { rateBytesPerSec: 1_000_000 } } };
  const whole = (resource: Policy["resource"]): Policy => policy("vo0", 100, { resource });

  it("memory of a slot and of a job, in MiB rounded up", () => {
    const play = stage([whole("cpu"), whole("memory")], RICH);
    const ticket = presented({ resource: "memory", amountMs: 1025 * HOUR, untilMs: 3 * HOUR });
    expect(reserve(play, "r", { ticket, memoryBytes: GIB / 2 - 1 })).toBe("ok");
    expect(leftOf(play)).toBe(1025 * HOUR - 512 * 30 * MINUTE);
    const { description, ...rest } = request("j", { ticket });
    const wide = { ...description, memoryBytes: GIB + 1, wallTimeMs: 30 * MINUTE };
    expect(play.ask({ ...rest, description: wide })).toBe("ok");
    expect(leftOf(play)).toBe(1025 * HOUR - (512 + 1025) * 30 * MINUTE);
    go(play);
    play.now += 6 * MINUTE;
    play.ended("j");
    expect(play.projection.tickets.records.get(NAME)?.debitedMs).toBe(1025 * 6 * MINUTE);
  });

  it("storage in GiB, of which a job needs none", () => {
    const play = stage([whole("cpu"), whole("storage")], RICH);
    const ticket = presented({ resource: "storage", amountMs: 20 * HOUR, untilMs: 3 * HOUR });
    const part = (amount: number) => ({
      ...{ ticket, procs: 0, durationMs: HOUR },
      resource: { kind: "store", name: "scratch", amount } as const,
    });
    expect(reserve(play, "r", part(10 * GIB + 1))).toBe("ok");
    expect(leftOf(play)).toBe(9 * HOUR);
    expect(whyNot(play, part(9 * GIB + 1))).toBe("spent");
    expect(play.ask(request("j", { ticket }))).toBe("ticketRefused");
    expect(whyNot(play, { ticket })).toBe("resourceNotNeeded");
  });

  it("network in KiB/s; the capacity is rounded down", () => {
    const play = stage([whole("network")], LINKS);
    const most = { resource: "network", untilMs: HOUR } as const;
    const part = (amountMs: number, amount: number) => ({
      ...{ ticket: presented({ ...most, amountMs }), procs: 0, startMs: 30 * MINUTE },
      resource: { kind: "link", name: "uplink", amount } as const,
    });
    expect(whyNot(play, part(977 * HOUR, 1024))).toBe("beyondEntitlement");
    expect(reserve(play, "r", part(976 * HOUR, 1025))).toBe("ok");
    expect(leftOf(play)).toBe(976 * HOUR - 2 * 30 * MINUTE);
  });
});
