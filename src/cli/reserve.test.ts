import { describe, expect, it, vi } from "vitest";
import { aFault, aReservation, aSite, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { QuoteView, ReservationView, StintClient } from "../api/client/index.ts";

const LATER = "2026-05-31T18:00:00.000Z";
const free = aStart({
  startAt: LATER,
  ...{ priceSu: 4, priceProcMs: 14_400_000, fixedSu: 0, fixedProcMs: 0 },
  ...{ delaysJobs: 0, effect: "delays nobody" },
});
const quoteView: QuoteView = {
  items: [
    { site: "here", trouble: null, starts: [aStart(), free] },
    { site: "away", trouble: "it hangs", starts: [] },
  ],
  chosen: { site: "here", startAt: NOW },
};
const offered = aReservation({ state: "OFFERED" });

/** A broker that answers with these, and keeps what it was asked. */
function broker(view: QuoteView = quoteView, offer: ReservationView = offered) {
  return {
    quote: vi.fn<StintClient["quote"]>(async () => view),
    sites: vi.fn<StintClient["sites"]>(async () => [aSite()]),
    offer: vi.fn<StintClient["offer"]>(async () => offer),
    accept: vi.fn<StintClient["accept"]>(async () => aReservation()),
    reservation: vi.fn<StintClient["reservation"]>(async () => offer),
    cancelReservation: vi.fn<StintClient["cancelReservation"]>(async () =>
      aReservation({ state: "WITHDRAWN" }),
    ),
  };
}

/** A site with a GiB of memory. */
function siteOf(name: string, procs: number) {
  return aSite({ name, spec: { ...aSite().spec, procs, memoryBytes: 2 ** 30 } });
}

describe("stint quote at live sites", () => {
  it("lists the starts with prices and what each would do, and marks the chosen one", async () => {
    const { quote } = broker();
    const { out, err, code } = await capturedProgram({ quote }).call("quote", "-n", "4", "-t", "1h");
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ +SITE +START +PRICE +FIXED +EFFECT$/);
    expect(lines[1]).toMatch(/^> +here +now, .* 6 SU +2 SU +delays 1 queued job by 30 min$/);
    expect(lines[2]).toMatch(/^ +here +in .* 4 SU +0 SU +delays nobody$/);
    expect(err).toBe("stint: away could not be reached: it hangs\n");
    expect(quote).toHaveBeenCalledExactlyOnceWith({ procs: 4, durationSec: 3600, alpha: 0.5 });
  });

  it("asks for exactly then, from then on, where and for whom it is said", async () => {
    const { quote } = broker();
    const { call } = capturedProgram({ quote });
    const slot = ["quote", "-n", "4", "-t", "1h"];
    await call(...slot, "--start", "6h", "--cheapest", "--site", "a", "b");
    await call(...slot, "--from", LATER, "--fastest", "--mem", "4G", "--for", "cms/top");
    const size = { procs: 4, durationSec: 3600 };
    expect(quote.mock.calls.map(([request]) => request)).toEqual([
      { ...size, startAt: LATER, alpha: 1, sites: ["a", "b"] },
      { ...size, fromAt: LATER, alpha: 0, memoryBytes: 4 * 2 ** 30, consumer: "cms/top" },
    ]);
  });

  it("says which rule is in the way; CSV and JSON have everything", async () => {
    const hindrance = { kind: "tooLong", durationSec: 2, longestSec: 1, text: "it would last 2s" } as const;
    const view = {
      items: [{ site: "here", trouble: null, starts: [aStart({ hindrance })] }],
      chosen: null,
    };
    const { quote, offer } = broker(view);
    const { call } = capturedProgram({ quote, offer });
    const { out, err, code } = await call("quote", "-n", "4", "-t", "1h");
    expect(out).toContain("; not for you: it would last 2s\n");
    expect(err).toBe("stint: none of these can be reserved by you\n");
    expect(code).toBe(0);
    expect(JSON.parse((await call("quote", "-n", "4", "-t", "1h", "-o", "json")).out)).toEqual(view);
    expect((await call("quote", "-n", "4", "-t", "1h", "-o", "csv")).out.split("\r\n")[1]).toBe(
      `here,${NOW},6,4,2,1,1,2,false,delays 1 queued job by 30 min,it would last 2s,0,`,
    );
    expect((await call("quote", "-n", "4", "-t", "1h", "--keep")).code).toBe(5);
    expect(offer).not.toHaveBeenCalled();
  });

  it("price rules of the site are named, each with its time, where there are any", async () => {
    const rules = [
      { rule: "day", unitPrice: 1.5, durationSec: 1800 },
      { rule: null, unitPrice: 1, durationSec: 1800 },
    ];
    const start = aStart({ rules, unitPrice: 1.5, transactionSu: 1, transactionProcMs: 3_600_000 });
    const items = [{ site: "here", trouble: null, starts: [start] }];
    const { quote, offer } = broker({ items, chosen: { site: "here", startAt: NOW } });
    offer.mockResolvedValue(aReservation({ state: "OFFERED", rules, transactionProcMs: 3_600_000 }));
    const { call } = capturedProgram({ quote, offer, reservation: async () => aReservation({ rules }) });
    const { out } = await call("quote", "-n", "4", "-t", "1h", "--keep");
    expect(out).toContain("delays 1 queued job by 30 min; priced by day for 30m, no rule for 30m\n");
    expect(out).toContain("6 SU, of which 2 SU fixed, priced by day for 30m, no rule for 30m; it stands");
    const csv = (await call("quote", "-n", "4", "-t", "1h", "-o", "csv")).out;
    expect(csv.split("\r\n")[1]).toMatch(/,1,"day for 30m, no rule for 30m"$/);
    expect((await call("reservations", "ab12cd34")).out).toMatch(
      /^priced by +day for 30m, no rule for 30m$/m,
    );
    const usual = capturedProgram({ reservation: async () => aReservation() });
    expect((await usual.call("reservations", "ab12cd34")).out).not.toContain("priced by");
  });

  it("where there is none it says so, and ends with 5", async () => {
    const { quote } = broker({ items: [{ site: "here", trouble: null, starts: [] }], chosen: null });
    const sites = async () => [siteOf("here", 400), siteOf("other", 800)];
    const { code, out, err } = await capturedProgram({ quote, sites }).call("quote", "-n", "400", "-t", "1h");
    expect({ code, out }).toEqual({ code: 5, out: "" });
    expect(err).toBe("stint: there is no such slot; ask for less, or without --start\n");
  });

  it.each(["quote", "reserve"])("%s says of none whether it is past, or too wide", async (verb) => {
    const { quote } = broker({ items: [{ site: "here", trouble: null, starts: [] }], chosen: null });
    const sites = async () => [siteOf("here", 64), siteOf("other", 800)];
    const { call } = capturedProgram({ quote, sites });
    const wide = await call(verb, "-n", "400", "-t", "1h");
    expect(wide.code).toBe(5);
    expect(wide.err).toContain("the widest of these sites is here, with 64 processors");
    const past = await call(verb, "-n", "4", "-t", "1h", "--start", "2020-01-01T00:00Z");
    expect(past.code).toBe(5);
    expect(past.err).toMatch(/it would begin at 2020-01-01 .*, which is past/);
    const memory = await call(verb, "-n", "4", "-t", "1h", "--mem", "2G");
    expect(memory.err).toContain("none of these sites has so much memory");
  });

  it("--keep makes an offer of the chosen one, and says its id and until when it stands", async () => {
    const { quote, offer } = broker();
    const { call } = capturedProgram({ quote, offer });
    const { out } = await call("quote", "-n", "4", "-t", "1h", "--keep");
    expect(out).toMatch(
      /^offer ab12cd34: 4 processors at here from .*; it stands until .*: stint reserve ab12cd34$/m,
    );
    expect(offer.mock.calls[0]?.[0]).toEqual({ site: "here", procs: 4, durationSec: 3600, startAt: NOW });
    const kept = await call("quote", "-n", "4", "-t", "1h", "--keep", "-o", "json");
    expect(JSON.parse(kept.out)).toEqual({ ...quoteView, offer: offered });
    expect((await call("quote", "-n", "4", "-t", "1h", "--keep", "-o", "name")).out).toBe("ab12cd34\n");
  });

  it.each([
    ["-n 4", "no slot was given"],
    ["-t 1h", "no slot was given"],
    ["-n 0 -t 1h", '-n: "0"'],
    ["-n -4 -t 1h", "-n"],
    ["-n 4 -t 0", "-t"],
    ["-n 4 -t 1h --alpha 1.5", '--alpha: "1.5" is not a fraction'],
    ["-n 4 -t 1h --alpha=-0.1", '--alpha: "-0.1"'],
    ["-n 4 -t 1h --alpha 0.2 --fastest", "set the same value"],
    ["-n 4 -t 1h --start soon", '--start: "soon"'],
    ["-n 4 -t 1h --start 2026-02-31x", "--start"],
    ["-n 4 -t 1h --start 1h --from 2h", "--start and --from"],
    ["-n 4 -t 1h --snapshot q.json --keep", "--keep does not go with --snapshot"],
    ["-n 4 -t 1h --snapshot q.json --site a", "--site does not go with --snapshot"],
    ["-n 4 -t 1h --snapshot q.json --start 2h", '--start: "2h"'],
    ["--snapshot q.json -n 4", "no slot was given"],
  ])("%s is bad input", async (words, what) => {
    const quote = async () => async () => [];
    const { code, err } = await capturedProgram({}, { quote }).call("quote", ...words.split(" "));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(what) });
  });
});

