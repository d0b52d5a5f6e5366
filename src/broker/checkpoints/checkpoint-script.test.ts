import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import { checkpointCommand } from "./checkpoint-script.ts";
import { readIndex, readManifest } from "./read-states.ts";

describe("the command of a job that saves states", () => {
  let attempt: string;
  let work: string;
  beforeEach(() => {
    attempt = mkdtempSync(join(tmpdir(), "stint-checkpoints-"));
    work = join(attempt, "work");
    mkdirSync(work);
    mkdirSync(join(attempt, "tmp"));
  });
  afterEach(() => rmSync(attempt, { recursive: true, force: true }));

  const command = (text: string, more: Partial<JobDescription> = {}): readonly string[] => {
    const job = { ...JOB_DEFAULTS, executable: "sh", checkpointable: true, ...more };
    return checkpointCommand(job, ["sh", "-c", text]);
  };
  const environment = () => ({ PATH: process.env.PATH, STINT_DIRECTORY: work });
  const run = (text: string, more: Partial<JobDescription> = {}) => {
    const [program = "", ...words] = command(text, more);
    const { status, stdout, stderr } = spawnSync(program, words, {
      ...{ cwd: work, env: environment(), encoding: "utf8" },
    });
    return { status, stdout, stderr };
  };
  const states = () => {
    const file = join(work, ".stint-ckpt", "index");
    return existsSync(file) ? readIndex(readFileSync(file, "utf8")) : [];
  };
  const manifest = (number: number) =>
    readManifest(readFileSync(join(work, ".stint-ckpt", String(number), "manifest"), "utf8"));

  it("a job without any is its own command", () => {
    expect(checkpointCommand({ ...JOB_DEFAULTS, executable: "x" }, ["x", "y"])).toEqual(["x", "y"]);
  });

  it("BR-210 saves files and directories by name, and gives back the newest", () => {
    const first = run(
      "mkdir d; echo 1 > d/a; echo 22 > 'b c'; stint-ckpt save one d/ 'b c' && stint-ckpt last",
    );
    expect(first).toEqual({ status: 0, stdout: "one\n", stderr: "" });
    expect(states()).toMatchObject([{ number: 1, name: "one", files: 2, sizeBytes: 5 }]);
    expect(manifest(1)).toEqual([
      { path: "b c", sizeBytes: 3 },
      { path: "d/a", sizeBytes: 2 },
    ]);
    // The next run in this directory begins with it.
    const next = run(
      `rm -r d 'b c'; stint-ckpt restore; cat d/a "$STINT_CHECKPOINT/b c"; echo $STINT_CHECKPOINT_NAME`,
    );
    expect(next.stdout).toBe("1\n22\none\n");
  });

  it("BR-210 keeps the last of each name, so many in all", () => {
    run("for name in a b a c d; do echo $name > f; stint-ckpt save $name f; done", { checkpointsKept: 2 });
    expect(states().map(({ name, number }) => `${number} ${name}`)).toEqual(["4 c", "5 d"]);
    expect(readdirSync(join(work, ".stint-ckpt")).sort()).toEqual(["4", "5", "index"]);
    run("echo > f; stint-ckpt save d f", { checkpointsKept: 2 });
    expect(states().map(({ name, number }) => `${number} ${name}`)).toEqual(["4 c", "6 d"]);
  });

  it.each([
    ["no files", "stint-ckpt save a", "write stint-ckpt save NAME FILE"],
    ["a file that is not there", "stint-ckpt save a none", "none is not there: nothing was saved"],
    ["a path as its name", "echo > f; stint-ckpt save ../a f", "is no name of a state"],
    ["a long name", `echo > f; stint-ckpt save ${"x".repeat(65)} f`, "is no name of a state"],
    [
      "two files of a name",
      "mkdir d; echo > f; echo > d/f; stint-ckpt save a f d/f",
      "two files are named f",
    ],
    ["a link", "ln -s /etc/passwd l; stint-ckpt save a l", "l is neither a file nor a directory"],
    ["an empty directory", "mkdir d; stint-ckpt save a d", "there are no files"],
    ["the job's directory itself", "stint-ckpt save a .", "is saved by its name, and that is none"],
    ["too many files", "mkdir d; cd d; touch $(seq 1001); cd ..; stint-ckpt save a d", "at most 1000 files"],
    ["no state to restore", "stint-ckpt restore", "there is no state yet"],
    ["another word", "stint-ckpt list", "write stint-ckpt save"],
  ])("BR-210 refuses %s, and leaves nothing", (_, text, why) => {
    const { status, stderr } = run(text);
    expect(status).not.toBe(0);
    expect(stderr).toContain(why);
    expect(readdirSync(join(work, ".stint-ckpt"))).toEqual([]);
  });

  it("BR-211 begins with the state that it was given, until it has one of its own", () => {
    mkdirSync(join(work, ".stint-restart", "files"), { recursive: true });
    writeFileSync(join(work, ".stint-restart", "files", "f"), "given\n");
    // Without its name it is not all there.
    expect(run("echo ${STINT_CHECKPOINT-none}").stdout).toBe("none\n");
    writeFileSync(join(work, ".stint-restart", "name"), "old\n");
    expect(run('cat "$STINT_CHECKPOINT/f"; stint-ckpt last').stdout).toBe("given\nold\n");
    expect(run("echo own > f; stint-ckpt save new f; stint-ckpt last").stdout).toBe("new\n");
    expect(run('cat "$STINT_CHECKPOINT/f"; echo $STINT_CHECKPOINT_NAME').stdout).toBe("own\nnew\n");
  });

  it("BR-210 saves of several processes at once are all whole", () => {
    const text = "for i in 1 2 3 4; do (echo $i > f$i; stint-ckpt save s$i f$i) & done; wait";
    expect(run(text, { checkpointsKept: 10 }).stderr).toBe("");
    expect(
      states()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["s1", "s2", "s3", "s4"]);
    for (const { number, name } of states())
      expect(manifest(number)).toEqual([{ path: `f${name.slice(1)}`, sizeBytes: 2 }]);
  });

  it("BR-210 killed at any moment, it leaves only whole states, and goes on from the last", async () => {
    const step = `n=0
      if [ -n "$STINT_CHECKPOINT" ]; then read -r n < "$STINT_CHECKPOINT/n"; fi
      while :; do n=$((n + 1)); echo $n > n; mkdir -p d; for i in 1 2 3; do echo $n > d/$i; done
      stint-ckpt save step$((n % 5)) n d; done`;
    const [program = "", ...words] = command(step);
    let before = 0;
    for (const afterMs of [0, 60, 90, 140, 30, 110, 50, 75]) {
      const child = spawn(program, words, { cwd: work, detached: true, stdio: "ignore", env: environment() });
      const number = states().at(-1)?.number ?? 0;
      await expect.poll(() => states().at(-1)?.number ?? 0, { timeout: 200_000 }).toBeGreaterThan(number);
      await sleep(afterMs);
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await once(child, "exit");
      let last = before;
      for (const { number } of states()) {
        const files = join(work, ".stint-ckpt", String(number), "files");
        last = Number(readFileSync(join(files, "n"), "utf8"));
        for (const i of [1, 2, 3])
          expect(Number(readFileSync(join(files, "d", String(i)), "utf8"))).toBe(last);
        expect(manifest(number)).toHaveLength(4);
      }
      expect(last).toBeGreaterThanOrEqual(before);
      before = last;
    }
    expect(before).toBeGreaterThan(0);
    expect(states().length).toBeLessThanOrEqual(3);
  });
});
