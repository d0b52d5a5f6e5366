/** A single file that another program appends to, as the source of a stream. */
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { control, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { type StreamSource, sourceData, startSource } from "./stream-source.ts";

const base = temporaryFolder();
const sources: StreamSource[] = [];

afterEach(async () => {
  for (const source of sources.splice(0)) await source.stop();
});

type Order = Parameters<typeof run>[0];

function scene(name: string, end: Order["sources"][number]["end"], href?: string) {
  const folder = join(base, name);
  mkdirSync(folder);
  const file = join(folder, "run.log");
  const source = { href: [href ?? pathToFileURL(file).href], endless: true };
  return {
    ...{ folder, file },
    order: orderFor(folder, "", { sources: [end === undefined ? source : { ...source, end }] }),
    bytes: () => ledgerOf(folder).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

type Scene = ReturnType<typeof scene>;

const untilTaken = ({ bytes }: Scene, wanted: number) => expect.poll(bytes).toBe(wanted);

/** The blocks in their order are these data, each block once. */
function expectTaken({ folder }: Scene, data: Buffer): void {
  let offset = 0;
  for (const { bytes, sha1 } of ledgerOf(folder)) {
    const content = data.subarray(offset, offset + bytes);
    expect(createHash("sha1").update(content).digest("hex")).toBe(sha1);
    offset += bytes;
  }
  expect(offset).toBe(data.length);
}

describe("a stream of a file that grows", () => {
  it("SW-15 is read as it grows, over a restart, up to its last line", async () => {
    const there = scene("line", { line: "END" });
    const stopping = new AbortController();
    const first = run(there.order, stopping.signal);
    await expect.poll(() => reportOf(there.folder).trouble).toContain("no such file");
    writeFileSync(there.file, "a line\nEND");
    await untilTaken(there, 10);
    // A line that only begins as the last one does.
    appendFileSync(there.file, "LESS\n");
    await untilTaken(there, 15);
    stopping.abort();
    expect(await first).toBe("stopped");
    const second = run(there.order);
    appendFileSync(there.file, Buffer.concat([sourceData(150_000, 1), Buffer.from("\nEND\n")]));
    expect(await second).toBe("done");
    expectTaken(there, readFileSync(there.file));
    expect(reportOf(there.folder)).toMatchObject({ state: "done", ackedBytes: 150_020, totalBytes: 150_020 });
  });

  it("SW-15 ends at its size, and after a time without new data", async () => {
    const sized = scene("size", { bytes: 100_000 });
    const data = sourceData(100_100, 2);
    writeFileSync(sized.file, data.subarray(0, 70_000));
    const running = run(sized.order);
    await untilTaken(sized, 70_000);
    appendFileSync(sized.file, data.subarray(70_000));
    expect(await running).toBe("done");
    expectTaken(sized, data.subarray(0, 100_000));
    const silent = scene("silence", { silenceMs: 1500 });
    writeFileSync(silent.file, "all");
    const waiting = run(silent.order);
    await untilTaken(silent, 3);
    appendFileSync(silent.file, "more");
    expect(await waiting).toBe("done");
    expectTaken(silent, Buffer.from("allmore"));
  });

  it("SW-15 grows on a server, and a drained stream processes what is there", async () => {
    const data = sourceData(200_000, 3);
    const source = await startSource(data.subarray(0, 90_000), { etag: '"1"' });
    sources.push(source);
    const there = scene("server", undefined, source.href);
    const running = run(there.order);
    await untilTaken(there, 90_000);
    await expect.poll(() => reportOf(there.folder).totalBytes).toBe(90_000);
    Object.assign(source.behaviour, { data, etag: '"2"' });
    await untilTaken(there, 200_000);
    control(there.folder, { serial: 1, bytesPerSec: 1e9, end: "drain" });
    expect(await running).toBe("stopped");
    expectTaken(there, data);
  });

  it("SW-15 a file that becomes shorter or is replaced ends the stream with the reason", async () => {
    const short = scene("short", undefined);
    writeFileSync(short.file, "0123456789");
    const running = expect(run(short.order)).rejects.toMatchObject({
      code: "sourceChanged",
      why: expect.stringContaining("it had 10 bytes and has 4"),
    });
    await untilTaken(short, 10);
    truncateSync(short.file, 4);
    await running;
    const other = scene("replaced", undefined);
    writeFileSync(other.file, "0123456789");
    const failing = expect(run(other.order)).rejects.toMatchObject({
      why: expect.stringContaining("it was replaced"),
    });
    await untilTaken(other, 10);
    writeFileSync(`${other.file}.new`, "0123456789ABC");
    renameSync(`${other.file}.new`, other.file);
    await failing;
  });

  it("SW-15 a server without ranges is refused", async () => {
    const source = await startSource(sourceData(1000, 4), { hasRanges: false });
    sources.push(source);
    await expect(run(scene("whole", undefined, source.href).order)).rejects.toMatchObject({
      code: "sourceRefused",
      why: expect.stringContaining("its server sends no part of it"),
    });
  });
});