describe("stint reserve", () => {
  it.each([
    "quote -n 4 -t 367d",
    "reserve -n 4 -t 367d -y",
    "reserve --at a:1 --at b:1 -t 367d -y",
    "quote --at a/disk=5G -t 367d",
    "extend ab12 -t 367d -y",
  ])("%s is too long, and nobody is asked", async (line) => {
    const client = async () => Promise.reject(aFault("unreachable", "a broker was asked"));
    const broker = { quote: client, quoteCoReservation: client, quoteExtension: client };
    const { code, err } = await capturedProgram(broker).call(...line.split(" "));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^stint: -t: 367d is too long\n/) });
  });

  const words = ["reserve", "-n", "4", "-t", "1h"];

  it("CL-44 --yes chooses, has it kept aside, and accepts", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const { out, err, code } = await call(...words, "--yes");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(
      /^reservation ab12cd34: 4 processors at here from .*, 6 SU, of which 2 SU for delays\n$/,
    );
    expect(there.offer.mock.calls[0]?.[0]).toEqual({
      site: "here",
      procs: 4,
      durationSec: 3600,
      startAt: NOW,
    });
    expect(there.accept).toHaveBeenCalledExactlyOnceWith("ab12cd34");
    expect((await call(...words, "-y", "-o", "name")).out).toBe("ab12cd34\n");
    expect(JSON.parse((await call(...words, "-y", "-o", "json")).out)).toEqual(aReservation());
  });

  it("CL-44 at a terminal it asks with the offer's own price; no withdraws the offer", async () => {
    const there = broker();
    const askPerson = vi.fn(async () => false);
    const no = await capturedProgram(there, { askPerson }).call(...words);
    expect(no).toMatchObject({ code: 0, out: "", err: "stint: nothing was reserved\n" });
    expect(askPerson).toHaveBeenCalledWith(
      expect.stringMatching(
        /^4 processors at here .*: 6 SU, of which 2 SU for delays; it delays .*\. Reserve it\?$/,
      ),
    );
    expect(there.cancelReservation).toHaveBeenCalledExactlyOnceWith("ab12cd34");
    expect(there.accept).not.toHaveBeenCalled();
    const yes = await capturedProgram(there, { askPerson: async () => true }).call(...words);
    expect(yes).toMatchObject({ code: 0, out: expect.stringMatching(/^reservation ab12cd34/) });
  });

  it("CL-44 where nobody can be asked it reserves nothing, and says what it would cost", async () => {
    const there = broker();
    const { code, err } = await capturedProgram(there).call(...words);
    expect(code).toBe(5);
    expect(err).toMatch(
      /nothing was reserved\n.*would cost 6 SU, of which 2 SU for delays, at here.*\n.*--yes/,
    );
    expect(there.offer).not.toHaveBeenCalled();
  });

  it("CL-44 --most bounds the price, of the choice and of the offer", async () => {
    const there = broker(quoteView, aReservation({ state: "OFFERED", priceSu: 9 }));
    const { call } = capturedProgram(there);
    const dear = await call(...words, "--yes", "--most", "7");
    expect(there.quote.mock.calls[0]?.[0]).toMatchObject({ mostSu: 7 });
    expect(dear).toMatchObject({
      code: 5,
      err: expect.stringContaining("more than your limit of 7 SU"),
    });
    expect(there.cancelReservation).toHaveBeenCalledOnce();
    expect(there.accept).not.toHaveBeenCalled();
    const none = broker({ ...quoteView, chosen: null });
    expect(await capturedProgram(none).call(...words, "-y", "--most", "3")).toMatchObject({
      code: 5,
      err: expect.stringContaining("the cheapest costs 4 SU, and you allow 3 SU"),
    });
  });

  it("CL-44 where there is nothing to choose it says why", async () => {
    const hindrance = { kind: "tooLong", durationSec: 2, longestSec: 1, text: "too long" } as const;
    const item = { site: "here", trouble: null, starts: [aStart({ hindrance })] };
    const whyOf = async (items: QuoteView["items"]) =>
      (await capturedProgram(broker({ items, chosen: null })).call(...words, "-y")).err;
    expect(await whyOf([item])).toContain("why: too long\n");
    expect(await whyOf([{ ...item, starts: [], trouble: "it hangs" }])).toContain("why: it hangs\n");
    expect(await whyOf([{ ...item, starts: [] }])).toContain("free of running jobs");
  });

  it("CL-44 accepts an offer that was kept, within --most; a slot beside it is a mistake", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    expect(await call("reserve", "ab12")).toMatchObject({ code: 0, err: "" });
    expect(there.accept).toHaveBeenCalledExactlyOnceWith("ab12cd34");
    expect((await call("reserve", "ab12", "--most", "5")).code).toBe(5);
    const misplaced = await call("reserve", "ab12", "-n", "4");
    expect(misplaced).toMatchObject({
      code: 2,
      err: expect.stringContaining("does not go with accepting an offer"),
    });
  });

  it("CL-44 where the slot has gone meanwhile, what such a slot costs now is told", async () => {
    const fault = Object.assign(aFault("refused", "the slot at here is not available"), {
      problem: { quotes: [{ site: "here", trouble: null, starts: [aStart(), free] }] },
    });
    const there = { ...broker(), accept: () => Promise.reject(fault) };
    const { code, err } = await capturedProgram(there).call(...words, "--yes");
    expect(code).toBe(5);
    expect(err).toMatch(
      /^stint: now to be had at here from .*: 6 SU\nstint: now to be had .*: 4 SU\nstint: the slot/,
    );
    expect(there.cancelReservation).toHaveBeenCalledOnce();
  });
});
