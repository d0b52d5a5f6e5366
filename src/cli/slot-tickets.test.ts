import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aJob, aReservation, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { QuoteView, ReservationView, StintClient, TicketCheckView } from "../api/client/index.ts";
import { newTicketKey, readPrivateKey, readTicket, signTicket } from "../formats/ticket/index.ts";
import type { Ticket } from "../model/index.ts";

const HOUR = 3_600_000;
const FROM = Date.parse(NOW);
const KEY = readPrivateKey(newTicketKey().privateText);
const TICKET: Ticket = {
  ...{ id: "spring", vo: "vo0", site: "here", consumer: "vo0", resource: "cpu", amountMs: 2 * HOUR },
  ...{ fromMs: FROM, untilMs: FROM + HOUR, issuedAtMs: FROM, expiresAtMs: FROM + HOUR },
};
const LINE = signTicket(TICKET, KEY);
const CHECK: TicketCheckView = {
  ...{ isTaken: true, why: null, leftSec: 5400 },
  ticket: {
    ...{ name: "vo0/spring", vo: "vo0", site: "here", consumer: "vo0", resource: "cpu", amountSec: 7200 },
    ...{ window: { from: NOW, until: NOW }, issuedAt: NOW, expiresAt: NOW },
  },
};
const VIEW: QuoteView = {
  items: [{ site: "here", trouble: null, starts: [aStart()] }],
  chosen: { site: "here", startAt: NOW },
};
const SLOT = ["-n", "4", "-t", "1h"];

function lineFor(change: Partial<Ticket>): string {
  return signTicket({ ...TICKET, ...change }, KEY);
}

/** A program in a folder with a ticket's file. */
function program(client: Partial<StintClient>) {
  const directory = mkdtempSync(join(tmpdir(), "stint-slot-ticket-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "spring.txt"), `For Anna:\n${LINE}\n`);
  return capturedProgram(client, { directory });
}

function broker(view: QuoteView = VIEW, reserved: ReservationView = aReservation()) {
  return {
    quote: vi.fn<StintClient["quote"]>(async () => view),
    offer: vi.fn<StintClient["offer"]>(async () => aReservation({ state: "OFFERED" })),
    accept: vi.fn<StintClient["accept"]>(async () => reserved),
    checkTicket: vi.fn<StintClient["checkTicket"]>(async () => CHECK),
  };
}

describe("slots under tickets", () => {
  it("quote hands the ticket on, and says what is left of it", async () => {
    const client = broker();
    const { call } = program(client);
    const { out, err, code } = await call("quote", ...SLOT, "--ticket", "spring.txt");
    expect(code).toBe(0);
    expect(out).toContain("6 SU");
    expect(err).toContain("stint: ticket vo0/spring: 1.5 SU of 2 SU are left\n");
    expect(client.quote).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ticket: LINE }));
    const json = JSON.parse((await call("quote", ...SLOT, "--ticket", LINE, "-o", "json")).out);
    expect(json).toEqual({ ...VIEW, ticket: CHECK });
  });

  it("a start that it does not cover is told with the shortage, and not reserved", async () => {
    const text = "ticket vo0/spring is not accepted: up to 4 SU are needed, 2.5 SU too many";
    const spent = { kind: "spent", resource: "cpu", heldSec: 0, debitedSec: 0 } as const;
    const why = { ...spent, amountSec: 2 * 3600, neededSec: 4 * 3600 };
    const hindrance = { kind: "ticketRefused", ticket: "vo0/spring", why, text } as const;
    const short = {
      items: [{ site: "here", trouble: null, starts: [aStart({ hindrance })] }],
      chosen: null,
    };
    const client = broker(short);
    const { call } = program(client);
    expect((await call("quote", ...SLOT, "--ticket", "spring.txt")).out).toContain(`not for you: ${text}`);
    const { code, err } = await call("reserve", ...SLOT, "--ticket", "spring.txt", "--yes");
    expect(code).toBe(5);
    expect(err).toContain("2.5 SU too many");
    expect(client.offer).not.toHaveBeenCalled();
  });

  it("reserve hands the ticket on with the offer, and shows whose it is", async () => {
    const client = broker(VIEW, aReservation({ ticket: { name: "vo0/spring", heldSec: 14_400 } }));
    const { call } = program({
      ...client,
      reservations: async () => ({ items: [await client.accept("r")], next: null }),
    });
    const { code } = await call("reserve", ...SLOT, "--ticket", "spring.txt", "--yes");
    expect(code).toBe(0);
    expect(client.offer.mock.calls[0]?.[0]).toMatchObject({ site: "here", ticket: LINE });
    expect((await call("reservations", "-o", "wide")).out).toMatch(/TICKET[\s\S]*vo0\/spring/);
  });

  it("with --at each slot gets the ticket for its site and resource", async () => {
    const quoteCoReservation = vi.fn<StintClient["quoteCoReservation"]>(async () => ({
      items: [],
      chosen: null,
    }));
    const { call } = program({ quoteCoReservation });
    const storage = lineFor({ id: "disk", resource: "storage" });
    const at = ["--at", "here:4", "--at", "here/scratch=5G", "--at", "far:2", "-t", "1h"];
    await call("quote", ...at, "--ticket", storage, "--ticket", "spring.txt");
    expect(quoteCoReservation.mock.calls[0]?.[0].parts).toEqual([
      { site: "here", procs: 4, ticket: LINE },
      { site: "here", resource: { kind: "store", name: "scratch", amount: 5 * 2 ** 30 }, ticket: storage },
      { site: "far", procs: 2 },
    ]);
    const other = await call("quote", ...at, "--ticket", lineFor({ site: "away" }));
    expect(other.code).toBe(2);
    expect(other.err).toContain("is for none of the slots");
    const twice = await call("quote", ...at, "--ticket", LINE, "--ticket", LINE);
    expect(twice.err).toContain("two tickets");
  });

  it("a virtual reservation is of the ticket's site, and its job gets the ticket", async () => {
    const quoteVirtualReservation = vi.fn<StintClient["quoteVirtualReservation"]>(async () => ({
      items: [],
      chosen: null,
    }));
    const { call } = program({ quoteVirtualReservation });
    const later = [...SLOT, "--start", "6h", "--ticket", "spring.txt"];
    await call("reserve", "--virtual", ...later, "--yes", "--", "true");
    expect(quoteVirtualReservation.mock.calls[0]?.[0]).toMatchObject({ sites: ["here"] });
    expect((await call("quote", "--virtual", ...later)).err).toContain("--ticket cannot be used with a");
  });

  it("of a combined request both are under it", async () => {
    const client = broker();
    const reserveVirtually = vi.fn<StintClient["reserveVirtually"]>(async () => aJob());
    const { call } = program({ ...client, reserveVirtually });
    const later = [...SLOT, "--start", "6h", "--ticket", "spring.txt"];
    const { code } = await call("reserve", "--combined", ...later, "--yes", "--", "true");
    expect(code).toBe(0);
    expect(client.offer.mock.calls[0]?.[0]).toMatchObject({ ticket: LINE });
    expect(reserveVirtually.mock.calls[0]?.[0]).toMatchObject({ ticket: LINE, sites: ["here"] });
  });

  it("an offer that is there has its ticket already", async () => {
    const { call } = program(broker());
    const { code, err } = await call("reserve", "7f3a", "--ticket", "spring.txt");
    expect(code).toBe(2);
    expect(err).toContain("--ticket does not go with accepting an offer");
  });
});

