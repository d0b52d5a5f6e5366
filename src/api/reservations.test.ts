import { describe, expect, it } from "vitest";
import { aPrice, aReservation } from "../../test/api/fake-reservations.ts";
import { serve } from "../../test/api/serving.ts";
import type { Identity, Refusal } from "../model/index.ts";
import type { ProblemFault } from "./client/index.ts";
import { derivedId } from "./job-ids.ts";

const request = { site: "local", procs: 4, durationSec: 3600, startAt: "2026-11-20T08:00:00Z" };
const START = Date.UTC(2026, 10, 20, 8);
const path = "/api/v1/reservations";
const asUser = (owner: string) => ({
  identify: (): Identity => ({ owner, consumer: `local/${owner}`, role: "user" }),
});

describe("what a slot costs", () => {
  const slot = { procs: 4, durationSec: 3600 };

  it("an item a site, a start each: money in SU and exactly, the effect in words", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [aPrice()] }];
    const { status, json } = await send("POST", "/api/v1/quotes", { body: slot });
    expect(status).toBe(200);
    expect(json.chosen).toBeNull();
    expect(json.items).toEqual([
      {
        site: "local",
        trouble: null,
        starts: [
          {
            startAt: "2026-11-20T08:00:00.000Z",
            ...{ priceSu: 6, priceProcMs: 21_600_000, baseSu: 4, baseProcMs: 14_400_000 },
            ...{ fixedSu: 2, fixedProcMs: 7_200_000, unitPrice: 1, transactionSu: 0, transactionProcMs: 0 },
            rules: [{ rule: null, unitPrice: 1, durationSec: 3600 }],
            ...{ delaysJobs: 1, delaySu: 2, delayProcMs: 7_200_000 },
            delays: { jobs: 1, totalSec: 1800, worstSec: 1800, ownJobs: 0 },
            effect: "delays 1 queued job by 30 min",
            hindrance: null,
          },
        ],
      },
    ]);
  });

  it("says by which price rules it is priced, each with its time", async () => {
    const { client, brokerApi } = await serve();
    const rules = [
      { rule: "day", unitPriceThousandths: 1500, durationMs: 1_800_000 },
      { rule: null, unitPriceThousandths: 1000, durationMs: 1_800_000 },
    ];
    const start = aPrice({ rules, unitPriceThousandths: 1500, transactionProcMs: 36_000_000 });
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [start] }];
    const { items } = await client.quote(slot);
    expect(items[0]?.starts[0]).toMatchObject({
      ...{ unitPrice: 1.5, transactionSu: 10, transactionProcMs: 36_000_000 },
      rules: [
        { rule: "day", unitPrice: 1.5, durationSec: 1800 },
        { rule: null, unitPrice: 1, durationSec: 1800 },
      ],
    });
    for (const record of [aReservation("abcdefghijkl", { rules }), aReservation("mnopqrstuvwx")]) {
      brokerApi.reservationRecords.set(record.id, record);
    }
    const { items: reserved } = await client.reservations({});
    expect(reserved.map((it) => it.rules.map(({ rule }) => rule))).toEqual([[null], ["day", null]]);
  });

  it("asks for exactly then, from then on, or whenever; of whom and where it is said", async () => {
    const { client, brokerApi } = await serve();
    await client.quote({ ...slot, startAt: request.startAt, sites: ["local"], consumer: "cms/top" });
    await client.quote({ ...slot, fromAt: request.startAt, memoryBytes: 5 });
    await client.quote({ ...slot, durationSec: 0.5 });
    const asked = { procs: 4, memoryBytes: 0, durationMs: 3_600_000, consumer: "local/me" };
    expect(brokerApi.quoteQuestions).toEqual([
      { ...asked, when: { kind: "at", startMs: START }, sites: ["local"], consumer: "cms/top" },
      { ...asked, when: { kind: "from", fromMs: START }, memoryBytes: 5 },
      { ...asked, when: { kind: "whenever" }, durationMs: 500 },
    ]);
    expect(brokerApi.asked).toEqual([]);
  });

  it("alpha chooses among all sites what nothing hinders, by the whole price", async () => {
    const { client, brokerApi } = await serve();
    const hindrance = { kind: "tooLong", durationMs: 2, longestMs: 1 } as const;
    const far = [
      aPrice({ startMs: START - 1, hindrance, delays: null }),
      aPrice({ startMs: START + 9, fixedProcMs: 0, delaysJobs: 0, delays: null }),
    ];
    brokerApi.siteQuotes = [
      { site: "local", trouble: null, starts: [aPrice()] },
      { site: "far", trouble: null, starts: far },
      { site: "away", trouble: "it hangs", starts: [] },
    ];
    const chosenBy = async (alpha: number) => (await client.quote({ ...slot, alpha })).chosen;
    expect(await chosenBy(0)).toEqual({ site: "local", startAt: "2026-11-20T08:00:00.000Z" });
    expect(await chosenBy(1)).toEqual({ site: "far", startAt: "2026-11-20T08:00:00.009Z" });
    const { items } = await client.quote(slot);
    expect(items[1]?.starts.map(({ effect, hindrance: rule }) => [effect, rule?.text])).toEqual([
      [
        "delays 1 queued job, which is worth 2 SU",
        "it would last 0.002s, and the longest permitted reservation is 0.001s",
      ],
      ["delays nobody", undefined],
    ]);
    brokerApi.siteQuotes = [];
    expect(await chosenBy(0.5)).toBeNull();
  });

  it.each([
    [{ ...slot, procs: 0 }, "/procs"],
    [{ ...slot, procs: -4 }, "/procs"],
    [{ ...slot, procs: "4" }, "/procs"],
    [{ ...slot, durationSec: 0 }, "/durationSec"],
    [{ ...slot, durationSec: -1 }, "/durationSec"],
    [{ ...slot, memoryBytes: -1 }, "/memoryBytes"],
    [{ ...slot, alpha: 1.1 }, "/alpha"],
    [{ ...slot, alpha: -0.1 }, "/alpha"],
    [{ ...slot, startAt: "tomorrow" }, "/startAt"],
    [{ ...slot, startAt: "2026-13-20T08:00:00Z" }, "/startAt"],
    [{ ...slot, startAt: request.startAt, fromAt: request.startAt }, "/fromAt"],
    [{ ...slot, consumer: "a//b" }, "/consumer"],
    [{ ...slot, nodes: 1 }, "/nodes"],
  ])("%j is 400 at %s", async (body, pointer) => {
    const { send, brokerApi } = await serve();
    const { status, json } = await send("POST", "/api/v1/quotes", { body });
    expect({ status, pointer: json.pointer }).toEqual({ status: 400, pointer });
    expect(brokerApi.quoteQuestions).toEqual([]);
  });

  it("a site that is not there is 422; another's consumer path is 403", async () => {
    const { send, client } = await serve(asUser("ann"));
    const nowhere = await send("POST", "/api/v1/quotes", { body: { ...slot, sites: ["nowhere"] } });
    expect(nowhere).toMatchObject({ status: 422, json: { type: "urn:stint:unknownSite" } });
    await expect(client.quote({ ...slot, consumer: "local/bob" })).rejects.toMatchObject({
      code: "notAllowed",
    });
    await expect(client.offer({ ...request, site: "nowhere" })).rejects.toMatchObject({
      code: "unknownSite",
    });
    await expect(client.offer({ ...request, consumer: "local/bob" })).rejects.toMatchObject({
      code: "notAllowed",
    });
  });
});

