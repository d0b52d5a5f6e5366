/**
 * The jobs of the demo: a handful that compete for three sites.
 *
 * Four of them each add up a quarter of ∫ 4 ÷ (1 + x²) over [0, 1], which is π; the others hold their
 * processors for a while, fail, or are cancelled.
 */
import type { JobDescription } from "../model/index.ts";

type Submission = Pick<JobDescription, "executable"> & Partial<JobDescription>;

/** A job with the name that the demo calls it by. */
export interface DemoJob {
  readonly name: string;
  /** What it is there to show. */
  readonly shows: string;
  readonly submission: Submission;
}

/** The sites of the demo. */
export const SITES = { here: "here", elm: "elm", oak: "oak" } as const;

/** How many processors elm has. */
export const ELM_PROCS = 16;
const QUARTERS = 4;
const SLICES = 20_000_000;
const SEC = 1000;

/**
 * The jobs in the order in which they are submitted.
 *
 * @param procs how many processors this machine has
 */
export function demoJobs(procs: number): readonly DemoJob[] {
  const { here, elm, oak } = SITES;
  return [
    job("long", "has this machine for itself", holding(5), {
      cpuNumber: procs,
      site: here,
      wallTimeMs: 20 * SEC,
    }),
    job("wide", "has most of elm", holding(5), { cpuNumber: 12, site: elm, wallTimeMs: 8 * SEC }),
    job("full", "needs all of elm, so it waits for wide", holding(2), {
      cpuNumber: ELM_PROCS,
      site: elm,
      wallTimeMs: 10 * SEC,
    }),
    job("narrow", "backfills: beside wide, without delaying full", holding(2), {
      cpuNumber: 2,
      site: elm,
      wallTimeMs: 4 * SEC,
    }),
    ...Array.from({ length: QUARTERS }, (_, quarter) =>
      job(`pi-${quarter + 1}`, "goes where it starts first", adding(quarter), { wallTimeMs: 60 * SEC }),
    ),
    job("failing", "ends with exit code 3", "console.error('no input'); process.exit(3)", {
      wallTimeMs: 10 * SEC,
    }),
    job("unwanted", "is cancelled", holding(60), { cpuNumber: 8, site: oak, wallTimeMs: 120 * SEC }),
  ];
}

function job(name: string, shows: string, program: string, more: Partial<JobDescription>): DemoJob {
  const words = { executable: process.execPath, arguments: ["-e", program], userTags: { name } };
  return { name, shows, submission: { ...words, ...more } };
}

function holding(seconds: number): string {
  return `setTimeout(() => console.log("held for ${seconds} s"), ${seconds * SEC})`;
}

/** Adds up one quarter of the slices and prints the sum. */
function adding(quarter: number): string {
  return (
    `const n = ${SLICES}; let s = 0;` +
    `for (let i = ${quarter}; i < n; i += ${QUARTERS}) { const x = (i + 0.5) / n; s += 4 / (1 + x * x); }` +
    "console.log(s / n);"
  );
}
