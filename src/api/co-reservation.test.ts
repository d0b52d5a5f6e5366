import { describe, expect, it } from "vitest";
import { aPrice } from "../../test/api/fake-reservations.ts";
import { serve } from "../../test/api/serving.ts";
import type { Identity, PriceCoReservation, ReservationHindrance } from "../model/index.ts";
import type { ProblemFault } from "./client/index.ts";

const START = Date.UTC(2026, 10, 20, 8);
const HOUR = 3_600_000;
const startAt = "2026-11-20T08:00:00Z";
const parts = [
  { site: "local", procs: 4 },
  { site: "far", procs: 2, memoryBytes: 1024 },
];
const request = { parts, durationSec: 3600 };
const QUOTES = "/api/v1/quotes/together";
const OFFERS = "/api/v1/reservations/together";
const asUser = (owner: string) => ({
  identify: (): Identity => ({ owner, consumer: `local/${owner}`, role: "user" }),
});

/** A broker with the sites local, far and away. */
async function threeSites(...options: Parameters<typeof serve>) {
  const serving = await serve(...options);
  const { siteViews } = serving.brokerApi;
  const [local] = siteViews.values();
  for (const name of ["far", "away"]) if (local !== undefined) siteViews.set(name, { ...local, name });
  return serving;
}

/** Costs 4 SU at local and 2 SU at far, and so many SU for delays at far. */
function aStart(startMs: number, fixedSu: number, hindrance: ReservationHindrance | null = null) {
  const fixedProcMs = fixedSu * HOUR;
  const delaysJobs = fixedSu > 0 ? 1 : 0;
  const sum = { fixedProcMs, delaysJobs, delayProcMs: fixedProcMs };
  const { startMs: _, delays: __, ...price } = aPrice();
  const free = { fixedProcMs: 0, delaysJobs: 0, delayProcMs: 0 };
  return {
    ...{ startMs, baseProcMs: 6 * HOUR, ...sum },
    parts: [
      { ...price, ...free, site: "local", procs: 4, baseProcMs: 4 * HOUR },
      { ...price, ...sum, site: "far", procs: 2, baseProcMs: 2 * HOUR, hindrance },
    ],
  } satisfies PriceCoReservation;
}

describe("what slots cost that are had together", () => {
  it("a start each, with the price of all and of each, in SU and exactly", async () => {
    const { send, brokerApi } = await threeSites();
    brokerApi.pricesCoReservation = [aStart(START, 1)];
    const { status, json } = await send("POST", QUOTES, { body: { ...request, startAt } });
    expect(status).toBe(200);
    expect(json.chosen).toBeNull();
    const sum = { fixedSu: 1, fixedProcMs: HOUR, delaysJobs: 1, delaySu: 1, delayProcMs: HOUR };
    const none = { fixedSu: 0, fixedProcMs: 0, delaysJobs: 0, delaySu: 0, delayProcMs: 0 };
    const rules = [{ rule: null, unitPrice: 1, durationSec: 3600 }];
    const same = { unitPrice: 1, transactionSu: 0, transactionProcMs: 0, rules, hindrance: null };
    expect(json.items).toEqual([
      {
        startAt: "2026-11-20T08:00:00.000Z",
        effect: "delays 1 queued job, which is worth 1 SU",
        ...{ priceSu: 7, priceProcMs: 7 * HOUR, baseSu: 6, baseProcMs: 6 * HOUR, ...sum },
        parts: [
          {
            ...{ site: "local", procs: 4, resource: null, ...same, ...none },
            ...{ priceSu: 4, priceProcMs: 4 * HOUR, baseSu: 4, baseProcMs: 4 * HOUR },
          },
          {
            ...{ site: "far", procs: 2, resource: null, ...same, ...sum },
            ...{ priceSu: 3, priceProcMs: 3 * HOUR, baseSu: 2, baseProcMs: 2 * HOUR },
          },
        ],
      },
    ]);
    const sizes = [{ ...parts[0], memoryBytes: 0 }, parts[1]];
    const when = { kind: "at", startMs: START };
    expect(brokerApi.coReservationQuestions).toEqual([
      { parts: sizes, durationMs: HOUR, consumer: "local/me", when },
    ]);
    expect(brokerApi.asked).toEqual([]);
  });

  it("alpha chooses by the whole price among those that nothing hinders, within mostSu", async () => {
    const { client, brokerApi } = await threeSites();
    const hindrance = { kind: "tooLong", durationMs: 2, longestMs: 1 } as const;
    brokerApi.pricesCoReservation = [aStart(START - 1, 0, hindrance), aStart(START, 5), aStart(START + 9, 0)];
    const chosenBy = async (alpha: number, mostSu = 100) =>
      (await client.quoteCoReservation({ ...request, alpha, mostSu })).chosen?.startAt;
    expect(await chosenBy(0)).toBe("2026-11-20T08:00:00.000Z");
    expect(await chosenBy(1)).toBe("2026-11-20T08:00:00.009Z");
    expect(await chosenBy(0, 10)).toBe("2026-11-20T08:00:00.009Z");
    expect(await chosenBy(0, 5)).toBeUndefined();
    const { items } = await client.quoteCoReservation({ ...request, fromAt: startAt, consumer: "cms/top" });
    expect(items[0]?.parts[1]?.hindrance?.text).toContain("the longest permitted");
    expect(brokerApi.coReservationQuestions.at(-1)).toMatchObject({
      consumer: "cms/top",
      when: { kind: "from", fromMs: START },
    });
  });

  it.each([
    [{ ...request, parts: parts.slice(0, 1) }, 400, "/parts"],
    [{ ...request, parts: Array.from({ length: 17 }, () => parts[0]) }, 400, "/parts"],
    [{ ...request, parts: [parts[0], { site: "far", procs: 0 }] }, 400, "/parts/1/procs"],
    [{ ...request, procs: 4 }, 400, "/procs"],
    [{ ...request, durationSec: 0 }, 400, "/durationSec"],
    [{ ...request, parts: [parts[0], { site: "nowhere", procs: 1 }] }, 422, undefined],
    [{ ...request, parts: [parts[0], parts[0]] }, 422, undefined],
  ])("%j is %d at %s, as a quote and as an offer", async (body, status, pointer) => {
    const { send, brokerApi } = await threeSites();
    const quoted = await send("POST", QUOTES, { body });
    expect({ status: quoted.status, pointer: quoted.json.pointer }).toEqual({ status, pointer });
    const offered = await send("POST", OFFERS, { body: { ...body, startAt } });
    expect({ status: offered.status, pointer: offered.json.pointer }).toEqual({ status, pointer });
    expect([...brokerApi.coReservationQuestions, ...brokerApi.asked]).toEqual([]);
  });
});

