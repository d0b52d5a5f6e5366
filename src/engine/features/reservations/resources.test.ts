import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  accept,
  at,
  balance,
  cancel,
  kinds,
  type Offer,
  RULES,
  record,
  request,
  reserved,
  START,
  USER,
} from "../../../../test/reservation-scene.ts";
import { incomeOf } from "../../../market/index.ts";
import type { Policy, ReservationRules, SiteSpec, SlotResource } from "../../../model/index.ts";
import {
  advertise,
  apply,
  createProjection,
  decide,
  extensionPrice,
  livePrices,
  livePricesCoReservation,
  restore,
  type SiteState,
} from "../../index.ts";

const G = 1024 ** 3;
const MBIT = 125_000;
const STORES = { scratch: { sizeBytes: 200 * G, unitBytes: 10 * G } };
const LINKS = { uplink: { rateBytesPerSec: 1000 * MBIT, unitBytesPerSec: 100 * MBIT } };

const store = (gib: number): SlotResource => ({ kind: "store", name: "scratch", amount: gib * G });
const link = (mbits: number): SlotResource => ({ kind: "link", name: "uplink", amount: mbits * MBIT });
const none = { procs: 0, memoryBytes: 0 };
const of = (resource: SlotResource, more: Partial<Offer> = {}) => ({ ...none, resource, ...more });

function siteOf(play: Scene, name = "here"): SiteState {
  const found = play.projection.sites.get(name);
  if (found === undefined) throw new Error(`no site ${name}`);
  return found;
}

function change(play: Scene, name: string, more: Partial<SiteSpec>): void {
  const spec = { ...siteOf(play, name).spec, ...more } as SiteSpec;
  expect(play.ask({ kind: "changeSite", site: name, spec })).toBe("ok");
  play.settle();
}

/** Four processors, a store of 200 GiB and a link of 1 Gbit/s, here and at a foreign site. */
function sites(rules: ReservationRules = RULES): Scene {
  const play = scene({ here: 4 });
  play.now = START;
  play.foreign("far", 4);
  for (const name of ["here", "far"])
    change(play, name, { reservations: rules, stores: STORES, links: LINKS });
  play.look("far");
  return play;
}

function prices(play: Scene, resource: SlotResource, when: "whenever" | number = "whenever") {
  const amount = { ...resource, perProc: resource.kind === "store" ? 10 * G : 100 * MBIT };
  const asked = { consumer: USER, ...none, resource: amount, durationMs: HOUR };
  const wanted = when === "whenever" ? ({ kind: when } as const) : ({ kind: "at", startMs: when } as const);
  return livePrices(play.projection, siteOf(play), { ...asked, when: wanted }, play.now);
}

const replayed = (play: Scene) => {
  const projection = createProjection();
  for (const event of play.log) apply(projection, event);
  return projection;
};

