/** Environment of one torture run: a state directory, its sites, and records of the faults. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrokerPlaces } from "./broker-process.ts";
import { mountDisk, type SmallDisk } from "./small-disk.ts";

/** Environment of a series of brokers. */
export interface World extends BrokerPlaces {
  readonly socketPath: string;
  /** File into which jobs write their lines. */
  readonly ledger: string;
  /** Disk of the managed site; undefined without permission to mount. */
  readonly disk: SmallDisk | undefined;
  /** Sites for jobs, repeated by weight. */
  readonly sites: readonly string[];
  /** Ids of jobs that a fault affected. */
  readonly harmed: Set<string>;
  /** Number of faults of each kind. */
  readonly tally: Map<string, number>;
  /** Violations seen during the run. */
  readonly wrong: string[];
}

/** Makes an environment. @param slurmConf of a running cluster, which becomes a further site */
export function createWorld(slurmConf: string | undefined): World {
  const folder = mkdtempSync(join(tmpdir(), "stint-torture-"));
  const stateDirectory = join(folder, "state");
  const [config, ledger, clock] = ["stint.yaml", "ledger", "clock"].map((name) => join(folder, name));
  mkdirSync(stateDirectory, { mode: 0o700 });
  const cluster =
    slurmConf === undefined
      ? ""
      : `  - { name: cluster, type: slurm, readOnly: false, slurmConf: ${slurmConf} }\n`;
  writeFileSync(
    config,
    `sites:
  - { name: here, type: managed, procs: 8, memory: 1G, wallTime: 1m }
  - { name: there, type: simulated, procs: 8, jobs: run, wallTime: 1m }
${cluster}`,
  );
  writeFileSync(ledger, "");
  writeFileSync(clock, "0");
  return {
    ...{ stateDirectory, config, ledger, clock },
    socketPath: join(stateDirectory, "stint.sock"),
    disk: mountDisk(join(stateDirectory, "sites", "here")),
    sites: ["here", "here", "there", ...(slurmConf === undefined ? [] : ["cluster"])],
    harmed: new Set(),
    tally: new Map(),
    wrong: [],
  };
}

/** Removes the environment, unless it is to be examined after a failure. */
export function removeWorld({ stateDirectory, disk }: World, isKept: boolean): void {
  if (isKept) return;
  disk?.remove();
  rmSync(join(stateDirectory, ".."), { recursive: true, force: true });
}

/** Counts a fault. */
export function count({ tally }: World, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** Number of killed brokers and wrappers. */
export function killsIn({ tally }: World): number {
  return (tally.get("brokers killed") ?? 0) + (tally.get("wrappers killed") ?? 0);
}
