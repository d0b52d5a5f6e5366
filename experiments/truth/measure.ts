/**
 * All seeds on real clusters, some of them side by side.
 */
import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/broker/index.ts";
import type { ForeignSite } from "../../src/runtime/index.ts";
import { commandProcess, openSlurmSite, slurmRunner } from "../../src/sites/slurm/index.ts";
import { type BoughtSlot, specOf, startTruthBroker, type TruthBroker } from "./buy-slot.ts";
import { clear, onClusters, type TruthCluster } from "./clusters.ts";
import { type MeasuredPair, measurePair } from "./pair.ts";
import { play } from "./play.ts";
import type { TruthWorkload } from "./workload.ts";

/** What came of all of them. */
export interface MeasuredTruth {
  readonly pairs: readonly MeasuredPair[];
  /** Seeds of which nothing can be said, with the reason. */
  readonly failures: readonly string[];
  readonly slurmVersion: string;
  /** The machine's load (processes that run or want to), at the end of each round. */
  readonly loads: readonly number[];
  /** ISO 8601, the day. */
  readonly date: string;
}

/** A cluster and what looks at it. */
interface Stage {
  readonly cluster: TruthCluster;
  readonly site: ForeignSite;
}

/** Without, without again, with. */
const PLAYS = 3;
const SIDE_BY_SIDE = 3;
/** The plays of a round begin together, when everything is ready. */
const BEGIN_AFTER_MS = 3000;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Plays and compares them all; fails where there can be no cluster, and goes on where a seed fails. */
export function measureTruth(
  workloads: readonly TruthWorkload[],
  tell: (text: string) => void,
): Promise<MeasuredTruth> {
  const width = Math.min(SIDE_BY_SIDE, workloads.length);
  return onClusters(width * PLAYS, async ({ folder, clusters, slurmVersion }) => {
    tell(`${clusters.length} clusters are up in ${join(folder, "clusters")}\n`);
    const broker = await startTruthBroker(join(folder, "broker"), clusters, (text) => tell(`${text}\n`));
    try {
      const stages = await stagesOf(folder, clusters);
      const [pairs, failures, loads]: [MeasuredPair[], string[], number[]] = [[], [], []];
      for (let at = 0; at < workloads.length; at += width) {
        const beginsAtMs = Math.ceil((Date.now() + BEGIN_AFTER_MS) / SECOND_MS) * SECOND_MS;
        const round = workloads.slice(at, at + width).map(async (workload, place) => {
          const own = stages.slice(place * PLAYS, (place + 1) * PLAYS);
          const pair = await played(broker, own, workload, beginsAtMs);
          pairs.push(pair);
          tell(lineOf(pair));
        });
        for (const [place, outcome] of (await Promise.allSettled(round)).entries()) {
          if (outcome.status === "fulfilled") continue;
          const { seed, use } = workloads[at + place];
          failures.push(`seed ${seed}, ${use}: ${String(outcome.reason)}`);
          tell(`${failures[failures.length - 1]}\n`);
        }
        loads.push(loadavg()[0]);
        await Promise.all(clusters.map(clear));
      }
      const date = new Date().toISOString().slice(0, 10);
      return { pairs, failures, slurmVersion, loads, date };
    } finally {
      await broker.stop();
    }
  });
}

async function stagesOf(folder: string, clusters: readonly TruthCluster[]): Promise<readonly Stage[]> {
  const start = commandProcess();
  return Promise.all(
    clusters.map(async (cluster) => {
      const directory = join(folder, "looks", cluster.name);
      mkdirSync(directory, { recursive: true });
      const spec = { ...specOf(cluster, directory), readOnly: true };
      const run = slurmRunner(spec, directory, start);
      const site = await openSlurmSite({ name: cluster.name, spec, directory, clock: systemClock, run });
      return { cluster, site };
    }),
  );
}

async function played(
  broker: TruthBroker,
  [one, other, third]: readonly Stage[],
  workload: TruthWorkload,
  beginsAtMs: number,
): Promise<MeasuredPair> {
  const stopping = new AbortController();
  const on = ({ cluster: { slurmConf }, site }: Stage) =>
    ({ workload, slurmConf, site, beginsAtMs, signal: stopping.signal }) as const;
  let bought: BoughtSlot | undefined;
  const atQuestion = async (): Promise<void> => {
    bought = await broker.buy(third.cluster, workload.slot, `${workload.use}${workload.seed}`);
  };
  const plays = [play(on(one)), play(on(other)), play({ ...on(third), atQuestion })];
  try {
    await Promise.all(plays);
  } finally {
    // Where one failed, the others are of no use, and must be out of the way of the next round.
    stopping.abort();
    await Promise.allSettled(plays);
  }
  const [without, again, withSlot] = await Promise.all(plays);
  if (bought === undefined) throw new Error("what must hold: a slot was bought");
  if (!(await broker.giveUp(bought))) throw new Error("the cluster did not keep the slot");
  return measurePair({ workload, without, again, with: withSlot, bought, beginsAtMs });
}

function lineOf({ seed, use, pricedProcMs, measured, control }: MeasuredPair): string {
  const [priced, came, chance] = [pricedProcMs, measured.laterProcMs, control.laterProcMs].map((procMs) =>
    (procMs / MINUTE_MS).toFixed(1),
  );
  return `seed ${seed}, ${use}: priced ${priced}, measured ${came}, control ${chance} processor-minutes\n`;
}