describe("a part of a store or of a link", () => {
  it("EN-96 is priced in its own unit, and delays nobody", () => {
    const play = sites();
    play.submit("a", 4, { wallTimeMs: HOUR, site: "here" });
    play.submit("b", 4, { wallTimeMs: HOUR, site: "here" });
    play.settle();
    play.running("a");
    expect(prices(play, store(50))).toMatchObject([
      { startMs: START, baseProcMs: 5 * HOUR, fixedProcMs: 0, delaysJobs: 0, hindrance: null },
    ]);
    expect(prices(play, link(250))).toMatchObject([{ startMs: START, baseProcMs: 2.5 * HOUR }]);
  });

  it("EN-22 what is left is advertised with the site's slots, under the same sequence number", () => {
    const play = sites();
    const shown = (before?: ReturnType<typeof advertise>) => advertise(siteOf(play), play.now, before);
    const first = shown();
    const freeOf = ({ resources }: typeof first) =>
      resources.map(({ name, slots }) => [name, slots.map(({ procs, startAt }) => [procs, startAt - START])]);
    expect(freeOf(first)).toEqual([
      ["scratch", [[200 * G, 0]]],
      ["uplink", [[1000 * MBIT, 0]]],
    ]);
    reserved(play, "r1", of(store(150), { startMs: START, durationMs: HOUR }));
    const second = shown(first);
    expect(second.sequence).toBeGreaterThan(first.sequence);
    expect(freeOf(second)[0]).toEqual([
      "scratch",
      [
        [50 * G, 0],
        [150 * G, HOUR],
      ],
    ]);
    expect(play.ask({ kind: "drainSite", site: "here", by: "ops" })).toBe("ok");
    expect(shown(second)).toMatchObject({ slots: [], resources: [] });
  });

  it("EN-96 is reserved from its start to its end, and lives as any reservation", () => {
    const play = sites();
    reserved(play, "r1", of(store(150)));
    expect(balance(play, USER)).toBe(-15 * HOUR);
    expect(prices(play, store(100)).map(({ startMs }) => startMs - START)).toEqual([0, 2 * HOUR]);
    expect(play.ask(request("r2", of(store(100))))).toBe("slotTaken");
    expect(play.ask(request("r2", of(store(50))))).toBe("ok");
    expect(play.ask(cancel("r2"))).toBe("ok");
    const sold = record(play);
    if (sold === undefined) throw new Error("it holds something");
    const more = extensionPrice(play.projection, siteOf(play), { record: sold, moreMs: HOUR }, play.now);
    expect(more).toMatchObject({ baseProcMs: 15 * HOUR, fixedProcMs: 0 });
    const extension = { kind: "extendReservation", reservation: "r1", moreMs: HOUR, by: "u1" } as const;
    expect(play.ask({ ...extension, mostFixedProcMs: 0 })).toBe("ok");
    at(play, START + HOUR);
    expect(record(play)?.state).toBe("ACTIVE");
    at(play, START + 2 * HOUR);
    expect(play.ask({ kind: "relinquish", reservation: "r1", by: "u1" })).toBe("ok");
    expect(balance(play, USER)).toBe(-30 * HOUR + 0.9 * 15 * HOUR);
    expect(prices(play, store(200), play.now)).toHaveLength(1);
    expect(replayed(play).sites.get("here")?.ledger).toEqual(siteOf(play).ledger);
  });

  it("EN-96 is not counted as wasted because no job ran in it", () => {
    const play = sites({ ...RULES, freeWasted: 0 });
    reserved(play, "r1", of(store(10), { startMs: START, durationMs: HOUR }));
    at(play, START + HOUR);
    expect(kinds(play)).toContain("reservationFulfilled");
    expect(play.projection.reserved.wasted).toEqual([]);
    expect(prices(play, store(200), play.now)[0]?.hindrance).toBeNull();
  });

  it("EN-96 cancelled, it costs its penalty and becomes available", () => {
    const play = sites({ ...RULES, basePenaltyPpm: 100_000, transactionProcMs: HOUR });
    reserved(play, "r1", of(link(1000)));
    expect(balance(play, USER)).toBe(-11 * HOUR);
    expect(play.ask(cancel("r1"))).toBe("ok");
    expect(balance(play, USER)).toBe(-(HOUR + HOUR / 10));
    expect(incomeOf(siteOf(play).ledger)).toEqual({ base: 0, delays: 0, penalties: HOUR + HOUR / 10 });
    expect(prices(play, link(1000))).toHaveLength(1);
  });

  it("EN-96 no cluster is asked for it, and no job can run in it", () => {
    const play = sites();
    reserved(play, "r1", of(store(50), { site: "far", startMs: START }));
    at(play, START);
    expect(record(play)).toMatchObject({ state: "ACTIVE", siteReservation: null });
    expect(play.submit("a", 1, { reservation: "r1" })).toBe("notInReservation");
    expect(siteOf(play, "far").queue.slots.size).toBe(0);
    at(play, START + HOUR);
    expect(kinds(play).filter((kind) => /Fulfilled|Violated/.test(kind))).toEqual(["reservationFulfilled"]);
  });

  it.each([
    ["of no store of this name", of({ ...store(1), name: "home" }), "unknownResource"],
    ["of a link asked for as a store", of({ ...store(1), name: "uplink" }), "unknownResource"],
    ["of a name that every object has", of({ ...store(1), name: "constructor" }), "unknownResource"],
    ["of more than there is", of(store(201)), "resourceTooLarge"],
    ["of nothing", of(store(0)), "slotInvalid"],
    ["of a part of a byte", of({ ...link(1), amount: 0.5 }), "slotInvalid"],
    ["of less than nothing", of({ ...link(1), amount: -1 }), "slotInvalid"],
  ])("EN-96 a part %s is refused", (_what, more, refusal) => {
    expect(sites().ask(request("r1", more))).toBe(refusal);
  });

  it("the site's shares are of that store alone", () => {
    const play = sites({ ...RULES, sharePpm: 500_000, freeWasted: 0 });
    reserved(play, "r1", { procs: 2 });
    reserved(play, "r2", of(link(500)));
    expect(prices(play, store(100), START + HOUR)[0]?.hindrance).toBeNull();
    expect(prices(play, store(101), START + HOUR)[0]?.hindrance).toMatchObject({
      ...{ kind: "tooMuchReserved", procs: 101 * G, mostProcs: 100 * G },
      resource: { kind: "store", name: "scratch" },
    });
  });

  it("c and f₀ are those of the price rules for its kind", () => {
    const rule = (name: string, slot: "store" | "link" | "reservation", thousandths: number) => ({
      ...{ name, clockMs: 0, fromMs: 0, untilMs: 24 * HOUR, days: null, consumers: null },
      ...{ slots: [slot], unitPriceThousandths: thousandths, transactionProcMs: HOUR },
    });
    const play = sites({ ...RULES, prices: [rule("disk", "store", 2000), rule("cpu", "reservation", 7000)] });
    expect(prices(play, store(50), START)).toMatchObject([{ baseProcMs: 10 * HOUR, fixedProcMs: HOUR }]);
    expect(prices(play, link(100), START)).toMatchObject([{ baseProcMs: HOUR, fixedProcMs: 0 }]);
  });
});

