/** The demo that is kept: the comparison on the first page, what its page shows, and what Ctrl-C leaves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { stintFile, temporaryFolder } from "./stint.ts";

/** Command lines of the processes that name a folder. */
function processesIn(folder: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(join("/proc", pid, "cmdline"), "utf8").replaceAll("\0", " ")];
      } catch {
        return []; // It ended meanwhile.
      }
    })
    .filter((line) => line.includes(folder));
}

/** Starts the demo with its files in this folder, and waits for the address of its page. */
async function keptDemo(folder: string) {
  const child = spawn(process.execPath, [stintFile, "demo", "--keep"], {
    env: { ...process.env, NO_COLOR: "1", TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain("until you press Ctrl-C");
  const [, url = "", token = ""] = /signed in: (\S+)\/#token=(\S+)/.exec(said) ?? [];
  return { child, ended, url, token };
}

/** What the views of the page show of the demo. */
async function contentOf(client: StintClient) {
  const { items } = await client.jobs({ limit: 100 });
  const stateOf = (name: string) => items.find((job) => job.name === name)?.state;
  const mosaic = items.find(({ name }) => name === "mosaic");
  const { levels } = await client.siteUsage("elm");
  const streams = (await client.call("listStreams")).items;
  return {
    sites: (await client.sites()).map(({ name }) => name),
    quarters: ["pi-1", "pi-2", "pi-3", "pi-4"].map(stateOf),
    running: ["survey", "spectra"].map(stateOf),
    failed: items.find(({ name }) => name === "failing")?.exitCode,
    whyNot: mosaic === undefined ? "" : (await client.why(mosaic.id)).lines.join("\n"),
    consumers: levels.map(({ consumer }) => consumer),
    streams: streams.map(({ name, figures }) => [name, (figures?.ackedBytes ?? 0) > 0]),
  };
}

describe("a demo that is kept", () => {
  it("fills the page with jobs, policies and a stream; Ctrl-C ends all of it", async () => {
    const folder = temporaryFolder();
    const { child, ended, url, token } = await keptDemo(folder);
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="root"')]);
    const client = createClient({ url, token });
    await expect
      .poll(() => contentOf(client))
      .toEqual({
        sites: ["here", "elm", "oak"],
        quarters: ["DONE", "DONE", "DONE", "DONE"],
        running: ["RUNNING", "RUNNING"],
        failed: 3,
        whyNot: expect.stringContaining("would exceed its burst limit"),
        consumers: expect.arrayContaining(["physics", "physics/anna"]),
        streams: [["sevens", true]],
      });
    client.close();
    expect(processesIn(folder)).not.toEqual([]);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual([]);
    await expect.poll(() => processesIn(folder)).toEqual([]);
  });
});
