import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainIsKept } from "../../test/plain/plain-tickets.ts";
import { type PresentedTicket, type Ticket, type TicketRecord, WHOLE_SHARE } from "../model/index.ts";
import { beyondEntitlement, type TicketUse, whyNotTaken, whySpent, withHold } from "./index.ts";

const TICKET: Ticket = {
  ...{ id: "t1", vo: "vo0", site: "here", consumer: "vo0/physics", resource: "cpu", amountMs: 1000 },
  ...{ fromMs: 100, untilMs: 500, issuedAtMs: 0, expiresAtMs: 400 },
};
const PRESENTED: PresentedTicket = { ticket: TICKET, digest: "d1", key: "k1" };
const USE: TicketUse = { consumer: "vo0/physics/anna", site: "here", need: 2, limitMs: 50 };

function known(change: Partial<TicketRecord> = {}): TicketRecord {
  return { ...withHold(PRESENTED, undefined, 0, 100), ...change };
}

describe("the verdict on a job under a ticket", () => {
  it.each<[string, Partial<TicketUse>, number, object | undefined]>([
    ["of its site, consumer and window is", {}, 100, undefined],
    ["of its very consumer is", { consumer: "vo0/physics" }, 100, undefined],
    ["at another site", { site: "there" }, 100, { kind: "wrongSite", site: "here", asked: "there" }],
    ["of another group", { consumer: "vo0/physics2/anna" }, 100, { kind: "wrongConsumer" }],
    ["of the level above", { consumer: "vo0" }, 100, { kind: "wrongConsumer", asked: "vo0" }],
    ["that needs none", { need: 0 }, 100, { kind: "resourceNotNeeded", resource: "cpu" }],
    ["a ms before its window", {}, 99, { kind: "windowAhead", fromMs: 100 }],
    ["a ms before it expires is", {}, 399, undefined],
    ["when it expires", {}, 400, { kind: "expired", expiredAtMs: 400 }],
    ["that ends with its window is", { limitMs: 400 }, 100, undefined],
    ["that could end after it", { limitMs: 401 }, 100, { kind: "windowShort", untilMs: 500, endMs: 501 }],
  ])("PO-42 a job %s", (_, change, nowMs, why) => {
    const found = whyNotTaken(PRESENTED, undefined, { ...USE, ...change }, nowMs);
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(why);
  });

  it("PO-42 no job is accepted after the window, whenever the ticket expires", () => {
    const late = { ...PRESENTED, ticket: { ...TICKET, expiresAtMs: 900 } };
    expect(whyNotTaken(late, undefined, USE, 500)).toEqual({ kind: "windowOver", untilMs: 500 });
  });

  it("PO-42 copies are one ticket, and other content under its name is refused", () => {
    expect(whyNotTaken({ ...PRESENTED }, known(), USE, 100)).toBeUndefined();
    const other = { ...PRESENTED, digest: "d2" };
    expect(whyNotTaken(other, known(), USE, 100)).toEqual({ kind: "altered", knownDigest: "d1" });
  });

  it.each<[string, { debitedMs: number; heldMs: number; limitMs: number }, boolean]>([
    ["all that is left", { debitedMs: 600, heldMs: 300, limitMs: 50 }, true],
    ["a ms more", { debitedMs: 600, heldMs: 301, limitMs: 50 }, false],
    ["all of it", { debitedMs: 0, heldMs: 0, limitMs: 500 }, true],
    ["more than can be counted", { debitedMs: 0, heldMs: 0, limitMs: Number.MAX_SAFE_INTEGER }, false],
  ])("PO-44 a job that needs up to %s", (_, { debitedMs, heldMs, limitMs }, isHeld) => {
    const use = { ...USE, limitMs };
    const why = whySpent(PRESENTED, known({ debitedMs, heldMs }), use);
    expect(why === undefined).toBe(isHeld);
    if (why !== undefined) expect(why).toMatchObject({ kind: "spent", amountMs: 1000, debitedMs, heldMs });
  });
});

describe("a ticket within its VO's entitlement", () => {
  const given = { share: WHOLE_SHARE / 4, capacity: 8 };
  const span = (fromMs: number, untilMs: number, amountMs: number) => ({
    ...{ vo: "vo0", resource: "cpu" as const, fromMs, untilMs, amountMs },
  });

  it("has at most the share over its window", () => {
    expect(beyondEntitlement(span(0, 100, 200), [], given)).toBeUndefined();
    expect(beyondEntitlement(span(0, 100, 201), [], given)).toEqual({
      ...{ vo: "vo0", resource: "cpu", fromMs: 0, untilMs: 100 },
      ...{ entitledMs: 200, promisedMs: 0, amountMs: 201 },
    });
  });

  it("does not exist for a VO without a share", () => {
    const why = beyondEntitlement(span(0, 100, 1), [], { share: 0, capacity: 8 });
    expect(why).toMatchObject({ entitledMs: 0, amountMs: 1 });
  });

  it("fits beside a longer one only where the share holds both", () => {
    const long = span(0, 1000, 1800);
    expect(beyondEntitlement(span(400, 500, 200), [long], given)).toBeUndefined();
    expect(beyondEntitlement(span(400, 500, 201), [long], given)).toMatchObject({
      fromMs: 400,
      untilMs: 500,
    });
    expect(beyondEntitlement(span(400, 500, 200), [{ ...long, amountMs: 1801 }], given)).toMatchObject({
      ...{ fromMs: 0, untilMs: 1000, promisedMs: 1801, entitledMs: 2000 },
    });
  });

  it("is accepted exactly where some use over time serves every ticket", () => {
    const window = fc.record({ fromMs: fc.nat(20), lengthMs: fc.integer({ min: 1, max: 20 }) });
    const asked = fc.record({ window, part: fc.integer({ min: 0, max: 120 }) });
    const rates = fc.record({
      share: fc.integer({ min: 1, max: WHOLE_SHARE }),
      capacity: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 7 }), rates, (requests, rate) => {
        const taken: { fromMs: number; untilMs: number; amountMs: number }[] = [];
        for (const { window: it, part } of requests) {
          const whole = (it.lengthMs * rate.share * rate.capacity * part) / 100 / WHOLE_SHARE;
          const one = { fromMs: it.fromMs, untilMs: it.fromMs + it.lengthMs, amountMs: Math.ceil(whole) };
          const why = beyondEntitlement({ vo: "v", resource: "cpu", ...one }, taken, rate);
          expect(why === undefined).toBe(plainIsKept([...taken, one], { ...rate, whole: WHOLE_SHARE }));
          if (why === undefined) taken.push(one);
        }
      }),
    );
  });
});
