import { describe, expect, it, vi } from "vitest";
import { aFault, aReservation, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { AccountsView, JobSubmission, StintClient } from "../api/client/index.ts";

const list = (...items: ReturnType<typeof aReservation>[]) =>
  vi.fn<StintClient["reservations"]>(async () => ({ items, next: null }));

describe("stint reservations", () => {
  it("lists those that hold something; --all, states and places narrow or widen it", async () => {
    const reservations = list(aReservation());
    const { call } = capturedProgram({ reservations });
    const { out } = await call("reservations");
    expect(out).toMatch(/^ID +STATE +SITE +PROCS +START +END +PRICE\nab12cd34 +ACCEPTED +here +4 .* 6 SU\n$/);
    await call("reservations", "--all", "--vo", "cms", "--site", "here", "--limit", "5");
    await call("reservations", "--state", "fulfilled,VIOLATED");
    expect(reservations.mock.calls.map(([filter]) => filter)).toEqual([
      { limit: 100, state: ["OFFERED", "ACCEPTED", "ACTIVE"] },
      { limit: 5, consumer: "cms", site: "here" },
      { limit: 100, state: ["FULFILLED", "VIOLATED"] },
    ]);
    expect((await call("reservations", "--state", "actve")).err).toContain("did you mean --state ACTIVE?");
  });

  it("CL-16 has every form; that there is none is told on stderr", async () => {
    const { call } = capturedProgram({ reservations: list(aReservation()) });
    expect(JSON.parse((await call("reservations", "-o", "json")).out)).toEqual({
      items: [aReservation()],
      next: null,
    });
    const [head = ""] = (await call("reservations", "-o", "csv")).out.split("\r\n");
    // Only those under a ticket have that one.
    expect(new Set(head.split(","))).toEqual(new Set([...Object.keys(aReservation()), "ticket"]));
    expect((await call("reservations", "-o", "name")).out).toBe("ab12cd34\n");
    expect((await call("reservations", "-o", "wide")).out).toMatch(/ no +local\/all\/ada +- +- +-\n$/);
    const none = await capturedProgram({ reservations: list() }).call("reservations");
    expect(none).toEqual({ code: 0, out: "", err: "stint: there are no such reservations\n" });
  });

  it("one of them in detail, with its life; in JSON one object", async () => {
    const history = [
      { state: "OFFERED", at: NOW, by: "ada", why: null },
      { state: "VIOLATED", at: NOW, by: null, why: "the site lost it" },
    ] as const;
    const one = aReservation({ state: "VIOLATED", history, refundSu: 6, refundProcMs: 21_600_000 });
    const { call } = capturedProgram({ reservation: async () => one });
    const { out } = await call("reservations", "ab12");
    expect(out).toMatch(/^reservation +ab12cd34\nstate +VIOLATED\n/);
    expect(out).toMatch(/^price +6 SU, of which 2 SU for delays$/m);
    expect(out).toMatch(/^returned +6 SU$/m);
    expect(out).toMatch(/OFFERED by ada\n.* VIOLATED: the site lost it\n$/);
    expect(JSON.parse((await call("reservations", "ab12", "-o", "json")).out)).toEqual(one);
    const unknown = capturedProgram({ reservation: () => Promise.reject(aFault("notFound")) });
    expect((await unknown.call("reservations", "zz")).code).toBe(3);
  });
});

describe("giving up", () => {
  it("CL-9 unreserve says what it cost, for each in turn; one that cannot be is told", async () => {
    const cancelReservation = vi.fn<StintClient["cancelReservation"]>(async (id) => {
      if (id === "b") throw aFault("refused", "reservation b cannot be cancelled");
      const cost = { penaltyProcMs: 720_000, refundProcMs: 20_880_000 };
      return aReservation(id === "a" ? { id, state: "CANCELLED", ...cost } : { id, state: "WITHDRAWN" });
    });
    const { code, out, err } = await capturedProgram({ cancelReservation }).call("unreserve", "a", "b", "c");
    expect(code).toBe(5);
    expect(out).toBe("a: CANCELLED, penalty 0.2 SU, 5.8 SU given back\nc: WITHDRAWN\n");
    expect(err).toContain("reservation b cannot be cancelled");
  });

  it("relinquish says what is given back", async () => {
    const relinquish = async () => aReservation({ state: "RELINQUISHED", refundProcMs: 3_600_000 });
    const { out } = await capturedProgram({ relinquish }).call("relinquish", "ab12");
    expect(out).toBe("ab12cd34: RELINQUISHED, 1 SU given back\n");
  });
});

describe("stint extend", () => {
  const words = ["extend", "ab12", "-t", "1h"];
  const broker = (price = aStart()) => ({
    quoteExtension: vi.fn<StintClient["quoteExtension"]>(async () => price),
    extend: vi.fn<StintClient["extend"]>(async () => aReservation({ priceProcMs: 43_200_000 })),
  });

  it("pays what was quoted and asked for, or what --most allows, and no more", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    expect((await call(...words, "--yes")).out).toMatch(/^reservation ab12cd34: .* 12 SU.* in all\n$/);
    await call(...words, "--most", "9");
    expect(there.extend.mock.calls.map(([, request]) => request)).toEqual([
      { moreSec: 3600, mostFixedSu: 2 },
      { moreSec: 3600, mostFixedSu: 5 },
    ]);
    const dear = await call(...words, "--most", "5");
    expect(dear).toMatchObject({ code: 5, err: expect.stringContaining("more than your limit of 5 SU") });
  });

  it("asks at a terminal; where nobody can be asked it changes nothing", async () => {
    const there = broker();
    const no = await capturedProgram(there, { askPerson: async () => false }).call(...words);
    expect(no).toMatchObject({ code: 0, err: "stint: nothing was changed\n" });
    const nobody = await capturedProgram(there).call(...words);
    expect(nobody).toMatchObject({ code: 5, err: expect.stringContaining("it would cost 6 SU") });
    expect(there.extend).not.toHaveBeenCalled();
    await capturedProgram(there, { askPerson: async () => true }).call(...words);
    expect(there.extend).toHaveBeenCalledOnce();
  });

  it("says which rule, or whose reservation, is in the way", async () => {
    const hindrance = { kind: "tooLong", durationSec: 2, longestSec: 1, text: "too long" } as const;
    const ruled = await capturedProgram(broker(aStart({ hindrance }))).call(...words, "--yes");
    expect(ruled).toMatchObject({ code: 5, err: expect.stringContaining("why: too long") });
    const taken = { quoteExtension: () => Promise.reject(aFault("refused", "cannot be had")) };
    expect((await capturedProgram(taken).call(...words, "--yes")).code).toBe(5);
    expect((await capturedProgram({}).call("extend", "ab12", "-t", "0")).code).toBe(2);
  });
});

