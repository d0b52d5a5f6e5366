import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SubmitOrder } from "../../runtime/index.ts";
import { wrapperScript } from "./wrapper-script.ts";

const ENVIRONMENT = { PATH: process.env.PATH, SLURM_JOB_ID: "7" };
const KILLED = { timeout: 5000, killSignal: "SIGKILL" } as const;

describe("the wrapper, run by bash", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-wrapper-"));
    mkdirSync(join(directory, "work"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const scriptOf = (command: readonly string[], more: Partial<SubmitOrder> = {}): string => {
    const files = { stdOutput: "out", stdError: "err", inputFiles: [] };
    const size = { procs: 1, memoryBytes: 0, limitMs: 60_000, reservation: null, name: "n" };
    const order = { token: "a/1", command, environment: {}, ...files, ...size, ...more };
    const file = join(directory, "script");
    writeFileSync(file, wrapperScript(order, { directory, graceMs: 1000 }));
    return file;
  };
  const run = (command: readonly string[], more: Readonly<Record<string, string>> = {}): unknown => {
    const script = scriptOf(command);
    try {
      execFileSync("bash", [script], { env: { ...ENVIRONMENT, ...more }, stdio: "ignore" });
    } catch {
      // Its exit code is its program's.
    }
    return JSON.parse(readFileSync(join(directory, "report.7"), "utf8"));
  };

  it.each([
    { number: 9, signal: "SIGKILL" },
    { number: 32, signal: "SIG32" },
    { number: 34, signal: "SIG34" },
    { number: 64, signal: "SIG64" },
  ])("tells signal $number as $signal", ({ number, signal }) => {
    expect(run(["sh", "-c", `kill -${number} $$`])).toMatchObject({ exitCode: null, signal });
  });

  it("is cancelled though its program is signalled before the wrapper is", () => {
    const first = "(sleep 0.2; kill -TERM $PPID) & kill -TERM $$";
    expect(run(["sh", "-c", first])).toMatchObject({ cause: "cancelled", signal: "SIGTERM" });
  });

  it("tells the signal at once, however its own wait for the program is interrupted", () => {
    // The script sets its traps meanwhile.
    const both = "trap 'exit 143' TERM; sleep 0.1; kill -TERM $PPID $$; while :; do sleep 0.02; done";
    const script = scriptOf(["sh", "-c", both]);
    const text = readFileSync(script, "utf8");
    const ends = Array.from({ length: 30 }, (_, at) => {
      const place = join(directory, String(at));
      mkdirSync(join(place, "work"), { recursive: true });
      writeFileSync(script, text.replaceAll(directory, place));
      const { signal } = spawnSync("bash", [script], { env: ENVIRONMENT, stdio: "ignore", ...KILLED });
      expect(signal).toBe(null);
      return JSON.parse(readFileSync(join(place, "report.7"), "utf8"));
    });
    const cancelled = { cause: "cancelled", exitCode: null, signal: "SIGTERM" };
    expect(ends).toEqual(ends.map(() => expect.objectContaining(cancelled)));
  });

  it("in a pilot, ends processes that have left their session when the program ends", () => {
    const daemon = `setsid sh -c 'echo $$ > ${directory}/pid; exec sleep 300' &`;
    const line = `${daemon} while [ ! -s ${directory}/pid ]; do sleep 0.1; done`;
    expect(run(["sh", "-c", line], { STINT_PILOT: String(process.pid) })).toMatchObject({ exitCode: 0 });
    const pid = readFileSync(join(directory, "pid"), "utf8").trim();
    expect(spawnSync("ps", ["-o", "stat=", "-p", pid]).stdout.toString()).toMatch(/^(Z.*)?\s*$/);
  });

  it("in a pilot that is cancelled, a suspended shell does not go on with its next line", async () => {
    const line = `echo start; sh -c 'echo $$ > ${directory}/child; exec sleep 300'; echo end`;
    const environment = { ...ENVIRONMENT, STINT_PILOT: String(process.pid) };
    const script = spawn("bash", [scriptOf(["sh", "-c", line])], { env: environment, stdio: "ignore" });
    const pidIn = (name: string): number => Number(readFileSync(join(directory, name), "utf8"));
    const state = (pid: number): string =>
      spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
        .stdout.toString()
        .slice(0, 1);
    await expect.poll(() => readdirSync(directory)).toEqual(expect.arrayContaining(["child", "group"]));
    await expect.poll(() => Math.min(pidIn("child"), pidIn("group"))).toBeGreaterThan(0);
    const [shell, child, wrapper] = [pidIn("group"), pidIn("child"), script.pid ?? 0];
    const isStopped = () => expect.poll(() => [shell, child].map(state)).toEqual(["T", "T"]);
    writeFileSync(join(directory, "signals"), "SIGSTOP\n");
    process.kill(wrapper, "SIGUSR1");
    await isStopped();
    // As Slurm does: all processes are continued, and then told to end, the youngest first.
    for (const pid of [child, shell, wrapper]) process.kill(pid, "SIGCONT");
    await isStopped();
    process.kill(child, "SIGTERM");
    process.kill(wrapper, "SIGTERM");
    await once(script, "exit");
    const report = JSON.parse(readFileSync(join(directory, "report.7"), "utf8"));
    expect(report).toMatchObject({ cause: "pilotGone", signal: "SIGKILL" });
    expect(readFileSync(join(directory, "work", "out"), "utf8")).toBe("start\n");
    expect(state(child)).toMatch(/^Z?$/);
  });

  it("passes on a signal that came before its program had begun", () => {
    const script = scriptOf(["sleep", "300"]);
    writeFileSync(join(directory, "signals"), "SIGKILL\n");
    // Its copy of input files takes long: it is signalled meanwhile.
    const text = readFileSync(script, "utf8");
    const slow = text.replace('mkdir -p "$directory/tmp"\n', (found) => `${found}kill -USR1 $$\n`);
    expect(slow).not.toBe(text);
    writeFileSync(script, slow);
    spawnSync("bash", [script], { env: ENVIRONMENT, stdio: "ignore", ...KILLED });
    const report = JSON.parse(readFileSync(join(directory, "report.7"), "utf8"));
    expect(report).toMatchObject({ cause: "ended", signal: "SIGKILL" });
  });

  it("gives an input file as standard input, and runs in the order's directory", () => {
    writeFileSync(join(directory, "work", "in.txt"), "b\na\n");
    const input = { name: "in.txt", source: "/unused" };
    const there = { workingDirectory: join(directory, "there"), stdInput: "in.txt", inputFiles: [input] };
    const file = scriptOf(["sh", "-c", "sort; pwd"], there);
    const report = () => JSON.parse(readFileSync(join(directory, "report.7"), "utf8"));
    const begin = () => {
      const { status } = spawnSync("bash", [file], { env: ENVIRONMENT, stdio: "ignore" });
      return status;
    };
    expect(begin()).toBe(126);
    expect(report()).toMatchObject({ cause: "noWorkingDirectory" });
    rmSync(join(directory, "claim"), { recursive: true });
    mkdirSync(join(directory, "there"));
    expect(begin()).toBe(0);
    expect(readFileSync(join(directory, "work", "out"), "utf8")).toBe(`a\nb\n${join(directory, "there")}\n`);
  });

  const isRoot = process.getuid?.() === 0;

  it.skipIf(!isRoot)("EN-304 nothing of a job, its variables least of all, runs before the switch", () => {
    chmodSync(directory, 0o711);
    const mine = join(directory, "mine");
    mkdirSync(mine);
    chmodSync(mine, 0o755);
    for (const name of ["setpriv", "env", "id"]) {
      writeFileSync(join(mine, name), `#!/bin/sh\n/usr/bin/id -u > ${directory}/taken.${name}\n`);
      chmodSync(join(mine, name), 0o755);
    }
    const environment = { PATH: `${mine}:/usr/bin:/bin`, HOME: "/own", LD_PRELOAD: "/none.so" };
    const file = scriptOf(["sh", "-c", "/usr/bin/id -un; echo $HOME $PATH"], {
      environment,
      account: "nobody",
    });
    spawnSync("bash", [file], { env: ENVIRONMENT, stdio: "ignore" });
    expect(readdirSync(directory).filter((name) => name.startsWith("taken."))).toEqual([]);
    const [ran, variables] = readFileSync(join(directory, "work", "out"), "utf8").split("\n");
    expect([ran, variables]).toEqual(["nobody", `/own ${environment.PATH}`]);
    // The shell and its id meet the variable, and no program before them.
    const { length } = readFileSync(join(directory, "work", "err"), "utf8")
      .split("/none.so")
      .slice(1);
    expect(length).toBe(2);
  });

  it("ends though its job has put a pipe in the place of its stage", () => {
    const file = scriptOf(["sh", "-c", "mkfifo $TMPDIR/stint-stage"]);
    const { status } = spawnSync("bash", [file], { env: ENVIRONMENT, stdio: "ignore", ...KILLED });
    expect(status).toBe(0);
  });

  it("begins a program that has = in its name", () => {
    const program = join(directory, "p=1");
    writeFileSync(program, '#!/bin/sh\nprintf %s "$*"; exit 3\n');
    chmodSync(program, 0o755);
    expect(run([program, "a b", "x=y"])).toMatchObject({ cause: "ended", exitCode: 3 });
    expect(readFileSync(join(directory, "work", "out"), "utf8")).toBe("a b x=y");
  });

  it("SU-9 SU-11 begun again by the site: tells so, unless its first run could report", () => {
    expect(run(["sh", "-c", "exit 3"])).toMatchObject({ cause: "ended", exitCode: 3 });
    const again = { SLURM_RESTART_COUNT: "1" };
    expect(run(["true"], again)).toMatchObject({ cause: "ended", exitCode: 3 });
    rmSync(join(directory, "report.7"));
    expect(run(["true"], again)).toMatchObject({ cause: "requeued" });
  });
});
