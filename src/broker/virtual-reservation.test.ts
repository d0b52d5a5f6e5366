/** Virtual reservations through the API of a broker, at a foreign site that is a script. */
import { afterEach, describe, expect, it } from "vitest";
import { aCluster, aPartition } from "../../test/cluster-scene.ts";
import { foreignSpec } from "../../test/engine-scene.ts";
import {
  add,
  clock,
  logbook,
  openScripted,
  pass,
  queue,
  start,
  withFar,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { SURVEY_EVERY, scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { JOB_DEFAULTS, RESERVATION_DEFAULTS, type SiteSpec } from "../model/index.ts";
import type { LaunchOrder, VirtualReservationQuestion } from "../runtime/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();
let broker: Broker | undefined;
afterEach(() => broker?.stop());

const MINUTE = 60_000;
const BEGIN = 1_000_000;
const startMs = BEGIN + 20 * MINUTE;

const submit = (to: Broker, besides?: string) =>
  to.brokerApi.ask({
    kind: "submit",
    job: "v",
    consumer: "vo/user",
    owner: "u1",
    description: {
      ...{ ...JOB_DEFAULTS, executable: "hostname", site: "far", wallTimeMs: 25 * MINUTE },
      virtual: {
        ...{ startMs, durationMs: 10 * MINUTE, submitMs: BEGIN + 5 * MINUTE, probability: 0.9 },
        ...(besides === undefined ? {} : { besides }),
      },
    },
  });

/** Keeps the orders that the site is given. */
function keepingOrders(orders: LaunchOrder[]) {
  return async (name: string, spec: SiteSpec): Promise<OpenSite> => {
    const site = scriptedForeignSite(queue, clock);
    if (spec.type === "managed") return openScripted(name, spec);
    const submitted: typeof site.submit = (order) => {
      orders.push(order);
      return site.submit(order);
    };
    return { kind: "foreign", site: { ...site, submit: submitted } };
  };
}

describe("a virtual reservation at a foreign site", () => {
  it("EN-61 is submitted at its instant, with a command that waits", async () => {
    const orders: LaunchOrder[] = [];
    broker = await withFar({ openSite: keepingOrders(orders) });
    expect(await submit(broker)).toMatchObject({ ok: true });
    await pass(5 * MINUTE - 100);
    expect(queue.asked).toEqual([]);
    await pass(200);
    expect(queue.asked).toContain("submit v/1");
    expect(orders[0]).toMatchObject({
      limitMs: 25 * MINUTE,
      command: ["/bin/sh", "-c", expect.any(String), "stint", String(startMs / 1000), "hostname"],
    });
  });

  it("EN-61 is submitted after a restart if it was planned before", async () => {
    broker = await withFar();
    await submit(broker);
    await pass(10);
    await broker.stop();
    broker = await start();
    await pass(6 * MINUTE);
    expect(queue.asked.filter((call) => call.startsWith("submit"))).toEqual(["submit v/1"]);
  });

  it("EN-61 still waiting at its start, it is cancelled and its job says why", async () => {
    broker = await withFar();
    await submit(broker);
    await pass(20 * MINUTE + 3 * SURVEY_EVERY);
    expect(queue.asked.some((call) => call.startsWith("cancel v/1"))).toBe(true);
    await pass(3 * SURVEY_EVERY);
    expect(await broker.brokerApi.job("v")).toMatchObject({ state: "CANCELLED", cancelCause: "startMissed" });
  });

  it("EN-61 begun in time, it runs to its end", async () => {
    broker = await withFar();
    await submit(broker);
    await pass(19 * MINUTE);
    queue.startAll(clock.nowMs());
    await pass(5 * MINUTE);
    expect(await broker.brokerApi.job("v")).toMatchObject({ state: "RUNNING" });
    queue.endAll(clock.nowMs());
    await pass(3 * SURVEY_EVERY);
    expect(await broker.brokerApi.job("v")).toMatchObject({ state: "DONE", result: "ok" });
  });

  it("EN-63 not running in time, it is withdrawn and uses the reservation beside it", async () => {
    broker = await withFar();
    const { brokerApi } = broker;
    const slot = { procs: 1, memoryBytes: 0, startMs, durationMs: 10 * MINUTE };
    const whose = { site: "far", consumer: "vo/user", owner: "u1" };
    const offered = await brokerApi.ask({ kind: "offerSlot", reservation: "r", ...whose, ...slot });
    expect(offered).toMatchObject({ ok: true });
    await brokerApi.ask({ kind: "acceptOffer", reservation: "r", by: "u1" });
    expect(await submit(broker, "r")).toMatchObject({ ok: true });
    await pass(20 * MINUTE + 6 * SURVEY_EVERY);
    expect(queue.asked.filter((call) => /^(submit|cancel)/.test(call))).toEqual([
      "submit v/1",
      expect.stringMatching(/^cancel v\/1/),
      "submit v/2 in r",
    ]);
    queue.startAll(clock.nowMs());
    await pass(3 * SURVEY_EVERY);
    expect(await brokerApi.job("v")).toMatchObject({ state: "RUNNING", description: { reservation: "r" } });
  });
});

describe("quotes of virtual reservations", () => {
  const question: VirtualReservationQuestion = {
    ...{ procs: 2, memoryBytes: 0, owner: "u1", enough: null },
    ...{ startMs, durationMs: 10 * MINUTE },
  };

  it("BR-18 each site says why none is possible there; nothing is recorded", async () => {
    broker = await start();
    const forbids = { reservations: { ...RESERVATION_DEFAULTS, virtual: false } };
    await add(broker, "far");
    await add(broker, "small", foreignSpec(1));
    await add(broker, "strict", { ...foreignSpec(4), ...forbids });
    await pass(10);
    const { seq } = await logbook.head();
    const said = await broker.brokerApi.quoteVirtualReservation(question);
    expect(said).toMatchObject([
      { site: "far", plan: null, noRecord: { settled: 0, needed: 59 } },
      { site: "small", plan: null, unfit: { kind: "siteTooSmall", procs: 1 } },
      { site: "strict", plan: null, hindrance: { kind: "noVirtual" } },
    ]);
    const past = { ...question, startMs: BEGIN - MINUTE, sites: ["far"] };
    expect(await broker.brokerApi.quoteVirtualReservation(past)).toMatchObject([
      { hindrance: { kind: "startsInPast" } },
    ]);
    expect((await logbook.head()).seq).toBe(seq);
  });

  it("BR-18 the time limit of a cluster's partition bounds that of the job", async () => {
    const short = { ...aPartition("main", ["n1", "n2"]), maxTimeMs: 10 * MINUTE };
    const whole = aCluster({ partitions: [short] });
    broker = await start({
      openSite: async (name, spec) =>
        name === "cluster"
          ? {
              kind: "foreign",
              site: { ...scriptedForeignSite(queue, clock), name, snapshot: async () => whole },
            }
          : openScripted(name, spec),
    });
    await add(broker, "cluster");
    await pass(10);
    const asked = { ...question, startMs: clock.nowMs() + 60 * MINUTE };
    expect(await broker.brokerApi.quoteVirtualReservation(asked)).toMatchObject([
      { partition: "main", plan: null, hindrance: { kind: "limitTooLong", mostMs: 10 * MINUTE } },
    ]);
  });
});
