/** A whole broker whose files were damaged between two of its lives. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();

function withBroker(name: string) {
  const state = join(folder, name);
  const environment = { STINT_STATE_DIR: state, STINT_CONFIG: "", XDG_CONFIG_HOME: state };
  const ask = (...words: string[]) => stint(words, folder, environment);
  const submit = (...command: string[]): string => {
    const { out } = ask("submit", "--", ...command);
    return out.trim();
  };
  return { state, environment, ask, submit };
}

describe("a start", () => {
  it("that fails ends with its message and code, though other things had begun", async () => {
    const { state, environment } = withBroker("fails");
    await (await startLiveBroker(state)).end("SIGTERM");
    rmSync(join(state, "site"), { recursive: true });
    writeFileSync(join(state, "site"), "");
    const { code, err } = stint(["up", "--port", "0"], folder, environment);
    expect(code).toBe(1);
    expect(err).toContain(`cannot use ${join(state, "site")} for jobs`);
  });
});
