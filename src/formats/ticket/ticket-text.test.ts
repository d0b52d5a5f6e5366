import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ticket } from "../../model/index.ts";
import {
  isSignedBy,
  newTicketKey,
  publicTextOf,
  readPrivateKey,
  readPublicKey,
  readTicket,
  signTicket,
  ticketKeyId,
} from "./index.ts";

const TICKET: Ticket = {
  ...{ id: "spring-1", vo: "vo0", site: "site1", consumer: "vo0/physics", resource: "cpu" },
  ...{ amountMs: 360_000_000, fromMs: 1_800_000_000_000, untilMs: 1_800_600_000_000 },
  ...{ issuedAtMs: 1_799_000_000_000, expiresAtMs: 1_800_500_000_000 },
};
const PAIR = newTicketKey();
const PRIVATE = readPrivateKey(PAIR.privateText);
const PUBLIC = readPublicKey(PAIR.publicText);
const LINE = signTicket(TICKET, PRIVATE);

/** The line with another content, under the old signature. */
function withContent(change: (said: Record<string, unknown>) => unknown, spell = JSON.stringify): string {
  const [prefix, version, content = "", signature] = LINE.split(".");
  const said = JSON.parse(Buffer.from(content, "base64url").toString());
  const text = spell(change(said));
  return [prefix, version, Buffer.from(text).toString("base64url"), signature].join(".");
}

function isGood(line: string): boolean {
  const read = readTicket(line);
  return read.ok && isSignedBy(read.value, PUBLIC);
}

describe("a ticket as text", () => {
  it("FO-107 the content is what was signed, verified by its key alone", () => {
    const read = readTicket(`  ${LINE}\n`);
    if (!read.ok) throw new Error(read.refusal);
    expect(read.value.ticket).toEqual(TICKET);
    expect(isSignedBy(read.value, PUBLIC)).toBe(true);
    expect(isSignedBy(read.value, readPublicKey(newTicketKey().publicText))).toBe(false);
    expect(LINE.split(".")).toHaveLength(4);
  });

  it("FO-107 a copy has the digest of the original; another ticket differs", () => {
    const digestOf = (line: string) => {
      const read = readTicket(line);
      return read.ok ? read.value.digest : "";
    };
    expect(digestOf(LINE)).toBe(digestOf(signTicket({ ...TICKET }, PRIVATE)));
    expect(digestOf(signTicket({ ...TICKET, amountMs: 1000 }, PRIVATE))).not.toBe(digestOf(LINE));
  });

  it("FO-107 a changed character makes it no ticket, or not the signed one", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    fc.assert(
      fc.property(fc.nat(LINE.length - 1), fc.constantFrom(...letters), (at, letter) => {
        const line = LINE.slice(0, at) + letter + LINE.slice(at + 1);
        expect(isGood(line)).toBe(line === LINE);
      }),
    );
  });

  it.each<[string, string, string]>([
    ["nothing", "", "it is not stint-ticket.v1., a content and a signature"],
    ["another version", LINE.replace("v1", "v2"), "it is not stint-ticket.v1., a content and a signature"],
    ["one that was cut off", LINE.slice(0, -1), "it is not stint-ticket.v1., a content and a signature"],
    ["very long", `${LINE}${"A".repeat(5000)}`, "it is longer than 4096 characters"],
    [
      "no JSON",
      withContent(
        () => "",
        () => "{",
      ),
      "its content is no JSON",
    ],
    ["a member more", withContent((it) => ({ ...it, x: 1 })), "its content has other members than"],
    ["a member less", withContent(({ v: _, ...it }) => it), "its content has other members than"],
    [
      "blanks",
      withContent(
        (it) => it,
        (it) => JSON.stringify(it, undefined, 1),
      ),
      "its content is not spelled",
    ],
    [
      "half a second",
      withContent((it) => ({ ...it, amountSec: 0.5 })),
      "its amountSec is not a whole number",
    ],
    ["too much", withContent((it) => ({ ...it, amountSec: 2 ** 50 })), "its amountSec is not a whole number"],
    ["no amount", withContent((it) => ({ ...it, amountSec: 0 })), "its amountSec is not a whole number"],
    ["coffee", withContent((it) => ({ ...it, resource: "coffee" })), "its resource is not one of cpu, gpu"],
    ["another VO's", withContent((it) => ({ ...it, vo: "vo1" })), "its consumer is not within its vo"],
    [
      "a VO of two names",
      withContent((it) => ({ ...it, vo: "vo0/physics" })),
      "its vo is not the first name",
    ],
    ["no path", withContent((it) => ({ ...it, consumer: "vo0//x" })), "its consumer is no consumer path"],
    ["local time", withContent((it) => ({ ...it, expires: "2027-01-01" })), "its expires is no instant"],
    [
      "no window",
      withContent((it) => ({ ...it, window: { from: it.issued, until: it.issued } })),
      "its window ends",
    ],
  ])("FO-107 %s is not a ticket", (_, line, why) => {
    const read = readTicket(line);
    expect(read.ok ? "a ticket" : read.refusal).toContain(why);
  });

  it("FO-107 altered content does not verify", () => {
    expect(isGood(withContent((it) => it))).toBe(true);
    expect(isGood(withContent((it) => ({ ...it, amountSec: 720_000 })))).toBe(false);
    expect(isGood(withContent((it) => ({ ...it, site: "site2" })))).toBe(false);
  });
});

describe("the keys of tickets", () => {
  it("FO-107 a public key follows from its private one, and has an id", () => {
    expect(publicTextOf(PRIVATE)).toBe(PAIR.publicText);
    expect(ticketKeyId(PAIR.publicText)).toMatch(/^[0-9a-f]{16}$/);
    expect(PAIR.privateText).toContain("BEGIN PRIVATE KEY");
  });

  it.each(["", "ed25519:abc", "rsa:xyz", `${PAIR.publicText}x`])("FO-107 %j is no public key", (text) => {
    expect(() => readPublicKey(text)).toThrow("a public key is ed25519:");
  });

  it("FO-107 a text that is no private key is refused", () => {
    expect(() => readPrivateKey("secret")).toThrow("it is no private key of Ed25519 in PEM");
  });
});
