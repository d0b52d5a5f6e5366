/**
 * What an administrator does with a broker: it is stopped, and its jobs go on; a second stop, a broker that
 * is elsewhere, and one that is another's.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();

describe("stint down", () => {
  it("stops the broker, says what continues, and a job outlives it", async () => {
    const state = join(folder, "one");
    const first = await startLiveBroker(state);
    const ask = (...words: string[]) => stint(words, folder, first.environment);
    const jobs = join(folder, "nap.yaml");
    writeFileSync(jobs, "executable: sh\narguments: [-c, sleep 3; echo awake]\n");
    const id = ask("submit", "-o", "name", jobs).out.trim();
    await expect.poll(() => ask("status", id, "-o", "json").out, { timeout: 200_000 }).toContain("RUNNING");
    const down = ask("down");
    expect(down).toMatchObject({ code: 0, err: "" });
    expect(down.out).toMatch(
      /^the broker has ended \(process \d+ on .+\)\nlocal: 1 running job continues\n$/,
    );
    await expect.poll(() => first.isUp()).toBe(false);

    const again = ask("down");
    expect(again.code).toBe(69);
    expect(again.err).toContain("no broker is running here, so nothing was stopped");
    expect(again.err).toContain(state);

    const second = await startLiveBroker(state);
    await expect.poll(() => ask("status", id, "-o", "json").out, { timeout: 200_000 }).toContain("DONE");
    expect(ask("logs", id).out).toBe("awake\n");
    expect(ask("down").out).toMatch(/\nno job is active\n$/);
    await expect.poll(() => second.isUp()).toBe(false);
  });

  it("stops a broker at its address with an admin's token, and with no other", async () => {
    const state = join(folder, "two");
    const broker = await startLiveBroker(state);
    const made = stint(
      ["token", "create", "--role", "operator", "--vo", "site/ops"],
      folder,
      broker.environment,
    );
    const from = (token: string) => ({ STINT_URL: broker.url, STINT_TOKEN: token });
    const refused = stint(["down"], folder, from(made.out.trim()));
    expect(refused.code).toBe(4);
    expect(broker.isUp()).toBe(true);
    const admin = from(readFileSync(join(state, "admin.token"), "utf8").trim());
    expect(stint(["down"], folder, admin)).toMatchObject({ code: 0 });
    await expect.poll(() => broker.isUp()).toBe(false);
    const gone = stint(["down"], folder, admin);
    expect(gone.code).toBe(69);
  });

  it.skipIf(process.getuid?.() !== 0)("of another user stops nothing, and says whose it is", async () => {
    const state = join(folder, "three");
    const broker = await startLiveBroker(state);
    chmodSync(folder, 0o755);
    const { status, stderr } = spawnSync(process.execPath, [stintFile, "down"], {
      ...{ uid: 65_534, gid: 65_534, cwd: "/", encoding: "utf8" },
      env: { PATH: process.env.PATH, ...broker.environment },
    });
    expect(stderr).toContain("the broker belongs to another user, so it was not stopped");
    expect(stderr).toContain("user id 0");
    expect(status).toBe(4);
    expect(broker.isUp()).toBe(true);
    await broker.end("SIGTERM");
  });
});
