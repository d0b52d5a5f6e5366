/**
 * Prices, reservations and accounts as people use them, at a real broker: what the guide does not show.
 */
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const shares = "share: 1, consumerShare: 1, offerShare: 1, farShare: 1";
const limits = `${shares}, longest: 4h`;

describe("reservations at a live broker", () => {
  const live = liveSetting([
    `  - { name: lab, type: managed, procs: 4, reservations: { ${shares} } }`,
    `  - { name: far, type: simulated, procs: 8, reservations: { ${limits}, consumers: [cms] } }`,
    `  - { name: brief, type: simulated, procs: 2, reservations: { ${shares}, offer: 1s } }`,
  ]);
  const reserve = (...words: string[]) =>
    live.ask("reserve", "-n", "4", "-t", "1h", "--site", "lab", "--yes", "-o", "name", ...words);
  const stateOf = (id: string): unknown => JSON.parse(live.ask("reservations", id, "-o", "json").out).state;
  const giveUp = (...ids: string[]) => live.ask("unreserve", ...ids);

  it("CL-44 of two for the same time one has it; the other is told when it can be had", () => {
    const first = reserve("--start", "1d");
    expect(first).toMatchObject({ code: 0, err: "" });
    const second = reserve("--start", "24h");
    expect(second).toMatchObject({ code: 5, out: "" });
    expect(second.err).toContain("no such slot can be reserved");
    const later = reserve("--from", "24h", "--fastest");
    expect(later.code).toBe(0);
    const kept = JSON.parse(live.ask("reservations", first.out.trim(), "-o", "json").out);
    const next = JSON.parse(live.ask("reservations", later.out.trim(), "-o", "json").out);
    expect(next.startAt).toBe(kept.endAt);
    // The next one is in the way of more time for the first.
    const more = live.ask("extend", first.out.trim(), "-t", "10m", "--yes");
    expect(more).toMatchObject({ code: 5, err: expect.stringContaining("is not available") });
    expect(giveUp(first.out.trim(), later.out.trim()).code).toBe(0);
  });

  it("what is over can be given up no more, and says what it is", () => {
    const id = reserve("--start", "1d").out.trim();
    expect(giveUp(id).code).toBe(0);
    expect(stateOf(id)).toBe("CANCELLED");
    const again = giveUp(id);
    expect(again).toMatchObject({ code: 5, err: expect.stringContaining("it is CANCELLED") });
    expect(live.ask("relinquish", id).code).toBe(5);
    expect(live.ask("reserve", id)).toMatchObject({
      code: 5,
      err: expect.stringContaining("cannot be accepted"),
    });
  });

  it("CL-44 whoever comes too late for an offer is told what such a slot costs now", async () => {
    const slot = ["-n", "2", "-t", "1h", "--site", "brief", "--start", "1d"];
    const id = live.ask("quote", ...slot, "--keep", "-o", "name").out.trim();
    while (stateOf(id) !== "LAPSED") await setTimeout(50);
    const late = live.ask("reserve", id);
    expect(late).toMatchObject({ code: 5, out: "" });
    expect(late.err).toContain("now to be had at brief from");
    expect(late.err).toContain(`offer ${id} is no longer valid`);
  });

  it("CL-44 nothing in the past, nothing wider than the site, nothing against its rules", () => {
    expect(reserve("--start", "2020-01-01T00:00Z").code).toBe(5);
    expect(live.ask("quote", "-n", "5", "-t", "1h", "--site", "lab").code).toBe(5);
    const shut = live.ask("reserve", "-n", "2", "-t", "1h", "--site", "far", "--yes");
    expect(shut).toMatchObject({ code: 5, err: expect.stringContaining("may not reserve there") });
    const long = live.ask("reserve", "-n", "2", "-t", "5h", "--site", "far", "--yes", "--for", "cms/ann");
    expect(long).toMatchObject({
      code: 5,
      err: expect.stringContaining("the longest permitted reservation is 4h"),
    });
    expect(live.ask("quote", "-n", "1", "-t", "1h", "--site", "nowhere").err).toContain("no site nowhere");
    expect(live.ask("reservations", "zzzz").code).toBe(3);
    expect(live.ask("unreserve", "zzzz").code).toBe(3);
    expect(live.ask("run", "--reservation", "zzzz", "--", "true").code).toBe(125);
  });

  it("slots at this machine and at another site are had together, and given up together", () => {
    const both = ["--at", "lab:2", "--at", "far:4", "-t", "1h", "--start", "3d", "--for", "cms/ann"];
    const [price, none] = JSON.parse(live.ask("quote", ...both, "-o", "json").out).items;
    expect({ priceSu: price?.priceSu, none }).toEqual({ priceSu: 6, none: undefined });
    const reserved = live.ask("reserve", ...both, "--yes", "-o", "json");
    expect(reserved).toMatchObject({ code: 0, err: "" });
    const { together, items } = JSON.parse(reserved.out);
    const shared = { state: "ACCEPTED", together, startAt: items[0].startAt, endAt: items[0].endAt };
    expect(items).toMatchObject([
      { site: "lab", procs: 2, ...shared },
      { site: "far", procs: 4, ...shared },
    ]);
    // The rule of one site is in the way of all.
    const shut = live.ask("reserve", ...both.slice(0, -2), "--yes");
    expect(shut).toMatchObject({ code: 5, err: expect.stringContaining("may not reserve there") });
    const ids = items.map(({ id }: { readonly id: string }) => id);
    expect(giveUp(ids[1]).code).toBe(0);
    expect(ids.map(stateOf)).toEqual(["CANCELLED", "CANCELLED"]);
  });

  it("somebody else's offer is not there; their account is theirs", () => {
    const offer = live.ask(
      "quote",
      "-n",
      "1",
      "-t",
      "1h",
      "--site",
      "lab",
      "--start",
      "2d",
      "--keep",
      "-o",
      "name",
    );
    const token = live.ask("token", "create", "--role", "user", "--vo", "cms/ann").out.trim();
    const asAnn = live.with({ STINT_TOKEN: token });
    expect(asAnn("reserve", offer.out.trim())).toMatchObject({
      code: 3,
      err: expect.stringContaining("there is no reservation"),
    });
    expect(asAnn("unreserve", offer.out.trim()).code).toBe(3);
    expect(asAnn("account", "local").code).toBe(4);
    expect(asAnn("account", "grant", "cms", "5", "--site", "far").code).toBe(4);
    expect(asAnn("account", "-o", "csv").out).toContain("cms/ann,far");
    expect(live.ask("reserve", offer.out.trim()).code).toBe(0);
    giveUp(offer.out.trim());
  });
});