describe("a store or a link that shrinks", () => {
  it.each([
    { what: "smaller", stores: { scratch: { sizeBytes: 120 * G } }, left: ["r1"] },
    { what: "gone", stores: {}, left: [] },
    { what: "larger", stores: { scratch: { sizeBytes: 999 * G } }, left: ["r1", "r2"] },
  ])("EN-96 it is $what: reservations that no longer fit are violated and refunded", ({ stores, left }) => {
    const play = sites();
    reserved(play, "r1", of(store(100)));
    reserved(play, "r2", of(store(50)));
    change(play, "here", { stores });
    expect([...play.projection.reserved.records.keys()]).toEqual(left);
    const kept = left.map((id) => (id === "r1" ? -10 * HOUR : -5 * HOUR));
    expect(balance(play, USER) ?? 0).toBe(kept.reduce((sum, it) => sum + it, 0));
    expect(kinds(play).filter((kind) => kind === "reservationViolated")).toHaveLength(2 - left.length);
    expect(replayed(play).sites.get("here")?.ledger).toEqual(siteOf(play).ledger);
  });
});

describe("policies of storage and network", () => {
  const policy = (resource: Policy["resource"], consumer: string, burstPpm: number): Policy => ({
    ...{ resource, provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 24 * HOUR }, sharePpm: 1_000_000 },
    burst: { bucketMs: HOUR, sharePpm: burstPpm },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
  });

  it("EN-96 admit no more than the burst share, counting what is reserved", () => {
    const play = sites();
    const policies = [policy("cpu", "vo", 1_000_000), policy("storage", "vo", 250_000)];
    const requested = { kind: "applyPolicies", policies, effectiveFromMs: null, onVersion: null } as const;
    expect(play.ask({ ...requested, by: "root", note: "" })).toBe("ok");
    reserved(play, "r1", of(store(30)));
    expect(prices(play, store(20), START + HOUR)[0]?.hindrance).toBeNull();
    expect(prices(play, store(21), START + HOUR)[0]?.hindrance).toMatchObject({
      kind: "overPolicy",
      refusal: { kind: "burst", level: "vo", limitShare: 250_000_000_000 },
    });
    expect(prices(play, link(1000), START + HOUR)[0]?.hindrance).toBeNull();
  });
});

