import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, homedir, totalmem } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalHarness, localHarness } from "../../../test/conformance/local-harness.ts";
import { type EndedReport, ReportInbox } from "../../../test/conformance/report-inbox.ts";
import type { LaunchOrder, ManagedSite } from "../../runtime/index.ts";
import { openManagedSite } from "./index.ts";

let harness: LocalHarness;
let site: ManagedSite;
let inbox: ReportInbox;
beforeEach(async () => {
  harness = await localHarness({ path: process.env.PATH ?? "" });
  site = await harness.open();
  inbox = new ReportInbox(site);
});
afterEach(() => harness.dispose());

/** Launches a command as attempt `1/1`, with changes to the order in `more`. */
async function launch(command: readonly string[], more: Partial<LaunchOrder> = {}): Promise<void> {
  await site.launch({
    token: "1/1",
    command,
    environment: {},
    limitMs: 3_600_000,
    inputFiles: [],
    stdOutput: "out",
    stdError: "err",
    ...more,
  });
}

async function run(command: readonly string[], more: Partial<LaunchOrder> = {}): Promise<EndedReport> {
  await launch(command, more);
  return inbox.ended("1/1");
}

/** Complete content of a file in the job's directory. */
async function contentOf(name: string): Promise<Buffer> {
  const part = await site.readFile("1/1", name, 0, 1 << 30);
  return Buffer.from(part?.bytes ?? []);
}

const print = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))";
const inputs = async (name: string, text: string, mode = 0o644): Promise<LaunchOrder["inputFiles"]> => {
  const source = join(harness.scratch, `source of ${name}`);
  await writeFile(source, text, { mode });
  return [{ name, source }];
};

describe("what a job gets", () => {
  const nasty = [
    "two words",
    "",
    "'",
    '"',
    "$(touch pwned)",
    "`id`",
    "a\nb\t",
    "-x",
    "*",
    "\\",
    "ü 漢 🎉",
    "; rm",
  ];

  it("arguments and variables arrive as they were given; no shell sees them", async () => {
    const environment = Object.fromEntries(nasty.map((text, i) => [`NASTY ${i}`, text]));
    await run([process.execPath, "-e", print, "--", ...nasty], { environment });
    const [words, variables] = JSON.parse((await contentOf("out")).toString());
    expect(words).toEqual(nasty);
    expect(variables).toMatchObject(environment);
    expect((await site.listFiles("1/1")).map(({ name }) => name)).toEqual(["err", "out"]);
  });

  it("MS-16 its environment is small, clean and its own; the order's variables go before it", async () => {
    process.env.STINT_TEST_SECRET = "of the broker";
    await run([process.execPath, "-e", print], { environment: { LANG: "de_DE.UTF-8", STINT_JOB: "forged" } });
    delete process.env.STINT_TEST_SECRET;
    const [, variables, cwd] = JSON.parse((await contentOf("out")).toString());
    const names = [
      "HOME",
      "LANG",
      "LOGNAME",
      "PATH",
      "PWD",
      "STINT_DIRECTORY",
      "STINT_JOB",
      "TMPDIR",
      "USER",
    ];
    expect(Object.keys(variables).sort()).toEqual(names);
    expect(variables).toMatchObject({ LANG: "de_DE.UTF-8", STINT_JOB: "1/1", HOME: homedir() });
    expect(variables).toMatchObject({ PWD: cwd, STINT_DIRECTORY: cwd });
    expect(existsSync(variables.TMPDIR)).toBe(true);
    expect(variables.TMPDIR).not.toBe(cwd);
  });

  it("MS-16 its directory is for its user alone, and nobody writes to its input", async () => {
    await run(["sh", "-c", "stat -c %a . $TMPDIR .. ../../..; umask; cat"]);
    const modes = (await contentOf("out")).toString();
    expect(modes).toBe("700\n700\n700\n700\n0077\n");
  });

  it("input files lie in its directory as they were, an executable one executable", async () => {
    const files = [
      ...(await inputs("data ü.txt", "x\0y")),
      ...(await inputs("tool", "#!/bin/sh\necho hi", 0o755)),
    ];
    const ended = await run(["sh", "-c", "cat 'data ü.txt' && ./tool"], { inputFiles: files });
    expect(ended.exitCode).toBe(0);
    expect((await contentOf("out")).toString()).toBe("x\0yhi\n");
  });

  it("an input file that cannot be had is a launch that failed and says which", async () => {
    const inputFiles = [{ name: "data", source: join(harness.scratch, "nothing") }];
    const ended = await run(["true"], { inputFiles });
    expect(ended.cause).toBe("launchFailed");
    expect(ended.detail).toMatch(/input file "data" could not be read from .*nothing \(ENOENT\)/);
    expect(inbox.kinds("1/1")).toEqual(["ended"]);
  });
});

