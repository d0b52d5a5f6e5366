/**
 * All seeds under all ways on real clusters, side by side.
 */
import { setMaxListeners } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type PlayedSite, type Violations, violationsOf } from "../policies/play-sites.ts";
import { clear } from "../truth/clusters.ts";
import { onPlayGround, type PlayGround } from "./clusters.ts";
import { PROGRAM, play } from "./play.ts";
import { prepareOwnShares, prepareWithoutShares, startEnforcer, WAYS, type Way } from "./ways.ts";
import { drawPlay, playPolicies } from "./workload.ts";

/** What came of a seed under one way. */
export interface MeasuredPlay {
  readonly way: Way;
  readonly seed: number;
  readonly violations: Violations;
  readonly site: PlayedSite;
}

/** What came of all of them. */
export interface MeasuredPlays {
  readonly plays: readonly MeasuredPlay[];
  /** What Slurm was told for its own shares. */
  readonly told: readonly string[];
  readonly slurmVersion: string;
  /** The machine's load (processes that run or want to) at the end. */
  readonly load: number;
}

const BEGIN_AFTER_MS = 3000;
const SECOND_MS = 1000;

/** Plays them all at once. @throws Fault where there can be no cluster */
export function measurePlays(seeds: readonly number[], tell: (text: string) => void): Promise<MeasuredPlays> {
  return onPlayGround(seeds.length * WAYS.length, async (ground) => {
    const { folder, clusters, slurmVersion } = ground;
    const stages = clusters.map((cluster, at) => ({
      ...{ cluster, way: WAYS[at % WAYS.length], seed: seeds[Math.floor(at / WAYS.length)] },
    }));
    let told: readonly string[] = [];
    for (const { cluster, way } of stages) {
      if (way === "Slurm's own shares") told = await prepareOwnShares(cluster, folder);
      else await prepareWithoutShares(cluster);
    }
    tell(`${clusters.length} clusters are up; Slurm was told: ${told.join("; ")}\n`);
    const enforced = stages.flatMap(({ cluster, way }) => (way === "S-PEP" ? [cluster] : []));
    const stop = await startEnforcer(enforced, join(folder, "broker"), (text) => tell(`${text}\n`));
    try {
      const plays = await playAll(ground, stages);
      for (const { way, seed, violations } of plays) tell(`seed ${seed}, ${way}: ${lineOf(violations)}\n`);
      return { plays, told, slurmVersion, load: loadavg()[1] };
    } finally {
      await stop();
      await Promise.all(clusters.map(clear));
    }
  });
}

interface Stage extends Pick<MeasuredPlay, "way" | "seed"> {
  readonly cluster: PlayGround["clusters"][number];
}

async function playAll({ folder }: PlayGround, stages: readonly Stage[]): Promise<readonly MeasuredPlay[]> {
  const program = join(folder, "work.sh");
  mkdirSync(folder, { recursive: true });
  writeFileSync(program, PROGRAM, { mode: 0o755 });
  const beginsAtMs = Math.ceil((Date.now() + BEGIN_AFTER_MS) / SECOND_MS) * SECOND_MS;
  const stopping = new AbortController();
  // Every play waits with it, at two places.
  setMaxListeners(0, stopping.signal);
  const played = stages.map(async ({ cluster, way, seed }): Promise<MeasuredPlay> => {
    const order = { program, beginsAtMs, signal: stopping.signal, slurmConf: cluster.slurmConf };
    const site = await play({ ...order, jobs: drawPlay(seed) });
    return { way, seed, site, violations: violationsOf(site, playPolicies("site", "cap")) };
  });
  try {
    return await Promise.all(played);
  } finally {
    stopping.abort();
    await Promise.allSettled(played);
  }
}

function lineOf({ burst, epoch, used }: Violations): string {
  const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;
  return `BUPV ${percent(burst)}, EUPV ${percent(epoch)}, ARU ${percent(used)}`;
}
