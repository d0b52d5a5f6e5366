import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { NOTHING_STORED, type Scene } from "../../../../test/engine-scene.ts";
import { PlainTicketSite, type SiteAsk, type SiteTicket } from "../../../../test/plain/plain-ticket-site.ts";
import { go, NAME, policy, presented, request, stage, trust } from "../../../../test/ticket-scene.ts";
import { ENFORCEMENT_DEFAULTS, type PresentedTicket, type Ticket } from "../../../model/index.ts";
import { answer, apply, createProjection, restore } from "../../index.ts";

const { numRuns: RUNS } = draws(150);
const CAPACITY = 4;
const BEGIN_MS = 1000;

/** The plain word for each reason that the engine gives. */
const REASONS: Readonly<Record<string, string>> = {
  ...{ wrongSite: "site", wrongConsumer: "consumer", resourceNotNeeded: "need", expired: "expired" },
  ...{ windowAhead: "window", windowOver: "window", windowShort: "window" },
  ...{ altered: "otherContent", beyondEntitlement: "entitlement", spent: "left" },
};

/** The first of some words nine times out of ten. */
function mostly<Word extends string>(usual: Word, ...others: readonly Word[]): fc.Arbitrary<Word> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
}

const tickets = fc.array(
  fc
    .record({
      id: fc.constantFrom("t1", "t2", "t3"),
      vo: fc.constantFrom("vo0", "vo0", "vo1"),
      below: fc.constantFrom("", "/g"),
      site: mostly("here", "there"),
      resource: mostly<Ticket["resource"]>("cpu", "gpu"),
      percent: fc.constantFrom(20, 40, 60, 90, 100, 101),
      afterMs: fc.constantFrom(0, 0, 2, 4, 8),
      lengthMs: fc.constantFrom(3, 5, 8, 12, 20),
      goodMs: fc.constantFrom(60, 60, 60, 20, 8),
    })
    .map(({ vo, below, percent, afterMs, lengthMs, goodMs, ...rest }): Ticket => {
      const fromMs = BEGIN_MS + afterMs;
      const amountMs = Math.ceil((lengthMs * CAPACITY * percent) / 200);
      const times = { fromMs, untilMs: fromMs + lengthMs, issuedAtMs: 0, expiresAtMs: BEGIN_MS + goodMs };
      return { ...rest, amountMs, vo, consumer: vo + below, ...times };
    }),
  { minLength: 2, maxLength: 7, size: "max" },
);

