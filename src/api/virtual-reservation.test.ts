import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { JobDescription } from "../model/index.ts";
import type { VirtualReservationQuote } from "../runtime/index.ts";

const START = Date.UTC(2026, 10, 20, 8);
const HOUR = 3_600_000;
const startAt = "2026-11-20T08:00:00Z";
const QUOTES = "/api/v1/quotes/virtual";
const MAKING = "/api/v1/reservations/virtual";
const request = { startAt, durationSec: 3600 };
const job = { ...request, executable: "/bin/sim", arguments: ["-x"], procs: 4 };

function said(site: string, probability: number, idleHours: number): VirtualReservationQuote {
  const score = { of: "site", kept: [], medianErrorMs: 9, meanLossMs: 5 } as const;
  const source = { level: "class", name: "q 1/2", waits: 80, changePoints: 0 } as const;
  return {
    ...{
      site,
      partition: null,
      takesJobs: true,
      unfit: null,
      trouble: null,
      hindrance: null,
      noRecord: null,
    },
    plan: {
      ...{ submitMs: START - idleHours * HOUR, wallTimeMs: (1 + idleHours) * HOUR, probability },
      ...{ mostIdleProcMs: 4 * idleHours * HOUR, source, score, hasBeenWrong: false },
    },
  };
}

const silent = (site: string, why: Partial<VirtualReservationQuote>): VirtualReservationQuote => ({
  ...said(site, 1, 1),
  plan: null,
  ...why,
});

describe("quotes of virtual reservations", () => {
  it("says of each site when, how surely, with its record, and what it idles at most", async () => {
    const { send, brokerApi } = await serve();
    const noRecord = { settled: 7, needed: 59 };
    const hindrance = { kind: "noVirtual" } as const;
    brokerApi.virtualReservationQuotes = [
      said("far", 0.9, 2),
      said("near", 0.9, 1),
      silent("new", { noRecord }),
      silent("strict", { hindrance }),
    ];
    const { status, json } = await send("POST", QUOTES, { body: { ...request, procs: 4, enough: 0.8 } });
    expect(status).toBe(200);
    expect(json.chosen).toEqual({ site: "near" });
    expect(json.items).toMatchObject([
      {
        site: "far",
        plan: {
          ...{
            submitAt: "2026-11-20T06:00:00.000Z",
            wallTimeSec: 10_800,
            probability: 0.9,
            method: "history",
          },
          ...{ mostIdleSu: 8, mostIdleProcMs: 8 * HOUR, source: { level: "class", waits: 80 } },
          score: { of: "site", kept: [], medianErrorSec: 0.009 },
        },
      },
      { site: "near" },
      { site: "new", plan: null, noRecord },
      {
        site: "strict",
        hindrance: {
          kind: "noVirtual",
          text: "virtual reservations are disabled there: no job may hold processors idle until its start",
        },
      },
    ]);
    expect(brokerApi.virtualReservationQuestions).toEqual([
      { procs: 4, memoryBytes: 0, startMs: START, durationMs: HOUR, owner: "me", enough: 0.8 },
    ]);
  });

  it("a start is taken as the next whole second", async () => {
    const { client, brokerApi } = await serve();
    await client.quoteVirtualReservation({ procs: 1, durationSec: 1, startAt: "2026-11-20T08:00:00.001Z" });
    expect(brokerApi.virtualReservationQuestions).toMatchObject([{ startMs: START + 1000 }]);
  });

  it.each([
    [{ ...request, procs: 0 }, 400],
    [{ ...request, procs: 1, enough: 2 }, 400],
    [{ ...request, procs: 1, wallTimeSec: 5 }, 400],
    [{ ...request, procs: 1, sites: ["nowhere"] }, 422],
  ])("%j is %d", async (body, status) => {
    const { send, brokerApi } = await serve();
    expect((await send("POST", QUOTES, { body })).status).toBe(status);
    expect(brokerApi.virtualReservationQuestions).toEqual([]);
  });
});

