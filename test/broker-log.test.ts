/** What the log of a broker tells its operator: requests, decisions, refusals, and no secret. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
const file = join(folder, "broker.log");

type Line = Readonly<Record<string, unknown>>;
const linesIn = (path: string): readonly Line[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

describe("the log of a broker", () => {
  let broker: LiveBroker;
  let token = "";
  let id = "";

  beforeAll(async () => {
    const words = ["--this-machine", "--log-format", "json", "--log-file", file];
    broker = await startLiveBroker(state, words);
    const ask = (...all: string[]) => stint(all, folder, broker.environment);
    const job = join(folder, "job.yaml");
    writeFileSync(job, "executable: sh\narguments: [-c, exit]\nenvironment: { PASSWORD: hunter2 }\n");
    id = ask("submit", "-o", "name", job).out.trim();
    const wide = join(folder, "wide.yaml");
    writeFileSync(wide, "executable: sh\nprocs: 100000\n");
    ask("submit", wide);
    token = ask("token", "create", "--role", "user", "--vo", "cms/ann").out.trim();
    stint(["site", "drain", "local"], folder, { STINT_URL: broker.url, STINT_TOKEN: token });
    for (let tries = 0; tries < 100 && !ask("status", id, "-o", "json").out.includes("DONE"); tries++);
  });
  afterAll(() => broker.end("SIGTERM"));

  it("has a line for each request: route, status, time, who", () => {
    const requests = linesIn(file).filter(({ msg }) => msg === "request");
    const submitted = requests.find(({ route, status }) => route === "/api/v1/jobs" && status === 201);
    expect(submitted).toMatchObject({ level: "info", method: "POST", ms: expect.any(Number) });
    expect(submitted).toHaveProperty("owner");
    expect(submitted?.request).toMatch(/^[0-9a-f]{12}$/);
    const denied = requests.find(({ status }) => status === 403);
    expect(denied).toMatchObject({ level: "warn", route: "/api/v1/sites/:name/drain", consumer: "cms/ann" });
  });

  it("has a line for each decision: placed, started, ended, refused", () => {
    const lines = linesIn(file);
    const kinds = (kind: string) => lines.filter(({ msg }) => msg === kind);
    expect(kinds("jobPlaced")).toMatchObject([{ job: id, site: "local" }]);
    expect(kinds("queueSettled")).toMatchObject([{ site: "local", starts: [expect.stringContaining(id)] }]);
    expect(kinds("attemptEnded")).toMatchObject([{ job: id, end: expect.anything() }]);
    expect(kinds("refused")).toMatchObject([{ command: "submit", refusal: "widerThanAnySite" }]);
  });

  it("has neither tokens nor what jobs are given", () => {
    const text = readFileSync(file, "utf8");
    const [, secret = ""] = /^stint_\w+?_?(\w{20,})/.exec(token) ?? [];
    for (const word of [token, secret || token, "hunter2", "arguments"]) expect(text).not.toContain(word);
    expect(linesIn(file).some(({ msg }) => msg === "tokenCreated")).toBe(true);
  });

  it("is opened again under its name on SIGHUP, as logrotate needs it", async () => {
    renameSync(file, `${file}.1`);
    process.kill(broker.pid, "SIGHUP");
    await expect
      .poll(() => {
        stint(["list"], folder, broker.environment);
        return existsSync(file) && readFileSync(file, "utf8").includes("request");
      })
      .toBe(true);
    expect(broker.isUp()).toBe(true);
  });
});

it("is JSON where stderr is no terminal, at the level that is asked for", async () => {
  const environment = {
    ...process.env,
    NODE_NO_WARNINGS: "1",
    STINT_STATE_DIR: join(folder, "other"),
    STINT_CONFIG: "",
  };
  const said = (words: readonly string[]): Promise<string> => {
    const up = spawn(process.execPath, [stintFile, "up", "--port", "0", "--this-machine", ...words], {
      ...{ env: environment, stdio: ["ignore", "ignore", "pipe"] },
    });
    let text = "";
    return new Promise((resolve) => {
      up.stderr?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("ready;")) up.kill("SIGTERM");
      });
      up.once("close", () => resolve(text));
      setTimeout(() => up.kill("SIGTERM"), words.length === 0 ? 60_000 : 5000).unref();
    });
  };
  const lines = (await said([])).trim().split("\n");
  const ready = lines
    .map((line) => JSON.parse(line) as Line)
    .find(({ msg }) => String(msg).includes("ready"));
  expect(ready).toMatchObject({ level: "info", time: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(await said(["--log-level", "error"])).toBe("");
  const wrong = stint(["up", "--log-level", "loud"], folder, { STINT_STATE_DIR: join(folder, "third") });
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--log-level")]);
  const nowhere = stint(["up", "--log-file", join(folder, "no/such/file")], folder, {
    STINT_STATE_DIR: join(folder, "third"),
  });
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("the log cannot be written")]);
});
