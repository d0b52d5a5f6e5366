import { describe, expect, it } from "vitest";
import { NOTHING_STORED, scene } from "../../../../test/engine-scene.ts";
import { type NewToken, SCOPES, tokenState } from "../../../model/index.ts";
import { answer, apply, createProjection, restore } from "../../index.ts";

const request: NewToken = {
  token: "t1",
  hash: "0".repeat(64),
  role: "user",
  consumer: "cms/higgs/ann",
  site: null,
  scopes: SCOPES,
  label: "laptop",
  createdBy: "root",
  expiresAtMs: 5000,
};

describe("tokens", () => {
  const create = (change: Partial<NewToken> = {}) =>
    scene({ here: 4 }).ask({ kind: "createToken", ...request, ...change });

  it.each<[string, Partial<NewToken>, string]>([
    ["with all that it needs", {}, "ok"],
    ["that expires at this very instant", { expiresAtMs: 1000 }, "expiryPast"],
    ["that expires a millisecond later", { expiresAtMs: 1001 }, "ok"],
    ["of nobody", { consumer: "" }, "consumerInvalid"],
    ["of a path with an empty name", { consumer: "cms//ann" }, "consumerInvalid"],
    ["of a path that ends in /", { consumer: "cms/" }, "consumerInvalid"],
    ["of a path with a blank", { consumer: "cms/an n" }, "consumerInvalid"],
    ["of a path upwards", { consumer: "cms/.." }, "consumerInvalid"],
    ["of nine names", { consumer: "a/b/c/d/e/f/g/h/i" }, "consumerInvalid"],
    ["of a site admin", { role: "siteAdmin", site: "here" }, "ok"],
    ["of a site admin of no site", { role: "siteAdmin" }, "siteUnfit"],
    ["of a sensor", { role: "sensor", site: "here" }, "ok"],
    ["of a sensor of no site", { role: "sensor" }, "siteUnfit"],
    ["of a user with a site", { site: "here" }, "siteUnfit"],
    ["of a site admin of a site that is not there", { role: "siteAdmin", site: "hre" }, "unknownSite"],
  ])("EN-12 one %s", (_, change, outcome) => {
    expect(create(change)).toBe(outcome);
  });

  it("EN-12 an id is used once, a token is revoked once, and both are recorded", () => {
    const play = scene({});
    expect(play.ask({ kind: "createToken", ...request })).toBe("ok");
    expect(play.ask({ kind: "createToken", ...request, label: "again" })).toBe("idInUse");
    expect(play.ask({ kind: "revokeToken", token: "t2", by: "root" })).toBe("unknownToken");
    play.now = 9000;
    expect(play.ask({ kind: "revokeToken", token: "t1", by: "root" })).toBe("ok");
    expect(play.ask({ kind: "revokeToken", token: "t1", by: "root" })).toBe("tokenRevoked");
    const { token, ...same } = request;
    const record = { id: token, ...same, createdAtMs: 1000, revokedAtMs: 9000 };
    expect(play.projection.tokens.get("t1")).toEqual(record);
    expect(play.log.map(({ kind }) => kind)).toEqual(["tokenCreated", "tokenRevoked"]);
  });

  it("EN-12 EN-4 the log and the records give the same tokens", () => {
    const play = scene({});
    play.ask({ kind: "createToken", ...request });
    play.ask({ kind: "createToken", ...request, token: "t2" });
    play.ask({ kind: "revokeToken", token: "t1", by: "root" });
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    const { tokens } = play.projection;
    expect([...again.tokens]).toEqual([...tokens]);
    const stored = JSON.parse(JSON.stringify({ ...NOTHING_STORED, tokens: [...tokens.values()] }));
    expect([...restore(stored, 1).tokens]).toEqual([...tokens]);
  });

  it("BR-20 removing a site revokes its admins' tokens, also for a later site of its name", () => {
    const play = scene({ here: 4, there: 4 });
    const ofSite = (token: string, site: string) =>
      play.ask({ kind: "createToken", ...request, token, role: "siteAdmin", site });
    for (const [token, site] of [
      ["t1", "here"],
      ["t2", "there"],
      ["t3", "here"],
    ] as const) {
      expect(ofSite(token, site)).toBe("ok");
    }
    play.ask({ kind: "createToken", ...request, token: "t4" });
    play.ask({ kind: "revokeToken", token: "t3", by: "root" });
    const spec = play.projection.sites.get("here")?.spec;
    expect(play.ask({ kind: "removeSite", site: "here", by: "ann" })).toBe("ok");
    const revoked = { kind: "tokenRevoked", token: "t1", by: "ann", why: "its site was removed" };
    expect(play.log.slice(-2)).toMatchObject([revoked, { kind: "siteRemoved" }]);
    if (spec !== undefined) expect(play.ask({ kind: "addSite", site: "here", spec })).toBe("ok");
    const states = [...play.projection.tokens.values()].map((token) => tokenState(token, play.now));
    expect(states).toEqual(["revoked", "valid", "revoked", "valid"]);
  });

  it("BR-20 tokens that outlived their site are revoked when its name is used again", () => {
    const projection = createProjection();
    const token = { ...request, role: "siteAdmin", site: "here" } as const;
    apply(projection, { kind: "tokenCreated", ...token, atMs: 1 });
    const { spec } = scene({ here: 4 }).projection.sites.get("here") ?? {};
    if (spec === undefined) throw new Error("no such site");
    const answered = answer(projection, { kind: "addSite", site: "here", spec }, 7);
    expect(answered).toMatchObject({
      value: [{ kind: "tokenRevoked", token: "t1", by: "stint" }, { kind: "siteAdded" }],
    });
  });

  it("EN-12 a token works until its expiry or its revocation", () => {
    const play = scene({});
    play.ask({ kind: "createToken", ...request });
    const record = play.projection.tokens.get("t1");
    expect(record).toBeDefined();
    if (record === undefined) return;
    expect(tokenState(record, 4999)).toBe("valid");
    expect(tokenState(record, 5000)).toBe("expired");
    expect(tokenState({ ...record, revokedAtMs: 1 }, 2)).toBe("revoked");
  });

  it("EN-14 a denied request is recorded and changes no record", () => {
    const projection = createProjection();
    const denied = { who: null, method: "GET", route: "/jobs/:id", why: "tokenWrong", unrecorded: 3 };
    const answered = answer(projection, { kind: "noteDenial", ...denied }, 7);
    expect(answered).toEqual({ ok: true, value: [{ kind: "requestDenied", ...denied, atMs: 7 }] });
    expect(apply(projection, { kind: "requestDenied", ...denied, atMs: 7 })).toEqual([]);
    expect(projection).toEqual(createProjection());
  });
});
