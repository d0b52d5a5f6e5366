import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene } from "../../../../test/engine-scene.ts";
import {
  accept,
  at,
  balance,
  cancel,
  GROUP,
  kinds,
  type Offer,
  RULES,
  record,
  request,
  reserved,
  START,
  site,
  USER,
} from "../../../../test/reservation-scene.ts";
import { incomeOf } from "../../../market/index.ts";
import { RESERVATION_DEFAULTS } from "../../../model/index.ts";
import { apply, createProjection, explain, livePrices, restore } from "../../index.ts";

function prices(play: Scene, more: Partial<Offer> = {}) {
  const { consumer, procs, memoryBytes, durationMs } = request("?", more);
  const here = play.projection.sites.get("here");
  if (here === undefined) throw new Error("no site");
  const asked = { consumer, procs, memoryBytes, durationMs, when: { kind: "whenever" } } as const;
  return livePrices(play.projection, here, asked, play.now);
}

/** a runs on all four for an hour; b waits for four, for another. */
function busy(play: Scene): void {
  play.submit("a", 4, { wallTimeMs: HOUR - 15_000 });
  play.submit("b", 4, { wallTimeMs: HOUR - 15_000 });
  play.settle();
  play.running("a");
}

describe("a quote", () => {
  it("EN-33 gives the price of every start, the jobs it delays, and how many are the caller's own", () => {
    const play = site();
    busy(play);
    expect(prices(play, { durationMs: HOUR })).toMatchObject([
      { startMs: START + HOUR, fixedProcMs: 4 * HOUR, baseProcMs: 4 * HOUR, delaysJobs: 1, hindrance: null },
      { startMs: START + 2 * HOUR, fixedProcMs: 0, delaysJobs: 0 },
    ]);
    expect(prices(play)[0].delays).toEqual({ jobs: 1, totalMs: HOUR, worstMs: HOUR, ownJobs: 1 });
    expect(prices(play, { consumer: "vo/others/x" })[0].delays).toMatchObject({ jobs: 1, ownJobs: 0 });
  });

  it("EN-33 a thousand quotes change nothing", () => {
    const play = site();
    busy(play);
    const before = JSON.stringify([play.log, [...play.projection.jobs]]);
    const queue = play.projection.sites.get("here")?.queue;
    const version = queue?.version;
    for (let time = 0; time < 1000; time++) prices(play, { procs: 1 + (time % 4) });
    expect(JSON.stringify([play.log, [...play.projection.jobs]])).toBe(before);
    expect([queue?.version, queue?.machine.reservations.size]).toEqual([version, 0]);
    expect(play.settle()).toEqual([]);
  });

  it("EN-33 names the rule that forbids it", () => {
    const play = site(RESERVATION_DEFAULTS);
    expect(prices(play, { procs: 3 })[0].hindrance).toMatchObject({ kind: "tooMuchReserved", mostProcs: 2 });
    expect(prices(play, { procs: 5 })).toEqual([]);
  });
});

