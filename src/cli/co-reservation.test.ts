import { describe, expect, it, vi } from "vitest";
import { aFault, aReservation, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type {
  CoReservationQuoteView,
  CoReservationStartView,
  CoReservationView,
  StintClient,
} from "../api/client/index.ts";

const LATER = "2026-05-31T18:00:00.000Z";
const words = ["--at", "here:4", "--at", "far:2", "-t", "1h"];
const parts = [
  { site: "here", procs: 4 },
  { site: "far", procs: 2 },
];

/** A start at which `here` costs 6 SU and `far` 2 SU. */
function aStartOfBoth(change: Partial<CoReservationStartView> = {}): CoReservationStartView {
  const { startAt, delays: _, hindrance, ...price } = aStart();
  const { effect, unitPrice, ...sum } = price;
  const far = {
    ...sum,
    unitPrice,
    priceSu: 2,
    priceProcMs: 7_200_000,
    site: "far",
    procs: 2,
    resource: null,
  };
  return {
    ...{ startAt, effect, ...sum, priceSu: 8, priceProcMs: 28_800_000 },
    parts: [
      { ...sum, unitPrice, site: "here", procs: 4, resource: null, hindrance },
      { ...far, hindrance },
    ],
    ...change,
  };
}

const hindrance = { kind: "tooLong", durationSec: 2, longestSec: 1, text: "too long" } as const;
const hindered = aStartOfBoth({ parts: aStartOfBoth().parts.map((part) => ({ ...part, hindrance })) });
const view: CoReservationQuoteView = {
  items: [aStartOfBoth(), { ...hindered, startAt: LATER, effect: "delays nobody" }],
  chosen: { startAt: NOW },
};
const far = { site: "far", procs: 2, priceSu: 2, priceProcMs: 7_200_000, fixedSu: 0, fixedProcMs: 0 };
const bothOf = (state: "OFFERED" | "ACCEPTED"): CoReservationView => ({
  together: "t1",
  items: [
    aReservation({ id: "aaaa", state, together: "t1" }),
    aReservation({ id: "bbbb", state, together: "t1", ...far }),
  ],
});

/** A broker that answers with these, and keeps what it was asked. */
function broker(quote: CoReservationQuoteView = view) {
  return {
    quoteCoReservation: vi.fn<StintClient["quoteCoReservation"]>(async () => quote),
    offerCoReservation: vi.fn<StintClient["offerCoReservation"]>(async () => bothOf("OFFERED")),
    accept: vi.fn<StintClient["accept"]>(async () => aReservation({ id: "aaaa" })),
    reservation: vi.fn<StintClient["reservation"]>(
      async (id) => bothOf("ACCEPTED").items.find((item) => item.id === id) ?? aReservation(),
    ),
    cancelReservation: vi.fn<StintClient["cancelReservation"]>(async () => aReservation()),
  };
}

describe("stint quote --at", () => {
  it("lists the starts with the price in all and of each site, and marks the chosen one", async () => {
    const there = broker();
    const { out, err, code } = await capturedProgram(there).call("quote", ...words);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ +START +PRICE +FIXED +here:4 +far:2 +EFFECT$/);
    expect(lines[1]).toMatch(/^> +now, .* 8 SU +2 SU +6 SU +2 SU +delays 1 queued job by 30 min$/);
    expect(lines[2]).toMatch(
      /^ .*delays nobody; not for you at here: too long; not for you at far: too long$/,
    );
    expect(there.quoteCoReservation).toHaveBeenCalledExactlyOnceWith({
      parts,
      durationSec: 3600,
      alpha: 0.5,
    });
    await capturedProgram(there).call("quote", ...words, "--start", "6h", "--cheapest", "--for", "cms");
    expect(there.quoteCoReservation).toHaveBeenLastCalledWith({
      ...{ parts, durationSec: 3600, startAt: LATER, alpha: 1, consumer: "cms" },
    });
  });

  it("JSON is the API's answer; CSV has the parts as JSON", async () => {
    const { call } = capturedProgram(broker());
    expect(JSON.parse((await call("quote", ...words, "-o", "json")).out)).toEqual(view);
    const csv = (await call("quote", ...words, "-o", "csv")).out.split("\r\n");
    expect(csv[0]).toBe("startAt,priceSu,baseSu,fixedSu,delaysJobs,delaySu,chosen,effect,hindrance,parts");
    expect(csv[2]).toContain(`${LATER},8,4,2,1,2,false,delays nobody,here: too long; far: too long,`);
  });

  it("--keep makes an offer at each site, which are accepted by one", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const { out } = await call("quote", ...words, "--keep");
    expect(out).toMatch(/^offer aaaa: 4 processors at here .*, 6 SU, of which 2 SU for delays$/m);
    expect(out).toMatch(/^offer bbbb: 2 processors at far .*, 2 SU$/m);
    expect(out).toMatch(/^in all 8 SU, of which 2 SU for delays; they stand until .*: stint reserve aaaa$/m);
    expect(there.offerCoReservation).toHaveBeenCalledWith({ parts, durationSec: 3600, startAt: NOW });
    expect((await call("quote", ...words, "--keep", "-o", "name")).out).toBe("aaaa\nbbbb\n");
    const json = await call("quote", ...words, "--keep", "-o", "json");
    expect(JSON.parse(json.out)).toEqual({ ...view, offer: bothOf("OFFERED") });
  });

  it("where there is no such start, or none that may be reserved, it says so", async () => {
    const none = await capturedProgram(broker({ items: [], chosen: null })).call("quote", ...words);
    expect(none).toMatchObject({ code: 5, out: "" });
    expect(none.err).toMatch(/^stint: these slots cannot be combined; /);
    const shut = broker({ items: [hindered], chosen: null });
    const kept = await capturedProgram(shut).call("quote", ...words, "--keep");
    expect(kept).toMatchObject({ code: 5, err: "stint: none of these can be reserved by you\n" });
    expect(shut.offerCoReservation).not.toHaveBeenCalled();
  });

  it.each([
    ["--at here -t 1h", '--at: "here" is not a slot'],
    ["--at here:0 --at far:2 -t 1h", '--at: "here:0"'],
    ["--at here:x -t 1h", '--at: "here:x"'],
    ["--at here:-4 -t 1h", '--at: "here:-4"'],
    ["--at :4 -t 1h", '--at: ":4"'],
    ["--at a:b:4 -t 1h", '--at: "a:b:4"'],
    ["--at here:1.5 -t 1h", '--at: "here:1.5"'],
    ["--at here:4 --at here:2 -t 1h", "--at names here twice"],
    ["--at here:4 -t 1h", "write --site here -n 4"],
    ["--at here:4 --at far:2", "no length was given"],
    ["--at here:4 --at far:2 -t 1h -n 4", "--procs does not go with --at"],
    ["--at here:4 --at far:2 -t 1h --site here", "--site does not go with --at"],
    ["--at here:4 --at far:2 -t 1h --mem 4G", "--mem does not go with --at"],
    ["--at here:4 --at far:2 -t 1h --start 1h --from 2h", "--start and --from"],
    ["--at here:4 --at far:2 -t 1h --snapshot q.json", "--at does not go with --snapshot"],
    [`${Array.from({ length: 17 }, (_, at) => `--at s${at}:1`).join(" ")} -t 1h`, "more than 16 times"],
  ])("%s is bad input", async (text, what) => {
    const quote = async () => async () => [];
    const { code, err } = await capturedProgram({}, { quote }).call("quote", ...text.split(" "));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(what) });
  });
});

