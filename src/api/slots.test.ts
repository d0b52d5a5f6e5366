import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { durationMs, instantMs, procs } from "../base/index.ts";

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
      start: "1970-01-01T00:00:01.000Z",
      procs: 3,
      durationSec: 1.5,
      divisible: false,
      extensible: false,
    },
  ],
};

describe("slots", () => {
  it("AP-27 of one site and of all, as the client gives them", async () => {
    const { send, door, client } = await serve();
    door.slotsThere = [slot];
    const [{ name: site }] = door.sites();
    expect((await send("GET", `/api/v1/sites/${site}/slots`)).json).toEqual({ site, ...shown });
    expect((await send("GET", "/api/v1/slots")).json).toEqual({ items: [{ site, ...shown }] });
    expect(await client.slots(site)).toEqual({ site, ...shown });
    expect(await client.allSlots()).toEqual([{ site, ...shown }]);
  });

  it("AP-27 of a site that is not there is 404", async () => {
    const { send } = await serve();
    expect(await send("GET", "/api/v1/sites/nowhere/slots")).toMatchObject({
      status: 404,
      json: { type: "urn:stint:unknownSite" },
    });
  });
});
