import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { pilotCommand } from "./job-order.ts";
import { broughtProgram } from "./stages.ts";

const run = promisify(execFile);
const folder = temporaryFolder();
const SECOND = 1000;

function commandFor(aheadMs: number, description: Partial<JobDescription>) {
  const startMs = SECOND * Math.ceil((Date.now() + aheadMs) / SECOND);
  const slot = { startMs, durationMs: SECOND, submitMs: 0, probability: 1 };
  const job: JobDescription = { ...JOB_DEFAULTS, executable: "date", ...description };
  const first = broughtProgram(job, job.executable);
  const [program, ...words] = pilotCommand([first, ...job.arguments], slot);
  return { startMs, begin: () => run(program, words, { cwd: folder }) };
}

describe("the command of a virtual reservation", () => {
  it("EN-61 waits until its start, then becomes the program, with its arguments unchanged", async () => {
    const words = ["-c", 'date +%s; printf "%s|" "$@"', "sh", "two words", "$HOME", ""];
    const { startMs, begin } = commandFor(2 * SECOND, { executable: "sh", arguments: words });
    const { stdout } = await begin();
    const [atSec, said] = stdout.split("\n");
    expect(Number(atSec)).toBeGreaterThanOrEqual(startMs / SECOND);
    expect(said).toBe("two words|$HOME||");
  });

  it("EN-61 started too late, it runs nothing", async () => {
    const { begin } = commandFor(-2 * SECOND, { executable: "touch", arguments: ["begun"] });
    await expect(begin()).rejects.toMatchObject({
      code: 75,
      stderr: "stint: not begun, as its start has gone by\n",
    });
    await expect(run("ls", [folder])).resolves.toMatchObject({
      stdout: expect.not.stringContaining("begun"),
    });
  });

  it("EN-61 finds a program from the input sandbox", async () => {
    writeFileSync(join(folder, "own"), "#!/bin/sh\necho mine $1\n");
    const { begin } = commandFor(SECOND, {
      ...{ executable: "own", arguments: ["x"], inputSandbox: ["/somewhere/own"] },
    });
    expect((await begin()).stdout).toBe("mine x\n");
  });
});
