/** The broker as people meet it, on each kind of site: one suite, run on this machine and on a cluster. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type LiveSetting, liveSetting } from "./live-setting.ts";

const PROCS = 4;
const allProcs = { lines: [`procs: ${PROCS}`] };
const forever = "setTimeout(() => undefined, 600000)";
const node = process.execPath;

const kinds = [
  { kind: "this machine", site: `  - { name: local, type: managed, procs: ${PROCS} }` },
  { kind: "a cluster", site: `  - { name: far, type: simulated, procs: ${PROCS}, jobs: run }` },
];

describe.each(kinds)("on $kind", ({ site }) => {
  const setting = liveSetting([site]);
  describe("stint run, from the command line to a process and back", () => runs(setting));
  describe("submitting, following, bringing home", () => follows(setting));
  describe("trees of output files", () => bringsTrees(setting));
  describe("while jobs wait or run", () => steers(setting));
  describe("a broker that dies", () => dies(setting));
});

function runs({ ask, folder }: LiveSetting): void {
  it("CL-1 carries the program's streams and exit code, and nothing else", () => {
    const program = "process.stdout.write('out\\0'); process.stderr.write('err'); process.exit(7)";
    const { code, out, err } = ask("run", "--", node, "-e", program);
    // A job that waits for seconds, as on a busy machine, is told of.
    const ofProgram = err.replace(/^stint: job \S+ (?:waits; stint why \S+ explains|runs at \S+)\n/gm, "");
    expect({ code, out, err: ofProgram }).toEqual({ code: 7, out: "out\0", err: "err" });
  });

  it("passes arguments unchanged, never through a shell", () => {
    const words = ["a b", "$(touch nope)", "`x`", "'", '"', "*", "ü\n2"];
    const echo = "console.log(JSON.stringify(process.argv.slice(1)))";
    expect(JSON.parse(ask("run", "--", node, "-e", echo, ...words).out)).toEqual(words);
    expect(existsSync(join(folder, "nope"))).toBe(false);
  });

  it.each([
    { words: ["run", "-n", "999", "--", "true"], says: "large enough" },
    { words: ["run", "--", "no-such-program-here"], says: "not on the PATH" },
  ])("CL-2 $words: 125, and says why", ({ words, says }) => {
    const { code, out, err } = ask(...words);
    expect({ code, out }).toEqual({ code: 125, out: "" });
    expect(err).toContain(says);
  });
}

function bringsTrees({ ask, until, folder }: LiveSetting): void {
  it("BR-13 brings directories and patterns back into the same tree, and no link", async () => {
    const script =
      "mkdir -p results/a out/b 'out/c d'; echo 1 > results/a/x; echo 2 > results/y; echo 3 > out/b/z.csv; " +
      "echo 4 > 'out/c d/%2F.csv'; echo 5 > out/no.txt; echo 6 > e.dat; ln -s /etc/passwd results/passwd";
    const words = ["--output-file", "results/", "--output-file", "out/**/*.csv", "--output-file", "*.dat"];
    const id = ask("submit", ...words, "--", "sh", "-c", script).out.trim();
    await until(id, "DONE");
    const home = join(folder, "brought tree");
    expect(ask("output", id, "--to", home).code).toBe(0);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ parentPath, name }) => relative(home, join(parentPath, name))).sort()).toEqual([
      "e.dat",
      "out/b/z.csv",
      "out/c d/%2F.csv",
      "results/a/x",
      "results/y",
      "stderr",
      "stdout",
    ]);
    expect(readFileSync(join(home, "out/c d/%2F.csv"), "utf8")).toBe("4\n");
  });
}

function follows({ ask, begin, submit, submitProgram, until, folder }: LiveSetting): void {
  it("BR-13 brings input files to the job and output files back", async () => {
    writeFileSync(join(folder, "in.txt"), "one\ntwo\n");
    const program =
      "const fs = require('fs');" +
      "fs.writeFileSync('out.txt', fs.readFileSync('in.txt', 'utf8').toUpperCase());";
    const files = ["inputSandbox: in.txt", "outputSandbox: [out.txt]"];
    const id = submitProgram(program, { lines: files });
    await until(id, "DONE");
    expect(ask("output", id, "--to", join(folder, "home")).code).toBe(0);
    expect(readFileSync(join(folder, "home", "out.txt"), "utf8")).toBe("ONE\nTWO\n");
  });

  it("BR-13 sends directories and patterns along, with their relative paths", async () => {
    for (const name of ["tree/deep/a b.csv", "tree/$(touch nope).csv", "runs/1/in.dat", "runs/2/in.dat"]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    const words = ["--input", "tree/", "--input", "runs/*/in.dat", "--", "find", ".", "-name", "*.*"];
    const { code, out } = ask("run", ...words, "-type", "f");
    const sent = ["./1/in.dat", "./2/in.dat", "./tree/$(touch nope).csv", "./tree/deep/a b.csv"];
    expect({ code, files: out.trim().split("\n").sort() }).toEqual({ code: 0, files: sent });
    const lines = ["executable: cat", "arguments: ['tree/deep/a b.csv', 1/in.dat]"];
    const id = submit(...lines, "inputSandbox: [tree/, runs/*/in.dat]");
    await until(id, "DONE");
    expect(ask("logs", id).out).toBe("tree/deep/a b.csvruns/1/in.dat");
    expect(existsSync(join(folder, "nope"))).toBe(false);
  });

  it("refuses a directory with a link, and says what to do", () => {
    mkdirSync(join(folder, "linked"));
    symlinkSync("/etc/passwd", join(folder, "linked", "users"));
    const { code, err } = ask("submit", "--input", "linked", "--", "true");
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("put a copy in its place") });
  });

  it("CL-8 logs -f gives what comes as it comes, until the job has ended", async () => {
    const go = join(folder, "go");
    const program =
      "console.log('first');" +
      `setInterval(() => { if (require('fs').existsSync(${JSON.stringify(go)})) ` +
      "{ console.log('last'); process.exit(0); } }, 20);";
    const id = submitProgram(program);
    const { child, out } = begin("logs", "-f", id);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    appendFileSync(go, "");
    expect(await out).toBe("first\nlast\n");
  });
}