describe("an offer", () => {
  it("EN-34 keeps the slot free and displaces waiting jobs as quoted", () => {
    const play = site();
    busy(play);
    expect(play.ask(request("r1"))).toBe("ok");
    expect(record(play)).toMatchObject({ state: "OFFERED", fixedProcMs: 4 * HOUR, delaysJobs: 1 });
    play.now = START + 30_000;
    play.ended("a");
    expect(play.settle()).toEqual([]);
    expect(at(play, START + 60_000)).toEqual(["b"]);
    expect(kinds(play)).toContain("offerLapsed");
  });

  it("EN-34 may be made at the instant at which a job ends", () => {
    const play = site();
    busy(play);
    play.now = START + 60_000;
    expect(play.ask(request("r1", { startMs: START + 2 * HOUR }))).toBe("ok");
    play.ended("a");
    expect(play.settle()).toEqual(["b"]);
  });

  it("EN-34 lapses when its time is over, and what waits starts", () => {
    const play = site();
    play.submit("c", 4);
    expect(play.ask(request("r1", { startMs: START }))).toBe("ok");
    expect(play.settle()).toEqual([]);
    expect(at(play, START + 59_999)).toEqual([]);
    expect(at(play, START + 60_000)).toEqual(["c"]);
    expect(play.ask(accept("r1"))).toBe("unknownReservation");
  });

  it("EN-34 a start less than a minute ago means now; an earlier one is in the past", () => {
    const play = site();
    expect(play.ask(request("r1", { startMs: START - 5000 }))).toBe("ok");
    expect(record(play)?.startMs).toBe(START);
    expect(play.ask(request("r2", { startMs: START - 60_000 }))).toBe("mayNotReserveSlot");
  });

  it.each([
    { what: "no processors", more: { procs: 0 }, kind: "slotInvalid" },
    { what: "half a processor", more: { procs: 1.5 }, kind: "slotInvalid" },
    { what: "no time", more: { durationMs: 0 }, kind: "slotInvalid" },
    { what: "a negative time", more: { durationMs: -1 }, kind: "slotInvalid" },
    { what: "negative memory", more: { memoryBytes: -1 }, kind: "slotInvalid" },
    { what: "more than the site", more: { procs: 5 }, kind: "slotTooWide" },
    { what: "another site", more: { site: "there" }, kind: "unknownSite" },
    { what: "too far ahead", more: { startMs: START + 1000 * HOUR }, kind: "mayNotReserveSlot" },
  ])("EN-34 of $what is refused, and nothing changes", ({ more, kind }) => {
    const play = site();
    const before = play.log.length;
    expect(play.ask(request("r1", more))).toBe(kind);
    expect(play.log.length).toBe(before);
  });

  it("EN-34 of two for the same capacity exactly one is accepted", () => {
    const play = site();
    expect(play.ask(request("r1"))).toBe("ok");
    expect(play.ask(request("r2", { startMs: START + HOUR + 1 }))).toBe("slotTaken");
    expect(play.ask(request("r1"))).toBe("idInUse");
    expect(play.ask(cancel("r1"))).toBe("ok");
    play.settle();
    expect(play.ask(request("r2", { startMs: START + HOUR + 1 }))).toBe("ok");
  });

  it("EN-34 at a drained or unreachable site is refused", () => {
    const play = site();
    play.foreign("far", 4);
    expect(play.ask(request("r1", { site: "far" }))).toBe("siteReservesNothing");
    play.ask({ kind: "drainSite", site: "here", by: "root" });
    expect(play.ask(request("r1"))).toBe("siteReservesNothing");
  });
});

