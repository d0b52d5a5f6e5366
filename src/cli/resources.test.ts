/**
 * Parts of stores and links on the command line.
 */
import { describe, expect, it, vi } from "vitest";
import { aReservation, aSite, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { StintClient } from "../api/client/index.ts";

const G = 1024 ** 3;
const scratch = { kind: "store", name: "scratch", amount: 50 * G } as const;
const uplink = { kind: "link", name: "uplink", amount: 12_500_000 } as const;

function broker() {
  const offered = aReservation({ id: "aaaa", state: "OFFERED", procs: 0, resource: scratch, site: "far" });
  return {
    quote: vi.fn<StintClient["quote"]>(async () => ({
      items: [{ site: "far", trouble: null, starts: [aStart()] }],
      chosen: { site: "far", startAt: NOW },
    })),
    offer: vi.fn<StintClient["offer"]>(async () => offered),
    accept: vi.fn<StintClient["accept"]>(async () => ({ ...offered, state: "ACCEPTED" })),
    quoteCoReservation: vi.fn<StintClient["quoteCoReservation"]>(async () => ({ items: [], chosen: null })),
    reservations: vi.fn<StintClient["reservations"]>(async () => ({ items: [offered], next: null })),
  };
}

describe("--at SITE/NAME=AMOUNT", () => {
  it.each(["far/scratch=50G", "far:scratch=50G", "far/scratch=51200M"])(
    "%s alone is a part of a store there",
    async (at) => {
      const there = broker();
      const { code } = await capturedProgram(there).call("quote", "--at", at, "-t", "4h");
      expect(code).toBe(0);
      const request = { resource: scratch, sites: ["far"], durationSec: 14_400, alpha: 0.5 };
      expect(there.quote).toHaveBeenCalledExactlyOnceWith(request);
    },
  );

  it("a rate is of a link; with others all are had together", async () => {
    const there = broker();
    const words = ["--at", "far:64", "--at", "far/uplink=100Mbit/s", "--at", "near/scratch=50G", "-t", "1h"];
    await capturedProgram(there).call("quote", ...words);
    expect(there.quoteCoReservation).toHaveBeenCalledExactlyOnceWith({
      parts: [
        { site: "far", procs: 64 },
        { site: "far", resource: uplink },
        { site: "near", resource: scratch },
      ],
      ...{ durationSec: 3600, alpha: 0.5 },
    });
  });

  it("reserved, it is told with its amount and name", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const { out } = await call("reserve", "--at", "far/scratch=50G", "-t", "1h", "--yes");
    expect(out).toMatch(/^reservation aaaa: 50G of store scratch at far from /);
    expect(there.offer.mock.lastCall?.[0]).toStrictEqual({
      ...{ site: "far", startAt: NOW, durationSec: 3600, resource: scratch },
    });
    expect((await call("reservations")).out).toMatch(/^aaaa +OFFERED +far +scratch=50G /m);
  });

  it.each([
    ["--at far/scratch= -t 1h", "is not a slot at a site"],
    ["--at far/scratch=0G -t 1h", "an amount of zero cannot be reserved"],
    ["--at far/scratch=50g -t 1h", "the units are K, M, G"],
    ["--at far/uplink=100Mb/s -t 1h", "the units are bit/s"],
    ["--at far/uplink=100Mbit -t 1h", "the units are K, M, G"],
    ["--at far/scratch=-1G -t 1h", "not negative"],
    ["--at /scratch=50G -t 1h", "is not a slot at a site"],
    ["--at far/scratch=50G", "no length was given"],
    ["--at far/scratch=50G -n 4 -t 1h", "--procs does not go with --at"],
    ["--at far/scratch=50G --at far:scratch=1G -t 1h", "--at names far/scratch twice"],
  ])("%s is refused: %s", async (words, told) => {
    const there = broker();
    const { code, err } = await capturedProgram(there).call("quote", ...words.split(" "));
    expect(code).toBe(2);
    expect(err).toContain(told);
    expect(there.quote).not.toHaveBeenCalled();
  });
});

describe("stint site add --stores --links", () => {
  const addSite = vi.fn<StintClient["addSite"]>(async ({ name }) => aSite({ name }));
  const add = (...words: string[]) =>
    capturedProgram({ addSite }).call("site", "add", "far", "--type", "simulated", "--procs", "4", ...words);

  it("reads them as stint.yaml does", async () => {
    const stores = "{ scratch: { size: 200G } }";
    expect(await add("--stores", stores, "--links", "{ uplink: { rate: 1Gbit/s } }")).toMatchObject({
      code: 0,
    });
    expect(addSite.mock.lastCall?.[0].spec).toMatchObject({
      stores: { scratch: { sizeBytes: 200 * G } },
      links: { uplink: { rateBytesPerSec: 125_000_000 } },
    });
  });

  it("refuses what stint.yaml refuses, at its place", async () => {
    const { code, err } = await add("--stores", "{ scratch: { size: 200g } }");
    expect(code).toBe(2);
    expect(err).toContain("--stores:1:");
  });
});