describe("which program is run", () => {
  it.each(["tool", "./tool"])("%s is an input file first, made executable", async (name) => {
    const inputFiles = await inputs("tool", '#!/bin/sh\necho "$1"; exit 9', 0o600);
    expect(await run([name, "mine"], { inputFiles })).toMatchObject({ cause: "exited", exitCode: 9 });
    expect((await contentOf("out")).toString()).toBe("mine\n");
  });

  it("else it is looked up on the job's own PATH", async () => {
    const bin = join(harness.scratch, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "tool"), "#!/bin/sh\nexit 8", { mode: 0o755 });
    expect((await run(["tool"], { environment: { PATH: `/nowhere:${bin}:/bin` } })).exitCode).toBe(8);
  });

  it.each([
    ["nothing here", ["/nowhere/at/all"], /"\/nowhere\/at\/all" does not exist/],
    ["a directory", ["/tmp"], /"\/tmp" is not a file/],
    ["not on the PATH", ["no-such-tool"], /"no-such-tool" is not on the PATH of the job/],
    ["not executable", ["SCRATCH/plain"], /plain" is not executable for this user/],
    ["without its interpreter", ["SCRATCH/orphan"], /orphan" could not be started: its interpreter/],
    ["with too much to say", ["/bin/true", "x".repeat(3_000_000)], /longer than the system allows/],
  ])("%s: the report says which and why", async (_, command, why) => {
    await writeFile(join(harness.scratch, "plain"), "echo");
    await writeFile(join(harness.scratch, "orphan"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const ended = await run(command.map((word) => word.replace("SCRATCH", harness.scratch)));
    expect(ended).toMatchObject({ cause: "launchFailed", exitCode: undefined, signal: undefined });
    expect(ended.detail).toMatch(why);
  });
});

describe("what a job gives", () => {
  it("output is kept byte for byte, all of it", async () => {
    const bytes = 20_000_000;
    const script = `head -c ${bytes} /dev/urandom | tee out.copy; printf '\\377\\0\\r\\n' >&2`;
    await run(["sh", "-c", script]);
    expect(await contentOf("err")).toEqual(Buffer.from([255, 0, 13, 10]));
    expect(await site.listFiles("1/1")).toContainEqual({ name: "out", sizeBytes: bytes });
    const hash = createHash("sha256");
    for (let at = 0; at < bytes; ) {
      const part = await site.readFile("1/1", "out", at, bytes);
      hash.update(part?.bytes ?? "");
      at += part?.bytes.length ?? bytes;
    }
    const copy = readFileSync(join(harness.directory, "jobs/1_1/work/out.copy"));
    expect(hash.digest("hex")).toBe(createHash("sha256").update(copy).digest("hex"));
  });

  it("one name for both streams is one file with both in their order", async () => {
    await run(["sh", "-c", "echo a; echo b >&2; echo c"], { stdOutput: "both", stdError: "both" });
    expect((await contentOf("both")).toString()).toBe("a\nb\nc\n");
  });

  it("links, pipes, folders and other people's names are no files of the job", async () => {
    const script = "ln -s /etc/passwd link; ln -s / root; mkfifo pipe; mkdir folder; ln -s out alias";
    await run(["sh", "-c", script]);
    expect((await site.listFiles("1/1")).map(({ name }) => name)).toEqual(["err", "out"]);
    const names = [
      "link",
      "pipe",
      "folder",
      "alias",
      "root/etc/passwd",
      "../order.json",
      "..",
      ".",
      "",
      "a\0b",
    ];
    for (const name of names) expect(await site.readFile("1/1", name, 0, 10)).toBeUndefined();
  });

  it("MS-23 directories are listed with all their files, without links that lead out", async () => {
    const script =
      "mkdir -p results/deep .h; echo a > results/a.csv; echo bb > results/deep/b; echo c > .h/c; " +
      "ln -s /etc results/etc; ln -s results alias; ln -s /etc/passwd results/passwd";
    await run(["sh", "-c", script]);
    expect(await site.listFiles("1/1")).toEqual([
      { name: ".h/c", sizeBytes: 2 },
      { name: "err", sizeBytes: 0 },
      { name: "out", sizeBytes: 0 },
      { name: "results/a.csv", sizeBytes: 2 },
      { name: "results/deep/b", sizeBytes: 3 },
    ]);
    expect(await site.sizeOfFiles("1/1")).toBe(7);
    expect(`${await contentOf("results/deep/b")}`).toBe("bb\n");
    const outside = ["results/etc/passwd", "alias/a.csv", "results/passwd", "results/../../order.json"];
    const none = [
      "results",
      "results/",
      "./out",
      "out/x",
      "results//a.csv",
      "results/../out",
      `${"x/".repeat(2100)}x`,
    ];
    for (const name of [...outside, ...none]) {
      expect(await site.readFile("1/1", name, 0, 10), name).toBeUndefined();
    }
  });

  it("MS-23 a listing is bounded, its top files always in it, and the size is of all", async () => {
    const script =
      "mkdir many; (cd many; seq -f f%g 10050 | xargs touch); echo top > zz; " +
      "d=.; for i in $(seq 40); do d=$d/d; mkdir $d; echo $i > $d/n; done";
    await run(["sh", "-c", script]);
    const files = await site.listFiles("1/1");
    expect(files).toHaveLength(10_000);
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["err", "out", "zz", "d/n"]));
    expect(Math.max(...files.map(({ name }) => name.split("/").length))).toBeLessThanOrEqual(33);
    expect(await site.sizeOfFiles("1/1")).toBe(4 + 9 * 2 + 31 * 3);
  });

  it("a link in the place of the job's directory shows nothing", async () => {
    const script = 'cd /; mv "$STINT_DIRECTORY" "$STINT_DIRECTORY.old"; ln -s /etc "$STINT_DIRECTORY"';
    expect((await run(["sh", "-c", script])).exitCode).toBe(0);
    expect(await site.listFiles("1/1")).toEqual([]);
    expect(await site.readFile("1/1", "passwd", 0, 10)).toBeUndefined();
  });

  it("its processor time is that of its children too", async () => {
    const burn = "const end = process.cpuUsage().user + 300e3; while (process.cpuUsage().user < end);";
    const ended = await run(["sh", "-c", '"$0" -e "$1"; exit 3', process.execPath, burn]);
    expect(ended.exitCode).toBe(3);
    expect(ended.cpuMs).toBeGreaterThanOrEqual(290);
    expect(ended.cpuMs).toBeLessThan(3000);
  });
});

describe("what a job leaves running", () => {
  it("is ended with it, and nothing of ours stays", async () => {
    const ended = await run(["sh", "-c", "sleep 999 & (trap '' TERM; sleep 999) & exit 0"]);
    expect(ended).toMatchObject({ cause: "exited", exitCode: 0 });
    await expect.poll(() => harness.processes(), { timeout: 200_000 }).toEqual([]);
  });

  it("after TERM the whole group has the grace, not only the script in front of it", async () => {
    const inner = "trap 'sleep 0.1; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.02; done";
    await launch(["sh", "-c", 'sh -c "$0"; echo never', inner], { limitMs: 300 });
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "timeLimit", signal: "SIGTERM" });
    expect((await contentOf("out")).toString()).toBe("ready\nsaved\n");
  });

  it("a job is a session and a group of its own, apart from its wrapper's", async () => {
    await launch(["sh", "-c", "ps -o pid=,pgid=,sid= -p $$; ps -o sid= -p $PPID"]);
    await inbox.ended("1/1");
    const [pid, group, session, wrapperSession] = (await contentOf("out")).toString().trim().split(/\s+/);
    expect(group).toBe(pid);
    expect(session).toBe(pid);
    expect(wrapperSession).not.toBe(pid);
    expect(wrapperSession).not.toBe(
      spawnSync("ps", ["-o", "sid=", "-p", `${process.pid}`])
        .stdout.toString()
        .trim(),
    );
  });
});

describe("the machine", () => {
  it("has its own processors and memory unless it is told otherwise", async () => {
    const { procs, memoryBytes } = await site.capacity();
    expect(procs).toBe(availableParallelism());
    expect(memoryBytes).toBeGreaterThan(0);
    expect(memoryBytes).toBeLessThanOrEqual(totalmem());
    const other = await openManagedSite({
      name: "small",
      directory: join(harness.scratch, "a", "b"),
      procs: 3,
      memoryBytes: 5,
    });
    expect(await other.capacity()).toEqual({ procs: 3, memoryBytes: 5 });
    expect(other.name).toBe("small");
    await other.close();
  });

  it("a directory that cannot be used is a fault that says so", async () => {
    const file = join(harness.scratch, "file");
    await writeFile(file, "");
    await chmod(file, 0o600);
    const opening = openManagedSite({ name: "x", directory: join(file, "x") });
    await expect(opening).rejects.toMatchObject({ name: "Fault", code: "siteFailed" });
  });
});
