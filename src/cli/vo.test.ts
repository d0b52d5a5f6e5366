import { describe, expect, it, vi } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { ChoiceView, ProspectView, StintClient, VoView } from "../api/client/index.ts";

const cms: VoView = {
  ...{ vo: "cms", selector: "random", enforcement: { extraPpm: 20_000 }, by: "boss", lastSite: "west" },
  ...{ changedAt: "2026-11-20T08:30:00.000Z", sentAt: {} },
};

function program(now: VoView = cms) {
  const changeVo = vi.fn<StintClient["changeVo"]>(async (vo, request) => ({ ...now, vo, ...request }));
  return { ...capturedProgram({ vo: async () => now, vos: async () => [now], changeVo }), changeVo };
}

describe("stint vo", () => {
  it("shows how organisations have their jobs placed", async () => {
    const { call } = program();
    const { out } = await call("vo", "show");
    expect(out.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(/^VO +SELECT +ENFORCED +EXTRA +LAST SITE$/),
      expect.stringMatching(/^cms +random +yes +2 % +west$/),
    ]);
    expect(JSON.parse((await call("vo", "show", "cms", "-o", "json")).out)).toEqual(cms);
    expect(JSON.parse((await call("vo", "show", "-o", "json")).out)).toEqual({ items: [cms], next: null });
  });

  it("sets what is said, and leaves the rest as it is", async () => {
    const { call, changeVo } = program();
    await call("vo", "set", "cms", "--select", "leastUsed");
    await call("vo", "set", "cms", "--no-enforce", "--select", "earliest");
    await call("vo", "set", "cms", "--extra", "7.5%");
    await program({ ...cms, enforcement: null }).call("vo", "set", "cms", "--enforce");
    expect(changeVo.mock.calls.map(([, request]) => request)).toEqual([
      { selector: "leastUsed", enforcement: { extraPpm: 20_000 } },
      { selector: null, enforcement: null },
      { selector: "random", enforcement: { extraPpm: 75_000 } },
    ]);
    const silent = program({ ...cms, enforcement: null });
    await silent.call("vo", "set", "cms", "--enforce");
    expect(silent.changeVo.mock.calls[0]?.[1]).toEqual({
      selector: "random",
      enforcement: { extraPpm: 50_000 },
    });
  });

  it.each([
    [[], "no setting was given"],
    [["--select", "leastused"], "did you mean --select leastUsed?"],
    [["--extra", "lots"], '--extra: "lots" is not a percentage'],
    [["--no-enforce", "--extra", "5%"], "--extra has no effect here"],
  ])("vo set cms %j is bad input", async (words, said) => {
    const { err, code } = await program().call("vo", "set", "cms", ...words);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});

const choice: ChoiceView = {
  ...{ honoured: "now", limit: null, level: null, policy: null, priceSu: 2, usedShare: 0.25, freeProcs: 6 },
  ...{ honouredRate: 0.95, followed: 20, isRecommended: true, isChosen: false },
};
function prospect(site: string, more: Partial<ChoiceView> = {}): ProspectView {
  return {
    ...{ site, partition: null, takesJobs: true, fits: true, refusal: null, trouble: null, forecast: null },
    ...{ otherMethods: [], noRecord: null, probabilityByDeadline: null, learnt: null, slot: null },
    choice: { ...choice, ...more },
  };
}

describe("stint when, choosing", () => {
  const asked = (...items: readonly ProspectView[]) => {
    const assess = vi.fn<StintClient["assess"]>(async () => ({ items }));
    return { ...capturedProgram({ assess }), assess };
  };

  it("marks the sites that are recommended under a condition, and says where none is", async () => {
    const { call, assess } = asked(prospect("a"), prospect("b", { isRecommended: false }));
    const { out } = await call("when", "--condition", "FreeProcs > 4");
    expect(assess.mock.calls[0]?.[0]).toEqual({ condition: "FreeProcs > 4" });
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^SITE +CHOICE +50 %/);
    expect(lines.slice(1, 3)).toEqual([expect.stringMatching(/^a +yes /), expect.stringMatching(/^b +no /)]);
    const none = await asked(prospect("b", { isRecommended: false })).call("when", "--condition", "false");
    expect(none.out).toContain("no site is recommended");
  });

  it("says which one a selector takes, and why", async () => {
    const { call, assess } = asked(prospect("a"), prospect("b", { isChosen: true }));
    const { out } = await call("when", "--select", "leastUsed");
    expect(assess.mock.calls[0]?.[0]).toEqual({ select: "leastUsed" });
    expect(out).toMatch(/^b +chosen /m);
    expect(out).toContain("b is chosen: 25 % of it is in use or requested, the smallest fraction of all\n");
    const wrong = await call("when", "--select", "leastused");
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining("did you mean --select leastUsed?"),
    });
  });

  it("the wide table has the rows: used, free, price, how often honoured; CSV all of it", async () => {
    const { call } = asked(prospect("a"));
    const { out } = await call("when", "-o", "wide");
    expect(out.split("\n")[0]).toMatch(/USED +FREE +PRICE +HONOURED/);
    expect(out.split("\n")[1]).toMatch(/25 % +6 +2 SU +95 % of 20/);
    const csv = (await call("when", "-o", "csv")).out;
    expect(csv.split("\r\n")[1]).toContain("now,,,0.25,6,2,0.95,20,true,false");
  });
});
