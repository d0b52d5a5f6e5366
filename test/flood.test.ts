/**
 * A whole broker that many connections come to at once, without a token.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mostOpenFiles } from "../src/main/api-servers.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const MIB = 2 ** 20;

/** As many connections over TCP, however each of them fares. */
async function connections(url: string, many: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: many }, () => createConnection(Number(port), hostname));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on("error", () => {});
      await Promise.race([once(socket, "connect"), once(socket, "close")]);
    }),
  );
  return sockets;
}

/** The most memory that the broker ever had; undefined where the system does not tell. */
function mostBytes({ pid }: LiveBroker): number {
  const kiB = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kiB) * 1024;
}

describe.skipIf(process.platform !== "linux" || mostOpenFiles() < 2048)("a broker with 1024 files", () => {
  let broker: LiveBroker;
  const open: Socket[] = [];
  beforeAll(async () => {
    broker = await startLiveBroker(join(folder, "state"), undefined, {}, 1024);
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await broker?.end("SIGTERM");
  });

  it("keeps its memory where 100 connections ask 200 times at once and read nothing", async () => {
    const before = mostBytes(broker);
    const sockets = await connections(broker.url, 100);
    open.push(...sockets);
    const { host } = new URL(broker.url);
    const ask = `GET /api/v1/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    for (const socket of sockets) socket.pause().write(ask.repeat(200));
    const answered = await fetch(`${broker.url}/healthz`);
    expect(answered.status).toBe(200);
    expect(stint(["list"], folder, broker.environment).code).toBe(0);
    expect(mostBytes(broker) - before).toBeLessThan(200 * MIB);
  });

  it("answers its owner, and whoever comes, where 1,300 connections are open and idle", async () => {
    open.push(...(await connections(broker.url, 1300)));
    expect(stint(["list"], folder, broker.environment).code).toBe(0);
    expect(stint(["run", "--", "true"], folder, broker.environment)).toMatchObject({ code: 0, err: "" });
    expect((await fetch(`${broker.url}/healthz`)).status).toBe(200);
  });
});
