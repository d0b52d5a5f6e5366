import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { objectAddress, sendObject } from "./send-object.ts";

const MANY = 4 << 20;
const path = join(mkdtempSync(join(tmpdir(), "stint-object-")), "result");
writeFileSync(path, Buffer.alloc(MANY));
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe("objects of a sink", () => {
  it("a failed upload leaves no file open, however often it is repeated", async () => {
    server = createServer((_, response) => void response.writeHead(503).end());
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const href = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
    const { signal } = new AbortController();
    const before = readdirSync("/proc/self/fd").length;
    for (let attempt = 0; attempt < 20; attempt++) {
      const sent = sendObject({ path, bytes: MANY, href, idleMs: 5000, signal });
      await expect(sent).rejects.toMatchObject({ isPassing: true });
    }
    await sleep(50);
    expect(readdirSync("/proc/self/fd").length - before).toBeLessThan(10);
  });

  it.each([
    ["https://results.example/h1", "https://results.example/h1/s/b"],
    ["https://results.example/h1/", "https://results.example/h1/s/b"],
    ["https://results.example/h1?key=x", "https://results.example/h1/s/b?key=x"],
    ["https://results.example/h1#now", "https://results.example/h1/s/b"],
    ["file:///results/h1#now", "file:///results/h1/s/b"],
  ])("each object below %s has an address of its own", (sink, address) => {
    expect(objectAddress(sink, "s/b")).toBe(address);
  });
});
