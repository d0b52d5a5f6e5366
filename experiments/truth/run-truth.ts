/**
 * The truth of a priced delay: the same work on a real cluster with and without a slot, from clusters to a
 * report.
 */
import { writeFile } from "node:fs/promises";
import type { Verdict } from "../verdict.ts";
import { type MeasuredTruth, measureTruth } from "./measure.ts";
import { truthReport } from "./report.ts";
import { summaryOf, type TruthSummary } from "./summary.ts";
import { verdictsOf } from "./verdicts.ts";
import { drawWorkload, LIMIT_USES } from "./workload.ts";

/** What is to be run. */
export interface TruthOrder {
  /** Pairs of each kind of workload. */
  readonly seeds: number;
  /** Where the report goes. */
  readonly out: string;
}

/**
 * Runs everything and writes the report.
 *
 * @throws Fault where there can be no test cluster, with how to install Slurm
 */
export async function runTruth(
  { seeds, out }: TruthOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const workloads = Array.from({ length: seeds }, (_, at) =>
    LIMIT_USES.map((use) => drawWorkload(at + 1, use)),
  ).flat();
  const measured = await measureTruth(workloads, tell);
  const { html, verdicts } = truthOf(measured);
  await writeFile(out, html);
  return verdicts;
}

/** What came of the runs, told. */
export function truthOf(measured: MeasuredTruth): {
  readonly html: string;
  readonly verdicts: readonly Verdict[];
} {
  const summaries = LIMIT_USES.flatMap((use): TruthSummary[] => {
    const pairs = measured.pairs.filter((pair) => pair.use === use).sort((a, b) => a.seed - b.seed);
    return pairs.length === 0 ? [] : [summaryOf(use, pairs)];
  });
  const verdicts = verdictsOf(summaries);
  return { html: truthReport(measured, summaries, verdicts), verdicts };
}
