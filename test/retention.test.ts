/**
 * Retention of a running broker: old events leave its log while jobs run; killed in the middle of it, again
 * and again, the broker loses neither an event nor a job.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { VIEWS, VIEWS_VERSION } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const OLD_EVENTS = 40_000;
const LONG_AGO_MS = Date.UTC(2026, 0, 1);
const folder = temporaryFolder();
const hello = resolve(import.meta.dirname, "../examples/hello.yaml");

/** A state directory whose log has old events: many, so that a broker is killed while it archives them. */
async function oldState(name: string, count = OLD_EVENTS): Promise<string> {
  const state = join(folder, name);
  const logbook = await openSqliteLogbook({
    ...{ directory: join(state, "log"), views: VIEWS, projection: VIEWS_VERSION },
  });
  const body = { who: "eve", method: "GET", route: "/api/v1/tokens", why: "notAllowed" };
  const events = Array.from({ length: count }, (_, n) => ({
    ...{ kind: "requestDenied", version: 1, atMs: LONG_AGO_MS + n, body },
  }));
  await logbook.commit({ events, changes: [] });
  await logbook.close();
  return state;
}

/** Resolves when a file whose name ends so is in the directory. */
async function fileIn(directory: string, end: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const watching = new AbortController();
  await new Promise<void>((done) => {
    const look = () => readdirSync(directory).some((name) => name.endsWith(end)) && done();
    watch(directory, { signal: watching.signal }, look);
    look();
  });
  watching.abort();
}

it("archives while jobs run, and is clean when killed in the middle", async () => {
  const state = await oldState("state");
  const archive = join(state, "archive");
  const configuration = join(folder, "stint.yaml");
  writeFileSync(configuration, "server: { retention: 1h, log: { level: info, format: json } }\n");
  const words = ["--this-machine", "--config", configuration];
  const first = await startLiveBroker(state);
  const ask = (...said: string[]) => stint(said, folder, { ...first.environment, STINT_STATE_DIR: state });
  const ids = [ask("submit", "-o", "name", hello).out.trim()];
  expect(existsSync(archive)).toBe(false);
  await first.end("SIGTERM");

  // Killed while it writes the file, and once more when the file has its name.
  for (const end of [".partial", ".gz"]) {
    const seen = fileIn(archive, end);
    const broker = await startLiveBroker(state, words);
    await seen;
    await broker.end("SIGKILL");
  }

  const last = await startLiveBroker(state, words);
  ids.push(ask("submit", "-o", "name", hello).out.trim());
  for (const id of ids) expect(ask("wait", id)).toMatchObject({ code: 0 });
  await expect.poll(() => ask("archive", "list").out, { timeout: 200_000 }).toContain(`1 to ${OLD_EVENTS} `);
  const listed: unknown = JSON.parse(ask("archive", "list", "-o", "json").out);
  expect(listed).toMatchObject({ items: [{ from: 1, through: OLD_EVENTS }] });
  await last.end("SIGTERM");

  expect(readdirSync(archive)).toEqual([expect.stringMatching(/\.gz$/)]);
  const verified = ask("archive", "verify");
  expect(verified.out).toContain(`the live log: events ${OLD_EVENTS + 1} to `);
  expect(verified.code).toBe(0);
  const again = await startLiveBroker(state);
  for (const id of ids) expect(ask("status", id, "-o", "json").out).toContain("DONE");
  const examined = JSON.parse(ask("doctor", "-o", "json").out).items as readonly Record<string, unknown>[];
  const ofLog = examined.filter(({ name }) => name === "log" || name === "views");
  expect(ofLog).toMatchObject([{ isWell: true }, { isWell: true }]);
  await again.end("SIGTERM");
});

it("an operator sees that events left, and config show says where retention and log come from", async () => {
  const state = await oldState("told", 1000);
  const log = join(folder, "broker.log");
  const configuration = join(folder, "told.yaml");
  writeFileSync(configuration, "server:\n  retention: 90d\n  log:\n    level: info\n    file: broker.log\n");
  const shown = JSON.parse(stint(["config", "show", "--config", configuration, "-o", "json"], folder).out);
  expect(shown.items).toEqual(
    expect.arrayContaining([
      { name: "server.retention", value: "90d", origin: `${configuration}:2` },
      { name: "server.log.level", value: "info", origin: `${configuration}:4` },
      { name: "server.log.format", value: null, origin: "default" },
      { name: "server.log.file", value: log, origin: `${configuration}:5` },
    ]),
  );
  const broker = await startLiveBroker(state, ["--config", configuration, "--retention", "1h"]);
  const line = `archived file=${join(state, "archive")}/`;
  await expect.poll(() => readFileSync(log, "utf8"), { timeout: 200_000 }).toContain(line);
  await broker.end("SIGTERM");
});
