/**
 * Archives as an operator makes them: the broker takes up its log again, doctor finds all in order, a backup
 * restores with its archives, and a changed event is found.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const hello = resolve(import.meta.dirname, "../examples/hello.yaml");

it("a broker goes on behind its archive, and a changed archive is named", async () => {
  const state = join(folder, "state");
  const first = await startLiveBroker(state);
  const ask = (...words: string[]) => stint(words, folder, { ...first.environment, STINT_STATE_DIR: state });
  const id = ask("submit", "-o", "name", hello).out.trim();
  expect(ask("wait", id)).toMatchObject({ code: 0 });
  const elsewhere = ask("archive", "--older-than", "1s", "--to", join(folder, "elsewhere"));
  expect(elsewhere).toMatchObject({ code: 5, err: expect.stringContaining("leave out --to") });
  expect(ask("down")).toMatchObject({ code: 0 });
  expect(ask("archive", "--older-than", "1s").out).toMatch(/events 1 to \d+/);
  expect(ask("archive", "verify")).toMatchObject({ code: 0 });

  await startLiveBroker(state);
  const examined = JSON.parse(ask("doctor", "-o", "json").out).items as readonly Record<string, unknown>[];
  const ofLog = examined.filter(({ name }) => name === "log" || name === "views");
  expect(ofLog).toMatchObject([{ isWell: true }, { isWell: true }]);
  expect(ask("status", id)).toMatchObject({ code: 0 });
  expect(ask("list", "-o", "name").out).toContain(id);
  const backup = join(folder, "backup.tar.gz");
  expect(ask("backup", backup)).toMatchObject({ code: 0 });
  expect(ask("down")).toMatchObject({ code: 0 });
  const restored = join(folder, "restored");
  expect(ask("restore", backup, "--state-dir", restored)).toMatchObject({ code: 0 });
  const again = stint(["archive", "verify", "--state-dir", restored], folder);
  expect(again).toMatchObject({ code: 0 });
  expect(again.out).toContain(join(restored, "archive"));

  const [name = ""] = readdirSync(join(state, "archive"));
  const file = join(state, "archive", name);
  const text = gunzipSync(readFileSync(file)).toString();
  // The job's own events may be too young for the archive; those of the broker's start are in it.
  const changed = text.replace("local", "lokal");
  expect(changed).not.toBe(text);
  writeFileSync(file, gzipSync(changed));
  const wrong = ask("archive", "verify");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(/bad .*: event \d+ is not what was recorded/);
});

it("a running broker archives for its administrator, says so, and is verified as before", async () => {
  const state = join(folder, "running");
  const configuration = join(folder, "stint.yaml");
  writeFileSync(configuration, "sites:\n  - { name: here, type: managed, procs: 4 }\n");
  const broker = await startLiveBroker(state, ["--config", configuration]);
  const variables = { ...broker.environment, STINT_STATE_DIR: state };
  const ask = (...words: string[]) => stint(words, folder, variables);
  const policy = join(folder, "shares.policy.yaml");
  writeFileSync(policy, "CPU, here, local, (3600, 50), (5, 100)\n");
  const fromMs = Date.now();
  expect(ask("policy", "apply", policy)).toMatchObject({ code: 0 });
  const id = ask("submit", "-o", "name", "-n", "2", "--", "sleep", "1").out.trim();
  expect(ask("wait", id)).toMatchObject({ code: 0 });
  expect(ask("events", id).out).toContain("DONE");
  const [since = "", until = ""] = [fromMs, Date.now()].map(
    (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`,
  );
  // An event behind the period: the record would else end before it does.
  const token = JSON.parse(ask("token", "create", "--role", "auditor", "-o", "json").out).token as string;
  const asAuditor = { ...variables, STINT_URL: broker.url, STINT_TOKEN: token };
  const get = async (path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    return await (await fetch(new URL(path, broker.url), { headers })).text();
  };
  const verification = async () => {
    const asked = `/api/v1/sites/here/verification?since=${since}&until=${until}`;
    const { seal: _, head: _head, ...rest } = JSON.parse(await get(asked));
    return rest;
  };
  const before = await verification();
  expect(JSON.stringify(before)).toContain('"local"');

  expect(stint(["archive", "--older-than", "1s"], folder, asAuditor)).toMatchObject({ code: 4 });
  const file = /^(\/\S+\.gz): events 1 to \d+/.exec(ask("archive", "--older-than", "1s").out)?.[1] ?? "";
  expect(readdirSync(join(state, "archive")).map((name) => join(state, "archive", name))).toEqual([file]);
  expect(await verification()).toEqual(before);
  const archived = ask("events", id);
  expect(archived).toMatchObject({ code: 0, out: "" });
  expect(archived.err).toMatch(/^stint: events 1 to \d+, .* are not shown: they are in \/.*\.gz\n$/);
  expect(archived.err).toContain(file);
  const told = JSON.parse(ask("events", id, "-o", "json").out);
  expect(told).toMatchObject({ items: [], archives: [{ from: 1, file }] });
  const metrics = await get("/metrics");
  expect(metrics).toMatch(/^stint_log_archives 1$/m);
  expect(metrics).toMatch(/^stint_log_archived_events [1-9]\d*$/m);
  expect(metrics).toMatch(/^stint_log_archive_failures_total 0$/m);

  expect(ask("down")).toMatchObject({ code: 0 });
  expect(ask("archive", "verify")).toMatchObject({ code: 0 });
});
