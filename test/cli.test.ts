import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { stint, stintFile, temporaryFolder } from "./stint.ts";
import { swfText } from "./swf-text.ts";

const folder = temporaryFolder();
const example = resolve(import.meta.dirname, "../examples/poisson.swf");

function fileWith(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const small = fileWith("small.swf", swfText([{ submit: 0, runtime: 10, procs: 2 }]));

describe("stint", () => {
  it("CL-1 writes the result to stdout and nothing else", () => {
    const { code, out, err } = stint(["sim", small, "-o", "json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ jobs: 1, procs: 2 + 2, discipline: "easy" });
  });

  it("CL-1 has the JSON keys that notebooks rely on", () => {
    const report = JSON.parse(stint(["sim", example, "-o", "json"]).out) as Record<string, unknown>;
    const keys =
      "jobs skipped procs waitMeanSec waitMedianSec waitP95Sec responseMeanSec boundedSlowdownMean " +
      "utilisation makespanSec simulationMs readMs traceSha256";
    for (const key of keys.split(" ")) expect(report).toHaveProperty(key);
  });

  it("CL-5 shows no colours in a pipe even where CI is set", () => {
    const { NO_COLOR: _, ...env } = process.env;
    const ran = spawnSync(process.execPath, [stintFile, "sim", small, "--procs", "0"], {
      encoding: "utf8",
      env: { ...env, CI: "true" },
    });
    expect(ran.stderr).not.toContain("\u001b");
    expect(ran.stderr).toContain("--procs");
  });

  it("CL-5 shows neither colours nor progress in a pipe", () => {
    const { out, err } = stint(["sim", example]);
    expect(err).toBe("");
    expect(out).not.toContain("\u001b");
    expect(out).toContain("from the trace's header MaxProcs");
  });

  it.each([
    { words: ["--help"], says: "Administration:" },
    { words: ["sim", "--help"], says: "Examples:" },
    { words: ["--version"], says: "." },
    { words: ["help", "sim"], says: "--overrun" },
  ])("$words helps and ends well", ({ words, says }) => {
    const { code, out, err } = stint(words);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(says);
  });
});

describe("what was typed wrongly", () => {
  it.each([
    { words: ["sim", small, "--discipline", "esay"], says: "did you mean --discipline easy?" },
    { words: ["sim", small, "--discipline", "zzz"], says: "fcfs, easy, conservative, repack" },
    { words: ["sim", small, "--estimates", "exakt"], says: "did you mean --estimates exact?" },
    { words: ["sim", small, "--overrun", "kil"], says: "did you mean --overrun kill?" },
    { words: ["sim", small, "-o", "jsn"], says: "did you mean -o json?" },
    { words: ["sim", small, "--procs", "0"], says: "why: it must be a whole number above zero" },
    { words: ["sim", small, "--procs", "2.5"], says: '--procs: "2.5"' },
    { words: ["sim", small, "--procs", "-3"], says: "--procs" },
    { words: ["sim", small, "--procs", "1e3"], says: '--procs: "1e3"' },
    { words: ["sim", small, "--disciplin", "easy"], says: "Did you mean --discipline?" },
    { words: ["smi", small], says: "Did you mean sim?" },
    { words: ["sim"], says: "no trace was given" },
    { words: ["sim", small, small], says: "too many arguments" },
    { words: [], says: "stint --help" },
    { words: ["sim", small, "--jobs-out", join(folder, "x.txt")], says: "name a file that ends in .csv" },
  ])('CL-2 CL-3 CL-4 $words: exit 2, and says "$says"', ({ words, says }) => {
    const { code, out, err } = stint(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(err).not.toContain("    at ");
  });
});

describe("what is interrupted", () => {
  it("CL-3 Ctrl-C ends at once, even beside a silent pipe, and leaves no half-written file", async () => {
    const pipe = join(folder, "pipe.swf");
    execFileSync("mkfifo", [pipe]);
    const running = spawn(process.execPath, [stintFile, "sim", pipe, "--jobs-out", join(folder, "cut.csv")]);
    const leftOvers = () => readdirSync(folder).filter((name) => name.includes("cut.csv"));
    while (leftOvers().length === 0) await setTimeout(20);
    running.kill("SIGINT");
    expect(await once(running, "exit")).toEqual([null, "SIGINT"]);
    expect(leftOvers()).toEqual([]);
  });
});

describe("what cannot be read or written", () => {
  const gzip = gzipSync(readFileSync(example));
  mkdirSync(join(folder, "dir"));
  it.each([
    { what: "a file that is not there", trace: join(folder, "none.swf"), code: 2, says: "none.swf" },
    { what: "a folder", trace: join(folder, "dir"), code: 2, says: "dir" },
    { what: "a gzip cut short", trace: fileWith("cut.gz", gzip.subarray(0, 20_000)), code: 2, says: "line" },
    { what: "binary rubbish", trace: fileWith("bin.swf", gzip.subarray(10)), code: 2, says: "bin.swf:1" },
    {
      what: "NaN",
      trace: fileWith("nan.swf", swfText([{ submit: 0, runtime: Number.NaN, procs: 1 }])),
      code: 2,
      says: "nan.swf:2:8",
    },
    {
      what: "17 columns",
      trace: fileWith("17.swf", "; MaxProcs: 4\n1 0 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1\n"),
      code: 2,
      says: "17.swf:2",
    },
    {
      what: "half a processor",
      trace: fileWith("half.swf", swfText([{ submit: 0, runtime: 1, procs: 1.5 }])),
      code: 2,
      says: "half.swf:2:19",
    },
    {
      what: "a line of a million characters",
      trace: fileWith("long.swf", `; MaxProcs: 4\n${"1".repeat(1_000_000)}\n`),
      code: 2,
      says: "long.swf:2",
    },
    {
      what: "a file without jobs",
      trace: fileWith("empty.swf", "; MaxProcs: 4\n"),
      code: 2,
      says: "no job is left",
    },
    { what: "an empty file", trace: fileWith("void.swf", ""), code: 2, says: "void.swf" },
  ])("CL-2 CL-3 $what: exit $code, names the place, three lines", ({ trace, code, says }) => {
    const ran = stint(["sim", trace]);
    expect(ran.code).toBe(code);
    expect(ran.out).toBe("");
    expect(ran.err).toContain(says);
    expect(ran.err).toMatch(/^stint: .+\n {2}why: .+\n {2}do: {2}.+\n$/);
  });

  it("lenient skips what is malformed, counts it and says where it was", () => {
    const text = `${swfText([{ submit: 0, runtime: 10, procs: 2 }])}1 2 3\nx\n`;
    const trace = fileWith("lenient.swf", text);
    const { code, out } = stint(["sim", trace, "--lenient"]);
    expect(code).toBe(0);
    expect(out).toContain("2 malformed lines");
    expect(out).toContain("lenient.swf:3");
  });

  it.each([
    { what: "a folder that is not there", to: join(folder, "no", "jobs.csv"), code: 2 },
    { what: "a folder", to: join(folder, "dir.csv"), code: 2 },
  ])("CL-3 writing to $what: exit $code", ({ to, code }) => {
    mkdirSync(join(folder, "dir.csv"), { recursive: true });
    const ran = stint(["sim", small, "--jobs-out", to]);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain("why:");
  });

  it.skipIf(!existsSync("/dev/full"))("CL-3 a full disk: exit 1, and says what to do", () => {
    const full = join(folder, "full.csv");
    symlinkSync("/dev/full", full);
    const { code, out, err } = stint(["sim", example, "--jobs-out", full]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/full\.csv.*\n {2}why: .*full.*\n {2}do: .+\n$/);
  });
});