describe("together with stores and links", () => {
  const parts = (play: Scene, amount: number) => [
    { site: siteOf(play), procs: 2, memoryBytes: 0 },
    { site: siteOf(play), ...none, resource: { ...store(amount), perProc: 10 * G } },
    { site: siteOf(play, "far"), ...none, resource: { ...link(100), perProc: 100 * MBIT } },
  ];
  const asked = { consumer: USER, durationMs: HOUR, when: { kind: "whenever" } } as const;
  const offered = (play: Scene, more: Partial<Offer> = {}) =>
    play.ask({
      ...{ kind: "offerTogether", together: "t" },
      parts: [
        request("t-cpu", { procs: 2, ...more }),
        request("t-disk", of(store(100), more)),
        request("t-link", of(link(100), { site: "far", ...more })),
      ],
    } as const);
  const states = (play: Scene) => ["t-cpu", "t-disk", "t-link"].map((id) => record(play, id)?.state);

  it("EN-41 have a common start where each part is possible, at the sum of the prices", () => {
    const play = sites();
    reserved(play, "r1", of(store(150), { startMs: START, durationMs: 3 * HOUR }));
    const list = livePricesCoReservation(play.projection, parts(play, 60), asked, play.now);
    expect(list.map(({ startMs, baseProcMs }) => [startMs - START, baseProcMs])).toEqual([
      [3 * HOUR, (2 + 6 + 1) * HOUR],
    ]);
    expect(livePricesCoReservation(play.projection, parts(play, 300), asked, play.now)).toEqual([]);
  });

  it("EN-41 are offered, accepted and cancelled all or none", () => {
    const play = sites();
    reserved(play, "r1", of(store(150)));
    expect(offered(play)).toBe("slotTaken");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
    expect(offered(play, { startMs: START + 2 * HOUR })).toBe("ok");
    expect(play.ask(accept("t-link"))).toBe("ok");
    expect(states(play)).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
    expect(play.ask(cancel("t-disk"))).toBe("ok");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
  });

  it("EN-41 the same store twice is refused", () => {
    const requested = [request("a", of(store(1))), request("b", of(store(2)))];
    expect(sites().ask({ kind: "offerTogether", together: "t", parts: requested })).toBe("partsUnfit");
  });

  it("EN-41 a store that is removed ends the other parts too", () => {
    const play = sites();
    offered(play);
    play.ask(accept("t-cpu"));
    change(play, "here", { stores: {} });
    expect(states(play)).toEqual([undefined, undefined, undefined]);
    expect(balance(play, USER)).toBe(0);
  });

  it("EN-41 a restart at any step and a replay keep them", () => {
    const play = sites();
    const steps: (() => unknown)[] = [
      () => offered(play),
      () => play.ask(accept("t-cpu")),
      () => at(play, START + HOUR),
      () => at(play, START + 2 * HOUR),
    ];
    for (const step of steps) {
      step();
      const stored = {
        ...NOTHING_STORED,
        sites: [...play.projection.sites.values()].map(({ name, spec, order, isDraining }) => ({
          ...{ name, spec, order, isDraining },
        })),
        reservations: [...play.projection.reserved.records.values()],
        offered: play.projection.reserved.offered,
      };
      for (const again of [restore(JSON.parse(JSON.stringify(stored)), play.now), replayed(play)]) {
        expect([...again.reserved.records]).toEqual([...play.projection.reserved.records]);
        const wanted = { consumer: USER, ...none, resource: { ...store(150), perProc: G }, durationMs: HOUR };
        const when = { kind: "whenever" } as const;
        const startsOf = (it: typeof again) =>
          livePrices(it, it.sites.get("here") as SiteState, { ...wanted, when }, play.now).map(
            ({ startMs }) => startMs,
          );
        expect(startsOf(again)).toEqual(startsOf(play.projection));
        const turns = decide(again, play.now).events.filter((event) => "reservation" in event);
        expect(turns).toEqual([]);
      }
    }
    expect(states(play)).toEqual([undefined, undefined, undefined]);
  });
});
