import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { payloadScript } from "./wrapper-script.ts";

const helper = resolve("bin/stint-as");
const isRoot = process.getuid?.() === 0;
const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const why = " (needs root, sudo and setfacl)";

describe.skipIf(!isRoot || !has("sudo") || !has("setfacl"))(`a switch by sudo${why}`, () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-switch-"));
    mkdirSync(join(directory, "work"), { mode: 0o700 });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const scriptOf = (line: string, { account = "nobody", limitMs = 60_000, isPooled = false } = {}) => {
    const files = { stdOutput: "out", stdError: "err", inputFiles: [] };
    const size = { procs: 1, memoryBytes: 0, reservation: null, name: "n", account };
    const environment = { COLOUR: "deep red" };
    const order = { token: "a/1", command: ["sh", "-c", line], environment, limitMs, ...files, ...size };
    return payloadScript(order, { directory, graceMs: 500, helper, isPooled }, "7.a");
  };
  const env = { PATH: process.env.PATH, STINT_PILOT: String(process.pid) };
  const run = (line: string, how: Parameters<typeof scriptOf>[1] = {}) => {
    spawnSync("bash", ["-s"], { input: scriptOf(line, how), env, timeout: 100_000 });
    return JSON.parse(readFileSync(join(directory, "report.7.a"), "utf8"));
  };
  const output = (name = "out") => readFileSync(join(directory, "work", name), "utf8");

  it("EN-304 runs the program as the account, and closes the directory at its end", () => {
    const line = 'id -un; echo "$COLOUR"; pwd; umask 077; mkdir sub; echo private > sub/file; exit 3';
    expect(run(line)).toMatchObject({ cause: "ended", exitCode: 3 });
    expect(output()).toBe(`nobody\ndeep red\n${directory}/work\n`);
    expect([output("err"), existsSync(join(directory, "words"))]).toEqual(["", false]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const lists = spawnSync("getfacl", ["-p", join(directory, "work", "sub", "file")]).stdout.toString();
    expect(lists).toMatch(/^user:root:rw/m);
  });

  it("EN-304 ends the program and all that it has left", () => {
    const left = `setsid sh -c 'echo $$ > left; exec sleep 300' & while [ ! -s left ]; do sleep 0.1; done`;
    // Programs empty the directory of temporary files.
    expect(run(`rm -rf "$TMPDIR"/*; ${left}; exec sleep 301`, { limitMs: 2500 })).toMatchObject({
      ...{ cause: "timeLimit", signal: "SIGTERM" },
    });
    const pid = output("left").trim();
    expect(spawnSync("ps", ["-o", "stat=", "-p", pid]).stdout.toString()).toMatch(/^(Z.*)?\s*$/);
  });

  it("EN-304 the last job under a pool account, and no other, ends what hides from it there", async () => {
    const hiding = "env -i setsid sleep 302 & sleep 0.3; pgrep -u games -x sleep";
    const pooled = { account: "games", isPooled: true };
    const first = directory;
    directory = join(first, "other");
    mkdirSync(join(directory, "work"), { recursive: true, mode: 0o700 });
    chmodSync(first, 0o711);
    const script = join(directory, "script");
    writeFileSync(script, scriptOf("echo begun; exec sleep 303", pooled));
    const other = spawn("bash", [script], { env, stdio: "ignore" });
    const begun = () => existsSync(join(first, "other", "work", "out")) && output();
    await expect.poll(begun).toBe("begun\n");
    const ofAccount = () => spawnSync("pgrep", ["-u", "games", "-ax", "sleep"]).stdout.toString();
    directory = first;
    expect(run(hiding, pooled)).toMatchObject({ cause: "ended", exitCode: 0 });
    expect(ofAccount()).toContain("sleep 302");
    expect(ofAccount()).toContain("sleep 303");
    other.kill("SIGTERM");
    await expect.poll(() => existsSync(join(first, "other", "report.7.a"))).toBe(true);
    // What was killed may not have been collected yet: it has no arguments then.
    expect(ofAccount()).not.toMatch(/sleep 30[23]/);
  });

  it("EN-304 ends the program and closes the directory if the script itself is killed", async () => {
    const script = join(directory, "script");
    writeFileSync(script, scriptOf('mkdir -m 0700 "$TMPDIR/own"; echo $$; exec sleep 300'));
    const shell = spawn("bash", [script], { env, stdio: "ignore" });
    const begun = () => existsSync(join(directory, "work", "out")) && output().trim();
    await expect.poll(begun).toMatch(/^[0-9]+$/);
    const pid = output().trim();
    shell.kill("SIGKILL");
    await expect.poll(() => statSync(directory).mode & 0o777).toBe(0o700);
    expect(spawnSync("ps", ["-o", "stat=", "-p", pid]).stdout.toString()).toMatch(/^(Z.*)?\s*$/);
    const lists = spawnSync("getfacl", ["-p", join(directory, "tmp", "own")]).stdout.toString();
    expect(lists).toMatch(/^user:root:rwx$/m);
  });

  it("EN-304 refuses an account that is unknown or root, and a directory that it may not enter", () => {
    expect(run("id", { account: "no-such-account" })).toMatchObject({ cause: "unknownAccount" });
    rmSync(join(directory, "claim"), { recursive: true });
    const outside = directory;
    chmodSync(outside, 0o700);
    directory = join(outside, "job");
    mkdirSync(join(directory, "work"), { recursive: true });
    expect(run("id")).toMatchObject({ cause: "noAccess" });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    directory = outside;
  });

  it("EN-304 the helper does nothing as root", () => {
    for (const words of [
      ["run", directory],
      ["signal", directory, "TERM"],
    ]) {
      const { status, stderr } = spawnSync(helper, words);
      expect([status, stderr.toString()]).toEqual([126, expect.stringContaining("refuses to run as root")]);
    }
  });
});
