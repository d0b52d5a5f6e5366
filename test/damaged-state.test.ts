/** A whole broker whose files were damaged between two of its lives. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../src/api/client/index.ts";
import { startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const UNTIL_GO = "while [ ! -e go ]; do sleep 0.1; done; exit 4";

/** A state directory, and what is asked of the broker that keeps its state there. */
function stateIn(name: string) {
  const state = join(folder, name);
  const environment = { STINT_STATE_DIR: state, STINT_CONFIG: "", XDG_CONFIG_HOME: state };
  const client = () => createClient({ socketPath: join(state, "stint.sock"), patienceMs: 2000 });
  const submit = async (...scripts: string[]) =>
    client().submit(scripts.map((script) => ({ executable: "sh", arguments: ["-c", script] })));
  const until = (id: string, wanted: object) =>
    vi.waitFor(async () => expect(await client().job(id)).toMatchObject(wanted), 100_000);
  const letGo = (id: string) => writeFileSync(join(state, "site", "jobs", `${id}_1`, "work", "go"), "");
  return { state, ask: (...words: string[]) => stint(words, folder, environment), submit, until, letGo };
}

describe("a start", () => {
  it("that fails ends with its message and code, though other things had begun", async () => {
    const { state, ask } = stateIn("fails");
    await (await startLiveBroker(state)).end("SIGTERM");
    rmSync(join(state, "site"), { recursive: true });
    writeFileSync(join(state, "site"), "");
    const { code, err } = ask("up", "--port", "0");
    expect(code).toBe(1);
    expect(err).toContain(`cannot use ${join(state, "site")} for jobs`);
  });

  it("with an unreadable claim loses its job alone; up and doctor say so", async () => {
    const { state, ask, submit, until, letGo } = stateIn("claim");
    const first = await startLiveBroker(state);
    const [damaged, whole] = await submit("sleep 600", UNTIL_GO);
    for (const id of [damaged, whole]) await until(id, { state: "RUNNING" });
    await first.end("SIGKILL");
    writeFileSync(join(state, "site", "jobs", `${damaged}_1`, "claim.json"), "{");
    const { code, out } = ask("doctor");
    expect([code, out]).toEqual([1, expect.stringContaining("claim.json cannot be read")]);
    const second = await startLiveBroker(state);
    expect(second.said).toContain(`job ${damaged}/1: How the job went is not known: its claim (`);
    await until(damaged, { state: "ABORTED" });
    letGo(whole);
    await until(whole, { state: "DONE", exitCode: 4 });
    await second.end("SIGTERM");
  });
});

describe("a log that has lost its end, or is gone", () => {
  it.each(["its journal", "all of it"])("%s: up says so, and takes up what the site knows", async (lost) => {
    const { state, ask, submit, until, letGo } = stateIn(lost.replaceAll(" ", "-"));
    const first = await startLiveBroker(state);
    const [ended, runs] = await submit("exit 3", UNTIL_GO);
    await until(ended, { state: "DONE" });
    await until(runs, { state: "RUNNING" });
    await vi.waitUntil(() => existsSync(join(state, "log.head")), 10_000);
    await first.end("SIGKILL");
    for (const file of readdirSync(join(state, "log"))) {
      if (lost === "all of it" || /-wal$|-shm$/.test(file)) rmSync(join(state, "log", file));
    }
    const { code, out } = ask("doctor");
    expect([code, out]).toEqual([1, expect.stringMatching(/the end of the log is lost|sqlite is gone/)]);
    const second = await startLiveBroker(state);
    for (const job of [ended, runs]) {
      expect(second.said).toContain(
        `does not know job ${job}/1, which local has begun: it is taken up again`,
      );
    }
    await until(ended, { state: "DONE", exitCode: 3 });
    letGo(runs);
    await until(runs, { state: "DONE", exitCode: 4 });
    await second.end("SIGTERM");
  });
});
