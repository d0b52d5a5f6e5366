import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { control, expectWhole, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { type SourceBehaviour, type StreamSource, sourceData, startSource } from "./stream-source.ts";

const base = temporaryFolder();
let scenes = 0;
const sources: StreamSource[] = [];

async function scene(bytes: number, options: Partial<SourceBehaviour> = {}) {
  const folder = join(base, String(scenes++));
  mkdirSync(folder, { recursive: true });
  const data = sourceData(bytes, scenes);
  const source = await startSource(data, options);
  sources.push(source);
  return { folder, data, source };
}

afterEach(async () => {
  for (const source of sources.splice(0)) await source.stop();
});

/** Process of the application that the wrapper has noted; 0 before. */
function applicationOf(folder: string): number {
  const path = join(folder, "stream/owner.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).application?.pid ?? 0) : 0;
}

const filesLeft = (folder: string) => readdirSync(join(folder, "stream/blocks"));

/** Resolves when something holds; the time limit of the test ends a wait in vain. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe("a stream wrapper, to the end of its source", () => {
  it.each([
    { delivery: "lines" as const, bytes: 1_000_000 },
    { delivery: "directory" as const, bytes: 640_000 },
    { delivery: "lines" as const, bytes: 0 },
  ])("SW-3 every block of $bytes bytes once and in order, over $delivery", async ({ delivery, bytes }) => {
    const { folder, data, source } = await scene(bytes);
    expect(await run(orderFor(folder, source.href, { application: { delivery } }))).toBe("done");
    expectWhole(folder, data);
    expect(ledgerOf(folder)).toHaveLength(Math.ceil(bytes / 64_000));
    if (bytes > 0) expect(ledgerOf(folder).at(-1)?.last).toBe(true);
    expect(filesLeft(folder)).toEqual([]);
    expect(reportOf(folder)).toMatchObject({ state: "done", ackedBytes: bytes, occupiedBytes: 0 });
    expect(await run(orderFor(folder, source.href))).toBe("done");
  });

  it("a filter needs room for what its pipe holds", async () => {
    const { folder, source } = await scene(1000);
    const application = { delivery: "bytes", command: ["cat"] } as const;
    await expect(run(orderFor(folder, source.href, { application }))).rejects.toMatchObject({
      code: "quotaBelowPipe",
    });
  });

  it("SW-3 a filter gets the bytes themselves, and the rest of them before its end counts", async () => {
    const { folder, data, source } = await scene(3_000_000);
    const filter = `process.stdin.pipe(require("fs").createWriteStream("${join(folder, "out")}"))`;
    const application = { delivery: "bytes", command: [process.execPath, "-e", filter] } as const;
    const order = orderFor(folder, source.href, { application, quotaBytes: 2_000_000 });
    expect(await run(order)).toBe("done");
    expect(readFileSync(join(folder, "out")).equals(data)).toBe(true);
    expect(reportOf(folder)).toMatchObject({ ackedBytes: 3_000_000, occupiedBytes: 0 });
  });

  it.each<Partial<SourceBehaviour>>([
    { hasRanges: false },
    { hasRanges: false, tellsSize: false },
    { etag: "" },
  ])("a server with %o", async (options) => {
    const { folder, data, source } = await scene(700_000, options);
    expect(await run(orderFor(folder, source.href))).toBe("done");
    expectWhole(folder, data);
    if (options.hasRanges === false) expect(source.requests).toHaveLength(1);
  });

  it("files, several sources one after the other, checksums of each", async () => {
    const { folder, data, source } = await scene(300_000);
    const path = join(folder, "input");
    writeFileSync(path, data);
    const sum = (kind: string) => `${kind}:${createHash(kind).update(data).digest("hex")}`;
    const order = orderFor(folder, "", {
      sources: [
        { href: [pathToFileURL(path).href], checksum: sum("sha256") },
        { href: [source.href], checksum: sum("md5") },
      ],
    });
    expect(await run(order)).toBe("done");
    const blocks = ledgerOf(folder);
    expect(blocks.map(({ seq }) => seq)).toEqual([...Array(10).keys()]);
    expect(blocks.map(({ bytes }) => bytes)).toEqual(
      [...Array(2)].flatMap(() => [64e3, 64e3, 64e3, 64e3, 44e3]),
    );
  });
});

describe("a stream wrapper among failures", () => {
  it("SW-4 goes on where connections are cut, and fetches nothing twice", async () => {
    const { folder, data, source } = await scene(1_000_000, { cuts: [10_000, 0, 40_000, 64_000, 5] });
    expect(await run(orderFor(folder, source.href))).toBe("done");
    expectWhole(folder, data);
    expect(ledgerOf(folder)).toHaveLength(16);
    expect(source.sentBytes()).toBeLessThan(1_000_000 + 5 * 16_384);
  });

  it("SW-4 a server that is away, or overloaded, is asked again", async () => {
    const { folder, data, source } = await scene(2_000_000, { bytesPerSec: 2_000_000 });
    const running = run(orderFor(folder, source.href));
    await sleep(300);
    await source.stop();
    let report = reportOf(folder);
    await expect
      .poll(() => {
        report = reportOf(folder);
        return report;
      })
      .toMatchObject({ state: "stalled", stall: { with: "source" } });
    const { since, nextAttempt } = report.stall as { readonly since: string; readonly nextAttempt: string };
    expect(Date.parse(since)).toBeLessThan(Date.parse(nextAttempt));
    source.behaviour.status = 503;
    await source.start();
    await sleep(500);
    source.behaviour.status = 0;
    expect(await running).toBe("done");
    expectWhole(folder, data);
  });

  it("mirrors are asked in turn", async () => {
    const { folder, data, source } = await scene(300_000);
    const missing = await startSource(data, { status: 404 });
    sources.push(missing);
    expect(await run(orderFor(folder, [missing.href, source.href]))).toBe("done");
    expectWhole(folder, data);
  });

  it("SW-5 data that changed are an error that names the block, also after a restart", async () => {
    const { folder, data, source } = await scene(1_000_000, { bytesPerSec: 300_000 });
    const stopping = new AbortController();
    const first = run(orderFor(folder, source.href), stopping.signal);
    await until(() => ledgerOf(folder).length > 0);
    stopping.abort();
    expect(await first).toBe("stopped");
    Object.assign(source.behaviour, { etag: '"2"', data: data.map((byte) => byte ^ 1) });
    await expect(run(orderFor(folder, source.href))).rejects.toMatchObject({
      code: "sourceChanged",
      why: expect.stringMatching(/block \d+: .* its version was "1" and is "2"/),
    });
    expect(reportOf(folder)).toMatchObject({ state: "failed", failure: { code: "sourceChanged" } });
  });

  it("SW-5 a file that was replaced", async () => {
    const { folder, data } = await scene(600_000);
    const path = join(folder, "input");
    writeFileSync(path, data);
    const order = orderFor(folder, pathToFileURL(path).href, {
      application: { environment: { STINT_TEST_MS: "50" } },
    });
    const running = run({ ...order, quotaBytes: 128_000 });
    const outcome = expect(running).rejects.toMatchObject({ code: "sourceChanged" });
    await until(() => ledgerOf(folder).length > 0);
    utimesSync(path, 1, 1);
    await outcome;
  });

  it("SW-5 a wrong checksum is found before the last block is handed over", async () => {
    const { folder, source } = await scene(300_000);
    const checksum = `sha256:${"0".repeat(64)}`;
    const order = orderFor(folder, source.href, { sources: [{ href: [source.href], checksum }] });
    let pid = 0;
    const noted = until(() => {
      pid = applicationOf(folder);
      return pid > 0;
    });
    await expect(run(order)).rejects.toMatchObject({ code: "checksumDiffers" });
    await noted;
    // An application that waits for the block would keep its wrapper's process from ending.
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(ledgerOf(folder).length).toBeLessThan(5);
  });

  it("404 ends the stream", async () => {
    const { folder, source } = await scene(1000, { status: 404 });
    await expect(run(orderFor(folder, source.href))).rejects.toMatchObject({
      code: "sourceRefused",
      why: expect.stringContaining("answered 404"),
    });
  });

  it("SW-6 an application that crashes is started again at the first block not acknowledged", async () => {
    const { folder, data, source } = await scene(1_000_000);
    const application = { environment: { STINT_TEST_CRASHES: "0,3,4,9,15", STINT_TEST_MS: "5" } };
    expect(await run(orderFor(folder, source.href, { application }))).toBe("done");
    expectWhole(folder, data);
    expect(ledgerOf(folder)).toHaveLength(16);
    expect(reportOf(folder).crashes).toBe(5);
  });

  it("SW-6 a block at which it crashed twice is set aside", async () => {
    const { folder, data, source } = await scene(600_000);
    const application = { environment: { STINT_TEST_ALWAYS: "4" } };
    expect(await run(orderFor(folder, source.href, { application }))).toBe("done");
    expectWhole(folder, data, 64_000, [4]);
    expect(reportOf(folder)).toMatchObject({ setAsideBlocks: [4], occupiedBytes: 64_000 });
    expect(readdirSync(join(folder, "stream/set-aside"))).toEqual(["000000000004-0-256000"]);
  });

  it("SW-6 an application that always fails ends the stream", async () => {
    const { folder, source } = await scene(600_000);
    const application = { command: [process.execPath, "-e", "process.exit(7)"] };
    await expect(run(orderFor(folder, source.href, { application }))).rejects.toMatchObject({
      code: "applicationFailed",
      why: expect.stringContaining("code 7"),
    });
    await expect(
      run(orderFor(folder, source.href, { application: { command: ["/nowhere/program"] } })),
    ).rejects.toMatchObject({ code: "applicationFailed", why: expect.stringContaining("ENOENT") });
  });

  it("SW-7 stopped and started again, it goes on, and keeps what it has fetched", async () => {
    const { folder, data, source } = await scene(2_000_000);
    // 32 blocks of 60 ms are more than four lives of 400 ms can process.
    const application = { environment: { STINT_TEST_MS: "60" } };
    const lives = [0, 1, 2, 3];
    for (const _ of lives) {
      const stopping = new AbortController();
      const running = run(orderFor(folder, source.href, { application }), stopping.signal);
      await sleep(400);
      stopping.abort();
      expect(await running).toBe("stopped");
    }
    expect(await run(orderFor(folder, source.href))).toBe("done");
    expectWhole(folder, data);
    // Only what was in flight is fetched again.
    expect(source.sentBytes()).toBeLessThan(2_000_000 + lives.length * 2 * 80_000);
  });
});

describe("quota and rate", () => {
  it("SW-2 a full storage halts the transfer until the low mark, and is never exceeded", async () => {
    const { folder, data, source } = await scene(3_000_000);
    const application = { environment: { STINT_TEST_BYTES_PER_SEC: "2000000" } };
    const order = orderFor(folder, source.href, { application, rate: { least: 0, first: 8_000_000 } });
    const running = run(order);
    await until(() => existsSync(join(folder, "stream/blocks")));
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, filesLeft(folder).length * 64_000);
    }, 5);
    expect(await running.finally(() => clearInterval(timer))).toBe("done");
    expectWhole(folder, data);
    expect(most).toBeLessThanOrEqual(512_000);
    const { halts } = reportOf(folder) as unknown as { halts: number };
    // A cycle processes at least H − L = 384,000 − 256,000 bytes.
    expect(halts).toBeGreaterThan(2);
    expect(halts).toBeLessThan(3_000_000 / 128_000);
  });

  it("SW-2 a lower quota gives up what nobody has, and holds", async () => {
    const { folder, data, source } = await scene(1_500_000);
    const application = { environment: { STINT_TEST_MS: "40" } };
    const running = run(orderFor(folder, source.href, { application }));
    await until(() => existsSync(join(folder, "stream/blocks")) && filesLeft(folder).length > 5);
    control(folder, { serial: 1, bytesPerSec: 1e9, quotaBytes: 128_000 });
    await until(() => filesLeft(folder).length <= 2);
    expect(ledgerOf(folder).length).toBeLessThan(20);
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, filesLeft(folder).length);
    }, 5);
    expect(await running.finally(() => clearInterval(timer))).toBe("done");
    expectWhole(folder, data);
    expect(most).toBeLessThanOrEqual(2);
  });

  /** Whole blocks that an earlier life of the wrapper left. */
  function leaveBlocks(folder: string, data: Buffer, seqs: readonly number[]): void {
    mkdirSync(join(folder, "stream/blocks"), { recursive: true });
    const position = {
      ...{ version: 1, blockBytes: 64_000, next: { seq: 0, source: 0, offset: 0 }, ackedBytes: 0 },
      ...{ digest: null, sources: [{ source: 0, size: data.length, versions: {} }], setAside: [] },
      isDone: false,
    };
    writeFileSync(join(folder, "stream/position.json"), JSON.stringify(position));
    for (const seq of seqs) {
      const block = data.subarray(seq * 64_000, (seq + 1) * 64_000);
      writeFileSync(join(folder, `stream/blocks/00000000000${seq}-0-${seq * 64_000}`), block);
    }
  }

  it("SW-2 a wrapper that is started again keeps the quota that it was ordered last", async () => {
    const { folder, data, source } = await scene(640_000);
    leaveBlocks(folder, data, [0, 1, 2, 3, 4, 5]);
    control(folder, { serial: 1, bytesPerSec: 1e9, quotaBytes: 512_000 });
    expect(await run(orderFor(folder, source.href, { quotaBytes: 64_000 }))).toBe("done");
    expectWhole(folder, data);
    expect(source.sentBytes()).toBeLessThanOrEqual(5 * 64_000);
  });

  it("SW-2 blocks of an earlier life that no longer fit are given up, and fetched again later", async () => {
    const { folder, data, source } = await scene(640_000);
    // The first block was still on its way when the wrapper was killed.
    leaveBlocks(folder, data, [1, 2, 3]);
    control(folder, { serial: 1, bytesPerSec: 1e9, quotaBytes: 0 });
    const running = run(orderFor(folder, source.href));
    await until(() => existsSync(join(folder, "stream/report.json")) && filesLeft(folder).length === 0);
    control(folder, { serial: 2, bytesPerSec: 1e9, quotaBytes: 512_000 });
    expect(await running).toBe("done");
    expectWhole(folder, data);
  });

  it("SW-1 the rate is the allocation within 5 %, a new one soon, the minimum without a lease", async () => {
    const { folder, source } = await scene(40_000_000);
    const stopping = new AbortController();
    const order = orderFor(folder, source.href, {
      ...{ leaseMs: 4000, rate: { least: 500_000, first: 2_000_000 } },
      ...{ blockBytes: 2_000_000, quotaBytes: 40_000_000 },
      application: { environment: { STINT_TEST_MS: "1000000" } },
    });
    const running = run(order, stopping.signal);
    const kept = () =>
      filesLeft(folder).reduce((sum, name) => sum + statSync(join(folder, "stream/blocks", name)).size, 0);
    const over = async (ms: number) => {
      const before = kept();
      const start = performance.now();
      await sleep(ms);
      return (kept() - before) / ((performance.now() - start) / 1000);
    };
    const received = () => Number(reportOf(folder).allocatedBytesPerSec);
    await until(() => existsSync(join(folder, "stream/blocks")) && kept() > 0);
    await sleep(300);
    const first = await over(1500);
    expect(first).toBeGreaterThan(1_800_000);
    expect(first).toBeLessThan(2_300_000);
    control(folder, { serial: 1, bytesPerSec: 4_000_000 });
    await sleep(300);
    const second = await over(2000);
    expect(second).toBeGreaterThan(3_600_000);
    expect(second).toBeLessThan(4_500_000);
    await until(() => received() === 500_000);
    expect(await over(2000)).toBeLessThan(800_000);
    control(folder, { serial: 2, bytesPerSec: 4_000_000, isPaused: true });
    await until(() => reportOf(folder).state === "suspended");
    await sleep(500);
    expect(await over(500)).toBeLessThan(200_000);
    stopping.abort();
    expect(await running).toBe("stopped");
  });

  it("drained, it processes what is there and can be continued", async () => {
    const { folder, data, source } = await scene(3_000_000);
    const order = orderFor(folder, source.href, { rate: { least: 0, first: 500_000 } });
    const running = run(order);
    await until(() => ledgerOf(folder).length > 1);
    control(folder, { serial: 1, bytesPerSec: 500_000, end: "drain" });
    expect(await running).toBe("stopped");
    expect(reportOf(folder)).toMatchObject({ occupiedBytes: 0 });
    control(folder, { serial: 2, bytesPerSec: 1e9 });
    expect(await run(order)).toBe("done");
    expectWhole(folder, data);
  });
});
