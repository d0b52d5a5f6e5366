import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createSourceReader } from "./source-reader.ts";

describe("readers of a source without ranges", () => {
  it("SW-4 parts read at once leave one connection open at most", async () => {
    let open = 0;
    const server = createServer((_, response) => {
      open++;
      response.on("close", () => open--);
      response.writeHead(200, { "Content-Length": 50_000_000 }).write(Buffer.alloc(1_000_000));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const href = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/data`];
    const reader = createSourceReader(
      { href, isAwaited: false },
      { known: { versions: {} }, idleMs: 100_000, onFacts: () => undefined },
    );
    const { signal } = new AbortController();
    const nothing = (): Promise<void> => Promise.resolve();
    const parts = [0, 1000, 2000].map((start) =>
      reader.read({ isBegun: false, start, end: start + 1000, signal, pay: nothing, keep: nothing }),
    );
    await Promise.all(parts);
    await expect.poll(() => open).toBe(1);
    reader.close();
    await expect.poll(() => open).toBe(0);
    server.close();
  });
});
