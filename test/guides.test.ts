import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { temporaryFolder } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const folder = temporaryFolder();
symlinkSync(join(root, "examples"), join(folder, "examples"));

let broker: LiveBroker;
beforeAll(async () => {
  broker = await startLiveBroker(join(folder, "state"));
});
afterAll(() => broker.end("SIGTERM"));

interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of a page with what it shows of their output, in order. */
function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  const fromShell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block.split("\n").filter((line) => line.startsWith("npx stint")),
  );
  const shown = blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command, ...output] = part.split("\n");
        return { command, output: output.join("\n").trimEnd() };
      }),
  );
  return [...shown, ...fromShell.map((command) => ({ command, output: "" }))];
}

describe.each([...guides, "README.md"])("what %s shows is what happens", (page) => {
  it("shows commands", () => {
    expect(commandsOf(page).length).toBeGreaterThan(2);
  });

  it.each(commandsOf(page))("$command", ({ command, output }) => {
    const words = command.replace(/^npx stint/, `"${process.execPath}" "${join(root, "bin/stint.js")}"`);
    const ran = spawnSync("sh", ["-c", words], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", ...broker.environment },
    });
    const isError = output.startsWith("stint:");
    expect(ran.status === 0).toBe(!isError);
    expect((isError ? ran.stderr : ran.stdout).slice(0, output.length)).toBe(output);
  });
});
