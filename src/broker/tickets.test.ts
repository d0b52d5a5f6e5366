/** Tickets brought to a broker: over this machine as a script and a cluster, through deaths at every step. */
import { describe, expect, it } from "vitest";
import {
  add,
  clock,
  dying,
  logbook,
  logged,
  pass,
  type StartOptions,
  start,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { exited, running, type ScriptedSite, scriptedSite } from "../../test/scripted-site.ts";
import { newTicketKey, readPrivateKey, signTicket, ticketKeyId } from "../formats/ticket/index.ts";
import {
  type Command,
  type Identity,
  isFinal,
  JOB_DEFAULTS,
  type Policy,
  type SiteSpec,
  type Ticket,
} from "../model/index.ts";
import { projectLog, type SiteReport, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RUN_MS = 5 * MINUTE;
const HERE: SiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 10 * MINUTE },
};
const PAIR = newTicketKey();
const PRIVATE = readPrivateKey(PAIR.privateText);
const KEY = ticketKeyId(PAIR.publicText);
const WHO: Pick<Identity, "consumer" | "owner"> = { consumer: "vo0/physics/anna", owner: "anna" };

function lineOf(change: Partial<Ticket> = {}, key = PRIVATE): string {
  const nowMs = clock.nowMs();
  const ticket: Ticket = {
    ...{
      id: "t1",
      vo: "vo0",
      site: "local",
      consumer: "vo0/physics",
      resource: "cpu",
      amountMs: 30 * MINUTE,
    },
    ...{ fromMs: nowMs, untilMs: nowMs + HOUR, issuedAtMs: nowMs, expiresAtMs: nowMs + HOUR },
    ...change,
  };
  return signTicket(ticket, key);
}

function policy(consumer: string, percent: number): Policy {
  return {
    ...{
      resource: "cpu",
      provider: "local",
      consumer,
      rule: "entitlement",
      mode: "shared",
      carry: "forgive",
    },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: MINUTE, sharePpm: 1_000_000 },
  };
}

/** This machine, on which every job runs for five minutes, once, whatever becomes of the broker. */
function world(): StartOptions {
  const reports = new Map<string, SiteReport[]>();
  let now: ScriptedSite | undefined;
  const note = (token: string, report: SiteReport): void => {
    reports.set(token, [...(reports.get(token) ?? []), report]);
    if (now !== undefined) now.known = [...reports.values()].flat();
    now?.tell(report);
  };
  const launch = ({ token }: { readonly token: string }): void => {
    const before = reports.get(token);
    if (before !== undefined) {
      // It is known already: what it has reported is told again.
      for (const report of before) clock.wakeAt(clock.nowMs() + 1, () => now?.tell(report));
      return;
    }
    reports.set(token, []);
    clock.wakeAt(clock.nowMs() + 50, () => note(token, running(token, clock.nowMs())));
    clock.wakeAt(clock.nowMs() + RUN_MS, () => note(token, exited(token, clock.nowMs())));
  };
  return {
    openSite: async (): Promise<OpenSite> => {
      now = scriptedSite(launch);
      now.known = [...reports.values()].flat();
      return { kind: "managed", site: now };
    },
  };
}

async function prepared(broker: Broker): Promise<Broker> {
  await add(broker, "local", HERE);
  const request = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  await broker.brokerApi.ask({
    kind: "applyPolicies",
    policies: [policy("vo0", 50), policy("vo1", 50)],
    ...request,
  });
  const key = { key: KEY, vo: "vo0", publicKey: PAIR.publicText, label: "", by: "admin" };
  expect((await broker.brokerApi.ask({ kind: "trustTicketKey", ...key })).ok).toBe(true);
  return broker;
}

function request(job: string, ticket: string): Command {
  const description = { ...JOB_DEFAULTS, executable: "true", wallTimeMs: 10 * MINUTE, site: "local", ticket };
  return { kind: "submit", job, description, ...WHO };
}

async function outcome(broker: Broker, job: string, ticket: string): Promise<string> {
  const answered = await broker.brokerApi.ask(request(job, ticket));
  if (answered.ok) return "taken";
  const { refusal } = answered;
  return refusal.kind === "ticketRefused" ? refusal.why.kind : refusal.kind;
}

const differences = () => compareViews({ logbook, schemas: VIEWS, project: projectLog() });

