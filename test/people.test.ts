import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type StintClient, type TokenRequest } from "../src/api/client/index.ts";
import { byToken, createServer, denialLog, listenOnLoopback, mintToken } from "../src/api/index.ts";
import { type Broker, type OpenSite, sandboxesIn, startBroker } from "../src/broker/index.ts";
import { brokerPlace } from "../src/main/state-directory.ts";
import { isOfSite, ROLES, type Role } from "../src/model/index.ts";
import { type Logbook, type LoggedEvent, projectLog, VIEWS } from "../src/runtime/index.ts";
import { compareViews, createMemoryLogbook } from "../src/store/index.ts";
import { capturedProgram } from "./captured-program.ts";
import { startLiveBroker } from "./live-broker.ts";
import { scriptedSite } from "./scripted-site.ts";
import { steppableClock } from "./steppable-clock.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const job = { executable: "true" };
const nowMs = Date.UTC(2026, 10, 21);
const openSite = async (): Promise<OpenSite> => ({ kind: "managed", site: scriptedSite() });

let clock: ReturnType<typeof steppableClock>;
let logbook: Logbook;
let broker: Broker;
let server: ReturnType<typeof createServer>;
let url: string;
let adminToken: string;
let clients: StintClient[];

beforeEach(async () => {
  clock = steppableClock(nowMs);
  logbook = createMemoryLogbook(VIEWS);
  const world = { warn: () => undefined, onBroken: () => undefined, sandboxes: sandboxesIn(folder) };
  broker = await startBroker({ logbook, openSite, clock, ...world });
  const spec = { type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy" } as const;
  await broker.brokerApi.ask({
    kind: "addSite",
    site: "local",
    spec: { ...spec, defaultWallTimeMs: 60_000 },
  });
  server = createServer(broker.brokerApi, {
    identify: byToken(broker.brokerApi, clock),
    isLoopback: true,
    version: "1",
    nowMs: clock.nowMs,
    onDenial: denialLog(broker.brokerApi, { nowMs: clock.nowMs, onError: () => undefined }),
  });
  url = await listenOnLoopback(server, 0);
  const { id, hash, token } = mintToken();
  await broker.brokerApi.ask({
    kind: "createToken",
    token: id,
    hash,
    role: "admin",
    consumer: "local/root",
    site: null,
    scopes: ["compute.read", "compute.create", "compute.modify", "compute.cancel"],
    label: "",
    createdBy: "root",
    expiresAtMs: nowMs + 1e12,
  });
  adminToken = token;
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await server.close();
  await broker.stop();
});

function clientWith(token: string): StintClient {
  const client = createClient({ url, token });
  clients.push(client);
  return client;
}

/** Somebody with a new token. */
async function somebody(request: TokenRequest): Promise<StintClient> {
  return clientWith((await clientWith(adminToken).createToken(request)).token);
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => "ok",
    (error: { readonly code: string }) => error.code,
  );
}

async function denials(): Promise<LoggedEvent["body"][]> {
  const bodies: LoggedEvent["body"][] = [];
  for await (const { kind, body } of logbook.events(1)) if (kind === "requestDenied") bodies.push(body);
  return bodies;
}

