/** Pipelines of stages: bounded directories between them, acknowledged end to end, rates of each. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { control, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { type StreamSource, sourceData, startSource } from "./stream-source.ts";

const base = temporaryFolder();
const BLOCK = 64_000;
const BLOCKS = 12;
const data = sourceData(BLOCKS * BLOCK, 11);
const application = join(import.meta.dirname, "stream-application.mjs");
const sources: StreamSource[] = [];
let scenes = 0;

afterEach(async () => {
  for (const source of sources.splice(0)) await source.stop();
});

interface StageOptions {
  readonly ms?: number;
  readonly crashAt?: number;
  readonly dropped?: number;
  readonly times?: number;
}

/** A pipeline whose first stages pass on reversed blocks, and whose last one writes the ledger. */
async function scene(first: readonly StageOptions[], { storageBytes = BLOCK, lastMs = 0 } = {}) {
  const folder = join(base, String(scenes++));
  mkdirSync(folder, { recursive: true });
  const source = await startSource(data);
  sources.push(source);
  const stages = first.map((options, at) => {
    const crashFile = join(folder, `crashed-${at}`);
    const stage = join(import.meta.dirname, "stream-stage.mjs");
    const command = [process.execPath, stage, JSON.stringify({ ...options, crashFile })];
    return { name: `stage-${at}`, command, storageBytes };
  });
  const [begin, ...between] = stages;
  const last = { name: "last", command: [process.execPath, application, "lines"], storageBytes };
  const next = [...between, last];
  const environment = { STINT_TEST_MS: String(lastMs) };
  const order = orderFor(folder, source.href, {
    application: { command: begin.command, name: begin.name, next, environment },
  });
  return { folder, order };
}

/** Every block reversed as often as there are stages before the last, in order. */
function expectPassed(folder: string, reversals: number, without: readonly number[] = []): void {
  const wanted = [...Array(BLOCKS).keys()].filter((seq) => !without.includes(seq));
  const taken = ledgerOf(folder);
  expect([...new Set(taken.map(({ seq }) => seq))]).toEqual(wanted);
  for (const { seq, sha1 } of taken) {
    const block = Buffer.from(data.subarray(seq * BLOCK, (seq + 1) * BLOCK));
    const content = reversals % 2 === 1 ? block.reverse() : block;
    expect(sha1).toBe(createHash("sha1").update(content).digest("hex"));
  }
}

/** Bytes of what waits between the stages. */
function waiting(folder: string, stage: number): number {
  const waitingIn = join(folder, "stream/stages", `${stage}-waiting`);
  if (!existsSync(waitingIn)) return 0;
  const sizeOf = (name: string) => statSync(join(waitingIn, name), { throwIfNoEntry: false })?.size ?? 0;
  return readdirSync(waitingIn).reduce((sum, name) => sum + sizeOf(name), 0);
}

describe("a pipeline of stages", () => {
  it("SW-13 passes on what each stage has made, in order, and acknowledges end to end", async () => {
    const { folder, order } = await scene([{}, {}]);
    expect(await run(order)).toBe("done");
    expectPassed(folder, 2);
    expect(ledgerOf(folder).at(-1)?.last).toBe(true);
    expect(readdirSync(join(folder, "stream/blocks"))).toEqual([]);
    const names = ["stage-0", "stage-1", "last"];
    const stages = names.map((name) => ({ name, waitingBytes: 0, bytesPerSec: expect.any(Number) }));
    expect(reportOf(folder)).toMatchObject({ state: "done", ackedBytes: data.length, stages });
  });

  it("SW-13 the directory between two stages is bounded, and the slow stage has the least rate", async () => {
    const { folder, order } = await scene([{}], { storageBytes: 3 * BLOCK, lastMs: 150 });
    let most = 0;
    const running = run(order);
    let isOver = false;
    void running.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await sleep(5);
      most = Math.max(most, waiting(folder, 0));
    }
    expect(await running).toBe("done");
    expectPassed(folder, 1);
    expect(most).toBeGreaterThan(BLOCK);
    expect(most).toBeLessThanOrEqual(3 * BLOCK);
    const [fast, slow] = reportOf(folder).stages as readonly { readonly bytesPerSec: number }[];
    expect(slow.bytesPerSec).toBeLessThan(fast.bytesPerSec);
    expect(slow.bytesPerSec).toBeLessThan(BLOCK / 0.15);
  });

  it("SW-13 a stage that crashes gets its blocks again, and the others go on", async () => {
    const { folder, order } = await scene([{ crashAt: 4 }, { crashAt: 7 }]);
    const crashing = { ...order.application.environment, STINT_TEST_CRASHES: "9" };
    const application = { ...order.application, environment: crashing };
    expect(await run({ ...order, application })).toBe("done");
    expectPassed(folder, 2);
    expect(reportOf(folder)).toMatchObject({ crashes: 3, setAsideBlocks: [] });
  });

  it("SW-13 a block that is not passed on is acknowledged; one that kills a stage is set aside", async () => {
    const { folder, order } = await scene([{ dropped: 3 }]);
    const crashing = { ...order.application.environment, STINT_TEST_ALWAYS: "5" };
    expect(await run({ ...order, application: { ...order.application, environment: crashing } })).toBe(
      "done",
    );
    expectPassed(folder, 1, [3, 5]);
    expect(reportOf(folder)).toMatchObject({ setAsideBlocks: [5], ackedBytes: data.length - BLOCK });
    const [kept] = readdirSync(join(folder, "stream/set-aside"));
    const content = readFileSync(join(folder, "stream/set-aside", kept));
    expect(content.equals(data.subarray(5 * BLOCK, 6 * BLOCK))).toBe(true);
  });

  it("SW-13 a wrapper that is stopped goes on at the first block that is not acknowledged", async () => {
    const { folder, order } = await scene([{}], { storageBytes: 4 * BLOCK, lastMs: 30 });
    const running = run(order);
    while (ledgerOf(folder).length < 4) await sleep(5);
    control(folder, { serial: 1, bytesPerSec: 1e9, end: "stop" });
    expect(await running).toBe("stopped");
    const before = ledgerOf(folder).length;
    control(folder, { serial: 2, bytesPerSec: 1e9 });
    expect(await run(order)).toBe("done");
    expectPassed(folder, 1);
    expect(ledgerOf(folder).length).toBeLessThanOrEqual(BLOCKS + 2);
    expect(before).toBeLessThan(BLOCKS);
  });

  it("SW-13 an output above its storage ends the stream with the reason", async () => {
    const { order } = await scene([{ times: 2 }]);
    await expect(run(order)).rejects.toMatchObject({
      code: "badResult",
      why: "its output has 128000 bytes, and its storage is 64000",
    });
    const delivery = { ...order.application, delivery: "bytes" as const };
    await expect(run({ ...order, application: delivery })).rejects.toMatchObject({
      code: "pipelineOfFilters",
    });
  });
});
