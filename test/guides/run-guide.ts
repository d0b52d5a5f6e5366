/**
 * Runs what a page shows, in a folder with the examples, and holds what comes against what it says.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsOf, matchedPart, STINT_ON_PATH } from "../guide-commands.ts";
import { type LiveBroker, startLiveBroker } from "../live-broker.ts";
import { temporaryFolder } from "../stint.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * The tests of pages, by their paths from the repository's root: their commands in their order, on one
 * broker, which is started as the first page says (`stint up --config FILE`, with its first YAML as that
 * file).
 */
export function describeGuide(...pages: readonly [string, ...string[]]): void {
  const [page] = pages;
  const folder = temporaryFolder();
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  const start = (): Promise<LiveBroker> => {
    const state = join(folder, "state");
    const text = readFileSync(join(root, page), "utf8");
    const file = /^stint up --config (\S+)$/m.exec(text)?.[1];
    if (file === undefined) return startLiveBroker(state);
    writeFileSync(join(folder, file), /^```yaml\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? "");
    return startLiveBroker(state, ["--config", join(folder, file)]);
  };

  describe(`what ${pages.join(", ")} shows is what happens`, () => {
    let broker: LiveBroker;
    beforeAll(async () => {
      broker = await start();
    });
    afterAll(() => broker.end("SIGTERM"));

    it("shows commands", () => {
      expect(pages.flatMap(commandsOf).length).toBeGreaterThan(2);
    });

    it.each(pages.flatMap(commandsOf))("$command", ({ command, output }) => {
      const ran = spawnSync("sh", ["-c", command], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1", ...broker.environment, ...STINT_ON_PATH },
      });
      const isError = output.startsWith("stint:");
      expect(ran.status === 0).toBe(!isError);
      expect(matchedPart(output, isError ? ran.stderr : ran.stdout)).toBe(output);
    });
  });
}
