import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../../test/api/serving.ts";

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const DOCUMENT = "/api/v1/openapi.json";

/** A connection to a server; ends with the test. */
async function connect(path: string): Promise<Socket> {
  const socket = createConnection(path);
  // Being closed by the server is what is looked for.
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

const connectionsOf = (server: { readonly server: { getConnections: Counts } }) =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
type Counts = (told: (error: Error | null, count: number) => void) => void;

it("requests that are sent at once are answered one after the other, in their order", async () => {
  const { socketPath } = await serve();
  const socket = await connect(socketPath);
  const paths = ["/healthz", DOCUMENT, "/nowhere", "/readyz"];
  const last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  socket.write(paths.map(ask).join("") + last);
  const statuses = (await text(socket)).match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Number(line.slice(-3)));
  expect(statuses).toEqual([200, 200, 404, 200, 200]);
});

it("who asks more at a time than is kept waiting is told so, and the connection ends", async () => {
  const { socketPath, client } = await serve({ connections: { waitingRequests: 4 } });
  const socket = await connect(socketPath);
  socket.write(ask(DOCUMENT).repeat(200));
  const answers = await text(socket);
  expect(answers.match(/HTTP\/1\.1 200/g)?.length).toBe(5);
  expect(answers.match(/HTTP\/1\.1 429/g)?.length).toBe(1);
  expect(answers).toContain('"type":"urn:stint:tooManyPipelined"');
  expect(await client.health()).toEqual({ status: "ok" });
});

it("a client that does not take its answers is left, one that waits for an event is not", async () => {
  const patience = { writeMs: 50, slowestBytesPerSec: 2 ** 30, lookMs: 10 };
  const { socketPath, server, brokerApi, send } = await serve({ connections: patience });
  brokerApi.put("abc", { state: "RUNNING" });
  const watching = await connect(socketPath);
  watching.write(ask("/api/v1/jobs/abc/watch"));
  await once(watching, "data");
  const deaf = await connect(socketPath);
  deaf.pause();
  // So many that the system cannot take them all: an answer stays with the server.
  const asking = setInterval(() => deaf.writable && deaf.write(ask(DOCUMENT).repeat(4)), 5);
  onTestFinished(() => clearInterval(asking));
  await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(1), 100_000);
  expect((await send("GET", "/healthz")).status).toBe(200);
  expect(watching.readable && !watching.readableEnded).toBe(true);
});

it("where too much waits to be taken those are left that have taken nothing for the longest", async () => {
  const { socketPath, server, send } = await serve({ connections: { unsentBytes: 100_000, lookMs: 10 } });
  const deaf = await Promise.all(Array.from({ length: 8 }, () => connect(socketPath)));
  for (const socket of deaf) socket.pause().write(ask(DOCUMENT).repeat(16));
  await vi.waitFor(async () => {
    expect((await send("GET", "/healthz")).status).toBe(200);
    expect(await connectionsOf(server)).toBeLessThan(8);
  }, 10_000);
});

it("a new connection takes the place of the one that has been idle the longest", async () => {
  const { socketPath, client } = await serve({ connections: { connections: 3 } });
  const first = await connect(socketPath);
  const idle = await connect(socketPath);
  const third = await connect(socketPath);
  first.write(ask("/healthz"));
  await once(first, "data");
  const closed = once(idle, "close");
  expect(await client.health()).toEqual({ status: "ok" });
  await closed;
  expect([first.closed, third.closed]).toEqual([false, false]);
});

it("where none is idle a new connection is the one that is closed", async () => {
  const { socketPath, brokerApi } = await serve({ connections: { connections: 1 } });
  brokerApi.put("abc", { state: "RUNNING" });
  const watching = await connect(socketPath);
  watching.write(ask("/api/v1/jobs/abc/watch"));
  await once(watching, "data");
  const second = await connect(socketPath);
  await once(second, "close");
  expect(watching.closed).toBe(false);
});
