import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { Prospect } from "../runtime/index.ts";
import { bidOf } from "./bid-of-prospect.ts";

const HOUR = 3_600_000;
const path = "/api/v1/bids";
const STARTS = [
  { probability: 0.5, waitMs: 0, startAtMs: 0 },
  { probability: 0.95, waitMs: HOUR, startAtMs: 9e12 },
];

/** What a site knows of itself, much of which is no business of a bidder. */
const prospect: Prospect = {
  ...{ site: "local", partition: "secret-queue", takesJobs: true, unfit: null, trouble: null },
  when: {
    ...{ probabilityByDeadline: null, learnt: { past: 1, live: 2 }, otherMethods: [], noRecord: null },
    forecast: {
      ...{ method: "history", promises: STARTS, hasBeenWrong: false, assumptions: ["waitsAsOfLate"] },
      score: { of: "class", kept: [], medianErrorMs: 5000, meanLossMs: 1 },
    },
  },
  policy: { when: "later", because: null },
  choice: {
    row: {
      ...{ site: "local", type: "managed", takesJobs: true, honoured: "later", because: null },
      ...{ freeProcs: 77_777, usedPpm: 1, score: { kept: 0, missed: 0 }, costProcMs: 7 * HOUR },
      ...{ predictedStartMs: 0, lastSentMs: null },
    },
    ...{ isRecommended: true, isChosen: false },
  },
};

describe("AP-88 calls for bids", () => {
  it("a bid has start, end, cost and conditions, and nothing else of its site", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.prospects = [prospect];
    const { status, json, text } = await send("POST", path, { body: { procs: 7, wallTimeSec: 3600 } });
    expect({ status, json }).toMatchObject({
      status: 200,
      json: {
        items: [
          {
            ...{ site: "local", kind: "estimate", costSu: 7, costProcMs: 7 * HOUR },
            conditions: [expect.any(String), expect.stringMatching(/admit the job later, not now/)],
          },
        ],
        ...{ refusals: [], late: [] },
      },
    });
    expect(text).not.toMatch(/secret|history|77777|waitsAsOfLate|freeProcs|usedPpm/);
    const [bid] = brokerApi.asked.flatMap((it) => (it.kind === "recordBids" ? it.bids : []));
    // A start that was predicted for an instant before the bid.
    expect(bid.starts[0].startMs).toBe(bid.madeAtMs);
    expect(bid).toMatchObject({ procs: 7, limitMs: HOUR, endMs: bid.starts[0].startMs + HOUR });
  });

  it.each([
    { what: "a site that is drained", more: { takesJobs: false }, why: "closed" },
    { what: "one that is imitated", more: { imitates: true }, why: "closed" },
    {
      ...{ what: "one without a match", why: "noMatch" },
      more: { unfit: { kind: "noMatch" } as unknown as Prospect["unfit"] },
    },
    { what: "one that cannot be reached", more: { trouble: "ssh: no route" }, why: "closed" },
    { what: "one without a prediction", more: { when: null }, why: "unknownStart" },
    {
      ...{ what: "one that is too small", why: "doesNotFit" },
      more: { unfit: { kind: "siteTooSmall" as const, procs: 4, memoryBytes: 2 ** 30 } },
    },
    {
      ...{ what: "one whose policies never admit it", why: "policy" },
      more: { policy: { when: "never" as const, because: null } },
    },
  ])("$what says only: $why", async ({ more, why }) => {
    const { send, brokerApi } = await serve();
    brokerApi.prospects = [{ ...prospect, ...more }];
    const { json, text } = await send("POST", path, { body: {} });
    expect(json).toMatchObject({ items: [], refusals: [{ site: "local", why }] });
    expect(text).not.toMatch(/ssh|most|tooWide/);
  });

  it.each([
    { alpha: 0, order: ["early", "cheap"] },
    { alpha: 1, order: ["cheap", "early"] },
  ])(
    "alpha $alpha orders the bids of those that answer; one that fails is closed",
    async ({ alpha, order }) => {
      const { send, brokerApi } = await serve();
      const [{ spec }] = brokerApi.sites();
      const costs = new Map([
        ["cheap", 1],
        ["early", 9],
      ]);
      Object.assign(brokerApi, {
        sites: () => [...costs.keys(), "broken"].map((name) => ({ name, spec })),
        assess: async ({ sites: [site] }: { readonly sites: readonly [string] }): Promise<Prospect[]> => {
          const cost = costs.get(site);
          const { choice, when } = prospect;
          if (cost === undefined || !choice || !when?.forecast) throw new Error("it does not answer");
          const promises = [{ probability: 0.5, waitMs: 0, startAtMs: 9e12 - cost * HOUR }];
          const row = { ...choice.row, site, costProcMs: cost * HOUR };
          const forecast = { ...when.forecast, promises };
          return [{ ...prospect, site, when: { ...when, forecast }, choice: { ...choice, row } }];
        },
      });
      const { json } = await send("POST", path, { body: { alpha } });
      expect(json).toMatchObject({
        items: order.map((site) => ({ site })),
        refusals: [{ site: "broken", why: "closed" }],
      });
    },
  );

  it("starts are later by the transfer of the input data", () => {
    const size = { procs: 7, memoryBytes: 0, gpus: 0, limitMs: HOUR };
    const subject = { ...size, owner: "u1", consumer: "vo", id: "b", madeAtMs: 1000 };
    const answer = bidOf(prospect, subject, { reserved: undefined, transferMs: 5000 });
    expect(answer).toMatchObject({ bid: { starts: [{ startMs: 5000 }, { startMs: 9e12 + 5000 }] } });
  });

  it("an answer after the deadline is ignored, and the call is over by then", async () => {
    const { send, brokerApi } = await serve();
    let answered = false;
    Object.assign(brokerApi, {
      assess: async () => {
        await delay(400);
        answered = true;
        return [prospect];
      },
    });
    const { json } = await send("POST", path, { body: { answerWithinSec: 0.05 } });
    expect(json).toEqual({ items: [], refusals: [], late: ["local"] });
    expect(answered).toBe(false);
    await expect.poll(() => answered).toBe(true);
    expect(brokerApi.asked).toContainEqual({ kind: "recordBids", bids: [] });
  });

  it("an unknown site is refused, and so is an order that is none", async () => {
    const { send } = await serve();
    expect(await send("POST", path, { body: { sites: ["nowhere"] } })).toMatchObject({ status: 422 });
    expect(await send("POST", path, { body: { alpha: 1.5 } })).toMatchObject({ status: 400 });
    expect((await send("GET", `${path}/scores`)).json).toEqual({ items: [] });
  });
});
