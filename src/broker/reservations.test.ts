import { describe, expect, it } from "vitest";
import {
  beginWorld,
  clock,
  dying,
  gated,
  logbook,
  pass,
  queue,
  start,
  warnings,
  withFar,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { LOST_AFTER, SURVEY_EVERY, scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { Fault } from "../base/index.ts";
import { JOB_DEFAULTS, RESERVATION_DEFAULTS } from "../model/index.ts";
import { type ForeignSite, projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const HOUR = 3_600_000;

const offer = (broker: Broker, reservation: string, startMs = clock.nowMs() + HOUR) =>
  broker.brokerApi.ask({
    kind: "offerSlot",
    reservation,
    site: "far",
    consumer: "vo/user",
    owner: "u1",
    procs: 2,
    memoryBytes: 0,
    startMs,
    durationMs: HOUR,
  });

const accept = (broker: Broker, reservation: string) =>
  broker.brokerApi.ask({ kind: "acceptOffer", reservation, by: "u1" });

const cancel = (broker: Broker, reservation: string) =>
  broker.brokerApi.ask({ kind: "cancelReservation", reservation, by: "u1" });

const submitIn = (broker: Broker, job: string, reservation: string) =>
  broker.brokerApi.ask({
    kind: "submit",
    job,
    description: { ...JOB_DEFAULTS, executable: "true", reservation },
    consumer: "vo/user",
    owner: "u1",
  });

describe("EN-38 an extension that a foreign site refuses", () => {
  it("leaves the reservation and what runs in it, whenever the broker dies", {
    timeout: 400_000,
  }, async () => {
    let crashes = 0;
    for (let atStep = 4; ; atStep++) {
      beginWorld();
      // Just after the site was added.
      const startMs = clock.nowMs() + 10;
      const endMs = startMs + HOUR;
      const opener = (step: () => Promise<void> | void) => async (): Promise<OpenSite> => ({
        kind: "foreign",
        site: refusingAfter(endMs, step),
      });
      const first = await withFar({ openSite: opener(() => undefined) });
      await offer(first, "r1", startMs);
      await accept(first, "r1");
      await submitIn(first, "inside", "r1");
      await pass(3 * SURVEY_EVERY);
      queue.startAll(clock.nowMs());
      await pass();
      await first.stop();
      const { over, at, step, isDead, live } = dying(atStep);
      const doomed = await start({ over, at, openSite: opener(step) });
      await pass(SURVEY_EVERY);
      const more = { moreMs: HOUR, mostFixedProcMs: 0, by: "u1" };
      void doomed.brokerApi
        .ask({ kind: "extendReservation", reservation: "r1", ...more })
        .catch(() => undefined);
      await pass(2 * SURVEY_EVERY);
      const isOver = !isDead();
      if (isOver) live();
      const second = isOver ? doomed : await start({ openSite: opener(() => undefined) });
      await pass(4 * SURVEY_EVERY);
      const record = await second.brokerApi.reservation("r1");
      expect({ atStep, record }).toMatchObject({ atStep, record: { state: "ACTIVE", durationMs: HOUR } });
      expect(queue.reservations.get("r1")?.endMs).toBe(endMs);
      expect([...queue.jobs.values()].map(({ state }) => state)).toEqual(["running"]);
      const { levels } = await second.brokerApi.account("vo/user");
      expect(levels.map(({ balanceProcMs }) => balanceProcMs)).toEqual([-2 * HOUR, -2 * HOUR]);
      await second.stop();
      if (isOver) break;
      crashes++;
    }
    expect(crashes).toBeGreaterThan(4);
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  function refusingAfter(endMs: number, step: () => Promise<void> | void): ForeignSite {
    const site = scriptedForeignSite(queue, clock, { before: step, after: step });
    return {
      ...site,
      reserve: async (order) => {
        await step();
        if (order.endMs <= endMs) return site.reserve(order);
        const why = "another reservation follows";
        throw new Fault({ kind: "refused", code: "reservationConflict", what: "no", why, remedy: "ask" });
      },
    };
  }
});

describe("BR-22 reservations at a foreign site", () => {
  it("nothing is touched there before acceptance; then it is made, and given up when cancelled", async () => {
    const broker = await withFar();
    expect(await offer(broker, "r1")).toMatchObject({ ok: true });
    await pass();
    expect(queue.asked).toEqual([]);
    await accept(broker, "r1");
    await pass();
    expect(queue.asked).toEqual(["reserve r1"]);
    expect((await broker.brokerApi.reservation("r1"))?.siteReservation).not.toBe(null);
    await cancel(broker, "r1");
    await pass();
    expect(queue.asked).toEqual(["reserve r1", "unreserve r1"]);
    expect(await broker.brokerApi.reservation("r1")).toMatchObject({ state: "CANCELLED" });
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  it("an offer that nobody takes lapses without a word to the site", async () => {
    const broker = await withFar();
    await offer(broker, "r1");
    await pass(61_000);
    expect(queue.asked).toEqual([]);
    expect(await broker.brokerApi.reservation("r1")).toMatchObject({ state: "LAPSED" });
    const { expiresAtMs: expiredAtMs } = (await broker.brokerApi.reservation("r1")) ?? {};
    expect(await accept(broker, "r1")).toMatchObject({ refusal: { kind: "offerLapsed", expiredAtMs } });
    expect(await cancel(broker, "r1")).toMatchObject({ refusal: { state: "LAPSED", verb: "cancel" } });
  });

  it("jobs go into it when it has been made, and begin with it", async () => {
    const broker = await withFar();
    let isBroken = true;
    queue.before = (call) => {
      if (isBroken && call.startsWith("reserve")) throw new Error("connection lost");
    };
    await offer(broker, "r1");
    await accept(broker, "r1");
    await submitIn(broker, "a", "r1");
    await pass(3 * SURVEY_EVERY);
    expect(queue.asked).toEqual([]);
    expect(warnings.join()).toContain("connection lost");
    isBroken = false;
    await pass(LOST_AFTER);
    expect(queue.asked).toEqual(["reserve r1", "submit a/1 in r1", "release a/1 2"]);
  });

  it("one that the site refuses is violated, with its words, and paid back", async () => {
    const broker = await withFar();
    queue.before = (call) => {
      if (!call.startsWith("reserve")) return;
      const what = "cannot reserve";
      const fault = {
        kind: "notAllowed",
        code: "siteMayNotReserve",
        what,
        why: "no right",
        remedy: "ask",
      } as const;
      throw new Fault(fault);
    };
    await offer(broker, "r1");
    await accept(broker, "r1");
    await pass();
    const record = await broker.brokerApi.reservation("r1");
    expect(record).toMatchObject({ state: "VIOLATED", refundProcMs: 2 * HOUR });
    expect(record?.history.at(-1)?.why).toContain("no right");
    const { levels } = await broker.brokerApi.account("vo/user");
    expect(levels.map(({ balanceProcMs }) => balanceProcMs)).toEqual([0, 0]);
  });

  it("after a restart it is asked for again, which changes nothing there", async () => {
    const first = await withFar();
    await offer(first, "r1");
    await accept(first, "r1");
    await pass();
    await first.stop();
    const second = await start();
    await pass(2 * SURVEY_EVERY);
    expect(queue.asked.filter((it) => it !== "close")).toEqual(["reserve r1", "reserve r1"]);
    expect(queue.reservations.size).toBe(1);
    expect(await second.brokerApi.reservation("r1")).toMatchObject({ state: "ACCEPTED" });
    await second.stop();
  });

  it("who waits in it when it is given up is called back, and waits without it", async () => {
    const broker = await withFar();
    await offer(broker, "r1");
    await accept(broker, "r1");
    await submitIn(broker, "a", "r1");
    await pass();
    await cancel(broker, "r1");
    await pass(5 * SURVEY_EVERY);
    expect(queue.asked.filter((it) => !it.startsWith("acknowledge"))).toEqual([
      "reserve r1",
      "submit a/1 in r1",
      "release a/1 2",
      "unreserve r1",
      "cancel a/1 2",
      expect.stringContaining("submit a/2"),
      expect.stringContaining("release a/2"),
    ]);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED", attempt: 2 });
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });
});

describe("grants of a broker", () => {
  const grant = (broker: Broker, id: string, consumer = "vo/user") =>
    broker.brokerApi.ask({ kind: "grant", grant: id, site: "far", consumer, procMs: HOUR, by: "root" });
  const balance = async (broker: Broker) => (await broker.brokerApi.account("vo/user")).levels.at(-1);

  it("each is made once, however many have been made since, and after a restart", async () => {
    const first = await withFar();
    expect(await grant(first, "g1")).toMatchObject({ ok: true });
    for (let other = 0; other < 120; other++) await grant(first, `other-${other}`, "vo");
    expect(await grant(first, "g1")).toMatchObject({ refusal: { kind: "idInUse", id: "g1" } });
    await first.stop();
    const second = await start();
    expect(await grant(second, "g1", "elsewhere")).toMatchObject({ refusal: { kind: "idInUse" } });
    expect(await second.brokerApi.posting("g1")).toMatchObject({ consumer: "vo/user", procMs: HOUR });
    expect(await second.brokerApi.posting("g2")).toBeUndefined();
    expect(await balance(second)).toMatchObject({ balanceProcMs: HOUR });
    await second.stop();
  });

  it("asked for twice at once, it is made once", async () => {
    const { over, gate, open } = gated();
    const broker = await withFar({ over });
    gate.isOpen = false;
    const asked = [grant(broker, "g1"), grant(broker, "g1")];
    await pass(10);
    open();
    expect((await Promise.all(asked)).map(({ ok }) => ok)).toEqual([true, false]);
    expect(await balance(broker)).toMatchObject({ balanceProcMs: HOUR });
    await broker.stop();
  });
});

describe("quotes and lists of a broker", () => {
  it("BR-18 describe the sites as they are, by page, with a site's trouble", async () => {
    const broker = await withFar();
    const question = {
      procs: 1,
      memoryBytes: 0,
      durationMs: HOUR,
      when: { kind: "whenever" },
      consumer: "vo/user",
    } as const;
    expect(await broker.brokerApi.quote(question)).toMatchObject([
      { site: "far", trouble: null, starts: [{ fixedProcMs: 0 }] },
    ]);
    expect(await broker.brokerApi.quote({ ...question, sites: [] })).toEqual([]);
    const nowMs = clock.nowMs();
    const just = { ...question, when: { kind: "at", startMs: nowMs - 5 } } as const;
    expect(await broker.brokerApi.quote(just), "EN-34").toMatchObject([{ starts: [{ startMs: nowMs }] }]);
    await broker.brokerApi.ask({ kind: "drainSite", site: "far", by: "root" });
    expect(await broker.brokerApi.quote(question)).toMatchObject([{ trouble: "it is drained", starts: [] }]);
    await broker.brokerApi.ask({ kind: "reopenSite", site: "far", by: "root" });
    await offer(broker, "r1");
    await offer(broker, "r2", clock.nowMs() + 3 * HOUR);
    const page = await broker.brokerApi.reservations({ limit: 1 });
    expect(page.items.map(({ id }) => id)).toEqual(["r2"]);
    const rest = await broker.brokerApi.reservations({ limit: 1, after: page.next ?? "" });
    expect(rest.items.map(({ id }) => id)).toEqual(["r1"]);
    expect((await broker.brokerApi.reservations({ consumer: "other" })).items).toEqual([]);
    await broker.stop();
  });
});

describe("EN-96 a reserved part of a foreign site's store or link", () => {
  const store = { kind: "store", name: "scratch", amount: 60 } as const;
  const withStore = async () => {
    const broker = await withFar();
    const spec = broker.brokerApi.sites().find(({ name }) => name === "far")?.spec;
    if (spec === undefined) throw new Error("no site");
    const stores = { scratch: { sizeBytes: 100 } };
    const rules = { ...RESERVATION_DEFAULTS, sharePpm: 1_000_000, consumerSharePpm: 1_000_000 };
    const reservations = { ...rules, offerSharePpm: 1_000_000 };
    await broker.brokerApi.ask({ kind: "changeSite", site: "far", spec: { ...spec, stores, reservations } });
    await pass();
    return broker;
  };
  const offerStore = (broker: Broker, reservation: string) =>
    broker.brokerApi.ask({
      ...{ kind: "offerSlot", reservation, site: "far", consumer: "vo/user", owner: "u1" },
      ...{ procs: 0, memoryBytes: 0, resource: store, startMs: clock.nowMs() + HOUR, durationMs: HOUR },
    });

  it("EN-96 is kept in the broker's own book: accepted, cancelled, and over a restart", async () => {
    const broker = await withStore();
    for (const id of ["s1", "s2"]) {
      expect(await offerStore(broker, id)).toMatchObject({ ok: true });
      expect(await accept(broker, id)).toMatchObject({ ok: true });
      expect(await offerStore(broker, "s9")).toMatchObject({ refusal: { kind: "slotTaken" } });
      if (id === "s1") expect(await cancel(broker, id)).toMatchObject({ ok: true });
    }
    await broker.stop();
    const again = await start();
    await pass();
    expect(await offerStore(again, "s9")).toMatchObject({ refusal: { kind: "slotTaken" } });
    await pass(HOUR);
    expect(await again.brokerApi.reservation("s2")).toMatchObject({ state: "ACTIVE", siteReservation: null });
    await pass(HOUR);
    expect(await again.brokerApi.reservation("s2")).toMatchObject({ state: "FULFILLED" });
    expect(queue.asked.filter((what) => what !== "close")).toEqual([]);
    await again.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });
});