describe("making one", () => {
  it("submits the job at the surest site, with the limit and the instants of its plan", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.virtualReservationQuotes = [said("local", 0.9, 2), said("far", 0.5, 0)];
    const { status, json, headers } = await send("POST", MAKING, { body: { ...job, enough: 0.5 } });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/v1/jobs/${json.id}`);
    const virtual = { startMs: START, durationMs: HOUR, submitMs: START - 2 * HOUR, probability: 0.9 };
    expect(brokerApi.asked).toMatchObject([
      {
        kind: "submit",
        description: { site: "local", wallTimeMs: 3 * HOUR, executable: "/bin/sim", virtual },
      },
    ]);
    expect(json.virtual).toEqual({
      ...{ startAt: "2026-11-20T08:00:00.000Z", durationSec: 3600, submitAt: "2026-11-20T06:00:00.000Z" },
      ...{ probability: 0.9, besides: null, idleSu: 0, idleProcMs: 0 },
    });
  });

  it("the same Idempotency-Key is the same job, whatever the plan is by then", async () => {
    const { send, brokerApi } = await serve();
    const headers = { "idempotency-key": "once" };
    brokerApi.virtualReservationQuotes = [said("local", 0.9, 2)];
    const first = await send("POST", MAKING, { body: job, headers });
    brokerApi.virtualReservationQuotes = [said("local", 0.7, 1)];
    const again = await send("POST", MAKING, { body: job, headers });
    expect([first.status, again.status, again.json.id]).toEqual([201, 200, first.json.id]);
    const other = await send("POST", MAKING, { body: { ...job, procs: 5 }, headers });
    expect(other.json.type).toBe("urn:stint:idempotencyKeyReused");
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("where there is none, says of each site why", async () => {
    const { send, brokerApi } = await serve();
    const noRecord = { settled: 7, needed: 59 };
    const closed = { ...said("shut", 1, 1), takesJobs: false };
    brokerApi.virtualReservationQuotes = [
      silent("new", { noRecord }),
      silent("gone", { trouble: "it hangs" }),
      closed,
    ];
    const { status, json } = await send("POST", MAKING, { body: job });
    expect(status).toBe(409);
    expect(json).toMatchObject({
      type: "urn:stint:nothingToReserve",
      why: "new: too little is known of its starts: 7 of 59 jobs; gone: it hangs; shut: it takes no jobs now",
    });
    brokerApi.virtualReservationQuotes = [silent("strict", { hindrance: { kind: "noVirtual" } })];
    const forbidden = await send("POST", MAKING, { body: job });
    expect(forbidden).toMatchObject({ status: 403, json: { type: "urn:stint:mayNotReserveSlot" } });
    expect(brokerApi.asked).toEqual([]);
  });

  it.each([
    ["a fixed price and a plan", 2, true, { virtual: { besides: "r" } }],
    ["a fixed price and no plan", 2, false, { reservation: "r", wallTimeMs: HOUR }],
    ["no fixed price", 0, true, { reservation: "r", wallTimeMs: HOUR }],
  ])("beside a reservation with %s", async (_, fixed, hasPlan, description) => {
    const { client, send, brokerApi } = await serve();
    const offer = { site: "local", procs: 4, durationSec: 3600, startAt };
    const { id } = await client.offer(offer);
    const there = brokerApi.reservationRecords.get(id);
    if (there === undefined) throw new Error("no offer");
    brokerApi.reservationRecords.set("r", {
      ...there,
      id: "r",
      state: "ACCEPTED",
      fixedProcMs: fixed * HOUR,
    });
    brokerApi.virtualReservationQuotes = [
      hasPlan ? said("local", 0.9, 1) : silent("local", { trouble: "it hangs" }),
    ];
    const { status } = await send("POST", MAKING, { body: { ...job, besides: "r" } });
    expect(status).toBe(201);
    expect(brokerApi.asked.at(-1)).toMatchObject({ kind: "submit", description });
  });
});

describe("beside a reservation", () => {
  /** One of an hour that costs something, from an instant between two seconds on. */
  async function reserved() {
    const serving = await serve();
    const { client, brokerApi } = serving;
    const from = "2026-11-20T08:00:00.250Z";
    const { id } = await client.offer({ site: "local", procs: 4, durationSec: 3600, startAt: from });
    const there = brokerApi.reservationRecords.get(id);
    if (there === undefined) throw new Error("no offer");
    brokerApi.reservationRecords.set("r", { ...there, id: "r", state: "ACCEPTED", fixedProcMs: 2 * HOUR });
    brokerApi.virtualReservationQuotes = [said("local", 0.9, 1)];
    const make = () => serving.send("POST", MAKING, { body: { ...job, startAt: from, besides: "r" } });
    return { brokerApi, make };
  }

  it("that begins between two seconds, its job begins at the next one and ends with it", async () => {
    const { brokerApi, make } = await reserved();
    expect((await make()).status).toBe(201);
    const virtual = { startMs: START + 1000, durationMs: HOUR - 750, besides: "r" };
    expect(brokerApi.asked.at(-1)).toMatchObject({ kind: "submit", description: { virtual } });
  });

  it.each([
    ["refused as one that waits, it runs in the reservation", "mayNotReserveSlot", 201, 2],
    ["at another time than the reservation, it is refused", "notInReservation", 422, 1],
  ] as const)("%s", async (_, kind, status, asked) => {
    const { brokerApi, make } = await reserved();
    const refusal =
      kind === "notInReservation"
        ? ({ kind, reservation: "r", why: "otherTime" } as const)
        : ({ kind, site: "local", hindrance: { kind: "noVirtual" } } as const);
    const tried: Partial<JobDescription>[] = [];
    brokerApi.refuse = (command) => {
      if (command.kind !== "submit") return undefined;
      tried.push(command.description);
      return command.description.virtual === undefined ? undefined : refusal;
    };
    expect((await make()).status).toBe(status);
    const inIt = { reservation: "r", wallTimeMs: HOUR - 750, executable: "/bin/sim" };
    const planned = { virtual: { besides: "r" } };
    expect(tried).toMatchObject([planned, inIt].slice(0, asked));
  });
});

describe("a job of an older broker", () => {
  it("that idles for more than can be counted is told all the same", async () => {
    const { send, brokerApi } = await serve();
    const virtual = { startMs: 9e15, durationMs: HOUR, submitMs: START, probability: 0.9 };
    const ran = { state: "RUNNING", site: "local", startedAtMs: START } as const;
    brokerApi.put("abcdefabcdef", ran, { procs: 512, virtual });
    const { status, json } = await send("GET", "/api/v1/jobs/abcdefabcdef");
    expect(status).toBe(200);
    expect(json.virtual).toMatchObject({
      startAt: "9999-12-31T23:59:59.999Z",
      idleProcMs: Number.MAX_SAFE_INTEGER,
    });
  });
});