describe("keeping them aside", () => {
  it("answers an offer each, in order, of one command", async () => {
    const { send, brokerApi } = await threeSites();
    const { status, json } = await send("POST", OFFERS, { body: { ...request, startAt } });
    expect(status).toBe(201);
    const { together } = json;
    expect(json.items).toMatchObject([
      { site: "local", procs: 4, memoryBytes: null, state: "OFFERED", together },
      { site: "far", procs: 2, memoryBytes: 1024, state: "OFFERED", together },
    ]);
    const same = { consumer: "local/me", owner: "me", startMs: START, durationMs: HOUR };
    expect(brokerApi.asked).toMatchObject([
      {
        kind: "offerTogether",
        together,
        parts: [
          { ...parts[0], ...same },
          { ...parts[1], ...same },
        ],
      },
    ]);
  });

  it("the same key is the same offers, also at once; other slots under it are 409", async () => {
    const { send, brokerApi } = await threeSites();
    const headers = { "idempotency-key": "k1" };
    const body = { ...request, startAt };
    const [first, second] = await Promise.all([
      send("POST", OFFERS, { body, headers }),
      send("POST", OFFERS, { body, headers }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 201]);
    expect(second.json).toEqual(first.json);
    const away = { site: "away", procs: 1 };
    for (const other of [[...parts, away], [parts[0], away], [...parts].reverse()]) {
      const answer = await send("POST", OFFERS, { body: { ...body, parts: other }, headers });
      expect(answer).toMatchObject({ status: 409, json: { type: "urn:stint:idempotencyKeyReused" } });
    }
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("fewer of them under the key are other slots, too", async () => {
    const { send, brokerApi } = await threeSites();
    const headers = { "idempotency-key": "k1" };
    const three = [...parts, { site: "away", procs: 1 }];
    expect(
      (await send("POST", OFFERS, { body: { ...request, parts: three, startAt }, headers })).status,
    ).toBe(201);
    expect((await send("POST", OFFERS, { body: { ...request, startAt }, headers })).status).toBe(409);
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("where a slot is taken it is 409 with what they cost together now", async () => {
    const { client, brokerApi } = await threeSites();
    brokerApi.refuse = () => ({ kind: "slotTaken", site: "far", earliestMs: null });
    brokerApi.pricesCoReservation = [aStart(START + 60_000, 0)];
    const fault: ProblemFault = await client
      .offerCoReservation({ ...request, startAt })
      .catch((error) => error);
    expect(fault).toMatchObject({ kind: "refused", code: "slotTaken" });
    expect(fault.problem.startsTogether).toMatchObject([{ startAt: "2026-11-20T08:01:00.000Z", priceSu: 6 }]);
    expect(brokerApi.coReservationQuestions[0]?.when).toEqual({ kind: "whenever" });
    expect(brokerApi.reservationRecords.size).toBe(0);
  });

  it("one that lapsed says so, without prices of its own site alone", async () => {
    const { send, client, brokerApi } = await threeSites();
    const { items } = await client.offerCoReservation({ ...request, startAt });
    const id = items[0]?.id ?? "";
    brokerApi.refuse = () => ({ kind: "offerLapsed", reservation: id, expiredAtMs: START });
    const { status, json } = await send("POST", `/api/v1/reservations/${id}/accept`);
    expect({ status, type: json.type }).toEqual({ status: 409, type: "urn:stint:offerLapsed" });
    expect(json).not.toHaveProperty("quotes");
  });

  it("for a consumer path that is not the caller's it is 403", async () => {
    const { client, brokerApi } = await threeSites(asUser("ann"));
    const other = { ...request, startAt, consumer: "local/bob" };
    await expect(client.offerCoReservation(other)).rejects.toMatchObject({ code: "notAllowed" });
    await expect(client.quoteCoReservation(other)).rejects.toMatchObject({ code: "notAllowed" });
    expect(brokerApi.asked).toEqual([]);
  });
});
