import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { type Ran, stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
const examine = (...words: string[]): Ran =>
  stint(["doctor", ...words], folder, {
    STINT_STATE_DIR: state,
    XDG_CONFIG_HOME: folder,
  });

/** Does to the log what nobody should: past its triggers. */
function tamper(sql: string): void {
  const name = readdirSync(join(state, "log")).find((file) => file.endsWith(".sqlite"));
  const database = new Database(join(state, "log", name ?? ""));
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
  for (const trigger of triggers as { name: string }[]) database.exec(`DROP TRIGGER ${trigger.name}`);
  database.exec(sql);
  database.close();
}

describe("stint doctor", () => {
  it("before anything is there all is in order", () => {
    expect(examine().code).toBe(0);
  });

  it("the log of a broker that has worked is whole, and the views are what it says", async () => {
    const broker = await startLiveBroker(state);
    expect(stint(["run", "--", "true"], folder, broker.environment).code).toBe(0);
    const running = examine().out;
    expect(running).toContain("answers, with 1 site");
    expect(running).toMatch(/log +\d+ events, unaltered/);
    expect(running).toContain("are what the log says");
    await broker.end("SIGTERM");
    const { code, out } = examine();
    expect(code).toBe(0);
    expect(out).toMatch(/log +\d+ events, unaltered/);
    expect(out).toContain("are what the log says");
    expect(JSON.parse(examine("-o", "json").out).items).toHaveLength(7);
  });

  it("a state directory that others may enter is told", () => {
    chmodSync(state, 0o755);
    const { code, out } = examine();
    expect(code).toBe(1);
    expect(out).toContain(`do: chmod 700 ${state}`);
    chmodSync(state, 0o700);
  });

  it("a record of a view that was changed is named", () => {
    tamper("UPDATE view_sites SET record = replace(record, 'easy', 'fcfs')");
    const { code, out } = examine();
    expect(code).toBe(1);
    expect(out).toContain("record local of sites is not what the log says");
  });

  it("one altered event is found and named", () => {
    tamper("UPDATE events SET body = replace(body, 'true', 'rmrf') WHERE seq = 3");
    const { code, out } = examine();
    expect(code).toBe(1);
    expect(out).toMatch(/bad +log +event 3 is altered/);
  });
});
