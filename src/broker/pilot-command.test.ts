import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { pilotCommand } from "./job-order.ts";

const run = promisify(execFile);
const folder = temporaryFolder();
const SECOND = 1000;

function commandFor(aheadMs: number, description: Partial<JobDescription>) {
  const startMs = SECOND * Math.ceil((Date.now() + aheadMs) / SECOND);
  const slot = { startMs, durationMs: SECOND, submitMs: 0, probability: 1 };
  const [program, ...words] = pilotCommand({ ...JOB_DEFAULTS, executable: "date", ...description }, slot);
  return { startMs, begin: () => run(program, words, { cwd: folder }) };
}

describe("the command of a virtual reservation", () => {
  it("BR-30 waits until its start, then is the program, each word as it was", async () => {
    const words = ["-c", 'date +%s; printf "%s|" "$@"', "sh", "two words", "$HOME", ""];
    const { startMs, begin } = commandFor(2 * SECOND, { executable: "sh", arguments: words });
    const { stdout } = await begin();
    const [atSec, said] = stdout.split("\n");
    expect(Number(atSec)).toBeGreaterThanOrEqual(startMs / SECOND);
    expect(said).toBe("two words|$HOME||");
  });

  it("BR-30 begun too late runs nothing", async () => {
    const { begin } = commandFor(-2 * SECOND, { executable: "touch", arguments: ["begun"] });
    await expect(begin()).rejects.toMatchObject({
      code: 75,
      stderr: "stint: not begun, as its start has gone by\n",
    });
    await expect(run("ls", [folder])).resolves.toMatchObject({
      stdout: expect.not.stringContaining("begun"),
    });
  });

  it("BR-30 finds a program of its input sandbox beside it", async () => {
    writeFileSync(join(folder, "own"), "#!/bin/sh\necho mine $1\n");
    const { begin } = commandFor(SECOND, {
      ...{ executable: "own", arguments: ["x"], inputSandbox: ["/somewhere/own"] },
    });
    expect((await begin()).stdout).toBe("mine x\n");
  });
});
