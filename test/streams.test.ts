/** Streams of a running broker: admitted, shared out, changed, and alive without it. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { StreamView } from "../src/contract/index.ts";
import { liveSetting } from "./live-setting.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const pool = join(folder, "pool");
mkdirSync(pool);
const application = join(import.meta.dirname, "stream-application.mjs");
const BLOCK = 500_000;

describe("streams", () => {
  const setting = liveSetting([
    "  - name: local\n    type: managed\n    procs: 4",
    `    streams: { inbound: 4MB/s, storage: 100MB, directory: ${pool} }`,
  ]);

  /** Submits a stream of so many bytes; returns its id. */
  function submit(
    name: string,
    { bytes = 400_000_000, more = "", least = "10MB", bytesPerSec = 0 } = {},
  ): string {
    const data = join(folder, `${name}.data`);
    writeFileSync(data, "");
    truncateSync(data, bytes);
    const text = `stream:
  name: ${name}
  executable: { path: ${process.execPath}, arguments: ${application} lines }
  environment:
    STINT_TEST_LEDGER: ${join(folder, `${name}.ledger`)}
    STINT_TEST_BYTES_PER_SEC: "${bytesPerSec}"
  bandwidth: { min: 100kB/s }
  storage: { min: ${least} }
  blocks: { size: ${BLOCK}B, connections: 2, ahead: 100 }
  sources: { source: [{ href: "${pathToFileURL(data).href}" }] }
${more}`;
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    const { out, err } = setting.ask("stream", "submit", file);
    expect(err).toBe("");
    return out.trim();
  }

  const look = (id: string): StreamView => JSON.parse(setting.ask("stream", "status", id, "-o", "json").out);
  const given = (id: string) => look(id).figures?.allocatedBytesPerSec;
  async function until(id: string, holds: (stream: StreamView) => boolean): Promise<void> {
    const asked = () => setting.client().call("getStream", { params: { id } });
    while (!holds(await asked())) await sleep(200);
  }
  const blocksOf = (name: string) =>
    readFileSync(join(folder, `${name}.ledger`), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq as number);

  it("BR-120, EN-260 shares follow the weights, and move when a stream comes, pauses, and goes", async () => {
    const one = submit("one");
    await until(one, () => given(one) === 3_800_000);
    const two = submit("two", { more: "  weight: 3\n" });
    // 1/λ = (3.8 + 2)/4.
    await until(two, () => given(one) === 450_000 && given(two) === 3_350_000);
    expect(setting.ask("stream", "pause", two).out).toBe(`${two}: paused\n`);
    await until(one, () => given(one) === 3_800_000);
    setting.ask("stream", "set", one, "--max-bandwidth", "2MB/s");
    await until(one, () => given(one) === 2_000_000);
    setting.ask("stream", "resume", two);
    setting.ask("cancel", one);
    await until(two, () => given(two) === 3_800_000);
    setting.ask("cancel", two);
    await until(two, ({ endedAt }) => endedAt !== null);
    for (const name of ["one", "two"]) expect(blocksOf(name)).toEqual([...blocksOf(name).keys()]);
  });

  it("EN-261 a stream whose minimum is not free waits, says why, and starts when it is", async () => {
    const wide = "  processors: { count: 4 }\n";
    const first = submit("first", { more: wide });
    await until(first, ({ state }) => state === "RUNNING");
    const second = submit("second", { bytes: 1_000_000 });
    expect(look(second)).toMatchObject({ state: "WAITING", admittedAt: null });
    expect(setting.ask("why", second).out).toContain("it needs 1 processor, free: 0 processors");
    setting.ask("cancel", first);
    await until(second, ({ state }) => state === "DONE");
    expect(blocksOf("second")).toEqual([0, 1]);
    expect(look(second).figures).toMatchObject({ ackedBytes: 1_000_000, occupiedBytes: 0, lagBytes: 0 });
    expect(setting.status(second)).toMatchObject({ state: "DONE", exitCode: 0 });
    const file = join(folder, "never.yaml");
    const text = readFileSync(join(folder, "second.yaml"), "utf8");
    writeFileSync(file, text.replace("min: 100kB/s", "min: 20MB/s"));
    expect(setting.ask("stream", "submit", file).err).toContain("can never run at local");
  });

  it("SW-13 a pipeline is admitted with all its processors, and its slowest stage is named", async () => {
    const stage = join(import.meta.dirname, "stream-stage.mjs");
    const pipeline = `  pipeline:
    stage:
      - { name: decode, path: ${process.execPath}, arguments: ${stage} }
      - { name: detect, path: ${process.execPath}, arguments: ${application} lines, count: 2 }
`;
    const id = submit("piped", { bytes: 2_000_000, more: pipeline });
    await until(id, ({ state }) => state === "DONE");
    expect(blocksOf("piped")).toEqual([0, 1, 2, 3]);
    const { procs, figures } = look(id);
    expect([procs, figures?.ackedBytes]).toEqual([3, 2_000_000]);
    expect(figures?.stages).toMatchObject([{ name: "decode" }, { name: "detect", waitingBytes: 0 }]);
    expect(["decode", "detect"]).toContain(figures?.slowestStage);
  });

  it("EN-265 a stream starts when the one that fills the storage has processed some of it", async () => {
    const first = submit("full", { bytesPerSec: 1_000_000 });
    await until(first, ({ figures }) => (figures?.occupiedBytes ?? 0) > 20_000_000);
    const second = submit("next", { bytes: 1_000_000, least: "85MB" });
    await until(first, ({ figures }) => (figures?.quotaBytes ?? Infinity) < 40_000_000);
    expect(look(second)).toMatchObject({ state: "SELECTED" });
    expect(setting.ask("why", second).out).toContain("when other streams there have freed its storage");
    await until(second, ({ state }) => state === "DONE");
    expect(look(first).figures?.occupiedBytes).toBeLessThanOrEqual(15_000_000);
    expect(blocksOf("next")).toEqual([0, 1]);
    setting.ask("cancel", first);
    await until(first, ({ endedAt }) => endedAt !== null);
    expect(blocksOf("full")).toEqual([...blocksOf("full").keys()]);
  });

  it("BR-121 without a broker wrappers fall to their minimum; the next one finds them", async () => {
    const id = submit("alone");
    await until(id, () => given(id) === 3_800_000);
    await setting.end("SIGKILL");
    const report = () => JSON.parse(readFileSync(join(pool, id, "report.json"), "utf8"));
    while (report().allocatedBytesPerSec !== 100_000) await sleep(200);
    const before = report().ackedBytes;
    while (report().ackedBytes < before + 500_000) await sleep(200);
    expect(report()).toMatchObject({ isLeased: false });
    await setting.up();
    await until(id, () => given(id) === 3_800_000);
    setting.ask("cancel", id);
    await until(id, ({ endedAt }) => endedAt !== null);
    expect(blocksOf("alone")).toEqual([...blocksOf("alone").keys()]);
  });
});
