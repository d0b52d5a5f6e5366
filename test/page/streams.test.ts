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
    await atlas.getByText("1.8M/s").first().waitFor();
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
});