describe("making an offer", () => {
  it("answers it with its price, its end and until when it stands", async () => {
    const { send, brokerApi } = await serve();
    const { status, json, headers } = await send("POST", path, { body: request });
    expect(status).toBe(201);
    expect(headers.location).toBe(`${path}/${json.id}`);
    expect(json).toMatchObject({
      ...{ state: "OFFERED", site: "local", consumer: "local/me", owner: "me", procs: 4, memoryBytes: null },
      ...{ startAt: "2026-11-20T08:00:00.000Z", endAt: "2026-11-20T09:00:00.000Z", durationSec: 3600 },
      ...{ priceSu: 6, baseSu: 4, fixedSu: 2, fixedProcMs: 7_200_000, penalty: 0.1, used: false },
      expiresAt: "2026-11-20T07:01:00.000Z",
      history: [{ state: "OFFERED", at: "2026-11-20T07:00:00.000Z", by: "me", why: null }],
    });
    expect(brokerApi.asked).toEqual([
      {
        kind: "offerSlot",
        ...{ reservation: json.id, site: "local", consumer: "local/me", owner: "me" },
        ...{ procs: 4, memoryBytes: 0, startMs: START, durationMs: 3_600_000 },
      },
    ]);
  });

  it("the same key is the same offer, whatever became of it; another slot is 409", async () => {
    const { send, brokerApi } = await serve();
    const headers = { "idempotency-key": "k1" };
    const [first, second] = await Promise.all([
      send("POST", path, { body: request, headers }),
      send("POST", path, { body: request, headers }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 201]);
    expect(first.json.id).toBe(derivedId("reservation", "me", "k1"));
    expect(second.json.id).toBe(first.json.id);
    const [record] = brokerApi.reservationRecords.values();
    // What began when it was heard, and was extended since.
    const since = { state: "ACTIVE", startMs: START + 40, durationMs: 7_200_000 } as const;
    if (record !== undefined) brokerApi.reservationRecords.set(record.id, { ...record, ...since });
    expect(await send("POST", path, { body: request, headers })).toMatchObject({
      status: 200,
      json: { state: "ACTIVE" },
    });
    for (const change of [{ procs: 5 }, { startAt: "2026-11-20T09:00:00Z" }, { durationSec: 9000 }]) {
      const other = await send("POST", path, { body: { ...request, ...change }, headers });
      expect(other).toMatchObject({ status: 409, json: { type: "urn:stint:idempotencyKeyReused" } });
    }
    expect(brokerApi.asked).toHaveLength(1);
  });

  it.each<[Refusal, number]>([
    [{ kind: "slotInvalid", field: "procs", value: 0 }, 422],
    [{ kind: "slotTooWide", site: "local", procs: 64, most: 4 }, 422],
    [{ kind: "priceUncounted", site: "local", procs: 1_000_000, durationMs: 3_600_000 }, 422],
    [
      {
        kind: "mayNotReserveSlot",
        site: "local",
        hindrance: { kind: "startsInPast", startMs: START, nowMs: START + 1 },
      },
      403,
    ],
    [{ kind: "siteReservesNothing", site: "local", why: "it is drained" }, 409],
    [
      { kind: "accountShort", site: "local", consumer: "local", balanceProcMs: 0, neededProcMs: 3_600_000 },
      402,
    ],
  ])("%j is %d", async (refusal, status) => {
    const { send, brokerApi, client } = await serve();
    brokerApi.refuse = () => refusal;
    const answer = await send("POST", path, { body: request });
    expect(answer).toMatchObject({ status, json: { type: `urn:stint:${refusal.kind}` } });
    const kind = status === 403 ? "notAllowed" : "refused";
    await expect(client.offer(request)).rejects.toMatchObject({ code: refusal.kind, kind });
  });

  it("a slot that is taken comes with what such a slot costs now, also to programs", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.refuse = () => ({ kind: "slotTaken", site: "local", earliestMs: START + 60_000 });
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [aPrice({ startMs: START + 60_000 })] }];
    const fault: ProblemFault = await client.offer(request).catch((error) => error);
    expect(fault).toMatchObject({ kind: "refused", code: "slotTaken" });
    expect(fault.problem.quotes).toMatchObject([
      { site: "local", starts: [{ startAt: "2026-11-20T08:01:00.000Z", priceSu: 6 }] },
    ]);
    expect(brokerApi.quoteQuestions).toEqual([
      {
        ...{ procs: 4, memoryBytes: 0, durationMs: 3_600_000, consumer: "local/me", sites: ["local"] },
        when: { kind: "whenever" },
      },
    ]);
  });
});

