import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { stint, temporaryFolder } from "./stint.ts";
import { swfText } from "./swf-text.ts";

const folder = temporaryFolder();
const examples = resolve(import.meta.dirname, "../examples");
const example = join(examples, "poisson.swf");

describe("stint sim generate and describe", () => {
  it("CL-1 SI-7 stdout and a file receive the same workload, with a summary", () => {
    const words = [
      "sim",
      "generate",
      "--model",
      "lublin",
      "--jobs",
      "3000",
      "--procs",
      "64",
      "--load",
      "0.8",
    ];
    const toStdout = stint(words);
    expect({ code: toStdout.code, err: toStdout.err }).toEqual({ code: 0, err: "" });
    const toFile = stint([...words, "-o", "drawn.swf"], folder);
    expect(toFile.out).toMatch(/^drawn\.swf: 3000 jobs for 64 processors over .*, load 0\.800\n$/);
    const described = stint(["sim", "describe", "drawn.swf", "-o", "json"], folder);
    expect(JSON.parse(described.out)).toMatchObject({ jobs: 3000, machine: { procs: 64, timeZone: "UTC" } });
    expect(JSON.parse(described.out).load).toBeCloseTo(0.8, 3);
    const drawn = join(folder, "again.swf");
    writeFileSync(drawn, toStdout.out);
    const again = stint(["sim", "describe", drawn, "-o", "json"], folder);
    expect(JSON.parse(again.out).traceSha256).toBe(JSON.parse(described.out).traceSha256);
    expect(stint(["sim", "drawn.swf", "-o", "json"], folder).code).toBe(0);
  });

  it("CL-1 describes a trace in a table", () => {
    const { code, out, err } = stint(["sim", "describe", example]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const words of ["3000 jobs", "128 processors", "RUNTIME/REQUESTED", "powers of two", "24 users"]) {
      expect(out).toContain(words);
    }
  });

  it("CL-1 SI-14 a trace is scaled to a load", () => {
    const words = ["sim", "generate", "--from", example, "--load", "0.5", "-o", "idle.swf.gz"];
    expect(stint(words, folder).out).toContain("3000 jobs for 128 processors");
    const { out } = stint(["sim", "describe", "idle.swf.gz", "-o", "json"], folder);
    expect(JSON.parse(out).load).toBeCloseTo(0.5, 3);
  });

  it("CL-4 replays a trace that is called like a command when it is written as a path", () => {
    const inside = join(folder, "named");
    mkdirSync(inside);
    writeFileSync(join(inside, "describe"), swfText([{ submit: 0, runtime: 10, procs: 2 }]));
    expect(JSON.parse(stint(["sim", "./describe", "-o", "json"], inside).out)).toMatchObject({ jobs: 1 });
  });

  it.each([
    { words: ["--jobs", "10"], says: "neither --model nor --from" },
    { words: ["--model", "lubling"], says: "did you mean --model lublin?" },
    { words: ["--model", "lublin", "--load", "0"], says: "--load" },
    { words: ["--model", "lublin", "--seed", "-1"], says: "--seed" },
    { words: ["--model", "lublin", "--set", "serialProb"], says: "--set serialProb=0.3" },
    { words: ["--model", "lublin", "--set", "serialProp=0.1"], says: "did you mean serialProb?" },
    { words: ["--model", "poisson", "--variant", "batch"], says: "--model lublin" },
    { words: ["--from", example], says: "--load 0.8" },
    { words: ["--from", example, "--load", "1", "--requests", "exact"], says: "leave one of them out" },
    { words: ["--from", example, "--load", "1", "--model", "lublin"], says: "--model" },
    { words: ["--from", "missing.swf", "--load", "1"], says: "missing.swf", code: 2 },
  ])("CL-2 CL-3 $words is refused with what to do", ({ words, says, code = 2 }) => {
    const ran = stint(["sim", "generate", ...words], folder);
    expect({ code: ran.code, out: ran.out }).toEqual({ code, out: "" });
    expect(ran.err).toContain(says);
  });

  it.each([
    ["SWF", "poisson.swf", (bytes: Buffer) => bytes],
    ["SWF in gzip", "poisson.swf", (bytes: Buffer) => gzipSync(bytes)],
    ["SWF out of order", "poisson.swf", lastLineFirst],
    ["JSON lines", "two-pools.workload.jsonl", (bytes: Buffer) => bytes],
    ["JSON lines in gzip", "two-pools.workload.jsonl", (bytes: Buffer) => gzipSync(bytes)],
  ])("CL-1 FO-21 %s on standard input gives the results of the same bytes in a file", (_, name, made) => {
    const bytes = made(readFileSync(join(examples, name)));
    const file = join(folder, `bytes-${name}${bytes[0] === 0x1f ? ".gz" : ""}`);
    writeFileSync(file, bytes);
    const piped = stint(["sim", "-", "-o", "json"], folder, {}, bytes);
    expect({ code: piped.code, err: piped.err }).toEqual({ code: 0, err: "" });
    const { simulationMs: _a, readMs: _b, ...fromPipe } = JSON.parse(piped.out);
    const { simulationMs: _c, readMs: _d, ...fromFile } = JSON.parse(stint(["sim", file, "-o", "json"]).out);
    expect(fromPipe).toEqual({ ...fromFile, trace: "-" });
  });

  it("SI-60 a comparison reads the record on standard input for each side", () => {
    const record = [
      { submit: 0, wait: 0, runtime: 100, procs: 4 },
      { submit: 5, wait: 195, runtime: 100, procs: 4 },
    ];
    const input = swfText(record);
    const ran = stint(["sim", "-", "--what-if", "pool.site.procs=8", "-o", "json"], folder, {}, input);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(ran.out)).toMatchObject({ trace: "-" });
  });

  it("CL-1 SI-87 jobs by user as JSON, as CSV and as a table are those of the rows per job", () => {
    const words = ["sim", example, "--discipline", "fcfs", "--by", "user"];
    const rows = join(folder, "rows.csv");
    const { report, csv, table } = {
      report: JSON.parse(stint([...words, "-o", "json", "--jobs-out", rows]).out),
      csv: stint([...words, "-o", "csv"]).out,
      table: stint(words).out,
    };
    const jobs = readFileSync(rows, "utf8").trimEnd().split("\n").slice(1);
    const waits = new Map<string, number[]>();
    for (const job of jobs) {
      const [, , , , , wait, , , user] = job.split(",");
      waits.set(user, [...(waits.get(user) ?? []), Number(wait)]);
    }
    const [{ groups, fairness }] = report.grouped;
    expect(groups).toHaveLength(waits.size);
    for (const { name, jobs: count, waitMeanSec } of groups) {
      const own = waits.get(name) ?? [];
      expect(count).toBe(own.length);
      expect(waitMeanSec).toBeCloseTo(own.reduce((sum, wait) => sum + wait, 0) / own.length, 6);
    }
    const lines = csv.trimEnd().split("\r\n");
    expect(lines.slice(1)).toEqual(groups.map((group: object) => Object.values(group).join(",")));
    expect(table).toContain(`over the means of 24 users: Gini ${fairness.waitGini.toFixed(3)} of waits`);
  });

  it("SI-87 use is set beside the shares of policies", () => {
    const policies = join(examples, "policies/departments.policy.yaml");
    const owners = join(examples, "policies/owners.yaml");
    const words = ["sim", example, "--policies", policies, "--owners", owners, "--by", "class", "-o", "json"];
    const { shares } = JSON.parse(stint(words).out);
    const apart = shares.consumers.map((one: { share: number; used: number }) => one.used - one.share);
    expect(shares.deviation).toBeCloseTo(
      apart.reduce((sum: number, one: number) => sum + Math.abs(one), 0) / 2,
      9,
    );
    expect(shares.consumers.length).toBeGreaterThan(1);
    expect(apart.reduce((sum: number, one: number) => sum + one, 0)).toBeCloseTo(0, 9);
  });

  it("CL-1 SI-88 energy is that of the rows per job, and less where idle processors are switched off", () => {
    const rows = join(folder, "energy.csv");
    const words = ["sim", example, "-o", "json", "--jobs-out", rows, "--power"];
    const { energy, procs, makespanSec } = JSON.parse(stint([...words, "idle=60,busy=150"]).out);
    const busySec = readFileSync(rows, "utf8").trimEnd().split("\n").slice(1);
    const busyHours = busySec.reduce((sum, job) => {
      const [, , start, end, width] = job.split(",").map(Number);
      return sum + (width * (end - start)) / 3600;
    }, 0);
    const idleHours = (procs * makespanSec) / 3600 - busyHours;
    expect(energy.busyKwh).toBeCloseTo(busyHours * 0.15, 6);
    expect(energy.idleKwh).toBeCloseTo(idleHours * 0.06, 6);
    expect(energy.totalKwh).toBeCloseTo(energy.busyKwh + energy.idleKwh, 9);
    const saving = JSON.parse(stint([...words, "idle=60,busy=150,off-after=30m,boot=3m"]).out).energy;
    expect(saving.totalKwh).toBeLessThan(energy.totalKwh);
    expect(saving.boots).toBeGreaterThan(0);
  });

  it.each([
    [["--power", "idle=60"], "busy is missing"],
    [["--power", "idle=60,bsy=150"], "did you mean busy=…?"],
    [["--power", "idle=60,busy=-1"], "busy is a number of watts"],
    [["--power", "idle=60,busy=150,boot=3m"], "add off-after=10m"],
    [["--power", "idle=60,busy=150", "--baseline"], "--power has no effect here"],
    [["--narrow", "4"], "--by class"],
    [["--by", "user", "--short", "1h"], "--by class"],
    [["-o", "csv"], "add --by user"],
    [["--by", "user", "--by", "class", "-o", "csv"], "one --by"],
    [["--by", "user", "--baseline"], "--by has no effect here"],
    [["--by", "usr"], "did you mean --by user?"],
  ])("CL-3 %s is refused with what to do", (words, says) => {
    const { code, err } = stint(["sim", example, ...words]);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });

  it("nothing on standard input is refused", () => {
    const { code, err } = stint(["sim", "-", "--procs", "4"], folder);
    expect(code).toBe(2);
    expect(err).toContain("no job is left to simulate");
  });

  it.each([["generate"], ["describe"]])("sim %s --help has examples", (command) => {
    expect(stint(["sim", command, "--help"]).out).toContain("Examples:");
  });
});

/** The trace with its last job in front: it has to be sorted. */
function lastLineFirst(trace: Buffer): Buffer {
  const lines = trace.toString().trimEnd().split("\n");
  const first = lines.findIndex((line) => /^\s*\d/.test(line));
  lines.splice(first, 0, lines.pop() ?? "");
  return Buffer.from(`${lines.join("\n")}\n`);
}
