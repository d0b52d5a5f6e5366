import { describe, expect, it, vi } from "vitest";
import { aFault, aJob, aReservation, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type {
  QuoteView,
  StintClient,
  VirtualReservationQuoteView,
  VirtualReservationSiteView,
} from "../api/client/index.ts";

const LATER = "2026-05-31T18:00:00.000Z";
const kept = [{ probability: 0.95, promises: 400, kept: 0.97, fellShort: false }];
const bare = {
  ...{ site: "far", partition: null, takesJobs: true, trouble: null, refusal: null },
  ...{ hindrance: null, noRecord: null },
};
const far: VirtualReservationSiteView = {
  ...bare,
  plan: {
    ...{ submitAt: "2026-05-31T15:00:00.000Z", wallTimeSec: 4 * 3600, probability: 0.93 },
    ...{ mostIdleSu: 24, mostIdleProcMs: 24 * 3_600_000, method: "history" },
    ...{ source: { level: "queue", waits: 120 }, score: { of: "site", kept, medianErrorSec: 1 } },
    hasBeenWrong: false,
  },
};
const young: VirtualReservationSiteView = {
  ...bare,
  site: "young",
  noRecord: { settled: 20, needed: 59 },
  plan: null,
};
const strict: VirtualReservationSiteView = {
  ...{ ...bare, site: "strict", plan: null },
  hindrance: {
    kind: "noVirtual",
    text: "virtual reservations are disabled there: no job may hold processors idle until its start",
  },
};
const quoteView: VirtualReservationQuoteView = { items: [far, young, strict], chosen: { site: "far" } };
const virtual = {
  ...{ startAt: LATER, durationSec: 3600, submitAt: "2026-05-31T15:00:00.000Z", probability: 0.93 },
  ...{ besides: null, idleSu: 0, idleProcMs: 0 },
};
const SLOT = ["-n", "8", "-t", "1h", "--start", "6h"];

function broker(view: VirtualReservationQuoteView = quoteView) {
  return {
    quoteVirtualReservation: vi.fn<StintClient["quoteVirtualReservation"]>(async () => view),
    reserveVirtually: vi.fn<StintClient["reserveVirtually"]>(async ({ besides = null }) =>
      aJob({ state: "WAITING", site: null, virtual: { ...virtual, besides } }),
    ),
  };
}

describe("stint quote --virtual", () => {
  it("says of each site when, which limit, how surely, what it idles at most, or why not", async () => {
    const client = broker();
    const { out, err, code } = await capturedProgram(client).call("quote", "--virtual", ...SLOT);
    expect(code).toBe(0);
    expect(out).toMatch(/^ +SITE +SUBMITTED +LIMIT +SURE +IDLE AT MOST +KEPT$/m);
    expect(out).toMatch(/^> +far +\S.* +4h +93 % +24 SU +97 % of 400$/m);
    expect(err).toMatch(/^stint: at far its job is submitted at .* with a limit of 4h; it has started by/m);
    expect(err).toMatch(
      /from 120 past waits \(97 % of 400 such promises kept\), and idles no more than 24 SU$/m,
    );
    expect(err).toContain("young has none: too little is known of its starts: 20 of 59 jobs");
    expect(err).toContain("39 more will do");
    expect(err).toContain(
      "strict has none: virtual reservations are disabled there: no job may " +
        "hold processors idle until its start\n",
    );
    expect(client.quoteVirtualReservation).toHaveBeenCalledExactlyOnceWith({
      procs: 8,
      durationSec: 3600,
      startAt: LATER,
    });
  });

  it("where there is none it ends with 5; JSON is the API's answer, CSV has a row each", async () => {
    const none = { items: [young], chosen: null };
    const { call } = capturedProgram(broker(none));
    expect((await call("quote", "--virtual", ...SLOT)).code).toBe(5);
    expect(JSON.parse((await call("quote", "--virtual", ...SLOT, "-o", "json")).out)).toEqual(none);
    const csv = (await capturedProgram(broker()).call("quote", "--virtual", ...SLOT, "-o", "csv")).out;
    expect(csv.split("\r\n")[1]).toBe(
      "far,,true,2026-05-31T15:00:00.000Z,14400,0.93,24,history,120,400,0.97,false,true,,,,",
    );
  });

  it.each([
    ["no start", ["-n", "8", "-t", "1h"], "no start was given"],
    ["--from", [...SLOT.slice(0, 4), "--from", "6h"], "--from cannot be used with a virtual reservation"],
    ["--cheapest", [...SLOT, "--cheapest"], "--cheapest cannot be used with a virtual reservation"],
    ["--keep", [...SLOT, "--keep"], "--keep cannot be used with a virtual reservation"],
  ])("%s is bad input", async (_, words, what) => {
    const { err, code } = await capturedProgram(broker()).call("quote", "--virtual", ...words);
    expect(code).toBe(2);
    expect(err).toContain(`stint: ${what}\n`);
  });

  it("--enough is for virtual reservations alone, and goes along", async () => {
    const client = broker();
    const { call } = capturedProgram(client);
    expect((await call("quote", ...SLOT, "--enough", "0.9")).err).toContain("--enough is for virtual");
    await call("quote", "--virtual", ...SLOT, "--enough", "0.9", "--site", "far", "--mem", "1G");
    expect(client.quoteVirtualReservation).toHaveBeenLastCalledWith({
      ...{ procs: 8, durationSec: 3600, startAt: LATER, enough: 0.9, sites: ["far"], memoryBytes: 2 ** 30 },
    });
  });
});

describe("stint reserve --virtual", () => {
  const RUN = ["--", "./sim", "--steps", "9"];

  it("asks with what it comes to, and submits the command at that site", async () => {
    const client = broker();
    const asked: string[] = [];
    const askPerson = async (text: string): Promise<boolean> => asked.push(text) > 0;
    const { call } = capturedProgram(client, { askPerson });
    const { out, code } = await call("reserve", "--virtual", ...SLOT, ...RUN);
    expect(code).toBe(0);
    expect(asked).toEqual([expect.stringMatching(/^at far its job is submitted at .* 24 SU\. Make it\?$/)]);
    expect(out).toMatch(/^job 7f3a0000 is submitted at .*, to run from .* on$/m);
    const [request] = client.reserveVirtually.mock.calls[0];
    expect(request).toMatchObject({
      ...{ procs: 8, durationSec: 3600, startAt: LATER, sites: ["far"] },
      ...{ executable: expect.stringMatching(/^\/.*\/sim$/), arguments: ["--steps", "9"] },
    });
  });

  it("makes nothing where nobody can be asked, where the answer is no, or beyond --most", async () => {
    const client = broker();
    const silent = await capturedProgram(client).call("reserve", "--virtual", ...SLOT, ...RUN);
    expect(silent).toMatchObject({
      code: 5,
      err: expect.stringContaining("without a terminal you cannot be asked to confirm"),
    });
    const refusing = capturedProgram(client, { askPerson: async () => false });
    expect((await refusing.call("reserve", "--virtual", ...SLOT, ...RUN)).err).toContain(
      "nothing was reserved",
    );
    const dear = await refusing.call("reserve", "--virtual", ...SLOT, "--yes", "--most", "31", ...RUN);
    expect(dear.err).toContain("it may use more than your limit of 31 SU");
    expect(client.reserveVirtually).not.toHaveBeenCalled();
    await refusing.call("reserve", "--virtual", ...SLOT, "--yes", "--most", "32", ...RUN);
    expect(client.reserveVirtually).toHaveBeenCalledOnce();
  });

  it("says why where no site has one, and what is missing of a command", async () => {
    const { call } = capturedProgram(broker({ items: [young, strict], chosen: null }));
    const { err, code } = await call("reserve", "--virtual", ...SLOT, "--yes", ...RUN);
    expect(code).toBe(5);
    expect(err).toContain("young: too little is known of its starts: 20 of 59");
    expect((await call("reserve", "--virtual", ...SLOT, "--yes")).err).toContain("no command was given");
    expect((await call("reserve", "a", "b")).err).toContain("2 words were given instead of one offer id");
  });
});

describe("stint reserve --combined", () => {
  const RUN = ["--yes", "--", "./sim"];
  const quoted: QuoteView = {
    items: [{ site: "far", trouble: null, starts: [aStart()] }],
    chosen: { site: "far", startAt: NOW },
  };
  const priced = aReservation({ startAt: LATER });
  const market = (view: QuoteView = quoted) => ({
    ...broker(),
    quote: vi.fn<StintClient["quote"]>(async () => view),
    offer: vi.fn<StintClient["offer"]>(async () => aReservation({ state: "OFFERED" })),
    accept: vi.fn<StintClient["accept"]>(async () => priced),
    sites: vi.fn<StintClient["sites"]>(async () => []),
  });

  it("reserves, and submits the command beside that", async () => {
    const client = market();
    const { out, code } = await capturedProgram(client).call("reserve", "--combined", ...SLOT, ...RUN);
    expect(code).toBe(0);
    expect(out).toMatch(/^reservation ab12cd34: /);
    expect(out).toMatch(/^job 7f3a0000 .*, or in reservation ab12cd34 if that is cheaper$/m);
    expect(client.reserveVirtually.mock.calls[0]?.[0]).toMatchObject({ besides: "ab12cd34", startAt: LATER });
  });

  it("where no reservation is to be had, the virtual one stands alone", async () => {
    const client = market({ items: [{ site: "far", trouble: null, starts: [] }], chosen: null });
    const { err, code } = await capturedProgram(client).call("reserve", "--combined", ...SLOT, ...RUN);
    expect(code).toBe(0);
    expect(err).toContain("stint: without a reservation beside it: ");
    expect(client.reserveVirtually.mock.calls[0]?.[0].besides).toBe(undefined);
  });

  it("where the job cannot be submitted, it says whose the reservation is", async () => {
    const client = {
      ...market(),
      reserveVirtually: async () => Promise.reject(aFault("unreachable", "gone")),
    };
    const { err, code } = await capturedProgram(client).call("reserve", "--combined", ...SLOT, ...RUN);
    expect(code).not.toBe(0);
    expect(err).toContain("stint: reservation ab12cd34 is yours; stint unreserve gives it back\n");
  });
});