describe("stint reserve --at", () => {
  const reserve = ["reserve", ...words];

  it("--yes has all kept aside, accepts one of them, and prints all", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const { out, err, code } = await call(...reserve, "--yes");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(/^reservation aaaa: 4 processors at here .*\nreservation bbbb: 2 processors at far /);
    expect(out).toMatch(/^in all 8 SU, of which 2 SU for delays; what cancels one cancels all$/m);
    expect(there.accept).toHaveBeenCalledExactlyOnceWith("aaaa");
    expect((await call(...reserve, "-y", "-o", "name")).out).toBe("aaaa\nbbbb\n");
    expect(JSON.parse((await call(...reserve, "-y", "-o", "json")).out)).toEqual(bothOf("ACCEPTED"));
  });

  it("asks with the price of all; no withdraws the offers", async () => {
    const there = broker();
    const askPerson = vi.fn(async () => false);
    const no = await capturedProgram(there, { askPerson }).call(...reserve);
    expect(no).toMatchObject({ code: 0, out: "", err: "stint: nothing was reserved\n" });
    expect(askPerson).toHaveBeenCalledWith(
      expect.stringMatching(/^4 processors at here .*, and 2 processors at far .*: 8 SU, of .* them\?$/),
    );
    expect(there.cancelReservation).toHaveBeenCalledExactlyOnceWith("aaaa");
    expect(there.accept).not.toHaveBeenCalled();
  });

  it("where nobody can be asked, or it is too dear, nothing is reserved", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const silent = await call(...reserve);
    expect(silent.code).toBe(5);
    expect(silent.err).toMatch(/nothing was reserved\n.*cost 8 SU, .*, at here and far from .*\n.*--yes/);
    expect(there.offerCoReservation).not.toHaveBeenCalled();
    const dear = await call(...reserve, "--yes", "--most", "7");
    expect(there.quoteCoReservation.mock.lastCall?.[0]).toMatchObject({ mostSu: 7 });
    expect(dear).toMatchObject({ code: 5, err: expect.stringContaining("more than your limit of 7 SU") });
    expect(there.cancelReservation).toHaveBeenCalledExactlyOnceWith("aaaa");
    expect(there.accept).not.toHaveBeenCalled();
  });

  it("where there is nothing to choose it says why", async () => {
    const whyOf = async (items: CoReservationQuoteView["items"]) =>
      (await capturedProgram(broker({ items, chosen: null })).call(...reserve, "-y", "--most", "3")).err;
    expect(await whyOf([])).toContain("no start at which they are free at all of the sites");
    expect(await whyOf([hindered])).toContain("why: here: too long\n");
    expect(await whyOf([aStartOfBoth()])).toContain("the cheapest costs 8 SU, and you allow 3 SU");
  });

  it("where a slot has gone meanwhile, what they cost together now is told", async () => {
    const problem = { startsTogether: [aStartOfBoth(), hindered] };
    const fault = Object.assign(aFault("refused", "the slot at far is not available"), { problem });
    const there = { ...broker(), offerCoReservation: () => Promise.reject(fault) };
    const { code, err } = await capturedProgram(there).call(...reserve, "--yes");
    expect(code).toBe(5);
    expect(err).toMatch(/^stint: now to be had together from .*: 8 SU\nstint: the slot at far/);
  });

  it("an offer of several is accepted as a whole, at what all cost", async () => {
    const others = aReservation({ id: "cccc", state: "OFFERED", together: "t2" });
    const reservations = vi.fn<StintClient["reservations"]>(async ({ cursor } = {}) =>
      cursor === undefined
        ? { items: [others, ...bothOf("OFFERED").items.slice(0, 1)], next: "c" }
        : { items: bothOf("OFFERED").items.slice(1), next: null },
    );
    const there = { ...broker(), reservations };
    const { call } = capturedProgram(there);
    const dear = await call("reserve", "bbbb", "--most", "7");
    expect(dear).toMatchObject({ code: 5, err: expect.stringContaining("its price is 8 SU") });
    expect(there.accept).not.toHaveBeenCalled();
    const { out, code } = await call("reserve", "bbbb", "--most", "8");
    expect(code).toBe(0);
    expect(out).toMatch(/^reservation aaaa: 4 processors at here .*\nreservation bbbb: 2 processors at far /);
    expect(out).toMatch(/^in all 8 SU, of which 2 SU for delays; what cancels one cancels all$/m);
    expect(there.accept).toHaveBeenCalledExactlyOnceWith("bbbb");
    expect(JSON.parse((await call("reserve", "bbbb", "-o", "json")).out)).toEqual(bothOf("ACCEPTED"));
  });

  it("beside an offer that is to be accepted it is a mistake", async () => {
    const { code, err } = await capturedProgram(broker()).call("reserve", "aaaa", ...words.slice(0, 4));
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining("--at does not go with accepting"),
    });
  });
});

describe("stint reservations", () => {
  it("show what is had together: wide, in JSON, and of one", async () => {
    const { items } = bothOf("ACCEPTED");
    const reservations = async () => ({ items, next: null });
    const { call } = capturedProgram({ reservations, reservation: async () => items[0] ?? aReservation() });
    const wide = (await call("reservations", "-o", "wide")).out.trimEnd().split("\n");
    expect(wide.map((line) => line.split(/\s{2,}/).at(-1))).toEqual(["TOGETHER", "t1", "t1"]);
    expect(JSON.parse((await call("reservations", "-o", "json")).out).items).toEqual(items);
    expect((await call("reservations", "aaaa")).out).toMatch(/^together +t1$/m);
  });
});