describe("stint account", () => {
  const accounts: AccountsView = {
    consumer: "cms/top",
    levels: [
      { site: "here", consumer: "cms", balanceSu: null, balanceProcMs: null, granted: false },
      { site: "here", consumer: "cms/top", balanceSu: 4.5, balanceProcMs: 16_200_000, granted: true },
    ],
    sites: [
      {
        ...{ site: "here", hasGrants: true, incomeSu: { base: 5, delays: 0.5, penalties: 0 } },
        incomeProcMs: { base: 18_000_000, delays: 1_800_000, penalties: 0 },
        reserved: { su: 8, procMs: 28_800_000, idleSu: 3, idleProcMs: 10_800_000 },
        delays: { jobs: 2, pricedSu: 3, pricedProcMs: 10_800_000, causedSu: 2, causedProcMs: 7_200_000 },
      },
    ],
    postings: [
      {
        ...{ id: "g", site: "here", consumer: "cms/top", at: NOW, kind: "grant", about: "root" },
        ...{ su: 10, procMs: 36_000_000, entries: [] },
      },
    ],
  };

  it("says how much of a site's reservations was idle, and what priced delays came to", async () => {
    const { out } = await capturedProgram({ account: async () => accounts }).call("account", "cms/top");
    expect(out).toContain("\nof 8 SU in reservations that are over 3 SU were idle\n");
    expect(out).toContain("\n2 jobs have started whose delay was priced at 3 SU; it came to 2 SU\n");
    const nothing = { su: 0, procMs: 0, idleSu: 0, idleProcMs: 0 };
    const nobody = { jobs: 0, pricedSu: 0, pricedProcMs: 0, causedSu: 0, causedProcMs: 0 };
    const sites = accounts.sites.map((site) => ({ ...site, reserved: nothing, delays: nobody }));
    const quiet = await capturedProgram({ account: async () => ({ ...accounts, sites }) }).call("account");
    expect(quiet.out).not.toMatch(/idle|delay was/);
  });

  it("shows each level's balance, what the site has earned, and the newest postings", async () => {
    const account = vi.fn<StintClient["account"]>(async () => accounts);
    const { call } = capturedProgram({ account });
    const { out } = await call("account", "cms/top", "--site", "here");
    expect(out).toMatch(/^CONSUMER +SITE +BALANCE +GRANTED\ncms +here +- +no\ncms\/top +here +4.5 SU +yes\n/);
    expect(out).toContain(
      "here refuses what accounts cannot cover; it has earned 5 SU base, 0.5 SU for delays",
    );
    expect(out).toMatch(/here +cms\/top +10 SU +grant +root\n$/);
    expect(JSON.parse((await call("account", "-o", "json")).out)).toEqual(accounts);
    expect((await call("account", "-o", "csv")).out.split("\r\n")[2]).toBe("cms/top,here,4.5,16200000,true");
    expect(account.mock.calls[0]?.[0]).toEqual({ consumer: "cms/top", site: "here" });
    expect(account.mock.calls[1]?.[0]).toEqual({});
    const none = { ...accounts, levels: [], sites: [], postings: [] };
    const nothing = await capturedProgram({ account: async () => none }).call("account");
    expect(nothing).toMatchObject({ out: "", err: "stint: nothing was ever posted to cms/top\n" });
  });

  it("a grant of nothing is a mistake", async () => {
    const grant = vi.fn<StintClient["grant"]>();
    const { code, err } = await capturedProgram({ grant }).call(
      ...["account", "grant", "cms/top", "0", "--site", "here"],
    );
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("cms/top would be given 0 SU") });
    expect(grant).not.toHaveBeenCalled();
  });

  it("grants, and takes back", async () => {
    const made = { id: "g", procMs: 1, balanceSu: 14.5, balanceProcMs: 52_200_000 };
    const grant = vi.fn<StintClient["grant"]>(async (request) => ({ ...request, ...made }));
    const { call } = capturedProgram({ grant });
    const { out } = await call("account", "grant", "cms/top", "10", "--site", "here");
    expect(out).toBe("cms/top has 14.5 SU at here\n");
    await call("account", "grant", "--site", "here", "-o", "json", "--", "cms/top", "-2.5");
    expect(grant.mock.calls.map(([request]) => request)).toEqual([
      { consumer: "cms/top", su: 10, site: "here" },
      { consumer: "cms/top", su: -2.5, site: "here" },
    ]);
    expect((await call("account", "grant", "cms/top", "many", "--site", "here")).code).toBe(2);
    expect((await call("account", "grant", "cms/top", "10")).code).toBe(2);
  });
});

describe("jobs in reservations", () => {
  it("run and submit name the reservation by its whole id", async () => {
    const submit = vi.fn<StintClient["submit"]>(async () => ["j"]);
    const reservation = async () => aReservation();
    const description: JobSubmission = { executable: "x", inputSandbox: [] };
    const readJobFile = async () => async () =>
      ({ jobs: [{ description }], warnings: [], problems: [], translations: [] }) as never;
    const watch = () => Promise.reject(aFault("failed"));
    const program = capturedProgram({ submit, reservation, watch }, { readJobFile });
    await program.call("submit", "job.yaml", "--reservation", "ab12");
    await program.call("run", "--reservation", "ab12", "--", "x");
    for (const [[submission]] of submit.mock.calls) expect(submission?.reservation).toBe("ab12cd34");
    const unknown = { submit, reservation: () => Promise.reject(aFault("notFound")) };
    expect((await capturedProgram(unknown).call("run", "--reservation", "zz", "--", "x")).code).toBe(125);
    expect(submit).toHaveBeenCalledTimes(2);
  });
});