describe("tickets at a broker", () => {
  it("BR-51 the signature is checked by the trusted keys alone", async () => {
    const broker = await prepared(await start(world()));
    const forged = lineOf({}, readPrivateKey(newTicketKey().privateText));
    const [prefix, version, , signature] = lineOf().split(".");
    const content = lineOf({ amountMs: 60 * MINUTE }).split(".")[2];
    expect(await outcome(broker, "j0", forged)).toBe("notSigned");
    expect(await outcome(broker, "j0", [prefix, version, content, signature].join("."))).toBe("notSigned");
    expect(await outcome(broker, "j0", "stint-ticket.v1.x.y")).toBe("unreadable");
    expect(await outcome(broker, "j0", lineOf({ vo: "vo1", consumer: "vo1" }))).toBe("notSigned");
    expect(await broker.brokerApi.job("j0")).toBeUndefined();
    expect(await outcome(broker, "j1", lineOf())).toBe("taken");
    expect(broker.brokerApi.checkTicket(lineOf())).toMatchObject({
      why: null,
      record: { heldMs: 10 * MINUTE },
    });
    expect(broker.brokerApi.checkTicket(forged)).toMatchObject({ why: { kind: "notSigned" } });
    expect(broker.brokerApi.checkTicket(lineOf({ site: "far", id: "t2" }))).toMatchObject({
      why: { kind: "wrongSite" },
    });
    await broker.brokerApi.ask({ kind: "revokeTicketKey", key: KEY, by: "admin" });
    expect(await outcome(broker, "j2", lineOf())).toBe("keyRevoked");
    expect(broker.brokerApi.checkTicket(lineOf())).toMatchObject({ why: { kind: "keyRevoked" } });
    await broker.stop();
  });

  it("BR-51 after a restart holds and debits are known, and no more is accepted", async () => {
    const line = lineOf();
    const first = await prepared(await start(world()));
    for (const job of ["j1", "j2", "j3"]) expect(await outcome(first, job, line)).toBe("taken");
    expect(await outcome(first, "j4", line)).toBe("spent");
    await pass(MINUTE);
    await first.stop();
    const again = await start(world());
    expect(await outcome(again, "j4", line)).toBe("spent");
    const [record] = again.brokerApi.query("tickets");
    expect(record).toMatchObject({ heldMs: 30 * MINUTE, debitedMs: 0, jobs: 3 });
    expect(await differences()).toEqual([]);
    await again.stop();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
    "BR-51 a death at step %i between an acceptance and an end loses no hold and no debit",
    async (atStep) => {
      const line = lineOf();
      const there = world();
      const first = await prepared(await start(there));
      await first.stop();
      const death = dying(atStep);
      const mortal = await start({ ...there, over: death.over, at: death.at });
      for (const job of ["j1", "j2"]) void mortal.brokerApi.ask(request(job, line)).catch(() => undefined);
      await pass(RUN_MS + 2000);
      const broker = await start(there);
      await pass(1000);
      for (const job of ["j1", "j2"]) await broker.brokerApi.ask(request(job, line));
      const [before] = broker.brokerApi.query("tickets");
      const { items } = await broker.brokerApi.jobs({});
      const living = items.filter(({ state }) => !isFinal(state));
      expect(before.heldMs).toBe(living.reduce((sum, { ticket }) => sum + (ticket?.heldMs ?? 0), 0));
      await pass(2 * RUN_MS + 2000);
      const [after] = broker.brokerApi.query("tickets");
      expect({ ...after, presentedAtMs: 0 }).toMatchObject({ heldMs: 0, jobs: 2 });
      // Each ran for five minutes; what was decided to start and waited for a broker had its place meanwhile.
      expect(after.debitedMs).toBeGreaterThanOrEqual(2 * RUN_MS);
      expect(after.debitedMs).toBeLessThanOrEqual(20 * MINUTE);
      expect(await logged("ticketDebited")).toBe(2);
      await broker.stop();
      expect(await differences()).toEqual([]);
      death.live();
    },
  );
});

describe("reservations under tickets at a broker", () => {
  const slot = (line: string, broker: Broker) => {
    const presented = broker.brokerApi.presentTicket(line);
    if (!presented.ok) return presented.refusal;
    const size = { procs: 2, memoryBytes: 0, startMs: clock.nowMs() + MINUTE, durationMs: 5 * MINUTE };
    return { kind: "offerSlot", reservation: "r1", site: "local", ...WHO, ...size, ticket: presented.value };
  };

  it("BR-51 the signature is checked before a slot is quoted or offered", async () => {
    const broker = await prepared(await start(world()));
    const forged = lineOf({}, readPrivateKey(newTicketKey().privateText));
    expect(slot(forged, broker)).toMatchObject({ kind: "ticketRefused", why: { kind: "notSigned" } });
    expect(slot("stint-ticket.v1.x.y", broker)).toMatchObject({ why: { kind: "unreadable" } });
    const presented = broker.brokerApi.presentTicket(lineOf());
    const when = { kind: "at", startMs: clock.nowMs() + MINUTE } as const;
    const asked = { procs: 2, memoryBytes: 0, durationMs: HOUR, consumer: WHO.consumer, when };
    const ticket = presented.ok ? presented.value : undefined;
    const [quote] = await broker.brokerApi.quote({ ...asked, ...(ticket && { ticket }) });
    expect(quote.starts[0]?.hindrance).toMatchObject({ kind: "ticketRefused", ticket: "vo0/t1" });
    expect(broker.brokerApi.query("tickets")).toEqual([]);
    await broker.stop();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "BR-51 a death at step %i of a reservation loses no hold and no debit, and debits nothing twice",
    async (atStep) => {
      const line = lineOf();
      const there = world();
      const first = await prepared(await start(there));
      await first.stop();
      const death = dying(atStep);
      const mortal = await start({ ...there, over: death.over, at: death.at });
      const accept = { kind: "acceptOffer", reservation: "r1", by: "anna" } as const;
      void mortal.brokerApi
        .ask(slot(line, mortal) as Command)
        .then(() => mortal.brokerApi.ask(accept))
        .catch(() => undefined);
      await pass(7 * MINUTE);
      expect(death.isDead()).toBe(true);
      const broker = await start(there);
      await pass(1000);
      const before = await broker.brokerApi.reservation("r1");
      if (before === undefined || before.state === "LAPSED") {
        await broker.brokerApi.ask({ ...(slot(line, broker) as Command), reservation: "r2" } as Command);
        await broker.brokerApi.ask({ ...accept, reservation: "r2" });
        expect(broker.brokerApi.query("tickets")).toMatchObject([{ heldMs: 10 * MINUTE, debitedMs: 0 }]);
      }
      await pass(7 * MINUTE);
      expect(broker.brokerApi.query("tickets")).toMatchObject([
        { heldMs: 0, debitedMs: 10 * MINUTE, jobs: 0, reservations: 1 },
      ]);
      expect(await logged("reservationDebited")).toBe(1);
      await broker.stop();
      expect(await differences()).toEqual([]);
      death.live();
    },
  );
});
