/** Programs as sources of streams: read once, in order, and again from where they failed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { control, expectWhole, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { sourceData } from "./stream-source.ts";

const base = temporaryFolder();
const data = sourceData(10 * 64_000 + 1, 5);
let scenes = 0;

/** A stream of the output of a script of Node, which finds the data and a file to note its starts in. */
function scene(script: string, words: readonly string[] = []) {
  const folder = join(base, String(scenes++));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "data"), data);
  const paths = [join(folder, "data"), join(folder, "starts")];
  const exec = [process.execPath, "-e", `const fs = require("fs"); ${script}`, ...paths, ...words];
  const order = { ...orderFor(folder, "exec:script"), sources: [{ href: ["exec:script"], exec }] };
  return { folder, order, starts: () => readFileSync(paths[1], "utf8").length };
}

const NOTE = 'fs.appendFileSync(process.argv[2], "x"); const data = fs.readFileSync(process.argv[1]);';
/** Writes half of the data and fails at its first start. */
const FAILS = `const isFirst = fs.statSync(process.argv[2]).size === 1;
const end = isFirst ? data.length / 2 : data.length; const start = Number(process.argv[3] ?? 0);
process.stdout.write(data.subarray(start, end), () => { process.exitCode = isFirst ? 3 : 0; });`;

describe("a program as the source of a stream", () => {
  it("SW-14 is run once, and its output is the stream", async () => {
    const { folder, order, starts } = scene(`${NOTE} process.stdout.write(data);`);
    expect(await run(order)).toBe("done");
    expectWhole(folder, data);
    expect(starts()).toBe(1);
    expect(reportOf(folder)).toMatchObject({ ackedBytes: data.length, totalBytes: data.length });
  });

  it.each([
    { words: [], from: "the beginning" },
    { words: ["{offset}"], from: "the byte that it is given" },
  ])("SW-14 that fails is run again, from $from, and no byte is repeated", async ({ words }) => {
    const { folder, order, starts } = scene(`${NOTE} ${FAILS}`, words);
    expect(await run(order)).toBe("done");
    expectWhole(folder, data);
    expect(starts()).toBe(2);
  });

  it("SW-14 that is silent is ended with its stream, which goes on after it", async () => {
    const silent = `${NOTE} const isFirst = fs.statSync(process.argv[2]).size === 1;
if (!isFirst) process.stdout.write(data);
else { process.stdout.write(data.subarray(0, 192000));
process.on("SIGTERM", () => { fs.writeFileSync(process.argv[2] + ".ended", ""); process.exit(1); });
setInterval(() => undefined, 1000); }`;
    const { folder, order } = scene(silent);
    const running = run(order);
    while (ledgerOf(folder).length < 3) await sleep(20);
    control(folder, { serial: 1, bytesPerSec: 1e9, end: "stop" });
    expect(await running).toBe("stopped");
    while (!existsSync(join(folder, "starts.ended"))) await sleep(20);
    control(folder, { serial: 2, bytesPerSec: 1e9 });
    expect(await run(order)).toBe("done");
    expectWhole(folder, data);
  });

  it("SW-14 that cannot be started ends the stream with the reason", async () => {
    const { order } = scene("");
    const sources = [{ href: ["exec:nowhere"], exec: ["/nowhere/program"] }];
    await expect(run({ ...order, sources })).rejects.toMatchObject({
      code: "sourceRefused",
      why: expect.stringContaining("exec:nowhere cannot be started"),
    });
  });
});
