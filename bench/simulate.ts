/**
 * The speed of a simulation, beside a plain C++ one in the same run: `npx tsx bench/simulate.ts [CASE]`.
 *
 * Both run in turn, each time in a fresh process, on the recorded traces that lie beside the checkout, else
 * on the shipped synthetic one. The first round is not timed: there both write their schedules, which must
 * be equal. CASE runs only the cases whose name contains it. Needs a built dist/.
 *
 * "million" are a million jobs after Lublin and Feitelson for 512 processors, a load of 0.8, drawn first.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { hasSharedData, tracePath } from "../test/shared-data.ts";
import { compileReference, hasCompiler, type ReferenceRun, referenceWords } from "./reference/compile.ts";

const ROUNDS = 5;
/** Rounds of a case of which one run takes longer than `SLOW_MS`. */
const SLOW_ROUNDS = 2;
const SLOW_MS = 20_000;
const MILLION = "million";
const MILLION_PROCS = 512;
const MEMORY_BUDGET_MIB = 1024;
/** Time of the reference's simulation, in ms, below which compiling our code dominates. */
const SHORT_MS = 50;
const bin = resolve(import.meta.dirname, "../bin/stint.js");
const peakMemory = resolve(import.meta.dirname, "peak-memory.mjs");

interface Trace {
  readonly name: string;
  readonly file: string;
  readonly procs: number;
  /** Budget for the whole process, with start and reading, in ms. */
  readonly wholeBudgetMs?: number;
}

interface Case extends ReferenceRun {
  readonly name: string;
  /** The trace as stored; `trace` is its plain text, for the reference. */
  readonly stored: string;
  readonly wholeBudgetMs: number;
}

/** Figures of one process: its processor time, the time of its simulation, and its memory. */
interface Times {
  readonly wholeMs: number;
  readonly simulationMs: number;
  /** Peak memory in MiB; NaN if it is not measured. */
  readonly peakMib: number;
}

interface Ran extends Times {
  readonly out: string;
}

/** Cases of a million drawn jobs; only EASY has a budget for the whole process. */
function millionCases(folder: string): Case[] {
  const trace = join(folder, `${MILLION}.swf`);
  const size = ["--jobs", "1000000", "--procs", String(MILLION_PROCS), "--load", "0.8", "--seed", "1"];
  const drawn = spawnSync(
    process.execPath,
    [bin, "sim", "generate", "--model", "lublin", ...size, "-o", trace],
    { encoding: "utf8" },
  );
  if (drawn.status !== 0) throw new Error(`nothing was drawn: ${drawn.stderr}`);
  return ["easy", "conservative"].map((discipline) => ({
    name: `${MILLION} ${discipline} exact`,
    stored: trace,
    trace,
    procs: MILLION_PROCS,
    discipline,
    estimates: "exact",
    wholeBudgetMs: discipline === "easy" ? 10_000 : Infinity,
  }));
}

function traces(): Trace[] {
  if (!hasSharedData) {
    const file = resolve(import.meta.dirname, "../examples/poisson.swf");
    return [{ name: "poisson", file, procs: 128 }];
  }
  return [
    { name: "CTC-SP2", file: tracePath("CTC-SP2"), procs: 430, wholeBudgetMs: 1000 },
    { name: "SDSC-SP2", file: tracePath("SDSC-SP2"), procs: 128 },
    { name: "HPC2N", file: tracePath("HPC2N"), procs: 240 },
  ];
}

function casesOn({ name, file, procs, wholeBudgetMs = Infinity }: Trace, folder: string): Case[] {
  const trace = join(folder, `${name}.swf`);
  const stored = readFileSync(file);
  writeFileSync(trace, file.endsWith(".gz") ? gunzipSync(stored) : stored);
  const rules = [
    ["conservative", "exact"],
    ["conservative", "requested"],
    ["easy", "requested"],
  ];
  return rules.map(([discipline, estimates]) => {
    const caseName = `${name} ${discipline} ${estimates}`;
    return { name: caseName, stored: file, trace, procs, discipline, estimates, wholeBudgetMs };
  });
}

function run(program: string, words: readonly string[], simulationMsOf: RegExp): Ran {
  const beganAt = performance.now();
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  const wholeMs = performance.now() - beganAt;
  const simulationMs = Number(simulationMsOf.exec(stdout + stderr)?.[1]);
  if (status !== 0 || Number.isNaN(simulationMs))
    throw new Error(`${program} ended with ${status}: ${stderr}`);
  const peakMib = Number(/peak_mib (\d+)/.exec(stderr)?.[1]);
  return { wholeMs, simulationMs, peakMib, out: stdout };
}

function runOurs({ stored, procs, discipline, estimates }: Case, more: readonly string[] = []): Ran {
  const rules = ["--procs", String(procs), "--discipline", discipline, "--estimates", estimates];
  return run(
    process.execPath,
    ["--import", pathToFileURL(peakMemory).href, bin, "sim", stored, ...rules, "-o", "json", ...more],
    /"simulationMs": ([\d.]+)/,
  );
}