/** The status and the code of an answer to a request with these headers. */
function raw(headers: Readonly<Record<string, string>>, path = "/api/v1/sites"): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${url}${path}`, { headers, agent: false }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      const isJson = response.headers["content-type"]?.includes("json");
      const { type } = isJson ? JSON.parse(text) : { type: undefined };
      resolve([response.statusCode ?? 0, String(type).replace("urn:stint:", "")]);
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("who is asking over TCP", () => {
  it("is known by their token and by nothing else; each denial is logged", async () => {
    const wrong = adminToken.replace(/_[^_]{4}/, "_aaaa");
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(await raw({})).toEqual([401, "notIdentified"]);
    expect(await raw({ authorization: "Basic cm9vdDpyb290" })).toEqual([401, "notIdentified"]);
    for (const token of ["", "x", wrong, `${adminToken}x`, mintToken().token]) {
      expect(await raw(bearer(token))).toEqual([401, "tokenWrong"]);
    }
    const otherSecret = `${adminToken.slice(0, 19)}${mintToken().token.slice(19)}`;
    expect(await raw(bearer(otherSecret))).toEqual([401, "tokenWrong"]);
    expect((await raw(bearer(adminToken)))[0]).toBe(200);
    const logged = await denials();
    expect(logged).toHaveLength(8);
    expect(logged[0]).toEqual({
      who: null,
      method: "GET",
      route: "/api/v1/sites",
      why: "notIdentified",
      unrecorded: 0,
    });
  });

  it("an expired and a revoked token say so, to whoever has the secret", async () => {
    const admin = clientWith(adminToken);
    const expiresAt = new Date(nowMs + 1000).toISOString();
    const short = await admin.createToken({ role: "user", consumer: "cms/ann", expiresAt });
    const ann = clientWith(short.token);
    clock.moveTo(nowMs + 999);
    expect(await codeOf(ann.jobs())).toBe("ok");
    clock.moveTo(nowMs + 1000);
    expect(await codeOf(ann.jobs())).toBe("tokenExpired");
    const made = await admin.createToken({ role: "user", consumer: "cms/bob" });
    expect((await admin.revokeToken(made.id.slice(0, 8))).state).toBe("revoked");
    expect(await codeOf(clientWith(made.token).jobs())).toBe("tokenRevoked");
    expect(await codeOf(admin.revokeToken(made.id))).toBe("tokenRevoked");
    const forged = clientWith(`stint_${made.id}_${mintToken().token.slice(19)}`);
    expect(await codeOf(forged.jobs())).toBe("tokenWrong");
    expect(await denials()).toMatchObject([{ who: "cms/ann" }, { who: "cms/bob" }, { who: null }]);
  });

  it("AP-20 a request under another name than this machine's is refused, whatever its token", async () => {
    const authorization = `Bearer ${adminToken}`;
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example"]) {
      expect(await raw({ authorization, host })).toEqual([421, "foreignHost"]);
    }
    expect(await raw({ host: "evil.example" }, "/healthz")).toEqual([421, "foreignHost"]);
    for (const host of ["localhost", "LOCALHOST:7846", "[::1]:80", "127.0.0.1"]) {
      expect((await raw({ authorization, host }))[0]).toBe(200);
    }
  });

  it("AP-20 a port that is taken is refused in words", async () => {
    const other = createServer(broker.brokerApi, { identify: () => undefined, version: "1" });
    expect(await codeOf(listenOnLoopback(other, Number(new URL(url).port)))).toBe("portInUse");
    await other.close();
  });

  it("so many denials a minute are recorded, the others counted", async () => {
    for (let i = 0; i < 65; i++) await raw({});
    expect(await denials()).toHaveLength(60);
    clock.moveTo(nowMs + 60_000);
    await raw({});
    expect((await denials()).at(-1)).toMatchObject({ unrecorded: 5 });
  });
});

describe("after a restart", () => {
  it("EN-12 tokens are unchanged, and the views match the log", async () => {
    const admin = clientWith(adminToken);
    const made = await admin.createToken({ role: "user", consumer: "cms/ann" });
    await admin.revokeToken(made.id);
    await raw({});
    const before = broker.brokerApi.query("tokens");
    await broker.stop();
    const differences = await compareViews({ logbook, schemas: VIEWS, project: projectLog() });
    expect(differences).toEqual([]);
    const world = { warn: () => undefined, onBroken: () => undefined, sandboxes: sandboxesIn(folder) };
    broker = await startBroker({ logbook, openSite, clock, ...world });
    expect(broker.brokerApi.query("tokens")).toEqual(before);
    const identify = byToken(broker.brokerApi, clock);
    expect(identify({ headers: { authorization: `bearer ${adminToken}` } })).toMatchObject({ role: "admin" });
    expect(identify({ headers: { authorization: `Bearer ${made.token}` } })).toMatchObject({
      why: "tokenRevoked",
    });
    expect(JSON.stringify(before)).not.toContain(made.token.slice(19));
  });
});

describe("what each may see", () => {
  it("AP-18 users see their own jobs, VO admins their subtree, auditors all and do nothing", async () => {
    const [ann, bob, eve] = await Promise.all(
      ["cms/ann", "cms/bob", "cms2/eve"].map((consumer) => somebody({ role: "user", consumer })),
    );
    const [a] = await ann.submit([job]);
    const [b] = await bob.submit([job]);
    const [e] = await eve.submit([job]);
    const idsOf = async (client: StintClient, filter = {}) =>
      (await client.jobs(filter)).items.map(({ id }) => id).sort();
    expect(await idsOf(ann)).toEqual([a]);
    expect(await idsOf(ann, { consumer: "cms" })).toEqual([a]);
    expect(await idsOf(ann, { owner: "cms/bob" })).toEqual([]);
    expect(await codeOf(ann.job(b))).toBe("unknownJob");
    expect(await codeOf(ann.act(b, "cancel"))).toBe("unknownJob");
    expect(await codeOf(ann.job(b.slice(0, 6)))).toBe("unknownJob");
    expect((await ann.job(a.slice(0, 6))).id).toBe(a);

    const cms = await somebody({ role: "voAdmin", consumer: "cms" });
    expect(await idsOf(cms)).toEqual([a, b].sort());
    expect(await idsOf(cms, { consumer: "cms/bob" })).toEqual([b]);
    expect(await idsOf(cms, { consumer: "cms2" })).toEqual([]);
    expect(await codeOf(cms.act(b, "hold"))).toBe("ok");
    expect(await codeOf(cms.act(e, "hold"))).toBe("unknownJob");

    const auditor = await somebody({ role: "auditor", consumer: "local/audit" });
    expect(await idsOf(auditor)).toEqual([a, b, e].sort());
    expect(await codeOf(auditor.act(a, "cancel"))).toBe("notAllowed");
    expect(await codeOf(auditor.submit([job]))).toBe("notAllowed");
  });

  it("AP-22 VO admins make and revoke tokens for their own, below themselves", async () => {
    const cms = await somebody({ role: "voAdmin", consumer: "cms" });
    const theirs = await somebody({ role: "auditor", consumer: "cms/audit" }).then(() => cms.tokens());
    expect(theirs.map(({ role }) => role)).toEqual(["voAdmin"]);
    const made = await cms.createToken({ role: "user", consumer: "cms/new", label: "x" });
    expect(made).toMatchObject({ role: "user", createdBy: "cms", state: "valid", label: "x" });
    expect(JSON.stringify(await cms.tokens())).not.toMatch(/stint_|hash/);
    expect(await codeOf(cms.createToken({ role: "user", consumer: "cms2/new" }))).toBe("notAllowed");
    expect(await codeOf(cms.createToken({ role: "operator", consumer: "cms/new" }))).toBe("notAllowed");
    expect(await codeOf(cms.revokeToken(adminToken.slice(6, 18)))).toBe("unknownToken");
    expect((await cms.revokeToken(made.id)).revokedAt).not.toBeNull();
  });

  it("AP-22 a scope narrows; who is narrowed makes no tokens", async () => {
    const scopes = ["compute.read"] as const;
    const reader = await somebody({ role: "admin", consumer: "local/r", scopes });
    expect(await codeOf(reader.jobs())).toBe("ok");
    expect(await codeOf(reader.submit([job]))).toBe("notAllowed");
    expect(await codeOf(reader.createToken({ role: "admin" }))).toBe("notAllowed");
  });

  it("AP-9 the keys of two owners never meet", async () => {
    const ann = await somebody({ role: "user", consumer: "cms/ann" });
    const bob = await somebody({ role: "user", consumer: "cms/bob" });
    const [a] = await ann.submit([job], { idempotencyKey: "k" });
    const [b] = await bob.submit([{ executable: "false" }], { idempotencyKey: "k" });
    expect(a).not.toBe(b);
    expect(await ann.submit([job], { idempotencyKey: "k" })).toEqual([a]);
  });
});

describe("what each may do with sites", () => {
  //                  see, add, drain and reopen theirs, drain another, metrics
  const matrix: Readonly<Record<Role, string>> = {
    admin: "+++++",
    siteAdmin: "+-+--",
    operator: "+----",
    voAdmin: "+----",
    auditor: "+---+",
    user: "+----",
    sensor: "-----",
    follower: "-----",
    peer: "-----",
  };

  it.each(ROLES)("AP-7 %s", async (role) => {
    const site = isOfSite(role) ? { site: "local" } : {};
    const { token } = await clientWith(adminToken).createToken({ role, consumer: "cms/ann", ...site });
    const who = clientWith(token);
    const allowed = async (asked: Promise<unknown>) => ((await codeOf(asked)) === "notAllowed" ? "-" : "+");
    const marks = [
      await allowed(who.site("local")),
      // Refused for what it is, after the caller was let through.
      await allowed(who.addSite({ name: "far", spec: { type: "managed", procs: 1 } })),
      await allowed(who.drainSite("local").then(() => who.reopenSite("local"))),
      await allowed(who.drainSite("elsewhere")),
      (await raw({ authorization: `Bearer ${token}` }, "/metrics"))[0] === 200 ? "+" : "-",
    ];
    expect(marks.join("")).toBe(matrix[role]);
  });

  it("a narrowed token changes no site; to read is enough for metrics", async () => {
    const scopes = ["compute.read"] as const;
    const { token } = await clientWith(adminToken).createToken({ role: "auditor", scopes });
    expect((await raw({ authorization: `Bearer ${token}` }, "/metrics"))[0]).toBe(200);
    const all = ["compute.read", "compute.create", "compute.modify"] as const;
    const admin = await somebody({ role: "admin", consumer: "local/r", scopes: all });
    expect(await codeOf(admin.drainSite("local"))).toBe("notAllowed");
    expect(await codeOf(admin.addSite({ name: "far", spec: { type: "managed", procs: 1 } }))).toBe(
      "notAllowed",
    );
  });
});

describe("tokens of a site that is removed", () => {
  it("BR-20 are answered as revoked, also if a site of that name exists again", async () => {
    const admin = clientWith(adminToken);
    const made = await admin.createToken({ role: "siteAdmin", consumer: "cms/ann", site: "local" });
    const theirs = clientWith(made.token);
    expect(await codeOf(theirs.drainSite("local"))).toBe("ok");
    const spec = broker.brokerApi.sites()[0]?.spec;
    await admin.removeSite("local");
    expect(await codeOf(theirs.sites())).toBe("tokenRevoked");
    if (spec !== undefined) await broker.brokerApi.ask({ kind: "addSite", site: "local", spec });
    expect(await codeOf(theirs.reopenSite("local"))).toBe("tokenRevoked");
    expect((await admin.tokens()).find(({ id }) => id === made.id)).toMatchObject({ state: "revoked" });
  });
});

describe("stint token", () => {
  it("CL-13 prints the token once on stdout; lists and revokes without it", async () => {
    clock.moveTo(nowMs + 1);
    const program = capturedProgram({}, { client: async () => createClient({ url, token: adminToken }) });
    const made = await program.call(
      "token",
      "create",
      "--role",
      "user",
      "--vo",
      "cms/ann",
      "--label",
      "Copy {p}",
    );
    expect(made.out).toMatch(/^stint_[a-z2-7]{12}_[\w-]{43}\n$/);
    const [, id = ""] = made.out.split("_");
    expect(made.err).toContain(id);
    const list = await program.call("token", "list");
    expect(list.out).toMatch(new RegExp(`${id} +valid +user +cms/ann .* Copy`));
    expect(list.out).not.toContain(made.out.slice(-20).trim());
    expect(await program.call("token", "revoke", id)).toMatchObject({ code: 0, out: `${id}\n` });
    expect(await program.call("token", "revoke", id)).toMatchObject({ code: 5 });
    expect(await program.call("token", "revoke", "zz")).toMatchObject({ code: 3 });
    const bell = ["token", "create", "--role", "user", "--label", "\u0007"];
    expect(await program.call(...bell)).toMatchObject({ code: 2 });
    expect(await program.call("token", "create", "--role", "king")).toMatchObject({ code: 2 });
    expect(await program.call("token", "create", "--role", "user", "--vo", "/")).toMatchObject({ code: 5 });
    const listed = JSON.parse((await program.call("token", "list", "-o", "json")).out);
    expect(listed.items).toMatchObject([{ role: "admin" }, { id, state: "revoked" }]);
  });

  it("CL-14 STINT_URL with STINT_TOKEN leads there; without a token that is an error", () => {
    expect(brokerPlace({ stateDirectory: "/s", url: "u", token: "t" })).toEqual({ url: "u", token: "t" });
    expect(brokerPlace({ stateDirectory: "/s", token: "t" })).toEqual({
      socketPath: "/s/stint.sock",
      token: "t",
    });
    expect(brokerPlace({ stateDirectory: "/s" })).toEqual({ socketPath: "/s/stint.sock" });
    const noToken = () => brokerPlace({ stateDirectory: "/s", url: "http://127.0.0.1:7846" });
    expect(noToken).toThrow("cannot query the broker at http://127.0.0.1:7846");
    expect(() => brokerPlace({ stateDirectory: "/s", url: "u" })).toThrow("STINT_URL is");
    for (const wrong of ["http://example.org:7846", "x", "http://127.0.0.1/x", "https://127.0.0.1/x"]) {
      expect(() => createClient({ url: wrong, token: "t" })).toThrow("not a valid broker address");
    }
    expect(() => createClient({ url, token: "two words" })).toThrow("the token is malformed");
  });
});

describe("a broker as people start it", () => {
  it("CL-14 leaves an admin token that only its owner can read, and it opens the URL", async () => {
    const state = join(folder, "state");
    const live = await startLiveBroker(state);
    try {
      const file = join(state, "admin.token");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const over = (token: string) => ({ STINT_URL: live.url, STINT_TOKEN: token });
      const admin = over(readFileSync(file, "utf8").trim());
      expect(stint(["site", "list", "-o", "name"], folder, admin)).toMatchObject({ code: 0, out: "local\n" });
      const made = stint(["token", "create", "--role", "auditor", "--vo", "local/audit"], folder, admin);
      const auditor = over(made.out.trim());
      expect(stint(["list"], folder, auditor).code).toBe(0);
      writeFileSync(join(folder, "job.yaml"), "executable: /bin/true\n");
      expect(stint(["submit", "job.yaml"], folder, auditor)).toMatchObject({ code: 4 });
      expect(stint(["list"], folder, over("stint_x"))).toMatchObject({ code: 4 });
    } finally {
      await live.end("SIGTERM");
    }
  });
});
