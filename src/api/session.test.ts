/** Sign-in, and requests with the cookie of a session. */
import { describe, expect, it } from "vitest";
import { type Serving, serve } from "../../test/api/serving.ts";
import type { Identity } from "../model/index.ts";
import type { Denial, Identify } from "./identity.ts";

const ann: Identity = { owner: "cms/ann", consumer: "cms/ann", role: "user", scopes: ["compute.read"] };

/** Knows one token. */
const identify: Identify = ({ headers: { authorization } }) => {
  if (authorization === undefined) return undefined;
  return authorization === "Bearer stint_good" ? ann : { why: "tokenWrong" };
};

/** The server of a browser; at a socket, which has no port. */
const withPage = (): Promise<Serving> => serve({ identify, pageDirectory: "/nonexistent" });
const cookie = "stint_session_0=stint_good";
const own = { cookie, host: "broker:1", "x-stint-page": "1", origin: "https://broker:1" };

describe("POST /session", () => {
  it("answers a right token with a cookie that no script reads and no other site sends", async () => {
    const { send } = await withPage();
    const { status, headers, json } = await send("POST", "/api/v1/session", {
      body: { token: "stint_good" },
    });
    expect(status).toBe(200);
    expect(headers["set-cookie"]).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict`]);
    expect(json).toMatchObject({ consumer: "cms/ann", role: "user", version: "1.2.3" });
  });

  it.each(["stint_bad", "stint_good; Domain=elsewhere", "stint\r\nset-cookie: a=b"])(
    "gives %j no cookie",
    async (token) => {
      const { send } = await withPage();
      const { status, headers, json } = await send("POST", "/api/v1/session", { body: { token } });
      expect([status, json.type]).toEqual([401, "urn:stint:tokenWrong"]);
      expect(headers["set-cookie"]).toBeUndefined();
    },
  );

  it("reports a denial, as every route does", async () => {
    const denials: Denial[] = [];
    const { send } = await serve({
      identify,
      pageDirectory: "/nonexistent",
      onDenial: (it) => denials.push(it),
    });
    for (const token of ["stint_bad", "no; token"])
      await send("POST", "/api/v1/session", { body: { token } });
    await send("GET", "/api/v1/session");
    expect(denials.map(({ method, why }) => `${method} ${why}`)).toEqual([
      ...["POST tokenWrong", "POST tokenWrong", "GET notIdentified"],
    ]);
  });

  it("is ended by DELETE, which removes the cookie", async () => {
    const { send } = await withPage();
    const { status, headers } = await send("DELETE", "/api/v1/session", { headers: own });
    expect(status).toBe(200);
    expect(headers["set-cookie"]?.[0]).toMatch(/^stint_session_0=; .*Max-Age=0$/);
  });
});

describe("GET /session", () => {
  it("lists what role and scopes permit, and nothing else", async () => {
    const { send } = await withPage();
    const { json } = await send("GET", "/api/v1/session", { headers: { cookie } });
    expect(json.may).toEqual(expect.arrayContaining(["seeJob", "seeSite", "assess", "quote"]));
    expect(json.may).not.toContain("cancel");
    expect(json.may).not.toContain("createToken");
  });

  it("refuses a caller without any token", async () => {
    const { send } = await withPage();
    expect((await send("GET", "/api/v1/session")).json.type).toBe("urn:stint:notIdentified");
  });
});

describe("a request with the cookie", () => {
  it("may look", async () => {
    const { send } = await withPage();
    expect((await send("GET", "/api/v1/jobs", { headers: { cookie } })).status).toBe(200);
  });

  it.each([
    ["without the header of the page", { cookie }],
    ["from another origin", { ...own, origin: "https://elsewhere.example" }],
    ["from an opaque origin", { ...own, origin: "null" }],
    ["that a browser calls cross-site", { ...own, "sec-fetch-site": "cross-site" }],
    ["that a browser calls same-site", { ...own, "sec-fetch-site": "same-site" }],
  ])("changes nothing %s", async (_, headers) => {
    const { send, brokerApi } = await withPage();
    brokerApi.put("job1", { owner: "cms/ann" });
    const { status, json } = await send("POST", "/api/v1/jobs/job1/hold", { headers });
    expect([status, json.type]).toEqual([403, "urn:stint:crossSite"]);
  });

  it("looks at nothing for a page of another site", async () => {
    const { send } = await withPage();
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    expect((await send("GET", "/api/v1/jobs", { headers })).status).toBe(403);
  });

  it("counts for nothing where the server has no page", async () => {
    const { send } = await serve({ identify });
    expect((await send("GET", "/api/v1/jobs", { headers: { cookie } })).status).toBe(401);
  });

  it("counts for less than a token in the header", async () => {
    const { send } = await withPage();
    const headers = { cookie, authorization: "Bearer stint_bad" };
    expect((await send("GET", "/api/v1/jobs", { headers })).json.type).toBe("urn:stint:tokenWrong");
  });
});
