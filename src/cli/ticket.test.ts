import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aJob, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { StintClient, TicketCheckView, TicketKeyView, TicketView } from "../api/client/index.ts";
import { readTicket } from "../formats/ticket/index.ts";

const KEY: TicketKeyView = {
  ...{ id: "0123456789abcdef", vo: "vo0", publicKey: "ed25519:x", label: "desk", trustedBy: "me" },
  ...{ trustedAt: "2026-05-31T11:00:00.000Z", revokedAt: null },
};
const TICKET: TicketView = {
  ...{ name: "vo0/spring", vo: "vo0", site: "site1", consumer: "vo0/physics", resource: "cpu" },
  ...{ amountSec: 7200, window: { from: NOW, until: "2026-06-07T12:00:00.000Z" }, issuedAt: NOW },
  ...{ expiresAt: "2026-06-07T12:00:00.000Z", key: KEY.id, presentedAt: NOW, jobs: 1, reservations: 0 },
  ...{ heldSec: 1800, debitedSec: 0, leftSec: 5400 },
};
const TAKEN: TicketCheckView = { isTaken: true, why: null, ticket: TICKET, leftSec: 7200 };
const ISSUE = "--site site1 --consumer vo0/physics/anna --amount 100SU --until 7d".split(" ");

/** A program in a folder of its own, in which `vo0.key` signs tickets. */
async function program(client: Partial<StintClient> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "stint-ticket-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const captured = capturedProgram(client, { directory });
  const made = await captured.call("ticket", "key", "new", "vo0.key");
  const issue = (...more: string[]) =>
    captured.call("ticket", "issue", "--key", "vo0.key", ...ISSUE, ...more);
  return { ...captured, directory, made, issue, publicKey: made.out.trim() };
}

describe("stint ticket key", () => {
  it("makes a key that its owner alone may read, and never over another", async () => {
    const { call, made, directory, publicKey } = await program();
    expect(made.code).toBe(0);
    expect(publicKey).toMatch(/^ed25519:[\w-]{43}$/);
    expect(statSync(join(directory, "vo0.key")).mode & 0o777).toBe(0o600);
    expect((await call("ticket", "key", "show", "vo0.key")).out.trim()).toBe(publicKey);
    const before = readFileSync(join(directory, "vo0.key"), "utf8");
    const again = await call("ticket", "key", "new", "vo0.key");
    expect(again.code).toBe(5);
    expect(again.err).toContain("the file exists, and an overwritten key");
    expect(readFileSync(join(directory, "vo0.key"), "utf8")).toBe(before);
  });

  it("trusts, lists and revokes what the broker takes", async () => {
    const trustTicketKey = vi.fn<StintClient["trustTicketKey"]>(async () => KEY);
    const revokeTicketKey = vi.fn<StintClient["revokeTicketKey"]>(async () => KEY);
    const { call, publicKey } = await program({
      trustTicketKey,
      revokeTicketKey,
      ticketKeys: async () => [KEY],
    });
    expect((await call("ticket", "key", "trust", publicKey, "--vo", "vo0")).out).toBe(`${KEY.id}\n`);
    expect(trustTicketKey).toHaveBeenCalledWith({ publicKey, vo: "vo0" });
    expect((await call("ticket", "key", "list")).out).toMatch(/0123456789abcdef +vo0 +trusted/);
    expect((await call("ticket", "key", "revoke", KEY.id)).out).toBe(`${KEY.id}\n`);
  });
});

