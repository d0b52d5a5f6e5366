import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  type PlainRequest,
  type PlainRules,
  PlainStoreBook,
} from "../../../../test/plain/plain-store-book.ts";
import { balance, record, START } from "../../../../test/reservation-scene.ts";
import {
  type Command,
  RESERVATION_DEFAULTS,
  type ReservationRules,
  type SiteSpec,
  type SlotResource,
} from "../../../model/index.ts";
import { advertise, answer, apply, createProjection, livePrices, type SiteState } from "../../index.ts";
import { earliestLive } from "./live-quote.ts";

const { numRuns: RUNS } = draws(40);
const DAY_MS = 86_400_000;
const CONSUMERS = ["vo1/a/u", "vo2/b/u"];

/** In units of 3 bytes, and of 2 bytes a second; each with prices of its own. */
const SCRATCH = { name: "scratch", capacity: 12, perProc: 3, unitPrice: 2000, transaction: 7 };
const UPLINK = { name: "uplink", capacity: 9, perProc: 2, unitPrice: 1500, transaction: 0 };
const KINDS = { scratch: "store", uplink: "link" } as const;
type Name = keyof typeof KINDS;

const HALF = fc.constantFrom(1_000_000, 1_000_000, 700_000, 500_000);
const rules = fc.record<PlainRules>({
  noticeMs: fc.constantFrom(0, 0, 3),
  aheadMs: fc.constantFrom(60, 60, 20),
  longestMs: fc.constantFrom(40, 40, 8),
  sharePpm: HALF,
  consumerSharePpm: HALF,
  farMs: fc.constantFrom(60, 10),
  farSharePpm: HALF,
  offerMs: fc.constantFrom(4, 30),
  offerSharePpm: HALF,
  penaltyPpm: fc.constantFrom(0, 100_000),
  basePenaltyPpm: fc.constantFrom(0, 50_000),
});