describe("a reservation", () => {
  it("EN-34 EN-39 is charged by its components at every level", () => {
    const play = site();
    busy(play);
    reserved(play);
    expect([balance(play, "vo"), balance(play, GROUP), balance(play, USER)]).toEqual([
      -8 * HOUR,
      -8 * HOUR,
      -8 * HOUR,
    ]);
    const ledger = play.projection.sites.get("here")?.ledger;
    expect(ledger && incomeOf(ledger)).toEqual({ base: 4 * HOUR, delays: 4 * HOUR, penalties: 0 });
  });

  it("EN-34 EN-39 is refused where the account is short, once anything was granted", () => {
    const play = site();
    const grant = (id: string, procMs: number): string =>
      play.ask({ kind: "grant", grant: id, site: "here", consumer: GROUP, procMs, by: "root" });
    expect(grant("g1", 4 * HOUR - 1)).toBe("ok");
    expect(play.ask(request("r1"))).toBe("ok");
    expect(play.ask(accept("r1"))).toBe("accountShort");
    expect(grant("g2", 1)).toBe("ok");
    expect(play.ask(accept("r1"))).toBe("ok");
    expect(balance(play, GROUP)).toBe(0);
    expect(play.submit("more", 1)).toBe("accountShort");
    expect(grant("g3", 0)).toBe("slotInvalid");
  });

  it("EN-36 cancelled before its start costs its penalty, once", () => {
    const play = site();
    busy(play);
    reserved(play);
    expect(play.ask(cancel("r1"))).toBe("ok");
    expect(play.ask(cancel("r1"))).toBe("unknownReservation");
    // p of f: a tenth of four hours.
    expect(balance(play, USER)).toBe(-0.4 * HOUR);
    play.settle();
    play.now = START + HOUR - 15_000;
    play.ended("a");
    expect(play.settle()).toEqual(["b"]);
  });

  it("EN-36 while active it can only be released: the rest is refunded less its penalty", () => {
    const play = site();
    reserved(play);
    play.submit("c", 4);
    expect(at(play, START + HOUR)).toEqual([]);
    expect(record(play)?.state).toBe("ACTIVE");
    expect(play.ask(cancel("r1"))).toBe("wrongReservationState");
    play.now = START + 1.5 * HOUR;
    expect(play.ask({ kind: "relinquish", reservation: "r1", by: "u1" })).toBe("ok");
    expect(balance(play, USER)).toBe(-4 * HOUR + 0.9 * 2 * HOUR);
    const ledger = play.projection.sites.get("here")?.ledger;
    expect(ledger && incomeOf(ledger)).toMatchObject({ base: 2 * HOUR, penalties: 0.1 * 2 * HOUR });
    expect(play.settle()).toEqual(["c"]);
  });

  it("EN-36 EN-37 when it is released, its running and suspended jobs end", () => {
    const play = site();
    reserved(play, "r1", { procs: 3 });
    for (const id of ["runs", "rests", "waits"])
      play.submit(id, id === "waits" ? 3 : 1, { reservation: "r1" });
    expect(at(play, START + HOUR)).toEqual(["runs", "rests"]);
    play.running("runs");
    play.running("rests");
    play.act("suspend", "rests");
    play.settle();
    expect(play.ask({ kind: "relinquish", reservation: "r1", by: "u1" })).toBe("ok");
    expect(play.settle()).toEqual(["waits"]);
    const asked = ["runs", "rests", "waits"].map((id) => play.records.get(id)?.isCancelRequested);
    expect(asked).toEqual([true, true, false]);
  });

  it("EN-37 EN-39 a job that leaves it at its end is charged at the normal rate", () => {
    const play = site();
    reserved(play);
    play.submit("a", 4, { reservation: "r1", wallTimeMs: HOUR });
    play.settle();
    expect(play.ask(cancel("r1"))).toBe("ok");
    expect(play.settle()).toEqual(["a"]);
    expect(play.records.get("a")?.description.reservation).toBeUndefined();
    play.running("a");
    play.now += HOUR / 2;
    play.ended("a");
    expect(balance(play, USER)).toBe(-2 * HOUR);
  });

  it("EN-36 is extended by a free slot, never into another reservation, never above the agreed price", () => {
    const play = site();
    reserved(play);
    reserved(play, "r2", { startMs: START + 3 * HOUR, consumer: "vo/other" });
    const extend = (moreMs: number, mostFixedProcMs = 0): string =>
      play.ask({ kind: "extendReservation", reservation: "r1", moreMs, mostFixedProcMs, by: "u1" });
    expect(extend(HOUR + 1)).toBe("slotTaken");
    expect(extend(0)).toBe("slotInvalid");
    expect(extend(HOUR / 2)).toBe("ok");
    expect(record(play)).toMatchObject({ durationMs: 1.5 * HOUR, baseProcMs: 6 * HOUR });
    play.submit("d", 4, { wallTimeMs: HOUR / 2 - 15_000 });
    at(play, START + 2 * HOUR);
    expect(record(play)?.state).toBe("ACTIVE");
    // The queued job has its place after it, and would be delayed.
    expect(extend(HOUR / 2)).toBe("extensionDearer");
    expect(extend(HOUR / 2, 100 * HOUR)).toBe("ok");
  });

  it("EN-37 begins and ends on time, with its processors free", () => {
    const play = site();
    reserved(play);
    expect(play.submit("long", 1)).toBe("ok");
    expect(play.settle()).toEqual([]);
    expect(at(play, START + HOUR)).toEqual([]);
    expect(at(play, START + 2 * HOUR)).toEqual(["long"]);
    expect(kinds(play).filter((kind) => kind.startsWith("reservation"))).toEqual([
      "reservationBegan",
      "reservationSettled",
      "reservationFulfilled",
    ]);
  });

  it("EN-40 its jobs start with it, in their order, as many as fit, and nobody else's", () => {
    const play = site();
    reserved(play, "r1", { procs: 2 });
    const inside = { reservation: "r1", wallTimeMs: HOUR / 2 };
    expect(play.submit("i1", 2, inside)).toBe("ok");
    expect(play.submit("i2", 1, inside)).toBe("ok");
    expect(play.submit("outside", 2, { wallTimeMs: 2 * HOUR })).toBe("ok");
    expect(play.settle()).toEqual(["outside"]);
    const job = play.records.get("i1");
    expect(job && explain(play.projection, job, play.now)).toMatchObject({
      causes: [{ kind: "reservationTurn", startMs: START + HOUR, awaited: [] }],
      predictedStartAtMs: START + HOUR,
    });
    expect(at(play, START + HOUR)).toEqual(["i1"]);
    play.running("i1");
    play.now += 60_000;
    play.ended("i1");
    expect(play.settle()).toEqual(["i2"]);
    expect(balance(play, USER)).toBe(-2 * HOUR);
  });

  it.each([
    { what: "is not there", more: { reservation: "r9" } },
    { what: "is narrower", more: { reservation: "r1", procs: 3 } },
    { what: "has no memory", more: { reservation: "r1", memoryBytes: 1 } },
    { what: "is at another site", more: { reservation: "r1", site: "there" } },
    { what: "is somebody else's", more: { reservation: "r2" } },
  ])("EN-40 refuses a job if the reservation $what", ({ more }) => {
    const play = site();
    reserved(play, "r1", { procs: 2 });
    reserved(play, "r2", { procs: 2, consumer: "vo/other" });
    expect(play.submit("job", 1, more)).toBe("notInReservation");
  });

  it("EN-37 at its end its running jobs are cancelled and its waiting jobs join the site's queue", () => {
    const play = site();
    reserved(play);
    play.submit("runs", 4, { reservation: "r1", wallTimeMs: 5 * HOUR });
    play.submit("waits", 4, { reservation: "r1" });
    expect(at(play, START + HOUR)).toEqual(["runs"]);
    play.running("runs");
    expect(at(play, START + 2 * HOUR)).toEqual(["waits"]);
    expect(play.records.get("runs")?.isCancelRequested).toBe(true);
    play.ended("runs", { cause: "cancelled", exitCode: null, signal: "SIGTERM" });
    expect(play.records.get("runs")).toMatchObject({ state: "CANCELLED", cancelCause: "reservationEnded" });
  });

  it("EN-37 EN-4 replay gives the same state, and a restart continues with it", () => {
    const play = site();
    busy(play);
    reserved(play, "r1", { startMs: START + HOUR });
    play.submit("in", 2, { reservation: "r1" });
    play.settle();
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect([...again.reserved.records]).toEqual([...play.projection.reserved.records]);
    expect([...(again.sites.get("here")?.ledger.balances ?? [])]).toEqual([
      ...(play.projection.sites.get("here")?.ledger.balances ?? []),
    ]);
    const stored = {
      ...NOTHING_STORED,
      sites: [...play.projection.sites.values()].map(({ name, spec, order, isDraining }) => ({
        name,
        spec,
        order,
        isDraining,
      })),
      jobs: [...play.projection.jobs.values()],
      reservations: [...play.projection.reserved.records.values()],
      offered: 1,
    };
    const restored = restore(JSON.parse(JSON.stringify(stored)), play.now);
    const other: Scene = { ...play, projection: restored };
    expect(other.projection.reserved.rooms.get("r1")?.handleOf.has("in")).toBe(true);
    expect(restored.sites.get("here")?.queue.machine.reservations.size).toBe(1);
    expect(restored.reserved.broken.size).toBe(0);
  });

  it("EN-37 is violated and refunded when the site becomes too small for it", () => {
    const play = site();
    reserved(play);
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) return;
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, procs: 2 } });
    play.settle();
    expect(record(play)).toBeUndefined();
    expect(kinds(play)).toContain("reservationViolated");
    expect(balance(play, USER)).toBe(0);
  });

  it("EN-37 when it is violated, its running jobs end and its waiting jobs join the site's queue", () => {
    const play = site();
    reserved(play, "r1", { procs: 3 });
    play.submit("runs", 1, { reservation: "r1" });
    play.submit("waits", 3, { reservation: "r1", wallTimeMs: HOUR / 2 });
    expect(at(play, START + HOUR)).toEqual(["runs"]);
    play.running("runs");
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) return;
    // Of three processors this one leaves fewer than the reservation keeps free.
    expect(play.submit("beside", 1)).toBe("ok");
    play.settle();
    play.running("beside");
    expect(play.ask({ kind: "changeSite", site: "here", spec: { ...spec, procs: 3 } })).toBe("ok");
    play.settle();
    expect(kinds(play)).toContain("reservationViolated");
    expect(play.records.get("runs")?.isCancelRequested).toBe(true);
    expect(play.records.get("beside")?.isCancelRequested).toBe(false);
    expect(play.records.get("waits")?.description.reservation).toBeUndefined();
    play.ended("runs", { cause: "cancelled", exitCode: null, signal: "SIGTERM" });
    expect(play.state("runs")).toBe("CANCELLED");
  });

  it("EN-21 EN-37 is violated and refunded when its site is removed", () => {
    const play = site();
    reserved(play);
    expect(play.ask({ kind: "removeSite", site: "here", by: "root" })).toBe("ok");
    expect(record(play)).toBeUndefined();
    expect(kinds(play).slice(-3)).toEqual(["reservationViolated", "posted", "siteRemoved"]);
    expect(play.settle()).toEqual([]);
  });

  it("EN-34 a consumer that wastes too many free reservations gets no more in that week", () => {
    const play = site({ ...RULES, freeWasted: 1 });
    for (const id of ["r1", "r2"]) {
      reserved(play, id);
      play.ask(cancel(id));
      play.settle();
    }
    expect(play.ask(request("r3"))).toBe("mayNotReserveSlot");
    play.now += 7 * 24 * HOUR + 1;
    expect(play.ask(request("r3", { startMs: play.now + HOUR }))).toBe("ok");
  });
});
