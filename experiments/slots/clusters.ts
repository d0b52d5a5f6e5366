/**
 * The two clusters of [PROV] 3.1: recorded, or drawn to look alike where the logs are not at hand.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../src/base/index.ts";
import { generateWorkload } from "../../src/sim/index.ts";

/** A cluster with its workload, and what the source says of it. */
export interface Cluster {
  readonly name: "CTC" | "SDSC";
  readonly trace: string;
  readonly procs: number;
  /** The workload is the source's own, if cleaned, and not one that looks alike. */
  readonly isRecorded: boolean;
  readonly said: ClusterClaims;
}

/** The numbers of the source. */
export interface ClusterClaims {
  readonly jobs: number;
  readonly slots: number;
  readonly simulationSec: number;
  readonly utilisationPercent: string;
}

const CLUSTERS = [
  {
    name: "CTC",
    procs: 430,
    load: 0.66,
    said: { jobs: 79_285, slots: 27, simulationSec: 75, utilisationPercent: "63 or 64" },
  },
  {
    name: "SDSC",
    procs: 128,
    load: 0.83,
    said: { jobs: 54_036, slots: 14, simulationSec: 47, utilisationPercent: "70 or 74" },
  },
] as const;

/** The logs in a folder, told by the beginning of their names. @throws Fault where one is missing */
export async function recordedClusters(folder: string): Promise<readonly Cluster[]> {
  const files = await readdir(folder);
  return CLUSTERS.map(({ name, procs, said }) => {
    const file = files.find((it) => it.startsWith(`${name}-SP2`) && /\.swf(\.gz)?$/.test(it));
    if (file === undefined) throw missing(folder, name);
    return { name, procs, said, trace: join(folder, file), isRecorded: true };
  });
}

/** Workloads of the Lublin–Feitelson model with the machines' sizes and loads, written into a folder. */
export function lookAlikes(folder: string, jobs: number): Promise<readonly Cluster[]> {
  return Promise.all(
    CLUSTERS.map(async ({ name, procs, load, said }): Promise<Cluster> => {
      const trace = join(folder, `${name}-look-alike.swf`);
      await generateWorkload(
        {
          kind: "draw",
          model: "lublin",
          set: "batch",
          jobs,
          procs,
          seed: 1,
          load,
          scale: "arrivals",
          requests: "popular",
          parameters: {},
        },
        "experiments",
        trace,
      );
      return { name, procs, said, trace, isRecorded: false };
    }),
  );
}

function missing(folder: string, name: string): Fault {
  return new Fault({
    kind: "notFound",
    code: "traceNotFound",
    what: `${folder}: no log of ${name} is here`,
    why: `its name begins with ${name}-SP2 and ends in .swf or .swf.gz`,
    remedy: "get it from the Parallel Workloads Archive, or leave out --traces for a look-alike",
  });
}