describe("what becomes of it", () => {
  it("accepted, cancelled, given up, extended: each answers it as it then is", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.reservationRecords.set("abcd", aReservation("abcd"));
    expect((await client.accept("ab")).state).toBe("ACCEPTED");
    expect((await client.extend("abcd", { moreSec: 60, mostFixedSu: 1.5 })).state).toBe("ACCEPTED");
    expect((await client.relinquish("abcd")).state).toBe("RELINQUISHED");
    expect((await client.cancelReservation("abcd")).state).toBe("CANCELLED");
    const by = { reservation: "abcd", by: "me" };
    expect(brokerApi.asked).toEqual([
      { kind: "acceptOffer", ...by },
      { kind: "extendReservation", ...by, moreMs: 60_000, mostFixedProcMs: 5_400_000 },
      { kind: "relinquish", ...by },
      { kind: "cancelReservation", ...by },
    ]);
  });

  it("accepting what was taken meanwhile, or is over, says so and carries fresh quotes", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [aPrice()] }];
    brokerApi.reservationRecords.set("abcd", aReservation("abcd"));
    brokerApi.refuse = () => ({ kind: "slotTaken", site: "local", earliestMs: null });
    expect(await send("POST", `${path}/abcd/accept`)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:slotTaken", quotes: [{ site: "local" }] },
    });
    brokerApi.refuse = () => ({ kind: "offerLapsed", reservation: "abcd", expiredAtMs: START });
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { state: "LAPSED" }));
    expect(await send("POST", `${path}/abcd/accept`)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:offerLapsed", quotes: [{ site: "local" }] },
    });
  });

  it("cancelling twice, or giving up what is over, is 409 with the state that it is in", async () => {
    const { send, brokerApi } = await serve();
    const over = { kind: "wrongReservationState", reservation: "abcd", state: "CANCELLED" } as const;
    const allowedIn = ["OFFERED", "ACCEPTED"] as const;
    brokerApi.refuse = () => ({ ...over, verb: "cancel", allowedIn });
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { state: "CANCELLED" }));
    const type = "urn:stint:wrongReservationState";
    expect(await send("DELETE", `${path}/abcd`)).toMatchObject({
      status: 409,
      json: { type, verb: "cancel", state: "CANCELLED", allowedIn },
    });
    brokerApi.refuse = () => ({ ...over, verb: "relinquish", allowedIn: ["ACTIVE"] });
    expect(await send("POST", `${path}/abcd/relinquish`)).toMatchObject({ status: 409, json: { type } });
  });

  it("one that is not there, or somebody else's, is 404, and tells nothing", async () => {
    const denials: unknown[] = [];
    const { send, brokerApi } = await serve({ ...asUser("ann"), onDenial: (denial) => denials.push(denial) });
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { owner: "bob", consumer: "local/bob" }));
    const other = await send("POST", `${path}/abcd/accept`);
    const none = await send("POST", `${path}/wxyz/accept`);
    expect(other).toMatchObject({ status: 404, json: { type: "urn:stint:unknownReservation" } });
    expect(other.text).toBe(none.text.replaceAll("wxyz", "abcd"));
    for (const [method, below] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/relinquish"],
      ["GET", "/extension?moreSec=60"],
    ]) {
      expect((await send(method ?? "", `${path}/abcd${below}`)).status).toBe(404);
    }
    expect(brokerApi.asked).toEqual([]);
    expect(denials).toHaveLength(5);
  });

  it("an id may be abbreviated while unique among the newest that the caller may see", async () => {
    const { send, client, brokerApi } = await serve(asUser("ann"));
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { owner: "ann", consumer: "local/ann" }));
    brokerApi.reservationRecords.set("abxx", aReservation("abxx", { owner: "bob", consumer: "local/bob" }));
    expect((await client.reservation("ab")).id).toBe("abcd");
    brokerApi.reservationRecords.set("abyy", aReservation("abyy", { owner: "ann", consumer: "local/ann" }));
    expect(await send("GET", `${path}/ab`)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:ambiguousId", candidates: ["abyy", "abcd"] },
    });
  });

  it("a list has the conditions, narrowed to what the caller may see", async () => {
    const { client, brokerApi } = await serve(asUser("ann"));
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { owner: "ann" }));
    const list = await client.reservations({ state: ["OFFERED", "ACTIVE"], site: "local", limit: 7 });
    expect(list).toMatchObject({ items: [{ id: "abcd" }], next: null });
    expect(await client.reservations({ owner: "bob" })).toEqual({ items: [], next: null });
    expect(brokerApi.reservationQueries).toEqual([
      { states: ["OFFERED", "ACTIVE"], site: "local", limit: 7, of: { owner: "ann", consumer: "local/ann" } },
      { owner: "bob", of: { owner: "ann", consumer: "local/ann" } },
    ]);
  });

  it("more time has a price; where it is taken or the reservation over, a reason", async () => {
    const { client, send, brokerApi } = await serve();
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { state: "ACTIVE" }));
    brokerApi.extensionPrice = aPrice();
    expect(await client.quoteExtension("abcd", 90.5)).toMatchObject({ priceSu: 6 });
    brokerApi.extensionPrice = undefined;
    expect(await send("GET", `${path}/abcd/extension?moreSec=60`)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:slotTaken" },
    });
    brokerApi.reservationRecords.set("abcd", aReservation("abcd", { state: "FULFILLED" }));
    expect(await send("GET", `${path}/abcd/extension?moreSec=60`)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:wrongReservationState", verb: "extend", state: "FULFILLED" },
    });
    for (const moreSec of ["0", "-5", "x"]) {
      expect((await send("GET", `${path}/abcd/extension?moreSec=${moreSec}`)).status).toBe(400);
    }
    const body = { moreSec: 0, mostFixedSu: -1 };
    expect((await send("POST", `${path}/abcd/extend`, { body })).json.errors).toHaveLength(2);
  });
});