const steps = fc.array(
  fc.record({
    does: fc.constantFrom(
      ...(["offer", "offer", "offer", "together", "accept", "accept", "cancel", "relinquish"] as const),
      ...(["extend", "resize", "wait", "wait"] as const),
    ),
    which: fc.nat(8),
    name: fc.constantFrom<Name>("scratch", "scratch", "uplink"),
    amount: fc.constantFrom(1, 2, 3, 4, 6, 9),
    consumer: fc.constantFrom(...CONSUMERS),
    aheadMs: fc.constantFrom(-1, 0, 0, 1, 3, 6, 12),
    lengthMs: fc.constantFrom(1, 2, 4, 7, 10),
  }),
  { minLength: 10, maxLength: 30, size: "max" },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** A broker with a site of a store and a link, and the plain book, to which the same happens. */
class Both {
  readonly broker: Scene = scene({ here: 4 });
  readonly book: PlainStoreBook;
  private readonly capacities = { scratch: SCRATCH.capacity, uplink: UPLINK.capacity };
  private readonly reservations: ReservationRules;
  private count = 0;
  private steps = 0;

  constructor(plain: PlainRules) {
    this.broker.now = START;
    const whole = { clockMs: 0, fromMs: 0, untilMs: DAY_MS, days: null, consumers: null };
    const prices = [SCRATCH, UPLINK].map(({ name, unitPrice, transaction }) => ({
      ...{ ...whole, name, slots: [KINDS[name as Name]] },
      ...{ unitPriceThousandths: unitPrice, transactionProcMs: transaction },
    }));
    this.reservations = { ...RESERVATION_DEFAULTS, ...plain, freeWasted: 1_000_000, prices };
    this.book = new PlainStoreBook([{ ...SCRATCH }, { ...UPLINK }], plain);
    this.change();
  }

  step(step: Step): void {
    const { broker, book } = this;
    switch (step.does) {
      case "offer":
        this.offer([this.request(step, step.name)]);
        break;
      case "together":
        this.offer([this.request(step, "scratch"), this.request({ ...step, amount: 1 }, "uplink")]);
        break;
      case "resize": {
        const capacity = step.amount + 3;
        this.capacities[step.name] = capacity;
        this.change();
        book.resize(step.name, capacity, broker.now);
        break;
      }
      case "wait":
        broker.now += step.lengthMs;
        break;
      default:
        this.onOne(step.does, step);
    }
    broker.settle();
    book.pass(broker.now);
    this.compare();
  }

  private request({ amount, consumer, aheadMs, lengthMs }: Step, thing: Name): PlainRequest {
    const startMs = this.broker.now + aheadMs;
    return { id: `r${this.count++}`, thing, amount, consumer, startMs, durationMs: lengthMs };
  }

  /** All of them, or none; what has just begun begins now. */
  private offer(requests: readonly PlainRequest[]): void {
    const { broker, book } = this;
    const parts = requests.map(({ id, thing, amount, consumer, startMs, durationMs }) => ({
      ...{
        reservation: id,
        site: "here",
        consumer,
        owner: "u1",
        procs: 0,
        memoryBytes: 0,
        startMs,
        durationMs,
      },
      resource: { kind: KINDS[thing as Name], name: thing, amount } satisfies SlotResource,
    }));
    const [only] = parts;
    const command: Command =
      requests.length === 1
        ? { kind: "offerSlot", ...only }
        : { kind: "offerTogether", together: `t${this.count}`, parts };
    const begun = requests.map((request) => ({ ...request, startMs: Math.max(request.startMs, broker.now) }));
    const against = begun.flatMap((request) => {
      if (request.amount > this.capacities[request.thing as Name]) return ["resourceTooLarge"];
      if (!book.fits(request)) return ["slotTaken"];
      return [...book.hindrances(request, broker.now)];
    });
    this.ask(command, against);
    if (against.length === 0) book.offer(begun, broker.now);
  }

  private onOne(does: "accept" | "cancel" | "relinquish" | "extend", { which, lengthMs }: Step): void {
    const { broker, book } = this;
    const holding = book.promises.filter(({ state }) => /OFFERED|ACCEPTED|ACTIVE/.test(state));
    const one = holding[which % Math.max(holding.length, 1)];
    if (one === undefined) return;
    const { id: reservation } = one;
    const by = "u1";
    const states = { accept: ["OFFERED"], cancel: ["OFFERED", "ACCEPTED"], relinquish: ["ACTIVE"] };
    const allowed: readonly string[] = does === "extend" ? ["ACCEPTED", "ACTIVE"] : states[does];
    const against = allowed.includes(one.state) ? [] : ["wrongReservationState"];
    if (does === "extend") {
      const tail = { ...one, id: "", startMs: one.startMs + one.durationMs, durationMs: lengthMs };
      if (against.length === 0 && !book.fits(tail)) against.push("slotTaken");
      if (against.length === 0) against.push(...book.hindrances(tail, broker.now, one));
      const more = { moreMs: lengthMs, mostFixedProcMs: 1000 };
      this.ask({ kind: "extendReservation", reservation, ...more, by }, against);
      if (against.length === 0) book.extend(reservation, lengthMs);
      return;
    }
    const kinds = { accept: "acceptOffer", cancel: "cancelReservation", relinquish: "relinquish" } as const;
    this.ask({ kind: kinds[does], reservation, by }, against);
    if (against.length > 0) return;
    if (does === "relinquish") book.relinquish(reservation, broker.now);
    else book[does](reservation);
  }

  /** What is refused is refused for one of the reasons that speak against it. */
  private ask(command: Command, against: readonly string[]): void {
    const answered = answer(this.broker.projection, command, this.broker.now);
    if (answered.ok) expect(against).toEqual([]);
    else {
      const { refusal } = answered;
      const why = refusal.kind === "mayNotReserveSlot" ? refusal.hindrance.kind : refusal.kind;
      expect(against).toContain(why);
    }
    this.broker.ask(command);
  }

  private change(): void {
    const { broker, capacities, reservations } = this;
    const stores = { scratch: { sizeBytes: capacities.scratch, unitBytes: SCRATCH.perProc } };
    const links = {
      uplink: { rateBytesPerSec: capacities.uplink, unitBytesPerSec: UPLINK.perProc },
    };
    const spec = { ...this.site().spec, reservations, stores, links } as SiteSpec;
    expect(broker.ask({ kind: "changeSite", site: "here", spec })).toBe("ok");
    broker.settle();
  }

  private site(): SiteState {
    const site = this.broker.projection.sites.get("here");
    if (site === undefined) throw new Error("the site is gone");
    return site;
  }

  private compare(): void {
    const { broker, book } = this;
    for (const { id, state } of book.promises) {
      const isHeld = /OFFERED|ACCEPTED|ACTIVE/.test(state);
      expect({ id, state: record(broker, id)?.state }).toEqual({ id, state: isHeld ? state : undefined });
    }
    for (const consumer of CONSUMERS) {
      expect(0 - (balance(broker, consumer) ?? 0)).toBe(book.paid.get(consumer) ?? 0);
    }
    // Dear, and told by the next look as well.
    if (this.steps++ % 3 > 0) return;
    this.compareStarts();
    this.compareSlots();
  }

  private compareStarts(): void {
    const { broker, book } = this;
    for (const { name, perProc } of [SCRATCH, UPLINK]) {
      const size = { thing: name, amount: 3, durationMs: 4 };
      const resource = { kind: KINDS[name as Name], name, amount: size.amount, perProc };
      const asked = { consumer: "vo3", procs: 0, memoryBytes: 0, resource, durationMs: size.durationMs };
      const when = { kind: "whenever" } as const;
      const list = livePrices(broker.projection, this.site(), { ...asked, when }, broker.now);
      const earliestMs = earliestLive(broker.projection, this.site(), { ...asked, when }, broker.now);
      expect(earliestMs).toBe(list[0]?.startMs);
      const near = list.filter(({ startMs }) => startMs < broker.now + DAY_MS / 2);
      const plain = book.starts(size, broker.now);
      const said = near.map(({ startMs }) => startMs);
      expect(said).toEqual(plain);
    }
  }

  /** EN-22: what is advertised at an instant is what nobody has reserved. */
  private compareSlots(): void {
    const { broker, book, capacities } = this;
    for (const { name, slots } of advertise(this.site(), broker.now).resources) {
      for (let atMs = broker.now; atMs < broker.now + 40; atMs += 1) {
        const there = slots.filter(
          ({ startAt, durationMs }) =>
            startAt <= atMs && (durationMs === null || atMs < startAt + durationMs),
        );
        const free = there.reduce((sum, { procs }) => sum + procs, 0);
        expect(free).toBe(capacities[name as Name] - book.taken(name, atMs));
      }
    }
  }
}

describe("the stores and links of a site", () => {
  it("MK-26 EN-96 EN-41 EN-22 are reserved as in a plain model", () => {
    fc.assert(
      fc.property(rules, steps, (plain, siteEvents) => {
        const both = new Both(plain);
        for (const step of siteEvents) both.step(step);
        const again = createProjection();
        for (const event of both.broker.log) apply(again, event);
        expect([...again.reserved.records]).toEqual([...both.broker.projection.reserved.records]);
      }),
      { numRuns: RUNS },
    );
  });
});