function runReference(program: string, it: Case, more: readonly string[] = []): Ran {
  return run(program, [...referenceWords(it), ...more], /simulation_ms ([\d.]+)/);
}

/**
 * Runs the round that is not timed.
 *
 * @returns the time of the slower one
 *
 * @throws Error if the two schedules differ
 */
function compareSchedules(program: string, it: Case, folder: string): number {
  const jobsOut = join(folder, "jobs.csv");
  const ours = runOurs(it, ["--jobs-out", jobsOut]);
  const reference = runReference(program, it);
  const rows = readFileSync(jobsOut, "utf8").split("\n");
  const expected = reference.out.split("\n");
  const differing = rows.findIndex((row, n) => row.split(",").slice(0, 5).join(",") !== expected[n]);
  if (differing !== -1 || rows.length !== expected.length) {
    throw new Error(`${it.name}: the schedules differ: ${rows[differing]} is not ${expected[differing]}`);
  }
  return Math.max(ours.wholeMs, reference.wholeMs);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function medians(times: readonly Times[]): Times {
  return {
    wholeMs: median(times.map(({ wholeMs }) => wholeMs)),
    simulationMs: median(times.map(({ simulationMs }) => simulationMs)),
    peakMib: Math.max(...times.map(({ peakMib }) => peakMib)),
  };
}

/**
 * Budget as a multiple of the reference's time: below it where most work is compression, twice it
 * elsewhere, more where a run is so short that compiling our code dominates. None for the synthetic trace,
 * which is over before our code is compiled.
 */
function budgetOf({ discipline, estimates }: Case, referenceMs: readonly number[]): number {
  if (!hasSharedData) return Infinity;
  if (discipline === "conservative" && estimates === "requested") return 1;
  // A busy machine must not turn a short case into a long one: its quickest run decides.
  return Math.min(...referenceMs) > SHORT_MS ? 2 : 9;
}

/** Measures and prints a case. Returns true if it is within its budgets. */
function measure(program: string, it: Case, folder: string): boolean {
  const rounds = compareSchedules(program, it, folder) > SLOW_MS ? SLOW_ROUNDS : ROUNDS;
  const oursTimes: Times[] = [];
  const referenceTimes: Times[] = [];
  for (let round = 0; round < rounds; round++) {
    oursTimes.push(runOurs(it));
    referenceTimes.push(runReference(program, it, ["--quiet"]));
  }
  const ours = medians(oursTimes);
  const reference = medians(referenceTimes);
  const budget = budgetOf(
    it,
    referenceTimes.map(({ simulationMs }) => simulationMs),
  );
  const ratio = ours.simulationMs / reference.simulationMs;
  const isFast = budget === 1 ? ratio < 1 : ratio <= budget;
  const isWholeFast = ours.wholeMs <= it.wholeBudgetMs;
  const isSmall = ours.peakMib <= MEMORY_BUDGET_MIB;
  const verdicts =
    verdict(isFast, budget, "×") +
    verdict(isWholeFast, it.wholeBudgetMs, "ms") +
    (isSmall ? "" : `  OVER ${MEMORY_BUDGET_MIB} MiB`);
  console.log(
    it.name.padEnd(32) +
      [ours.wholeMs, ours.simulationMs, reference.wholeMs, reference.simulationMs].map(column).join("") +
      ratio.toFixed(2).padStart(8) +
      String(ours.peakMib).padStart(8) +
      verdicts,
  );
  return isFast && isWholeFast && isSmall;
}

/** Verdict in words; empty without a budget. */
function verdict(isWithin: boolean, budget: number, unit: string): string {
  if (!Number.isFinite(budget)) return "";
  return `  ${isWithin ? "within" : "OVER"} ${budget} ${unit}`;
}

function column(ms: number): string {
  return ms.toFixed(0).padStart(9);
}

function bench(folder: string, wanted: string): void {
  const program = compileReference(folder);
  const cores = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
  console.log(`${cores}, medians of ${ROUNDS} runs in turn (over 20 s: ${SLOW_ROUNDS}), in ms`);
  if (!hasSharedData) console.log("skipped: the recorded traces (no ../shared beside this checkout)");
  console.log(
    `\n${"".padEnd(32)}     ours     ours      C++      C++   ratio of    peak` +
      `\n${"".padEnd(32)}    whole   simul.    whole   simul.  simul.     MiB  budgets`,
  );
  const cases = traces().flatMap((trace) => casesOn(trace, folder));
  if (MILLION.includes(wanted) || wanted.startsWith(MILLION)) cases.push(...millionCases(folder));
  for (const it of cases.filter(({ name }) => name.includes(wanted))) {
    if (!measure(program, it, folder)) process.exitCode = 1;
  }
}

if (hasCompiler) {
  const folder = mkdtempSync(join(tmpdir(), "stint-bench-simulate-"));
  try {
    bench(folder, process.argv[2] ?? "");
  } finally {
    rmSync(folder, { recursive: true });
  }
} else {
  console.log("skipped: the simulation beside a plain C++ one (no C++ compiler; $CXX may name one)");
}