describe("stint ticket issue", () => {
  it("makes a ticket without a broker", async () => {
    const { issue } = await program();
    const { out, code } = await issue("--id", "spring");
    expect(code).toBe(0);
    const read = readTicket(out);
    expect(read.ok ? read.value.ticket : read.refusal).toEqual({
      ...{ id: "spring", vo: "vo0", site: "site1", consumer: "vo0/physics/anna", resource: "cpu" },
      ...{ amountMs: 360_000_000, fromMs: Date.parse(NOW), untilMs: Date.parse(NOW) + 7 * 86_400_000 },
      ...{ issuedAtMs: Date.parse(NOW), expiresAtMs: Date.parse(NOW) + 7 * 86_400_000 },
    });
  });

  it.each([
    [["--amount", "0"], "--amount"],
    [["--amount", "lots"], "--amount"],
    [["--consumer", "vo0//x"], "its consumer is no path"],
    [["--until", "1h", "--from", "2h"], "its window ends before it begins"],
    [["--site", "no site"], "its site is no name of a site"],
    [["--id", "a b"], "its id is not up to 64 letters"],
    [["--resource", "coffee"], "it is one of cpu, gpu, memory, storage, network"],
  ])("issue %j is bad input", async (words, said) => {
    const { issue } = await program();
    const { code, err, out } = await issue(...words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(said);
  });

  it("with --ask what the broker would not take is not issued", async () => {
    const why = { kind: "beyondEntitlement", text: "vo0 has 5 SU", remedy: "a smaller one" };
    const checkTicket = vi.fn<StintClient["checkTicket"]>(async () => ({ ...TAKEN, isTaken: false, why }));
    const { issue } = await program({ checkTicket });
    const { code, err, out } = await issue("--ask");
    expect({ code, out }).toEqual({ code: 5, out: "" });
    expect(err).toContain("vo0 has 5 SU");
    checkTicket.mockResolvedValue(TAKEN);
    expect((await issue("--ask")).out).toContain("stint-ticket.v1.");
  });
});

describe("stint ticket check", () => {
  it("says without a broker what it says, and who signed it", async () => {
    const { call, issue, publicKey, directory } = await program();
    const line = (await issue("--id", "spring")).out;
    writeFileSync(join(directory, "t.txt"), `For Anna:\n${line}`);
    const good = await call("ticket", "check", "t.txt", "--key", publicKey);
    expect(good.code).toBe(0);
    expect(good.out).toContain("ticket     vo0/spring\nsite       site1\n");
    expect(good.out).toContain("amount     100 SU\n");
    expect(good.out).toContain("signature  good\n");
    await call("ticket", "key", "new", "other.key");
    const other = (await call("ticket", "key", "show", "other.key")).out.trim();
    const bad = await call("ticket", "check", line.trim(), "--key", other);
    expect(bad.code).toBe(5);
    expect(bad.out).toContain("not by this key, or altered");
  });

  it("with --ask says whether the broker would take it, and what is left", async () => {
    const why = { kind: "expired", text: "it expired", remedy: "request a new one" };
    const asked = await program({
      checkTicket: async () => ({ ...TAKEN, isTaken: false, why, leftSec: 5400 }),
    });
    const line = (await asked.issue()).out.trim();
    const { code, out } = await asked.call("ticket", "check", line, "--ask");
    expect(code).toBe(5);
    expect(out).toContain("broker     would not take it: it expired; request a new one\nleft       1.5 SU\n");
    const json = JSON.parse((await asked.call("ticket", "check", line, "--ask", "-o", "json")).out);
    expect(json).toMatchObject({ isSigned: null, isExpired: false, broker: { isTaken: false } });
  });

  it.each([
    ["nothing.txt", 2, "there is no such file"],
    ["stint-ticket.v1.x.y", 2, "this is not a ticket"],
  ])("%s is told", async (given, code, said) => {
    const { call } = await program();
    const called = await call("ticket", "check", given);
    expect(called.err).toContain(said);
    expect(called.code).toBe(code);
  });
});

describe("jobs under tickets", () => {
  it("run and submit hand the ticket on, from a file or as a line", async () => {
    const submit = vi.fn<StintClient["submit"]>(async () => ["7f3a0000"]);
    const watch = async () => aJob({ state: "DONE", result: "ok", exitCode: 0 });
    const readFile = async function* () {};
    const { call, issue, directory } = await program({ submit, watch, readFile });
    const line = (await issue()).out.trim();
    writeFileSync(join(directory, "t.txt"), `${line}\n`);
    expect(existsSync(join(directory, "t.txt"))).toBe(true);
    await call("run", "--ticket", "t.txt", "--", "true");
    await call("run", "--ticket", line, "--", "true");
    expect(submit.mock.calls.map(([[job]]) => job?.ticket)).toEqual([line, line]);
    expect((await call("run", "--ticket", "nothing.txt", "--", "true")).code).toBe(125);
  });

  it("show has what is left", async () => {
    const { call } = await program({ tickets: async () => [TICKET] });
    const { out } = await call("ticket", "show");
    expect(out).toMatch(/vo0\/spring +site1 +vo0\/physics +2 SU +0\.5 SU +0 SU +1\.5 SU/);
    expect((await call("ticket", "show", "spring", "-o", "name")).out).toBe("vo0/spring\n");
    expect((await call("ticket", "show", "autumn")).code).toBe(3);
    expect(JSON.parse((await call("ticket", "show", "-o", "json")).out)).toEqual({
      items: [TICKET],
      next: null,
    });
  });
});
