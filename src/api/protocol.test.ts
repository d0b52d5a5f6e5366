import { createConnection } from "node:net";
import { describe, expect, it } from "vitest";
import { fakeBrokerApi } from "../../test/api/fake-broker-api.ts";
import { serve, serverOf } from "../../test/api/serving.ts";
import { Fault } from "../base/index.ts";
import type { Refusal } from "../model/index.ts";
import { type Denial, ownerOfSocket } from "./index.ts";

const job = { executable: "true" };
const MIB = 1024 * 1024;

describe("the OpenAPI document", () => {
  it("AP-1 is OpenAPI 3.1 and has every route, with the schemas by name", async () => {
    const { send } = await serve();
    const { status, json } = await send("GET", "/api/v1/openapi.json");
    expect(status).toBe(200);
    expect(json).toMatchObject({ openapi: "3.1.0", info: { title: "Stint", version: "1.2.3" } });
    const routes = Object.entries(Object(json.paths)).flatMap(([path, item]) =>
      Object.keys(Object(item)).map((method) => `${method} ${path}`),
    );
    const verbs = ["cancel", "hold", "release", "suspend", "resume"];
    expect(routes.sort()).toEqual(
      [
        "get /api/v1/jobs",
        "delete /api/v1/jobs/{id}",
        "get /api/v1/audit",
        "get /api/v1/pilots",
        "get /api/v1/pilots/{id}",
        "post /api/v1/pilots/{id}/drain",
        "get /api/v1/sites/{name}/identity",
        "get /api/v1/workflows/{id}/files/{name}",
        "post /api/v1/jobs/{id}/edit",
        "get /api/v1/bids/scores",
        "post /api/v1/bids",
        "get /api/v1/arrays",
        "get /api/v1/arrays/{id}",
        ...verbs.map((verb) => `post /api/v1/arrays/{id}/${verb}`),
        "post /api/v1/arrays/{id}/scouts",
        ...["get /api/v1/dags", "post /api/v1/dags", "get /api/v1/dags/{id}"],
        ...[...verbs, "retry"].map((verb) => `post /api/v1/dags/{id}/${verb}`),
        "get /api/v1/jobs/{id}/checkpoints",
        "get /api/v1/jobs/{id}/checkpoints/{name}",
        "get /api/v1/jobs/{id}/checkpoints/{name}/files/{path}",
        "get /api/v1/events",
        "get /api/v1/archives",
        "post /api/v1/archives",
        "post /api/v1/broker/stop",
        "get /api/v1/jobs/{id}",
        "get /api/v1/jobs/{id}/files",
        "get /api/v1/jobs/{id}/files/{name}",
        "get /api/v1/jobs/{id}/terminal",
        "post /api/v1/jobs/{id}/terminal",
        "get /api/v1/jobs/{id}/watch",
        "get /api/v1/jobs/{id}/provenance",
        ...["get", "post", "delete"].map((verb) => `${verb} /api/v1/replicas`),
        "get /api/v1/webhooks",
        "post /api/v1/webhooks",
        "delete /api/v1/webhooks/{id}",
        "post /api/v1/webhooks/{id}/redeliver",
        "get /api/v1/jobs/{id}/why",
        "get /api/v1/openapi.json",
        "delete /api/v1/session",
        "delete /api/v1/simulations/{id}",
        "get /api/v1/events/watch",
        "get /api/v1/reports/jobs",
        "get /api/v1/session",
        "get /api/v1/simulation-workloads",
        "get /api/v1/simulations",
        "get /api/v1/simulations/{id}",
        "get /api/v1/simulations/{id}/jobs.csv",
        "get /api/v1/simulations/{id}/schedule",
        "get /api/v1/simulations/{id}/watch",
        "get /api/v1/sites/{name}/verification",
        "post /api/v1/jobs/check",
        "post /api/v1/jobs/match",
        "post /api/v1/policies/check",
        "post /api/v1/policies/trial",
        "post /api/v1/session",
        "post /api/v1/simulations",
        "put /api/v1/simulations/{id}",
        "get /api/v1/streams",
        "post /api/v1/streams",
        "get /api/v1/streams/{id}",
        "post /api/v1/streams/{id}/change",
        "get /api/v1/sites",
        "post /api/v1/sites",
        "get /api/v1/sites/{name}",
        "get /api/v1/sites/{name}/ad",
        "get /api/v1/sites/{name}/jobs/{siteJob}/why",
        "get /api/v1/sites/{name}/slots",
        "get /api/v1/sites/{name}/slots/watch",
        "get /api/v1/slots",
        "post /api/v1/site-tests",
        "post /api/v1/sites/{name}/test",
        "delete /api/v1/sites/{name}",
        "post /api/v1/sites/{name}/drain",
        "post /api/v1/sites/{name}/reopen",
        "get /metrics",
        "get /api/v1/uploads",
        "get /api/v1/uploads/{sha256}",
        "put /api/v1/uploads/{sha256}",
        "delete /api/v1/uploads/{sha256}",
        "get /api/v1/tokens",
        "post /api/v1/tokens",
        "delete /api/v1/jobs/{id}/files",
        "get /api/v1/sites/{name}/queue",
        "get /api/v1/sites/{name}/schedule",
        "get /api/v1/tickets",
        "post /api/v1/tickets/check",
        "get /api/v1/ticket-keys",
        "post /api/v1/ticket-keys",
        "delete /api/v1/ticket-keys/{id}",
        "delete /api/v1/tokens/{id}",
        "get /healthz",
        "get /readyz",
        "post /api/v1/jobs",
        "post /api/v1/jobs/assess",
        "post /api/v1/quotes",
        "post /api/v1/quotes/together",
        "get /api/v1/reservations",
        "post /api/v1/reservations",
        "post /api/v1/reservations/together",
        "get /api/v1/reservations/{id}",
        "delete /api/v1/reservations/{id}",
        "post /api/v1/reservations/{id}/accept",
        "post /api/v1/reservations/{id}/relinquish",
        "get /api/v1/reservations/{id}/extension",
        "post /api/v1/reservations/{id}/extend",
        "post /api/v1/quotes/virtual",
        "post /api/v1/reservations/virtual",
        "get /api/v1/accounts",
        "post /api/v1/grants",
        "get /api/v1/policies",
        "put /api/v1/policies",
        "get /api/v1/policies/actions",
        "get /api/v1/policies/versions",
        "get /api/v1/sites/{name}/usage",
        "get /api/v1/sites/{name}/usage/history",
        "get /api/v1/sites/{name}/hosts",
        "post /api/v1/sensors/reports",
        ...["put", "delete"].map((verb) => `${verb} /api/v1/policies/followers/{name}`),
        ...["put", "delete"].map((verb) => `${verb} /api/v1/sites/{name}/note`),
        ...["get /api/v1/dispatches", "get /api/v1/peers", "get /api/v1/platform", "post /api/v1/plans"],
        ...["get", "post"].map((verb) => `${verb} /api/v1/workflows`),
        "get /api/v1/workflows/{id}",
        ...["cancel", "continue"].map((verb) => `post /api/v1/workflows/{id}/${verb}`),
        ...["put", "delete"].map((verb) => `${verb} /api/v1/peers/{name}`),
        ...["get /api/v1/vos", "get /api/v1/vos/{name}", "put /api/v1/vos/{name}"],
        "get /api/v1/sites/{name}/compiled-policies",
        "post /api/v1/sites/{name}/compiled-policies/apply",
        "post /api/v1/sites/{name}/compiled-policies/take-back",
        "post /api/v1/sites/{name}/enforcement/pause",
        "post /api/v1/sites/{name}/enforcement/continue",
        "post /api/v1/jobs/{id}/undo",
        ...verbs.map((verb) => `post /api/v1/jobs/{id}/${verb}`),
      ].sort(),
    );
    const { schemas } = Object(json.components);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["Job", "JobList", "Problem"]));
    const named = JSON.stringify(json).matchAll(/"\$ref":"(?:#\/components\/schemas\/)?([^"]*)"/g);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...named].map(([, name]) => name)));
    const ids = Object.values(Object(json.paths)).flatMap((item) =>
      Object.values(Object(item)).map((operation) => Object(operation).operationId),
    );
    expect(new Set(ids).size).toBe(routes.length);
  });

  it("life and readiness are for anyone, readiness with 503 while it is not there", async () => {
    let isReady = false;
    const { send } = await serve({ identify: () => undefined, isReady: () => isReady });
    expect(await send("GET", "/healthz")).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(await send("GET", "/readyz")).toMatchObject({ status: 503, json: { status: "notReady" } });
    isReady = true;
    expect(await send("GET", "/readyz")).toMatchObject({ status: 200, json: { status: "ok" } });
  });
});

