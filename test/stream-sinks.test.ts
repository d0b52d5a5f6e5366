/** Results of streams: sent, confirmed, and sent again after failures, before their blocks are removed. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { expectWhole, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { type StreamSource, sourceData, startSource } from "./stream-source.ts";

const base = temporaryFolder();
const BLOCKS = 12;
const data = sourceData(BLOCKS * 64_000, 7);
const closing: (() => void)[] = [];
let scenes = 0;

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function scene(): Promise<{ readonly folder: string; readonly source: StreamSource }> {
  const folder = join(base, String(scenes++));
  mkdirSync(folder, { recursive: true });
  const source = await startSource(data);
  closing.push(() => void source.stop());
  return { folder, source };
}

/** A sink that answers what `status` says, and holds its answers while it is 0. */
async function startSink() {
  const objects = new Map<string, string>();
  const behaviour = { status: 201, uploads: 0 };
  const server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", async () => {
      behaviour.uploads++;
      while (behaviour.status === 0) await sleep(20);
      if (behaviour.status < 300) objects.set(`${request.method} ${request.url}`, text);
      response.writeHead(behaviour.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    behaviour.status = 503;
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { objects, behaviour, href: `http://127.0.0.1:${port}/results/` };
}

const nameOf = (seq: number) => `${String(seq).padStart(12, "0")}-hash-${seq}`;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(20);
};

describe("sinks of streams", () => {
  it("SW-11 every block has its result at the sink, named by block, before it is removed", async () => {
    const { folder, source } = await scene();
    const { objects, behaviour, href } = await startSink();
    behaviour.status = 503;
    const sink = { href, storageBytes: 1_000_000 };
    const running = run(orderFor(folder, source.href, { sink, quotaBytes: 1_000_000 }));
    const isReported = () => existsSync(join(folder, "stream/report.json"));
    await until(() => isReported() && reportOf(folder).trouble !== null);
    // Nothing is confirmed, so nothing is acknowledged.
    expect(reportOf(folder)).toMatchObject({
      ackedBytes: 0,
      trouble: expect.stringContaining("answered 503"),
    });
    expect(readdirSync(join(folder, "stream/blocks"))).not.toEqual([]);
    behaviour.status = 201;
    expect(await running).toBe("done");
    expectWhole(folder, data);
    for (const { seq, sha1 } of ledgerOf(folder)) {
      expect(objects.get(`PUT /results/test/${nameOf(seq)}`)).toBe(sha1);
    }
    expect(objects.size).toBe(BLOCKS);
    expect(readdirSync(join(folder, "stream/outbox"))).toEqual([]);
    expect(reportOf(folder)).toMatchObject({ unsentBytes: 0, sentBytes: BLOCKS * 40 });
  });

  it("SW-12 a full share of unsent results stops the hand-over of blocks", async () => {
    const { folder, source } = await scene();
    const { behaviour, href } = await startSink();
    behaviour.status = 0;
    source.behaviour.bytesPerSec = 640_000;
    // A block each 100 ms; results have 40 bytes: three fill the share.
    const sink = { href, storageBytes: 100 };
    const running = run(orderFor(folder, source.href, { sink, quotaBytes: 1_000_000, connections: 1 }));
    await until(() => existsSync(join(folder, "stream/outbox", nameOf(2))));
    const whole = () => readdirSync(join(folder, "stream/blocks")).filter((it) => !it.endsWith(".part"));
    await until(() => whole().length >= 9);
    expect(ledgerOf(folder).length).toBeLessThanOrEqual(5);
    behaviour.status = 200;
    expect(await running).toBe("done");
    expectWhole(folder, data);
  });

  it("SW-11 a wrapper that is stopped has unconfirmed results produced and sent again", async () => {
    const { folder, source } = await scene();
    const target = join(folder, "target");
    const { behaviour, href } = await startSink();
    behaviour.status = 0;
    const stopping = new AbortController();
    const order = orderFor(folder, source.href, { sink: { href, storageBytes: 100 } });
    const first = run(order, stopping.signal);
    await until(() => behaviour.uploads > 0);
    stopping.abort();
    expect(await first).toBe("stopped");
    const sink = { href: pathToFileURL(target).href, storageBytes: 100 };
    expect(await run({ ...order, sink })).toBe("done");
    const names = Array.from({ length: BLOCKS }, (_, seq) => nameOf(seq));
    expect(readdirSync(join(target, "test")).sort()).toEqual(names);
    expectWhole(folder, data);
  });

  it("SW-16 append: results in one file, in the order of the blocks, after a crash and a stop", async () => {
    const { folder, source } = await scene();
    const target = join(folder, "target");
    const sink = { href: pathToFileURL(target).href, storageBytes: 100, mode: "append" as const };
    const environment = { STINT_TEST_CRASHES: "3", STINT_TEST_MS: "20" };
    const order = orderFor(folder, source.href, { sink, application: { environment } });
    const stopping = new AbortController();
    const first = run(order, stopping.signal);
    await until(() => ledgerOf(folder).length > 5);
    stopping.abort();
    expect(await first).toBe("stopped");
    const file = join(target, "test");
    const inLedger = () =>
      [...new Map(ledgerOf(folder).map(({ seq, sha1 }) => [seq, sha1])).values()].join("");
    // What an attempt that was not confirmed has left is replaced.
    appendFileSync(file, "partial");
    expect(await run(order)).toBe("done");
    expectWhole(folder, data);
    expect(readFileSync(file, "utf8")).toBe(inLedger());
    expect(readdirSync(join(folder, "stream/outbox"))).toEqual([]);
  });

  it("SW-16 append: a file that has become shorter ends the stream with its reason", async () => {
    const { folder, source } = await scene();
    const target = join(folder, "target");
    const sink = { href: pathToFileURL(target).href, storageBytes: 100, mode: "append" as const };
    const order = orderFor(folder, source.href, {
      sink,
      application: { environment: { STINT_TEST_MS: "20" } },
    });
    const stopping = new AbortController();
    const first = run(order, stopping.signal);
    await until(() => ledgerOf(folder).length > 5);
    stopping.abort();
    expect(await first).toBe("stopped");
    truncateSync(join(target, "test"), 1);
    await expect(run(order)).rejects.toMatchObject({
      ...{ code: "sinkRefused", why: expect.stringContaining("has 1 bytes, and ") },
    });
    const server = { ...sink, href: "https://results.example/r" };
    await expect(run({ ...order, sink: server })).rejects.toMatchObject({ code: "sinkRefused" });
  });

  it("SW-11 a sink that refuses a result ends the stream with its reason", async () => {
    const { folder, source } = await scene();
    const { behaviour, href } = await startSink();
    behaviour.status = 403;
    const running = run(orderFor(folder, source.href, { sink: { href, storageBytes: 1000 } }));
    await expect(running).rejects.toMatchObject({ code: "sinkRefused", why: expect.stringContaining("403") });
  });
});
