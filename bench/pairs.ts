/**
 * This checkout beside another commit, in one run: `npx tsx bench/pairs.ts COMMIT [CASE…]`.
 *
 * The commit is unpacked into a temporary folder and built there, with the libraries that are installed
 * here. Then both run in turn, A B A B …, each in a fresh process, so that a machine whose speed drifts is
 * fair to both. Whole programs are measured in processor time; what a benchmark times within itself is read
 * from what that checkout's own benchmark prints. A ratio below 1 says that this checkout takes less. CASE
 * runs only the cases whose name contains one of the words.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { hasSharedData, tracePath } from "../test/shared-data.ts";

const here = resolve(import.meta.dirname, "..");
const node = process.execPath;
const processorTime = pathToFileURL(join(import.meta.dirname, "processor-time.mjs")).href;

/** A program, and the figures that are taken from what it prints. */
interface Case {
  readonly name: string;
  /** What Node runs, relative to a checkout. */
  readonly words: readonly string[];
  readonly figures: readonly Figure[];
  readonly rounds: number;
  /** Rounds before those, which fill caches and do not count. */
  readonly warmUp: number;
}

interface Figure {
  readonly name: string;
  /** Milliseconds, as its first group. */
  readonly pattern: RegExp;
}

const WHOLE: readonly Figure[] = [{ name: "whole process", pattern: /processor_ms ([\d.]+)/ }];
/** Of a benchmark, which takes half a minute and warms up by itself. */
const BENCH_ROUNDS = 3;

function program(name: string, words: readonly string[], rounds: number): Case {
  return {
    name,
    words: ["--import", processorTime, "bin/stint.js", ...words],
    figures: WHOLE,
    rounds,
    warmUp: 1,
  };
}

function benchmark(name: string, words: readonly string[], figures: readonly Figure[]): Case {
  const options = ["--single-threaded", "--import", "tsx"];
  return { name, words: [...options, ...words], figures, rounds: BENCH_ROUNDS, warmUp: 0 };
}

/** Names of a case of the enforcer: of commits before 27 November 2026, and since. */
const OLD_OR_NEW = "(?:lent takes back|preempting)";

function cases(): readonly Case[] {
  const [trace, procs] = hasSharedData ? [tracePath("CTC-SP2"), "430"] : ["examples/poisson.swf", "128"];
  const replay = (discipline: string) =>
    program(
      `replay, ${discipline}`,
      ["sim", trace, "--procs", procs, "--discipline", discipline, "--estimates", "requested"],
      8,
    );
  const looks = ["an empty site", "a full site, shared", "preempting", "dedicated shares", "capped"];
  return [
    program("start-up, --help", ["--help"], 40),
    program("start-up, list --help", ["list", "--help"], 40),
    replay("easy"),
    replay("conservative"),
    benchmark(
      "round",
      ["bench/round.ts"],
      [
        ...[10_000, 100_000].flatMap((waiting) =>
          ["managed", "foreign"].map((kind) => ({
            name: `${waiting} waiting, ${kind}`,
            pattern: new RegExp(`^${waiting} waiting on \\d+ ${kind} .*one event ([\\d.]+) ms`, "m"),
          })),
        ),
      ],
    ),
    ...["easy", "conservative"].map((discipline) =>
      benchmark(
        `price list, ${discipline}`,
        ["bench/pricing.ts", "1000", discipline],
        [
          { name: "p50", pattern: /p50 ([\d.]+) ms/ },
          { name: "p99", pattern: /p99 ([\d.]+) ms/ },
        ],
      ),
    ),
    benchmark(
      "enforcer's look",
      ["bench/enforcement.ts"],
      looks.flatMap((look) =>
        ["p50", "p99"].map((part) => ({
          name: `${look}, ${part}`,
          pattern: new RegExp(`${look.replace(/^preempting$/, OLD_OR_NEW)}.*${part} +([\\d.]+) ms`),
        })),
      ),
    ),
  ];
}

/** The commit as a checkout of its own, built. */
function unpack(commit: string, folder: string): void {
  const tar = join(folder, "..", "commit.tar");
  must("git", ["archive", "-o", tar, commit], here);
  must("tar", ["-xf", tar, "-C", folder], here);
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
  must(node, ["scripts/build.mjs"], folder);
}

function must(command: string, words: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${stderr}`);
}

/** What one run says, by figure. A benchmark that is over a budget of its own ends with 1, and counts. */
function figuresOf({ words, figures, name }: Case, checkout: string): readonly number[] {
  const { status, stdout, stderr } = spawnSync(node, words, {
    ...{ cwd: checkout, encoding: "utf8", maxBuffer: 1 << 28 },
  });
  const printed = stdout + stderr;
  if (status !== 0 && status !== 1) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return figures.map(({ name: figure, pattern }) => {
    const found = pattern.exec(printed)?.[1];
    if (found === undefined) throw new Error(`${name} in ${checkout} says no ${figure}: ${printed}`);
    return Number(found);
  });
}

function compare(it: Case, there: string): void {
  const pairs: (readonly [readonly number[], readonly number[]])[] = [];
  for (let round = -it.warmUp; round < it.rounds; round++) {
    const pair = [figuresOf(it, here), figuresOf(it, there)] as const;
    if (round >= 0) pairs.push(pair);
  }
  it.figures.forEach(({ name }, at) => {
    const ours = inOrder(pairs.map(([own]) => own[at]));
    const theirs = inOrder(pairs.map(([, other]) => other[at]));
    const ratios = inOrder(pairs.map(([own, other]) => own[at] / other[at]));
    const spread = `${ratios[0].toFixed(2)} to ${ratios[ratios.length - 1].toFixed(2)}`;
    console.log(
      `${`${it.name}: ${name}`.padEnd(46)} ${middle(ours).toFixed(1).padStart(7)} ms now, ` +
        `${middle(theirs).toFixed(1).padStart(7)} ms then: ${middle(ratios).toFixed(2)} × (${spread})`,
    );
  });
}

function inOrder(values: readonly number[]): readonly number[] {
  return [...values].sort((one, other) => one - other);
}

function middle(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1];
}

const [commit, ...wanted] = process.argv.slice(2);
if (commit === undefined) {
  console.error("bench/pairs: name a commit: npx tsx bench/pairs.ts COMMIT [CASE…]");
  process.exit(2);
}
if (!existsSync(join(here, "dist"))) must(node, ["scripts/build.mjs"], here);
const temporary = mkdtempSync(join(tmpdir(), "stint-pairs-"));
try {
  const there = mkdtempSync(join(temporary, "checkout-"));
  unpack(commit, there);
  for (const it of cases()) {
    if (wanted.length === 0 || wanted.some((word) => it.name.includes(word))) compare(it, there);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
