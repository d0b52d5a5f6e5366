/**
 * `npm run experiments -- NAME…`: reproduces figures of the sources and writes what came of it.
 *
 * Names: slots, pricing, var, plans, users, policies, decision-points, streams, or all of
 * these; and truth, bursts and policies-slurm, which take Slurm and root.
 * Options: --traces DIR, where the recorded logs are (without it workloads are drawn that look alike);
 * --quick, small versions that show that everything runs; --jobs N, of a drawn workload; --every SECONDS,
 * how often slots are looked at; --submissions N, of workflows (2; the source has 50); --out DIR, where the
 * reports go.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Fault } from "../src/base/index.ts";
import { EXPERIMENTS, type ExperimentName, ONLY_BY_NAME } from "./experiments.ts";
import { controlText } from "./report-page.ts";
import { lookAlikes, recordedClusters } from "./slots/clusters.ts";
import { summary, type Verdict } from "./verdict.ts";

const MS_PER_SECOND = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    traces: { type: "string" },
    quick: { type: "boolean", default: false },
    every: { type: "string", default: "3600" },
    jobs: { type: "string", default: "10000" },
    submissions: { type: "string", default: "2" },
    out: { type: "string", default: "." },
  },
});
const everyMs = Number(values.every) * MS_PER_SECOND;
const jobs = Number(values.jobs);
const submissions = Number(values.submissions);
if (!(everyMs > 0 && jobs > 0 && submissions >= 1)) {
  throw new Error("--every, --jobs and --submissions are numbers above zero");
}
const folder = await mkdtemp(join(tmpdir(), "stint-experiments-"));
try {
  await mkdir(values.out, { recursive: true });
  const clusters =
    values.traces === undefined ? await lookAlikes(folder, jobs) : await recordedClusters(values.traces);
  for (const name of namesOf(positionals)) {
    const out = join(values.out, `${name}-report.html`);
    const order = { clusters, everyMs, isQuick: values.quick, submissions, out };
    const verdicts = await EXPERIMENTS[name](order, (text) => process.stderr.write(text));
    for (const verdict of verdicts) process.stdout.write(lineOf(verdict));
    process.stdout.write(`${name}: ${summary(verdicts)} ${out} shows it.\n`);
  }
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${error.what}\n  why: ${error.why}\n  do:  ${error.remedy}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function lineOf({ figure, claim, outcome, numbers, controls = [] }: Verdict): string {
  const beside = controls.map((control) => `${" ".repeat(19)}control: ${controlText(control)}\n`);
  return `${outcome.toUpperCase().padEnd(18)} ${figure} ${claim}: ${numbers}\n${beside.join("")}`;
}

function namesOf(said: readonly string[]): readonly ExperimentName[] {
  const known = Object.keys(EXPERIMENTS) as ExperimentName[];
  if (said.length === 1 && said[0] === "all") return known.filter((name) => !ONLY_BY_NAME.includes(name));
  const names = known.filter((name) => said.includes(name));
  if (names.length === said.length && names.length > 0) return names;
  throw new Error(`say which experiments: npm run experiments -- ${known.join("|")}|all [--traces DIR]`);
}
