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
  const first = await startLiveBroker(state, []);
  const ask = (...words: string[]) => stint(words, folder, { ...first.environment, STINT_STATE_DIR: state });
  const id = ask("submit", "-o", "name", hello).out.trim();
  expect(ask("wait", id)).toMatchObject({ code: 0 });
  const busy = ask("archive", "--older-than", "1s");
  expect(busy.code).not.toBe(0);
  expect(busy.err).toContain("another broker has it open");
  expect(ask("down")).toMatchObject({ code: 0 });
  expect(ask("archive", "--older-than", "1s").out).toMatch(/events 1 to \d+/);
  expect(ask("archive", "verify")).toMatchObject({ code: 0 });

  await startLiveBroker(state, []);
  const examined = JSON.parse(ask("doctor", "-o", "json").out) as readonly Record<string, unknown>[];
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
  writeFileSync(file, gzipSync(text.replace(id, "b2xkZ3J1")));
  const wrong = ask("archive", "verify");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(/bad .*: event \d+ is not what was recorded/);
});
