import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { stagedCommand } from "./stages.ts";

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly stage: string | undefined;
}

interface Running {
  readonly description: Partial<JobDescription>;
  readonly limitSec?: number;
  /** Sent to the whole group when the output has `begun`, as a site does. */
  readonly group?: NodeJS.Signals;
}

/** Runs the command as a site does: in a directory of its own, as the first process of a group. */
async function ran({ description, limitSec = 3600, group }: Running): Promise<Ran> {
  const attempt = mkdtempSync(join(tmpdir(), "stint-stages-"));
  const [work, temporary] = [join(attempt, "work"), join(attempt, "tmp")];
  mkdirSync(work);
  mkdirSync(temporary);
  const whole: JobDescription = { ...JOB_DEFAULTS, executable: "sh", ...description };
  for (const path of whole.inputSandbox)
    writeFileSync(join(work, path.slice(3)), "#!/bin/sh\necho brought $1\n");
  const [program = "", ...words] = stagedCommand(
    whole,
    [whole.executable, ...whole.arguments],
    limitSec * 1000,
  );
  const child = spawn(program, words, {
    ...{ cwd: work, detached: true, stdio: ["ignore", "pipe", "inherit"] },
    env: { PATH: process.env.PATH, STINT_DIRECTORY: work },
  });
  let out = "";
  child.stdout?.on("data", (bytes) => {
    out += bytes;
    if (group !== undefined && String(bytes).includes("begun")) process.kill(-(child.pid ?? 0), group);
  });
  const [code, signal] = await once(child, "close");
  const file = join(temporary, "stint-stage");
  return { code, signal, out, stage: existsSync(file) ? readFileSync(file, "utf8").trim() : undefined };
}

const sh = (text: string) => ({ executable: "sh", arguments: ["-c", text] });
const first = (text: string) => ({ prologue: "sh", prologueArguments: ["-c", text] });
const last = (text: string) => ({ epilogue: "sh", epilogueArguments: ["-c", text] });

describe("the stages of a job", () => {
  it("a job without any is its own command", () => {
    expect(stagedCommand({ ...JOB_DEFAULTS, executable: "x" }, ["x", "y"], 1000)).toEqual(["x", "y"]);
  });

  it.each<[string, Partial<JobDescription>, Partial<Ran>]>([
    [
      "all well: the three run in order",
      { ...first("echo one"), ...sh("echo two"), ...last("echo three $STINT_EXIT_CODE") },
      { code: 0, out: "one\ntwo\nthree 0\n", stage: "done" },
    ],
    [
      "the prologue fails: nothing else runs",
      { ...first("echo one; exit 7"), ...sh("echo two"), ...last("echo three") },
      { code: 7, out: "one\n", stage: "prologue" },
    ],
    [
      "the program fails: the epilogue runs, and the program's code counts",
      { ...sh("exit 3"), ...last("echo $STINT_EXIT_CODE; exit 9") },
      { code: 3, out: "3\n", stage: "program" },
    ],
    [
      "the program dies: so does the job",
      { ...sh("kill -SEGV $$"), ...last("echo three") },
      { signal: "SIGSEGV" },
    ],
    ["the epilogue fails", { ...sh("exit 0"), ...last("exit 9") }, { code: 9, stage: "epilogue" }],
    [
      "programs of the input sandbox are found, and no text is expanded",
      {
        ...{ inputSandbox: ["/x/run.sh"], prologue: "run.sh", prologueArguments: ["$HOME 'x' `id`"] },
        ...{ executable: "run.sh", arguments: ["two"] },
      },
      { code: 0, out: "brought $HOME 'x' `id`\nbrought two\n" },
    ],
    [
      "a program that is nowhere",
      { ...first("true"), executable: "/no/such" },
      { code: 127, stage: "program" },
    ],
  ])("BR-90 %s", async (_, description, expected) => {
    expect(await ran({ description })).toMatchObject(expected);
  });

  it("BR-91 ended from outside, the epilogue runs; during the prologue nothing begins", async () => {
    const whole = {
      ...first("true"),
      ...sh("echo begun; exec sleep 60"),
      ...last("echo after $STINT_EXIT_CODE"),
    };
    expect(await ran({ description: whole, group: "SIGTERM" })).toMatchObject({
      ...{ signal: "SIGTERM", out: "begun\nafter 143\n", stage: "program" },
    });
    const early = { ...first("echo begun; sleep 60"), ...sh("echo two") };
    expect(await ran({ description: early, group: "SIGTERM" })).toMatchObject({
      ...{ signal: "SIGTERM", out: "begun\n", stage: "prologue" },
    });
  });

  it("BR-92 the program alone gets its signal, so long before the limit", async () => {
    const text = "trap 'echo saved; exit 85' USR1; echo begun; i=0; while [ $i -lt 600 ]; do sleep 0.1; done";
    const startMs = performance.now();
    const done = await ran({ description: { ...sh(text), signalBefore: "USR1@9" }, limitSec: 10 });
    expect(done).toMatchObject({ code: 85, out: "begun\nsaved\n" });
    expect(performance.now() - startMs).toBeGreaterThan(900);
  });
});
