/**
 * Runs the simulations that the figures of [PROV] chapter 3 are drawn from.
 */
import type { EstimateRule, SimulationReport, SlotSummary } from "../../src/model/index.ts";
import { simulateFile } from "../../src/sim/index.ts";
import { jobsOf } from "../jobs-of.ts";
import type { Cluster } from "./clusters.ts";
import { ObservedSlots } from "./observed.ts";
import { type Placements, timePlacements } from "./placements.ts";

/** One simulation. */
export interface Measured {
  readonly cluster: Cluster;
  readonly discipline: "conservative" | "easy";
  readonly estimates: EstimateRule;
  readonly report: SimulationReport;
  readonly slots: SlotSummary;
  readonly observed: ObservedSlots;
  /** Of the source's own variant: conservative, exact. */
  readonly placements?: Placements;
}

const VARIANTS = [
  ["conservative", "exact"],
  ["conservative", "requested"],
  ["easy", "exact"],
  ["easy", "requested"],
] as const;

/** All variants on all clusters; the first two of each cluster are the source's. */
export async function measureAll(
  clusters: readonly Cluster[],
  everyMs: number,
  tell: (text: string) => void,
): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  for (const cluster of clusters) {
    for (const [discipline, estimates] of VARIANTS) {
      tell(`${cluster.name}, ${discipline}, ${estimates} estimates\n`);
      all.push(await measure(cluster, everyMs, { discipline, estimates }));
    }
  }
  return all;
}

async function measure(
  cluster: Cluster,
  everyMs: number,
  rules: Pick<Measured, "discipline" | "estimates">,
): Promise<Measured> {
  const observed = new ObservedSlots();
  const { trace, procs } = cluster;
  const request = {
    trace,
    procs,
    ...rules,
    overrun: "extend",
    lenient: false,
    sampleSlotsMs: everyMs,
  } as const;
  const { report } = await simulateFile(request, {
    version: "experiments",
    onSlotSample: (sample) => observed.add(sample),
  });
  if (report.slots === undefined) throw new Error("what must hold: a run is longer than between two samples");
  const isTimed = rules.discipline === "conservative" && rules.estimates === "exact";
  const timed = isTimed
    ? { placements: timePlacements(await jobsOf({ trace, procs, estimates: "exact" }), procs) }
    : {};
  return { cluster, ...rules, report, slots: report.slots, observed, ...timed };
}

/** The run of a cluster under conservative backfilling, as the source has it. */
export function runOf(all: readonly Measured[], name: string, estimates: EstimateRule): Measured {
  const found = all.find(
    (one) => one.cluster.name === name && one.estimates === estimates && one.discipline === "conservative",
  );
  if (found === undefined) throw new Error(`what must hold: ${name} was simulated`);
  return found;
}