function steers({ ask, submitProgram, status, until, folder }: LiveSetting): void {
  it("EN-7 EN-11 explains why a job waits, and cancels running and waiting jobs", async () => {
    const [first, second] = [0, 1].map(() => submitProgram(forever, allProcs));
    await until(first, "RUNNING");
    while (!ask("why", second).out.includes("0 free")) await setTimeout(50);
    expect(ask("hold", second).code).toBe(0);
    expect(ask("why", second).out).toContain("held");
    expect(ask("cancel", first, second).code).toBe(0);
    await until(first, "CANCELLED");
    await until(second, "CANCELLED");
    expect(ask("cancel", first).code).toBe(5);
    expect(ask("cancel", "zzzzzz").code).toBe(3);
  });

  it("EN-8 a held job waits while later ones pass it, and runs when it is released", async () => {
    const blocker = submitProgram(forever, allProcs);
    await until(blocker, "RUNNING");
    const held = submitProgram("", allProcs);
    await until(held, "SCHEDULED");
    expect(ask("hold", held).code).toBe(0);
    const later = submitProgram("", allProcs);
    ask("cancel", blocker);
    await until(later, "DONE");
    expect(status(held).state).toBe("HELD");
    expect(ask("release", held).code).toBe(0);
    await until(held, "DONE");
  });

  it("EN-8 a suspended job stops and frees its processors; resumed, it continues where it was", async () => {
    const ticks = join(folder, "ticks");
    const program =
      "let n = 0; setInterval(() => { " +
      `require('fs').appendFileSync(${JSON.stringify(ticks)}, n + '\\n'); n++; }, 20);`;
    const ticking = submitProgram(program, allProcs);
    while (!existsSync(ticks)) await setTimeout(20);
    await until(ticking, "RUNNING");
    expect(ask("suspend", ticking).code).toBe(0);
    const other = submitProgram("", allProcs);
    await until(other, "DONE");
    expect(status(ticking).state).toBe("SUSPENDED");
    const stood = readFileSync(ticks, "utf8");
    await setTimeout(200);
    expect(readFileSync(ticks, "utf8")).toBe(stood);
    expect(ask("resume", ticking).code).toBe(0);
    while (readFileSync(ticks, "utf8") === stood) await setTimeout(20);
    await until(ticking, "RUNNING");
    ask("cancel", ticking);
    await until(ticking, "CANCELLED");
    const lines = readFileSync(ticks, "utf8").trim().split("\n");
    expect(lines).toEqual(lines.map((_, n) => String(n)));
  });
}

function dies({ ask, end, up, submitProgram, status, until, folder }: LiveSetting): void {
  it("BR-1 BR-2 BR-9 killed in the middle: nothing is lost, nothing runs twice", async () => {
    const marks = join(folder, "marks");
    const program = [
      `require('fs').appendFileSync(${JSON.stringify(marks)}, process.argv[1] + '\\n');`,
      "setTimeout(() => process.exit(Number(process.argv[1])), 700);",
    ].join(" ");
    // More of them than there are processors: some run, some wait, some were just accepted.
    const codes = [3, 4, 5, 6, 7, 8];
    const ids = codes.map((code) => submitProgram(program, { words: [String(code)] }));
    await end("SIGKILL");
    expect(ask("list").code).toBe(69);
    await setTimeout(300);
    await up();
    for (const id of ids) await until(id, "DONE");
    expect(ids.map((id) => status(id).exitCode)).toEqual(codes);
    expect(readFileSync(marks, "utf8").trim().split("\n").sort()).toEqual(codes.map(String));
  });

  it("a second broker on the same state directory is refused", () => {
    const { code, err } = ask("up");
    expect(code).not.toBe(0);
    expect(err).toMatch(/^stint: .+\n {2}why: .+\n {2}do: {2}.+\n$/);
  });
}
