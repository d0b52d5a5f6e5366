/**
 * Jobs of the demo: a handful that compete for three sites.
 *
 * Four of them each sum a quarter of ∫ 4 ÷ (1 + x²) over [0, 1], which is π; the others hold their
 * processors for a while, fail, or are cancelled.
 */
import type { JobSubmission } from "../contract/index.ts";

/** A job with its name in the demo. */
export interface DemoJob {
  readonly name: string;
  /** Purpose of the job in the demo. */
  readonly shows: string;
  readonly submission: JobSubmission;
}

/** Names of the sites. */
export const SITES = { here: "here", elm: "elm", oak: "oak" } as const;

/** Processors of elm. */
export const ELM_PROCS = 16;
const QUARTERS = 4;
const SLICES = 20_000_000;
const MS_PER_S = 1000;

/**
 * Jobs in order of submission.
 *
 * @param procs processors of this machine
 */
export function demoJobs(procs: number): readonly DemoJob[] {
  const { here, elm, oak } = SITES;
  return [
    job("long", "has this machine for itself", holding(5), {
      procs,
      site: here,
      wallTimeSec: 20,
    }),
    job("wide", "has most of elm", holding(5), { procs: 12, site: elm, wallTimeSec: 8 }),
    job("full", "needs all of elm, so it waits for wide", holding(2), {
      procs: ELM_PROCS,
      site: elm,
      wallTimeSec: 10,
    }),
    job("narrow", "backfills: beside wide, without delaying full", holding(2), {
      procs: 2,
      site: elm,
      wallTimeSec: 4,
    }),
    ...Array.from({ length: QUARTERS }, (_, quarter) =>
      job(`pi-${quarter + 1}`, "goes where it starts first", adding(quarter), { wallTimeSec: 60 }),
    ),
    job("failing", "ends with exit code 3", "console.error('no input'); process.exit(3)", {
      wallTimeSec: 10,
    }),
    job("unwanted", "is cancelled", holding(60), { procs: 8, site: oak, wallTimeSec: 120 }),
  ];
}

function job(name: string, shows: string, program: string, more: Partial<JobSubmission>): DemoJob {
  const words = { executable: process.execPath, arguments: ["-e", program], userTags: { name } };
  return { name, shows, submission: { ...words, ...more } };
}

function holding(seconds: number): string {
  return `setTimeout(() => console.log("held for ${seconds} s"), ${seconds * MS_PER_S})`;
}

/** Script that sums one quarter of the slices and prints the result. */
function adding(quarter: number): string {
  return (
    `const n = ${SLICES}; let s = 0;` +
    `for (let i = ${quarter}; i < n; i += ${QUARTERS}) { const x = (i + 0.5) / n; s += 4 / (1 + x * x); }` +
    "console.log(s / n);"
  );
}
