import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { CHUNK_BYTES, CHUNKS_KEPT, TERMINAL_FILES, TERMINAL_FOLDER } from "../runtime/index.ts";
import { terminalCommand } from "./terminal-script.ts";

/** A program at a terminal, as a site runs it. */
interface AtTerminal {
  readonly child: ChildProcess;
  /** The output that the program has written so far. */
  readonly out: () => string;
  readonly shown: () => string;
  readonly type: (text: string) => void;
  readonly resize: (rows: number, columns: number) => void;
  readonly folder: string;
  /** The exit code, once the program has ended. */
  readonly ended: Promise<number | null>;
}

function start(
  description: Partial<JobDescription>,
  environment: Readonly<Record<string, string>> = {},
): AtTerminal {
  const attempt = mkdtempSync(join(tmpdir(), "stint-terminal-"));
  const [work, temporary] = [join(attempt, "work"), join(attempt, "tmp")];
  mkdirSync(work);
  mkdirSync(temporary);
  const whole: JobDescription = { ...JOB_DEFAULTS, executable: "sh", interactive: true, ...description };
  const [program = "", ...words] = terminalCommand(whole, [whole.executable, ...whole.arguments]);
  const child = spawn(program, words, {
    ...{ cwd: work, detached: true, stdio: ["ignore", "pipe", "inherit"] },
    env: { PATH: process.env.PATH, STINT_DIRECTORY: work, TMPDIR: temporary, ...environment },
  });
  onTestFinished(() => {
    // What a failed test leaves behind.
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  });
  let out = "";
  child.stdout?.on("data", (bytes) => {
    out += bytes;
  });
  const folder = join(work, TERMINAL_FOLDER);
  const first = join(work, TERMINAL_FILES.screen(0));
  return {
    ...{ child, folder, out: () => out },
    shown: () => (existsSync(first) ? readFileSync(first, "latin1") : ""),
    type: (text) => appendFileSync(join(work, TERMINAL_FILES.input), text),
    resize: (rows, columns) => appendFileSync(join(work, TERMINAL_FILES.sizes), `${rows} ${columns}\n`),
    ended: once(child, "close").then(([code]) => code),
  };
}

const sh = (text: string) => ({ arguments: ["-c", text] });

describe("a program at a terminal", { timeout: 400_000 }, () => {
  it("BR-200 has its size, its words and what is typed; its code and its output are the job's", async () => {
    const at = start(
      {
        arguments: [
          "-c",
          'stty size; echo "$1"; read -r line; echo "<$line>"; exit 7',
          "it's",
          "a  $HOME 'b'",
        ],
      },
      { LINES: "33", COLUMNS: "101" },
    );
    await eventually("its output", () => at.shown().includes("33 101\r\na  $HOME 'b'\r\n"));
    at.type("hello\r");
    expect(await at.ended).toBe(7);
    expect(at.out()).toBe(at.shown());
    expect(at.out()).toContain("<hello>\r\n");
  });

  it("BR-200 hears of another size", async () => {
    const at = start(sh("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.1; done"));
    await eventually("its output", () => at.shown().includes("ready"));
    at.resize(40, 132);
    expect(await at.ended).toBe(0);
    expect(at.out()).toContain("40 132");
  });

  it("BR-200 gets Ctrl-C as the whole group that it started", async () => {
    const at = start(sh("trap : INT; sleep 1000 | (echo ready >&2; exec sleep 1000); echo over"));
    await eventually("its output", () => at.shown().includes("ready"));
    at.type("\x03");
    expect(await at.ended).toBe(0);
    expect(at.out()).toContain("over");
  });

  it("BR-201 leaves the last of what it writes, in files that do not grow without end", async () => {
    const bytes = 3 * CHUNKS_KEPT * CHUNK_BYTES;
    const at = start(sh(`head -c ${bytes} /dev/zero | tr '\\0' x; echo end`));
    expect(await at.ended).toBe(0);
    expect(readdirSync(at.folder).filter((name) => name.startsWith("screen."))).toHaveLength(CHUNKS_KEPT);
    expect(at.out().length).toBeGreaterThanOrEqual((CHUNKS_KEPT - 1) * CHUNK_BYTES);
    expect(at.out().length).toBeLessThanOrEqual(2 * CHUNKS_KEPT * CHUNK_BYTES);
    expect(at.out().endsWith("xend\r\n")).toBe(true);
  });

  it("that ignores TERM, as a shell at its prompt does, ends soon after it", async () => {
    const at = start(sh("trap '' TERM; echo ready; sleep 1000"));
    await eventually("its output", () => at.shown().includes("ready"));
    const session = Number(readFileSync(join(at.folder, "session"), "utf8"));
    process.kill(-(at.child.pid ?? 0), "SIGTERM");
    await at.ended;
    await eventually("its end", () => !existsSync(`/proc/${session}`));
  });

  it("BR-200 has pipes where the node has no script, and says so", async () => {
    const programs = mkdtempSync(join(tmpdir(), "stint-path-"));
    writeFileSync(join(programs, "script"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const at = start(sh('read -r line; echo "<$line>"; exit 3'), { PATH: `${programs}:${process.env.PATH}` });
    await eventually("its output", () => at.shown().includes("no pseudo-terminal at this node"));
    at.type("hello\n");
    expect(await at.ended).toBe(3);
    expect(at.out()).toContain("<hello>");
  });

  it("is the program's own command where the job is not interactive", () => {
    expect(terminalCommand({ ...JOB_DEFAULTS, executable: "x" }, ["x", "y"])).toEqual(["x", "y"]);
  });
});