describe("errors", () => {
  const site = { site: "local", procs: 4, memoryBytes: 2 ** 30 };
  const isoOf = (atMs: number) => new Date(atMs).toISOString();
  it.each<[number, Refusal, object?]>([
    [404, { kind: "unknownJob", job: "x" }],
    [409, { kind: "idInUse", id: "x" }],
    [409, { kind: "wrongState", job: "x", verb: "hold", state: "DONE", allowedIn: ["WAITING"] }],
    [422, { kind: "unknownSite", site: "loca", known: ["local"] }],
    [422, { kind: "noSite" }],
    [422, { kind: "widerThanAnySite", procs: 64, memoryBytes: 0, sites: [site] }],
    [422, { kind: "gpusNotOffered", gpus: 2 }],
    [404, { kind: "unknownToken", token: "t1" }],
    [409, { kind: "tokenRevoked", token: "t1" }],
    [422, { kind: "expiryPast", expiresAtMs: 1, nowMs: 2 }, { expiresAt: isoOf(1), now: isoOf(2) }],
    [422, { kind: "consumerInvalid", consumer: "a//b" }],
    [422, { kind: "siteUnfit", role: "siteAdmin", site: null }],
    [422, { kind: "siteNameInvalid", site: "a b" }],
    [409, { kind: "siteTypeFixed", site: "a", present: "managed", asked: "simulated" }],
    [409, { kind: "siteInUse", site: "a", job: "x" }],
    [409, { kind: "siteHasShares", site: "a", count: 1 }],
    [409, { kind: "siteHasJobs", site: "a", jobs: ["x"], count: 1, isDraining: false }],
  ])("AP-2 a refusal is a problem with its facts: %d %j", async (status, refusal, shown) => {
    const { send, brokerApi } = await serve();
    brokerApi.refuse = () => refusal;
    const { kind, ...same } = refusal;
    const facts = shown ?? same;
    const answer = await send("POST", "/api/v1/jobs", { body: job });
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json).toMatchObject({ ...facts, type: `urn:stint:${kind}`, status });
    for (const member of ["title", "detail", "why", "remedy"]) {
      expect(answer.json[member]).toMatch(/\w/);
    }
  });

  it.each([
    ["badInput", 400],
    ["notAllowed", 403],
    ["notFound", 404],
    ["refused", 409],
    ["failed", 500],
    ["unreachable", 503],
  ] as const)("a Fault of the broker keeps its code and sentences: %s %d", async (kind, status) => {
    const { send, brokerApi } = await serve();
    brokerApi.refuse = () => {
      throw new Fault({ kind, code: "diskFull", what: "what", why: "why", remedy: "remedy" });
    };
    const { json } = await send("POST", "/api/v1/jobs", { body: job });
    expect(json).toMatchObject({ type: "urn:stint:diskFull", status, title: "Disk full" });
    expect(json).toMatchObject({ detail: "what", why: "why", remedy: "remedy" });
  });

  it("a mistake of ours does not tell its text to the caller", async () => {
    const told: unknown[] = [];
    const { send, brokerApi } = await serve({ onError: (error) => told.push(error) });
    const mistake = new TypeError("secret of line 12");
    brokerApi.refuse = () => {
      throw mistake;
    };
    const answer = await send("POST", "/api/v1/jobs", { body: job });
    expect(answer).toMatchObject({ status: 500, json: { type: "urn:stint:internalError" } });
    expect(answer.text).not.toContain("secret");
    expect(told).toEqual([mistake]);
  });

  it.each([
    ["GET", "/"],
    ["GET", "/api/v1/jobs/a/b/c"],
    ["DELETE", "/api/v1/sites/a/ad"],
    ["HEAD", "/api/v1/nothing"],
  ])("AP-2 nothing at an address is a problem: %s %s", async (method, path) => {
    const { send } = await serve();
    const answer = await send(method, path);
    expect(answer.status).toBe(404);
    if (method !== "HEAD") expect(answer.json.type).toBe("urn:stint:unknownRoute");
  });

  it.each([
    ["/api/v1/jobs/%ff", 400],
    [`/api/v1/jobs/${"a".repeat(2000)}`, 414],
    [`/api/v1/jobs/${"a".repeat(65)}`, 400],
  ])("AP-2 an address that cannot be read is a problem: …%#", async (path, status) => {
    const { send } = await serve();
    expect((await send("GET", path)).status).toBe(status);
  });
});

