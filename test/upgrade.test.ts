/**
 * An upgrade as it is done: the broker of this version is started on the log of each earlier one. It keeps
 * every job, takes new ones, and finds its log in order; a backup of it restores.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { snapshotSqliteLogbook } from "../src/store/index.ts";
import { startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const fixtures = resolve(import.meta.dirname, "pins/fixtures");
const logs = readdirSync(fixtures).filter((name) => /^logbook.*\.sqlite\.gz$/.test(name));
const folder = temporaryFolder();

/** Ids of jobs and the head, as the log has them before the upgrade. */
async function contentOf(log: string) {
  const logbook = await snapshotSqliteLogbook({ directory: log, views: [] });
  const accepted: unknown[] = [];
  for await (const { kind, body } of logbook.events(1)) if (kind === "jobAccepted") accepted.push(body.job);
  const head = await logbook.head();
  logbook.close();
  return { jobs: accepted.sort(), head };
}

describe("a log of an earlier version", () => {
  it("is among the fixtures", () => {
    expect(logs).not.toEqual([]);
  });

  it.each(logs)("is taken over by a broker of this version: %s", async (name) => {
    const state = join(folder, name);
    mkdirSync(join(state, "log"), { recursive: true, mode: 0o700 });
    writeFileSync(join(state, "log/logbook.sqlite"), gunzipSync(readFileSync(join(fixtures, name))));
    const { jobs, head } = await contentOf(join(state, "log"));
    expect(jobs.length).toBeGreaterThan(0);

    const broker = await startLiveBroker(state, []);
    const ask = (...words: string[]) => stint(words, folder, broker.environment);
    const listed = ask("list", "-o", "name").out.trim().split("\n").sort();
    expect(listed).toEqual(jobs);
    const submitted = ask("submit", "-o", "name", resolve(fixtures, "../../../examples/hello.yaml"));
    expect(submitted).toMatchObject({ code: 0 });
    const examined = JSON.parse(ask("doctor", "-o", "json").out).items as readonly Record<string, unknown>[];
    const ofLog = examined.filter(({ name: about }) => about === "log" || about === "views");
    expect(ofLog).toMatchObject([{ isWell: true }, { isWell: true }]);

    const backup = join(folder, `${name}.tar.gz`);
    expect(ask("backup", backup)).toMatchObject({ code: 0 });
    expect(ask("down")).toMatchObject({ code: 0 });
    const restored = join(folder, `${name}.restored`);
    expect(ask("restore", backup, "--state-dir", restored)).toMatchObject({ code: 0 });
    expect(existsSync(join(restored, "log.head"))).toBe(true);
    const after = await contentOf(join(restored, "log"));
    expect(after.head.seq).toBeGreaterThan(head.seq);
    expect(after.jobs.length).toBe(jobs.length + 1);
  });
});
