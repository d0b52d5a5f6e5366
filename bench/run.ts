/**
 * `npm run bench`: the figures that Stint promises, each beside a reference in the same run.
 *
 * On the recorded CTC-SP2 trace where it lies beside the checkout, else on a synthetic workload of the
 * same number of jobs. A figure over its budget is said and makes the exit code 1.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { poissonWorkload } from "../src/sim/index.ts";
import { hasSharedData, tracePath } from "../test/shared-data.ts";
import { type Contender, type Measured, measureInTurn } from "./measure.ts";

const ROUNDS = 7;
const JOBS = 77_205;
const PROCS = 430;
const node = process.execPath;
const here = (path: string): string => resolve(import.meta.dirname, path);
const bin = here("../bin/stint.js");

interface Figure {
  readonly what: string;
  readonly budgetMs: number;
  readonly ours: Contender;
  readonly reference: Contender;
}

function figuresOn(trace: string): Figure[] {
  const lastWord = (output: string): number => Number(output.trim().split(" ").at(-1));
  const sim = (discipline: string, estimates: string): Contender["command"] => {
    const rules = ["--discipline", discipline, "--estimates", estimates];
    return [node, bin, "sim", trace, "--procs", String(PROCS), "-o", "json", ...rules];
  };
  const bare: Contender = { name: "node -e 0", command: [node, "-e", "0"] };
  return [
    {
      what: "reading the trace from gzip, hashing it",
      budgetMs: 400,
      ours: { name: "stint", command: [node, here("read-swf.mjs"), trace], figure: lastWord },
      reference: { name: "split lines", command: [node, here("naive-swf.mjs"), trace], figure: lastWord },
    },
    ...(["exact", "requested"] as const).map((estimates) => ({
      what: `whole process, conservative, ${estimates} estimates`,
      budgetMs: 1500,
      ours: { name: "stint", command: sim("conservative", estimates) },
      reference: { name: "stint fcfs", command: sim("fcfs", estimates) },
    })),
    {
      what: "stint --help",
      budgetMs: 150,
      ours: { name: "stint", command: [node, bin, "--help"] },
      reference: bare,
    },
  ];
}

function line(figure: Figure, [ours, reference]: Measured[]): string {
  const ratio = ours.medianMs / reference.medianMs;
  const verdict = ours.medianMs <= figure.budgetMs ? "within" : "OVER";
  const time = `${ours.medianMs.toFixed(0).padStart(6)} ms`;
  return (
    `${figure.what.padEnd(48)} ${time}  ${verdict} ${figure.budgetMs} ms; ` +
    `${ratio.toFixed(2)} × ${reference.name} (${reference.medianMs.toFixed(0)} ms)`
  );
}

const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));
try {
  const synthetic = join(folder, "synthetic.swf.gz");
  if (!hasSharedData) {
    const draw = poissonWorkload({ seed: 1, jobs: JOBS, procs: PROCS, load: 0.7 });
    writeFileSync(synthetic, gzipSync(draw));
  }
  const trace = hasSharedData ? tracePath("CTC-SP2") : synthetic;
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, median of ${ROUNDS} runs in turn`,
  );
  console.log(hasSharedData ? `CTC-SP2, ${PROCS} processors\n` : `synthetic, ${JOBS} jobs, ${PROCS} procs\n`);
  for (const figure of figuresOn(trace)) {
    const measured = measureInTurn([figure.ours, figure.reference], ROUNDS);
    console.log(line(figure, measured));
    if (measured[0].medianMs > figure.budgetMs) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