const steps = fc.array(
  fc.record({
    does: fc.constantFrom("submit", "submit", "submit", "end", "end", "suspend", "resume", "cancel", "wait"),
    which: fc.nat(11),
    need: fc.integer({ min: 1, max: 3 }),
    limitMs: fc.integer({ min: 1, max: 6 }),
    whose: mostly("theirs", "vo0/g/u", "vo0/gg/u", "vo1/g/u"),
    passMs: fc.constantFrom(0, 0, 0, 1, 1, 4),
    isQuiet: fc.boolean(),
  }),
  { minLength: 10, maxLength: 30, size: "max" },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function present(ticket: Ticket): PresentedTicket {
  return { ticket, digest: JSON.stringify(ticket), key: `k-${ticket.vo}` };
}

function plainly({ amountMs, expiresAtMs, ...ticket }: Ticket): SiteTicket {
  const content = JSON.stringify({ amountMs, expiresAtMs, ...ticket });
  return { ...ticket, content, amount: amountMs, expiresMs: expiresAtMs };
}

/** A broker and a plain site, to which the same happens. */
class Both {
  readonly broker: Scene;
  readonly site: PlainTicketSite;
  private readonly known: readonly Ticket[];
  private readonly running = new Set<string>();
  private readonly under = new Set<string>();
  private submitted = 0;

  constructor(known: readonly Ticket[], percents: readonly [number, number]) {
    const policies = percents.map((percent, vo) => policy(`vo${vo}`, percent));
    this.broker = stage(policies, { procs: CAPACITY, enforcement: ENFORCEMENT_DEFAULTS });
    this.broker.now = BEGIN_MS;
    for (const vo of ["vo0", "vo1"]) trust(this.broker, `k-${vo}`, vo);
    const shares = new Map(percents.map((percent, vo) => [`vo${vo}`, percent * 10_000]));
    this.site = new PlainTicketSite({ site: "here", capacity: CAPACITY, shares });
    this.known = known;
  }

  /** Where `isQuiet` nobody looks at what the passing of time does before something else happens. */
  step({ does, passMs, isQuiet, which, ...ask }: Step): void {
    this.broker.now += passMs;
    if (!isQuiet) this.settle();
    if (does === "submit") this.submit(this.known[which % this.known.length], ask);
    else if (does !== "wait") this.change(does, `j${which}`);
    this.settle();
  }

  private submit(ticket: Ticket, { need, limitMs, whose }: Pick<Step, "need" | "limitMs" | "whose">): void {
    const { broker, site } = this;
    const job = `j${this.submitted++}`;
    const it = plainly(ticket);
    const needs = ticket.resource === "cpu" ? need : 0;
    const consumer = whose === "theirs" ? `${ticket.consumer}/u` : whose;
    const ask: SiteAsk = { job, consumer, need: needs, limitMs, atMs: broker.now };
    const command = request(job, { procs: need, limitMs, consumer, ticket: present(ticket) });
    const answered = answer(broker.projection, command, broker.now);
    const why =
      answered.ok || answered.refusal.kind !== "ticketRefused" ? "taken" : answered.refusal.why.kind;
    expect(REASONS[why] ?? why).toBe(site.verdict(it, ask) ?? "taken");
    if (broker.ask(command) !== "ok") return;
    site.take(it, ask);
    this.under.add(job);
  }

  private change(does: string, job: string): void {
    const { broker, site, running } = this;
    const record = broker.records.get(job);
    if (record === undefined || !this.under.has(job)) return;
    const isRunning = running.has(job);
    if (does === "end" && (isRunning || record.state === "SUSPENDED")) {
      broker.ended(job);
      this.gone(job);
    } else if (does === "cancel" && record.startDecidedAtMs === null && broker.act("cancel", job) === "ok") {
      if (broker.state(job) === "CANCELLED") this.gone(job);
    } else if (does === "suspend" && isRunning && broker.act("suspend", job) === "ok") {
      site.stops(job, broker.now, false);
      running.delete(job);
    } else if (does === "resume") broker.act("resume", job);
  }

  private gone(job: string): void {
    this.site.stops(job, this.broker.now, true);
    this.under.delete(job);
    this.running.delete(job);
  }

  private settle(): void {
    const { broker, running, site } = this;
    for (const job of broker.settle()) {
      if (broker.records.get(job)?.startedAtMs === null) broker.running(job);
      running.add(job);
      site.runs(job, broker.now);
    }
  }

  /** What both say is held and debited of each ticket. */
  compare(): void {
    const { broker, site } = this;
    for (const { ticket, heldMs, debitedMs } of broker.projection.tickets.records.values()) {
      const it = plainly(ticket);
      const sums = { heldMs: site.held(it, broker.now), debitedMs: site.debited(it, broker.now) };
      expect({ heldMs, debitedMs }).toEqual(sums);
      expect(heldMs + debitedMs).toBeLessThanOrEqual(ticket.amountMs);
    }
  }
}

function restarted({ projection, now }: Scene) {
  const { tickets, jobs } = projection;
  const [records, keys] = [[...tickets.records.values()], [...tickets.keys.values()]];
  const views = { ...NOTHING_STORED, jobs: [...jobs.values()], tickets: records, ticketKeys: keys };
  return restore(structuredClone(views), now).tickets;
}

describe("a site that takes jobs under tickets", () => {
  const percents = fc.tuple(fc.constantFrom(30, 50, 75), fc.constantFrom(20, 25));

  it("PO-42 PO-44 EN-92 EN-93 accepts, holds and debits as a plain model", () => {
    fc.assert(
      fc.property(tickets, percents, steps, (known, shares, siteEvents) => {
        const both = new Both(known, shares);
        for (const step of siteEvents) {
          both.step(step);
          both.compare();
        }
        const again = createProjection();
        for (const event of both.broker.log) apply(again, event);
        expect(again.tickets).toEqual(both.broker.projection.tickets);
        expect(restarted(both.broker)).toEqual(both.broker.projection.tickets);
      }),
      { numRuns: RUNS },
    );
  });

  it("a window that is over was promised all the same", () => {
    const play = stage([policy("vo0", 50)], { procs: CAPACITY, enforcement: ENFORCEMENT_DEFAULTS });
    const old = presented({ id: "old", amountMs: 20, fromMs: BEGIN_MS, untilMs: BEGIN_MS + 10 });
    const wider = presented({ id: "wider", amountMs: 40, fromMs: BEGIN_MS, untilMs: BEGIN_MS + 20 });
    expect(play.ask(request("first", { procs: 2, limitMs: 10, ticket: old }))).toBe("ok");
    go(play);
    play.now += 10;
    play.ended("first");
    const { fromMs, untilMs } = wider.ticket;
    const excess = { kind: "beyondEntitlement", fromMs, untilMs, entitledMs: 40, promisedMs: 20 };
    const answered = answer(play.projection, request("second", { limitMs: 5, ticket: wider }), play.now);
    expect(answered).toMatchObject({ refusal: { why: excess } });
  });

  it("EN-93 a job whose end is reported late is debited until the end of the window", () => {
    const play = stage([policy("vo0", 50)], { procs: CAPACITY, enforcement: ENFORCEMENT_DEFAULTS });
    const ticket = presented({ amountMs: 20, fromMs: BEGIN_MS, untilMs: BEGIN_MS + 30 });
    expect(play.ask(request("late", { procs: 1, limitMs: 20, ticket }))).toBe("ok");
    play.now += 25;
    go(play);
    play.now += 15;
    play.ended("late");
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({ heldMs: 0, debitedMs: 5 });
  });
});
