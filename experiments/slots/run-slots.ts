/**
 * The experiments with slots, from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import type { Verdict } from "../verdict.ts";
import type { Cluster } from "./clusters.ts";
import { measureAll } from "./measure.ts";
import { slotReport } from "./report.ts";
import { verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface SlotOrder {
  readonly clusters: readonly Cluster[];
  /** How often slots are looked at, in ms of virtual time. */
  readonly everyMs: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runSlots(
  { clusters, everyMs, out }: SlotOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const all = await measureAll(clusters, everyMs, tell);
  const verdicts = verdictsOf(all);
  await writeFile(out, slotReport(all, verdicts));
  return verdicts;
}