describe("amounts of tickets", () => {
  it.each<[string, string, number, string]>([
    ["cpu", "64x4h", 256 * HOUR, "256 SU"],
    ["gpu", "9h", 9 * HOUR, "9 GPU hours"],
    ["memory", "3G x 30m", 1536 * HOUR, "1.5 GiB hours"],
    ["storage", "50Gx7d", 8400 * HOUR, "8400 GiB hours"],
    ["network", "8Mbit/sx2h", 1954 * HOUR, "1.91 MiB/s hours"],
  ])("of %s %s", async (resource, amount, amountMs, text) => {
    const { call, directory } = keyed();
    await call("ticket", "key", "new", "vo0.key");
    const whose = ["--key", "vo0.key", "--site", "here", "--consumer", "vo0", "--until", "7d"];
    const { out } = await call("ticket", "issue", ...whose, "--resource", resource, "--amount", amount);
    const read = readTicket(out);
    expect(read.ok ? read.value.ticket : read.refusal).toMatchObject({ resource, amountMs });
    writeFileSync(join(directory, "t.txt"), out);
    expect((await call("ticket", "check", "t.txt")).out).toContain(`amount     ${text}\n`);
  });

  it.each([
    ["memory", "100SU", "so much for so long"],
    ["storage", "5Mbit/sx2h", "is no amount of storage"],
    ["network", "5Gx2h", "is no amount of network"],
    ["cpu", "5Gx2h", "is no amount of cpu"],
    ["storage", "8000Tx9000d", "more than can be counted"],
  ])("of %s %s is bad input", async (resource, amount, said) => {
    const { call } = keyed();
    await call("ticket", "key", "new", "vo0.key");
    const whose = ["--key", "vo0.key", "--site", "here", "--consumer", "vo0", "--until", "7d"];
    const { code, err } = await call("ticket", "issue", ...whose, "--resource", resource, "--amount", amount);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});

function keyed() {
  const directory = mkdtempSync(join(tmpdir(), "stint-amount-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return { ...capturedProgram({}, { directory }), directory };
}
