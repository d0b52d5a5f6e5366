/**
 * What an administrator does for the day on which the disk fails: a backup while jobs are submitted, its
 * check, and its restoration; and what becomes of a backup that is not whole.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LoggedEvent, projectLog, VIEWS, VIEWS_VERSION } from "../src/runtime/index.ts";
import { compareViews, snapshotSqliteLogbook } from "../src/store/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
const backup = join(folder, "backup.tar.gz");
const at = (directory: string) => ({ STINT_STATE_DIR: directory, STINT_CONFIG: "", XDG_CONFIG_HOME: folder });
const restore = (file: string, into: string) => stint(["restore", file], folder, at(into));
const snapshotOf = (directory: string) =>
  snapshotSqliteLogbook({ directory: join(directory, "log"), views: VIEWS, projection: VIEWS_VERSION });

async function eventsIn(directory: string): Promise<readonly LoggedEvent[]> {
  const logbook = await snapshotOf(directory);
  const events: LoggedEvent[] = [];
  for await (const event of logbook.events(1)) events.push(event);
  logbook.close();
  return events;
}

/** Submits jobs until it is told to end; gives how many the broker accepted. */
function load(broker: LiveBroker): () => Promise<number> {
  const job = join(folder, "job.yaml");
  writeFileSync(join(folder, "in.txt"), "input\n");
  writeFileSync(job, "executable: cat\narguments: [in.txt]\ninputSandbox: [in.txt]\n");
  const end = join(folder, "end");
  const submitOne = '"$0" "$1" submit "$2" > /dev/null && n=$((n + 1))';
  const script = `n=0; while [ ! -e ${end} ]; do ${submitOne}; done; echo $n`;
  const child = spawn("sh", ["-c", script, process.execPath, stintFile, job], {
    ...{ cwd: folder, env: { ...process.env, ...broker.environment }, stdio: ["ignore", "pipe", "inherit"] },
  });
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  return async () => {
    writeFileSync(end, "");
    await once(child, "close");
    return Number(out);
  };
}

describe("a backup", () => {
  let accepted = 0;

  it("is made while jobs are submitted, for its owner alone", async () => {
    const broker = await startLiveBroker(state);
    const stop = load(broker);
    const done = () => stint(["list", "--state", "DONE", "-o", "name"], folder, broker.environment).out;
    await expect.poll(() => done().split("\n").length, { timeout: 200_000 }).toBeGreaterThan(2);
    const made = stint(["backup", backup], folder, broker.environment);
    accepted = await stop();
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toMatch(/backup\.tar\.gz: \d+ events up to [0-9a-f]{16}, \d+ files, \d+ bytes\n$/);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await broker.end("SIGTERM");
  });

  it("that was made under load restores to the log and the views of its moment", async () => {
    const restored = join(folder, "restored");
    const said = restore(backup, restored);
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toContain("the log is verified");
    const [before, after] = [await eventsIn(state), await eventsIn(restored)];
    expect(after.length).toBeGreaterThan(10);
    expect(after.length).toBeLessThan(before.length);
    expect(after).toEqual(before.slice(0, after.length));
    const logbook = await snapshotOf(restored);
    expect(logbook.viewsNeedRebuild).toBe(false);
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog(), most: 5 })).toEqual([]);
    logbook.close();
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("starts as a broker that has the jobs, their output, and everything in order", async () => {
    const restored = join(folder, "again");
    restore(backup, restored);
    const broker: LiveBroker = await startLiveBroker(restored);
    onTestFinished(() => broker.end("SIGTERM"));
    const ask = (...words: string[]) => stint(words, folder, broker.environment);
    const [id = ""] = ask("list", "--state", "DONE", "-o", "name").out.trim().split("\n");
    expect(ask("logs", id).out).toBe("input\n");
    expect(ask("list", "-o", "name").out.trim().split("\n").length).toBeLessThanOrEqual(accepted);
    const active = () => ask("status", "-o", "name").out;
    await expect.poll(active, { timeout: 200_000 }).toBe("");
    expect(ask("doctor")).toMatchObject({ code: 0 });
  });

  it("is one that tar extracts and sha256sum checks", () => {
    const by = join(folder, "by-hand");
    mkdirSync(by);
    execFileSync("tar", ["xzf", backup, "-C", by]);
    const checked = execFileSync("sha256sum", ["--quiet", "-c", "SHA256SUMS"], { cwd: by, encoding: "utf8" });
    expect(checked).toBe("");
    expect(readdirSync(join(by, "state"))).toContain("log");
  });

  it("is not written over another file without --force, nor of a directory without a log", () => {
    const twice = stint(["backup", backup], folder, at(state));
    expect([twice.code, twice.err]).toEqual([5, expect.stringContaining("--force")]);
    expect(stint(["backup", backup, "--force"], folder, at(state))).toMatchObject({ code: 0 });
    const nothing = stint(["backup", join(folder, "none.gz")], folder, at(join(folder, "nowhere")));
    expect([nothing.code, existsSync(join(folder, "none.gz"))]).toEqual([2, false]);
  });
});

describe("a restore is refused, and leaves nothing", () => {
  const bad = join(folder, "bad.tar.gz");
  const into = join(folder, "into");
  const refused = (file: string, code: number, text: string): void => {
    const said = restore(file, into);
    expect(said.err).toContain(text);
    expect(said.err).toContain("do:");
    expect([said.code, existsSync(into)]).toEqual([code, false]);
  };

  it.each([0.1, 0.5, 0.99, 1])("of a backup that is cut short, at %d of its length", (part) => {
    writeFileSync(bad, readFileSync(backup));
    truncateSync(bad, Math.min(Math.floor(statSync(backup).size * part), statSync(backup).size - 3));
    refused(bad, 2, "is not complete");
  });

  it("of one in which a byte has changed, in the packed file or before it was packed", () => {
    const packed = readFileSync(backup);
    packed[packed.length >> 1] ^= 1;
    writeFileSync(bad, packed);
    refused(bad, 2, "is damaged");
    const unpacked = gunzipSync(readFileSync(backup));
    unpacked[unpacked.indexOf("events are never changed")] ^= 1;
    writeFileSync(bad, gzipSync(unpacked));
    refused(bad, 2, "is damaged");
  });

  it("of what is no backup, or is not there", () => {
    writeFileSync(bad, "hello");
    refused(bad, 2, "is damaged, or is not a backup");
    execFileSync("tar", ["czf", bad, "-C", folder, "job.yaml"]);
    refused(bad, 2, "not a backup");
    refused(join(folder, "missing.gz"), 2, "no such file");
  });

  it("into a directory that is not empty", () => {
    const said = restore(backup, state);
    expect(said.code).toBe(5);
    expect(said.err).toContain("it already contains a broker's state");
    expect(existsSync(join(state, "log/logbook.sqlite"))).toBe(true);
  });

  it("a broker does not start on what an interrupted restore has left", () => {
    const half = join(folder, "half");
    mkdirSync(half, { mode: 0o700 });
    writeFileSync(join(half, "restore.unfinished"), "");
    const up = stint(["up", "--port", "0"], folder, at(half));
    expect([up.code, up.err]).toEqual([5, expect.stringContaining("a restore into it was interrupted")]);
    expect(restore(backup, half).err).toContain("rm -r");
  });
});
