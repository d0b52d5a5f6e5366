import { createServer as createHttpServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/api/eventually.ts";
import { serve, serverOf, temporaryDirectory } from "../../../test/api/serving.ts";
import { EXIT_CODES } from "../../cli/report-fault.ts";
import { listenOnSocket } from "../index.ts";
import { createClient, type StintClient } from "./index.ts";
import { connectionFault } from "./server-fault.ts";

const job = { executable: "true" };

describe("the client", () => {
  it("AP-1 has a method for every route", async () => {
    const { brokerApi, client } = await serve();
    const [id = ""] = await client.submit([{ ...job, arguments: ["x"] }]);
    expect(await client.job(id.slice(0, 5))).toMatchObject({ id, arguments: ["x"] });
    expect(await client.submit([job, job])).toHaveLength(2);
    expect(await client.submit([])).toEqual([]);
    expect((await client.jobs()).items).toHaveLength(3);
    const page = await client.jobs({ state: ["WAITING", "HELD"], since: "1970-01-01", limit: 2 });
    expect(page).toMatchObject({ items: [{}, {}], next: "2" });
    expect(brokerApi.queries.at(-1)).toEqual({ states: ["WAITING", "HELD"], sinceMs: 0, limit: 2 });
    expect((await client.jobs({ limit: 2, cursor: page.next ?? "" })).next).toBeNull();
    await client.act(id, "hold");
    expect(brokerApi.asked.at(-1)).toMatchObject({ kind: "hold", job: id });
    brokerApi.explanation = {
      job: id,
      state: "HELD",
      causes: [{ kind: "held" }],
      predictedStartAtMs: null,
      method: null,
      helpfulChanges: [],
    };
    expect(await client.why(id)).toMatchObject({
      ...{ job: id, state: "HELD", causes: [{ kind: "held" }], predictedStartAt: null, method: null },
      lines: [{}, /held/].map(() => expect.any(String)),
    });
    expect(await client.sites()).toMatchObject([{ name: "local" }]);
    const spec = { type: "simulated", procs: 8 } as const;
    expect(await client.addSite({ name: "far", spec })).toMatchObject({ name: "far", state: "open" });
    expect(await client.addSite({ name: "far", spec })).toMatchObject({ name: "far" });
    expect(await client.drainSite("far")).toMatchObject({ name: "far", state: "draining" });
    expect(await client.site("far")).toMatchObject({ draining: true });
    expect(await client.reopenSite("far")).toMatchObject({ state: "open" });
    expect(await client.testSite("far")).toEqual({ checks: [] });
    expect(await client.testSiteSpec({ type: "slurm" })).toEqual({ checks: [] });
    expect(await client.removeSite("far", { clean: true })).toMatchObject({ name: "far", left: [] });
    expect(await client.health()).toEqual({ status: "ok" });
  });

  it("two clients with one key at once get the same ids", async () => {
    const { client, socketPath, brokerApi } = await serve();
    const other = createClient({ socketPath });
    const both = await Promise.all(
      [client, other].map((it) => it.submit([job, job], { idempotencyKey: "one" })),
    );
    expect(both[0]).toEqual(both[1]);
    expect(brokerApi.asked).toHaveLength(2);
    await expect(other.submit([job], { idempotencyKey: "one" })).rejects.toMatchObject({
      kind: "refused",
      code: "idempotencyKeyReused",
    });
  });
});

describe("what the server refuses", () => {
  it.each<[string, string, string, (client: StintClient) => Promise<unknown>]>([
    ["notFound", "unknownJob", "there is no job zz", (client) => client.job("zz")],
    ["notFound", "unknownJob", "there is no job zz", (client) => client.watch("zz", () => {})],
    ["notFound", "unknownFile", "job abc has no file x", (client) => drained(client.readFile("abc", "x"))],
    ["refused", "ambiguousId", "several job ids begin with ab", (client) => client.act("ab", "hold")],
    ["badInput", "invalidRequest", "/procs is not valid", (it) => it.submit([{ ...job, procs: 0 }])],
    ["badInput", "invalidRequest", "limit is not valid", (client) => client.jobs({ limit: 0 })],
  ])("is a Fault: %s, %s", async (kind, code, what, ask) => {
    const { client, brokerApi } = await serve();
    brokerApi.put("abc");
    brokerApi.put("abd");
    const fault = { name: "Fault", kind, code, what, why: expect.any(String), remedy: expect.any(String) };
    await expect(ask(client)).rejects.toMatchObject(fault);
  });

  it("what a role may not do is notAllowed", async () => {
    const { client } = await serve({ identify: () => undefined });
    await expect(client.sites()).rejects.toMatchObject({ kind: "notAllowed", code: "notIdentified" });
  });

  it("what is no broker is told as such", async () => {
    const foreign: RequestListener[] = [
      (_, response) => response.end("<html>"),
      (_, response) => response.writeHead(404).end("<html>"),
      (_, response) => response.writeHead(404).end('{"type":"about:blank"}'),
    ];
    for (const answer of foreign) {
      const socketPath = await answering(answer);
      await expect(createClient({ socketPath }).sites()).rejects.toMatchObject({ code: "foreignAnswer" });
    }
  });
});

describe("where nobody answers", () => {
  it("every call fails at once with serverUnreachable, exit code 69", async () => {
    const socketPath = join(await temporaryDirectory(), "api.sock");
    const client = createClient({ socketPath });
    const fault = { kind: "unreachable", code: "serverUnreachable", remedy: "start one with `stint up`" };
    await expect(client.health()).rejects.toMatchObject({ ...fault, why: `there is no ${socketPath}` });
    await expect(client.submit([job])).rejects.toMatchObject(fault);
    await expect(client.watch("a", () => {})).rejects.toMatchObject(fault);
    await expect(drained(client.readFile("a", "b"))).rejects.toMatchObject(fault);
    expect(EXIT_CODES.unreachable).toBe(69);
  });

  it("a socket of somebody else is notAllowed", () => {
    // Root may open any socket, so the system's answer is played.
    const denied = Object.assign(new Error("connect EACCES"), { code: "EACCES" });
    const fault = connectionFault("/run/stint/api.sock", denied);
    expect(fault).toMatchObject({ kind: "notAllowed", code: "socketForbidden" });
  });

  it("a kept connection that was closed meanwhile is made again", async () => {
    const { client, server, brokerApi, socketPath } = await serve();
    await client.health();
    await server.close();
    const again = serverOf(brokerApi);
    onTestFinished(async () => void (await again.close()));
    await listenOnSocket(again, socketPath);
    expect(await client.submit([job])).toHaveLength(1);
  });

  it("watching and reading go on where they were when the server comes back", async () => {
    const { client, server, brokerApi, socketPath } = await serve();
    brokerApi.put("abc", { state: "RUNNING" });
    brokerApi.write("abc", "stdout", "one\n");
    const told: string[] = [];
    const final = client.watch("abc", ({ state }) => told.push(state));
    let text = "";
    const reading = (async () => {
      for await (const part of client.readFile("abc", "stdout", { follow: true })) text += Buffer.from(part);
    })();
    await eventually("the first line", () => text === "one\n" && told.length === 1);
    await server.close();
    brokerApi.write("abc", "stdout", "two\n");
    const again = serverOf(brokerApi);
    onTestFinished(async () => void (await again.close()));
    await listenOnSocket(again, socketPath);
    await eventually("the second line", () => text === "one\ntwo\n");
    await eventually("the watcher", () => brokerApi.listening() === 1);
    brokerApi.change("abc", { state: "DONE", exitCode: 0 });
    expect(await final).toMatchObject({ state: "DONE" });
    await reading;
    expect(told).toEqual(["RUNNING", "DONE"]);
    expect(text).toBe("one\ntwo\n");
  });

  it("their patience ends", async () => {
    const { server, brokerApi, socketPath } = await serve();
    brokerApi.put("abc", { state: "RUNNING" });
    const client = createClient({ socketPath, patienceMs: 100 });
    const told: string[] = [];
    const outcome = client.watch("abc", ({ state }) => told.push(state)).catch((error: unknown) => error);
    await eventually("it watches", () => told.length === 1);
    await server.close();
    expect(await outcome).toMatchObject({ code: "serverUnreachable", kind: "unreachable" });
  });

  it("an error in the listener ends the watch with it", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.put("abc", { state: "RUNNING" });
    const watching = client.watch("abc", () => {
      throw new Error("of the listener");
    });
    await expect(watching).rejects.toThrow("of the listener");
  });
});

async function drained(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function answering(listener: RequestListener): Promise<string> {
  const socketPath = join(await temporaryDirectory(), "api.sock");
  const server = createHttpServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return socketPath;
}
