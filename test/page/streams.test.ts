/** Streams on the page in a real browser: what each has now and over time, and a pause. */
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { temporaryFolder } from "../stint.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const APPLICATION = resolve(import.meta.dirname, "../stream-application.mjs");

describe.skipIf(!hasChromium)(`streams on the page${howToInstallChromium}`, () => {
  const folder = temporaryFolder();
  const pool = join(folder, "pool");
  mkdirSync(pool, { mode: 0o700 });
  const live = liveSetting([
    "  - name: local",
    "    type: managed",
    "    procs: 4",
    `    streams: { inbound: 4MB/s, storage: 100MB, directory: ${pool} }`,
  ]);
  const browser = pages();

  function submit(name: string): void {
    const data = join(folder, `${name}.data`);
    writeFileSync(data, "");
    truncateSync(data, 900_000_000);
    const text = `stream:
  name: ${name}
  executable: { path: ${process.execPath}, arguments: ${APPLICATION} lines }
  environment: { STINT_TEST_LEDGER: ${join(folder, `${name}.ledger`)} }
  bandwidth: { min: 100kB/s }
  storage: { min: 10MB }
  blocks: { size: 100kB, connections: 2, ahead: 20 }
  sources: { source: [{ href: "${pathToFileURL(data).href}" }] }
`;
    writeFileSync(join(folder, `${name}.yaml`), text);
    expect(live.ask("stream", "submit", join(folder, `${name}.yaml`)).err).toBe("");
  }

  it("shows shares now and over time, and pauses and resumes a stream", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.getByRole("link", { name: "Streams" }).click();
    await page.getByText("No streams are waiting").waitFor();
    await expectAccessible(page);
    for (const name of ["atlas", "ligo"]) submit(name);
    const atlas = page.getByRole("row", { name: /^atlas/ });
    await atlas.getByText("RUNNING").waitFor();
    // Half of what the link has without its margin.
    await atlas.getByText("1.9 MB/s").first().waitFor();
    await page.getByRole("img", { name: "Bandwidth allocated of each stream over time" }).waitFor();
    await page.getByRole("img", { name: "Storage occupied of each stream over time" }).waitFor();
    await expectAccessible(page);
    await atlas.getByRole("button", { name: "Pause" }).click();
    await atlas.getByText("SUSPENDED").waitFor();
    await atlas.getByRole("button", { name: "Resume" }).click();
    await atlas.getByText("RUNNING").waitFor();
    live.ask("cancel", "--all", "--yes");
    for (const name of [/^atlas/, /^ligo/]) await page.getByRole("row", { name }).getByText("DONE").waitFor();
  });

  it("shows the rate of each stage of a pipeline, and which is the slowest", async () => {
    const numbers = join(folder, "numbers");
    writeFileSync(numbers, "7".repeat(2_000_000));
    const stage = (name: string, pauseMs: number): string => {
      const program = join(folder, `${name}.cjs`);
      writeFileSync(program, stageProgram(pauseMs));
      return `{ name: ${name}, path: ${process.execPath}, arguments: ${program}, storage: 200kB }`;
    };
    const text = `stream:
  name: camera
  pipeline: { stage: [${stage("decode", 20)}, ${stage("detect", 400)}] }
  bandwidth: { min: 100kB/s }
  storage: { min: 2MB }
  blocks: { size: 100kB }
  sources: { source: [{ href: "${pathToFileURL(numbers).href}" }] }
`;
    writeFileSync(join(folder, "camera.yaml"), text);
    expect(live.ask("stream", "submit", join(folder, "camera.yaml")).err).toBe("");
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.goto(`${live.url()}/streams`);
    const stages = page.getByRole("row", { name: /^camera/ }).getByRole("list", { name: "Stages" });
    // A block of 100 kB takes detect 0.4 s, and decode a small part of that.
    await stages.getByText(/^detect: [12]\d\d kB\/s.*\(slowest\)$/).waitFor();
    await stages.getByText(/^decode: [\d.]+ [kM]B\/s/).waitFor();
    expect(await stages.getByRole("listitem").filter({ hasText: "slowest" }).count()).toBe(1);
    await expectAccessible(page);
    live.ask("cancel", "--all", "--yes");
    await page
      .getByRole("row", { name: /^camera/ })
      .getByText("DONE")
      .waitFor();
  });
});

/** A stage that passes on a part of each block after a pause; the last one has nowhere to put it. */
function stageProgram(pauseMs: number): string {
  return `const { writeFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { seq } = JSON.parse(line);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${pauseMs});
  const [folder, name] = [process.env.STINT_STREAM_RESULTS, "part-" + seq];
  if (folder) writeFileSync(require("node:path").join(folder, name), "7");
  console.log(JSON.stringify({ kind: "ack", seq, results: folder ? [name] : [] }));
});
`;
}
