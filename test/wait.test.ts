/** Waiting for jobs on a real broker, as a script does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("stint wait", () => {
  const { ask, begin, folder, end, up } = liveSetting(["  - { name: here, type: managed, procs: 4 }"]);
  const submitted = (name: string, ...command: string[]): string =>
    ask("submit", "--name", name, "--", ...command).out.trim();
  const untilFile = ["sh", "-c", 'while [ ! -e "$0" ]; do sleep 0.05; done'];

  it("waits for all of a name, and says by its code whether one failed", async () => {
    const go = join(folder, "go");
    const [first, second] = [submitted("good", ...untilFile, go), submitted("good", "true")];
    expect(ask("wait", "--name", "good", "--timeout", "0").code).toBe(124);
    const { child, out } = begin("wait", "--name", "good");
    writeFileSync(go, "");
    expect((await out).trim().split("\n").toSorted()).toEqual(
      [`${first}  DONE (ok)`, `${second}  DONE (ok)`].toSorted(),
    );
    expect(child.exitCode).toBe(0);
    submitted("good", "false");
    expect(ask("wait", "--name", "good").code).toBe(1);
  });

  it("with --any ends with the first; the others go on, also over a restart of the broker", async () => {
    const slow = submitted("race", ...untilFile, join(folder, "later"));
    const fast = submitted("race", "true");
    expect(ask("wait", "--any", "--name", "race", "-o", "name")).toEqual({
      code: 0,
      out: `${fast}\n`,
      err: "",
    });
    const { child, out } = begin("wait", fast, slow);
    // It has been told of both.
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await end("SIGKILL");
    await up();
    writeFileSync(join(folder, "later"), "");
    expect(await out).toBe(`${fast}  DONE (ok)\n${slow}  DONE (ok)\n`);
    expect(child.exitCode).toBe(0);
  });
});
