import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "../../model/index.ts";
import { checkpointCommand } from "./checkpoint-script.ts";
import { steppedCommand } from "./step-script.ts";

describe("the command of a sub-job", () => {
  let attempt: string;
  let work: string;
  beforeEach(() => {
    attempt = mkdtempSync(join(tmpdir(), "stint-steps-"));
    work = join(attempt, "work");
    mkdirSync(work);
    mkdirSync(join(attempt, "tmp"));
  });
  afterEach(() => rmSync(attempt, { recursive: true, force: true }));

  const description = { ...JOB_DEFAULTS, executable: "sh", checkpointable: true };
  const run = (text: string, names?: readonly string[]) => {
    const count = names?.length ?? 3;
    const steps = { of: "p", from: 5, count, ...(names === undefined ? {} : { names }) };
    const part = { id: "d", index: 1, name: "p.2", steps };
    const command = checkpointCommand(description, steppedCommand({ part, description }, ["sh", "-c", text]));
    const [program = "", ...words] = command;
    const env = { PATH: process.env.PATH, STINT_DIRECTORY: work };
    const input = openSync(existsSync(join(work, "in")) ? join(work, "in") : "/dev/null", "r");
    const { status, stdout } = spawnSync(program, words, {
      ...{ cwd: work, env },
      stdio: [input, "pipe", "pipe"],
      encoding: "utf8",
    });
    closeSync(input);
    return { status, lines: stdout.trim().split("\n") };
  };

  it("BR-280 runs the program once for each step, and leaves a state of all of them", () => {
    const { status, lines } = run(
      'echo "$STINT_CURRENT_STEP $STINT_STEP"; echo > "$STINT_STATE/$STINT_STEP"',
      [...["a b", "$c", "d"]],
    );
    expect({ status, lines }).toEqual({ status: 0, lines: ["5 a b", "6 $c", "7 d"] });
    const last = join(work, ".stint-ckpt", "3", "files");
    expect(readFileSync(join(last, ".stint-steps"), "utf8")).toBe("5\t0\ta b\n6\t0\t$c\n7\t0\td\n");
    expect(existsSync(join(last, ".stint-state", "$c"))).toBe(true);
  });

  it("BR-280 resumes at the step after the last saved one, with the files as it left them", () => {
    const text =
      'echo x >> "$STINT_STATE/log"; cat "$STINT_STATE/log" | wc -l | tr -d " "\n' +
      '[ -e ok ] || [ "$STINT_CURRENT_STEP" != 6 ] || kill -9 $PPID';
    // Killed in its second step, after it has written.
    expect(run(text)).toMatchObject({
      lines: ["1", "2"],
    });
    // As a new attempt finds it: the saved state only.
    const given = join(work, ".stint-restart");
    mkdirSync(given);
    renameSync(join(work, ".stint-ckpt", "1", "files"), join(given, "files"));
    spawnSync("sh", ["-c", `echo step-5 > ${given}/name; rm -r ${work}/.stint-ckpt; touch ${work}/ok`]);
    expect(run(text)).toEqual({ status: 0, lines: ["2", "3"] });
  });

  /** The state with which an attempt begins. */
  const give = (list: string): void => {
    mkdirSync(join(work, ".stint-restart", "files"), { recursive: true });
    writeFileSync(join(work, ".stint-restart", "name"), "step-7\n");
    writeFileSync(join(work, ".stint-restart", "files", ".stint-steps"), list);
  };

  it("BR-281 an attempt has the state with which it began, also if it completes no further step", () => {
    const list = "5\t0\t5\n6\t0\t6\n7\t0\t7\n";
    give(list);
    expect(run("echo ran")).toEqual({ status: 0, lines: [""] });
    expect(readFileSync(join(work, ".stint-ckpt", "1", "files", ".stint-steps"), "utf8")).toBe(list);
  });

  it("BR-280 the names of a part may be longer than one word of a command can be", () => {
    const names = Array.from({ length: 1000 }, (_, at) => `${at} ${"é".repeat(150)}`);
    const done = names.slice(1).map((name, at) => `${at + 5}\t0\t${name}\n`);
    give(done.join(""));
    expect(run('echo "$STINT_CURRENT_STEP $STINT_STEP"', names)).toEqual({
      status: 0,
      lines: [`1004 ${names[999]}`],
    });
  });

  it("BR-280 each step reads the standard input of the job from its beginning", () => {
    writeFileSync(join(work, "in"), "first\nsecond\n");
    expect(run("read -r line; echo $line")).toEqual({ status: 0, lines: ["first", "first", "first"] });
  });

  it("BR-280 a step that fails ends the sub-job with its exit code; nothing of it is saved", () => {
    expect(run('[ "$STINT_STEP" = 5 ] || exit 3').status).toBe(3);
    expect(existsSync(join(work, ".stint-ckpt", "2"))).toBe(false);
  });
});
