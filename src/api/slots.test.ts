import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { serve } from "../../test/api/serving.ts";
import { durationMs, instantMs, procs } from "../base/index.ts";
import type { PriceRule } from "../model/index.ts";
import type { SlotSetView } from "./client/index.ts";
import { streamSlots } from "./slot-stream.ts";

const HOUR = 3_600_000;
const slot = {
  id: 1,
  startAt: instantMs(1000),
  procs: procs(3),
  durationMs: durationMs(1500),
  divisible: false,
  extensible: false,
};
const shown = {
  sequence: 7,
  at: "1970-01-01T00:00:00.000Z",
  slots: [
    {
      startAt: "1970-01-01T00:00:01.000Z",
      procs: 3,
      durationSec: 1.5,
      divisible: false,
      extensible: false,
      // Three processors for 1.5 s at 1.5, and an SU for each transaction.
      ...{ priceSu: 1 + 6750 / HOUR, priceProcMs: HOUR + 6750, fixedSu: 1, fixedProcMs: HOUR },
      unitPrice: 1.5,
    },
  ],
  resources: [],
};

describe("slots", () => {
  it("of one site and of all, as the client gives them", async () => {
    const { send, brokerApi, client } = await serve();
    brokerApi.slotsShown = { ...brokerApi.slotsShown, slots: [slot] };
    const [{ name: site }] = brokerApi.sites();
    expect((await send("GET", `/api/v1/sites/${site}/slots`)).json).toEqual({ site, ...shown });
    expect((await send("GET", "/api/v1/slots")).json).toEqual({ items: [{ site, ...shown }] });
    expect(await client.slots(site)).toEqual({ site, ...shown });
    expect(await client.allSlots()).toEqual([{ site, ...shown }]);
  });

  it("those of stores and links are beside them, in bytes and bytes a second", async () => {
    const { brokerApi, client } = await serve();
    const resources = [{ kind: "link", name: "uplink", perProc: 1000, slots: [slot] }] as const;
    brokerApi.slotsShown = { ...brokerApi.slotsShown, resources };
    const [{ name: site }] = brokerApi.sites();
    const [{ procs: _, ...free }] = shown.slots;
    const price = { priceSu: 1 + 7 / HOUR, priceProcMs: HOUR + 7 };
    expect((await client.slots(site)).resources).toEqual([
      { kind: "link", name: "uplink", slots: [{ ...free, ...price, amount: 3 }] },
    ]);
  });

  it("they cost what the price rules ask of who looks, for each of their hours", async () => {
    const { brokerApi, client } = await serve();
    const mine: PriceRule = {
      ...{ name: "mine", days: null, fromMs: 0, untilMs: 0, clockMs: 0, slots: null },
      ...{ consumers: ["local/me"], unitPriceThousandths: 2000, transactionProcMs: 0 },
    };
    const others = { ...mine, consumers: ["cms"], unitPriceThousandths: 9000 };
    const book = { unitPriceThousandths: 1000, transactionProcMs: 0 };
    const [{ name: site }] = brokerApi.sites();
    const priced = async (prices: readonly PriceRule[]) => {
      brokerApi.slotsShown = { ...brokerApi.slotsShown, slots: [slot], priceBook: { ...book, prices } };
      return (await client.slots(site)).slots;
    };
    expect(await priced([others, mine])).toMatchObject([{ unitPrice: 2, priceProcMs: 9000, fixedSu: 0 }]);
    expect(await priced([others])).toMatchObject([{ unitPrice: 1, priceProcMs: 4500 }]);
  });

  it("of a site that is not there is 404", async () => {
    const { send } = await serve();
    expect(await send("GET", "/api/v1/sites/nowhere/slots")).toMatchObject({
      status: 404,
      json: { type: "urn:stint:unknownSite" },
    });
  });
});

describe("watching slots", () => {
  it("tells of the set as it is, of every new number, and again after a while", async () => {
    const { brokerApi } = await serve();
    const [{ name: site }] = brokerApi.sites();
    const { response, told, leave } = reader();
    const streaming = streamSlots(brokerApi, { site, consumer: "local/me" }, response, {
      lookEveryMs: 1,
      tellEveryMs: 1000,
    });
    await eventually("the first set", () => told().length === 1);
    brokerApi.slotsShown = { ...brokerApi.slotsShown, slots: [slot], sequence: 8 };
    await eventually("the change", () => told().length === 2);
    brokerApi.slotsShown = { ...brokerApi.slotsShown, atMs: 1000 };
    await eventually("the repetition", () => told().length === 3);
    expect(told().map(({ sequence, slots }) => [sequence, slots.length])).toEqual([
      [7, 0],
      [8, 1],
      [8, 1],
    ]);
    leave();
    await streaming;
  });

  it("ends when the site has gone", async () => {
    const { brokerApi } = await serve();
    const [{ name: site }] = brokerApi.sites();
    const { response, told } = reader();
    const streaming = streamSlots(brokerApi, { site, consumer: "local/me" }, response, {
      lookEveryMs: 1,
      tellEveryMs: 1000,
    });
    await eventually("the first set", () => told().length === 1);
    brokerApi.siteViews.delete(site);
    await streaming;
    expect(told()).toHaveLength(1);
  });

  it("comes to the client, until it stops listening", async () => {
    const { brokerApi, client } = await serve();
    const [{ name: site }] = brokerApi.sites();
    const stop = new AbortController();
    const told: number[] = [];
    const watching = client.watchSlots(site, ({ sequence }) => told.push(sequence), stop.signal);
    await eventually("the first set", () => told.length === 1);
    stop.abort();
    await expect(watching).rejects.toThrow();
    await expect(client.watchSlots("nowhere", () => {})).rejects.toMatchObject({ code: "unknownSite" });
  });
});

/** A response that keeps what is written to it. */
function reader() {
  const server = new ServerResponse(new IncomingMessage(new Socket()));
  const parts: string[] = [];
  const response = Object.assign(server, {
    write: (part: string) => parts.push(part) > 0,
    end: () => server.emit("close"),
  });
  const told = (): SlotSetView[] =>
    parts
      .filter((part) => part.startsWith("event: slots\n"))
      .map((part) => JSON.parse(part.split("data: ")[1]));
  return { response, told, leave: () => server.emit("close") };
}