describe("limits", () => {
  it("a body of 10 MiB is read, one of more is 413 and nothing happens", async () => {
    const { send, brokerApi } = await serve();
    const withArgument = (bytes: number) => ({ executable: "true", arguments: ["x".repeat(bytes)] });
    const largest = 10 * MIB - JSON.stringify(withArgument(0)).length;
    expect((await send("POST", "/api/v1/jobs", { body: withArgument(largest) })).status).toBe(201);
    const answer = await send("POST", "/api/v1/jobs", { body: withArgument(largest + 1) });
    expect(answer).toMatchObject({ status: 413, json: { type: "urn:stint:bodyTooLarge" } });
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("headers of more than 16 KiB are 431", async () => {
    const { send } = await serve();
    const answer = await send("GET", "/healthz", { headers: { "x-large": "x".repeat(17 * 1024) } });
    expect(answer).toMatchObject({ status: 431, json: { type: "urn:stint:headersTooLarge" } });
  });

  it.each([
    ["malformed JSON", { body: '{"executable": ' }, 400, "malformedJson"],
    ["an empty body", { body: "", headers: { "content-type": "application/json" } }, 400, "malformedJson"],
    ["a poisoned prototype", { body: '{"executable":"x","__proto__":{"a":1}}' }, 400, "malformedJson"],
    ["no body", {}, 400, "invalidRequest"],
    ["another type", { body: "a: b", headers: { "content-type": "text/yaml" } }, 415, "notJson"],
  ])("%s is a problem", async (_, sending, status, code) => {
    const { send, brokerApi } = await serve();
    const answer = await send("POST", "/api/v1/jobs", sending);
    expect(answer).toMatchObject({ status, json: { type: `urn:stint:${code}` } });
    expect(brokerApi.asked).toEqual([]);
  });

  it("what is no HTTP is answered with a problem and hung up on", async () => {
    const { socketPath } = await serve();
    const connection = createConnection(socketPath);
    connection.end("hello?\r\n\r\n");
    let text = "";
    for await (const chunk of connection) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    expect(text).toContain("urn:stint:badRequest");
  });
});

describe("who may do what", () => {
  it("AP-7 somebody unknown gets 401 before the body is read, and it is told", async () => {
    const denials: Denial[] = [];
    const { send, brokerApi } = await serve({
      identify: () => undefined,
      onDenial: (it) => denials.push(it),
    });
    const answer = await send("POST", "/api/v1/jobs", { body: "no JSON" });
    expect(answer).toMatchObject({ status: 401, json: { type: "urn:stint:notIdentified" } });
    expect(brokerApi.asked).toEqual([]);
    const route = "/api/v1/jobs";
    expect(denials).toEqual([{ method: "POST", route, owner: undefined, why: "notIdentified" }]);
  });

  it.each([
    ["GET", "/api/v1/jobs/a"],
    ["GET", "/api/v1/jobs/a/why"],
    ["GET", "/api/v1/jobs/a/watch"],
    ["GET", "/api/v1/jobs/a/files"],
    ["GET", "/api/v1/jobs/a/files/stdout"],
    ["POST", "/api/v1/jobs/a/cancel"],
    ["POST", "/api/v1/jobs/a/hold"],
  ])("AP-18 a job that is not theirs to see is none, and it is told: %s %s", async (method, path) => {
    const denials: Denial[] = [];
    const { send, brokerApi } = await serve({
      identify: async () => ({ owner: "you", consumer: "local/you", role: "user" }),
      onDenial: (it) => denials.push(it),
    });
    const none = await send(method, path);
    brokerApi.put("a");
    brokerApi.idsBeginning = async () => [];
    const hidden = await send(method, path);
    expect(hidden).toMatchObject({ status: 404, json: { type: "urn:stint:unknownJob" } });
    expect(hidden.text).toBe(none.text);
    expect(denials).toMatchObject([{ method, owner: "you", why: "notAllowed" }]);
  });

  it.each([
    ["auditor", "POST", "/api/v1/jobs"],
    ["auditor", "POST", "/api/v1/jobs/a/cancel"],
    ["operator", "POST", "/api/v1/jobs"],
    ["operator", "GET", "/api/v1/tokens"],
    ["user", "POST", "/api/v1/tokens"],
    ["user", "GET", "/api/v1/tokens"],
    ["siteAdmin", "DELETE", "/api/v1/tokens/a"],
    ["operator", "POST", "/api/v1/sites"],
    ["voAdmin", "POST", "/api/v1/sites/local/drain"],
    ["user", "POST", "/api/v1/sites/local/reopen"],
    ["siteAdmin", "GET", "/metrics"],
    ["operator", "GET", "/metrics"],
    ["voAdmin", "GET", "/metrics"],
    ["user", "GET", "/metrics"],
  ] as const)("AP-7 a role that never may: %s %s %s", async (role, method, path) => {
    const { send, brokerApi } = await serve({
      identify: () => ({ owner: "me", consumer: "local/me", role }),
    });
    brokerApi.put("a");
    expect(await send(method, path)).toMatchObject({ status: 403, json: { type: "urn:stint:notAllowed" } });
    expect(brokerApi.asked).toEqual([]);
  });

  it("AP-7 a route that names no action is closed even to an admin", async () => {
    const server = serverOf(fakeBrokerApi());
    server.get("/forgotten", async () => "open");
    await server.ready();
    const address = await server.listen({ host: "127.0.0.1", port: 0 });
    const answer = await fetch(`${address}/forgotten`);
    await server.close();
    expect(answer.status).toBe(403);
  });

  it("AP-7 submitted jobs carry the owner and the consumer of who asks", async () => {
    const { send, brokerApi } = await serve({ identify: ownerOfSocket("u7", "cms/higgs/ann") });
    await send("POST", "/api/v1/jobs", { body: job });
    expect(brokerApi.asked).toMatchObject([{ kind: "submit", owner: "u7", consumer: "cms/higgs/ann" }]);
  });
});
