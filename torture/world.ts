/**
 * What one run of the torture works on: a state directory, its sites, and what is done to them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrokerPlaces } from "./broker-process.ts";
import { mountDisk, type SmallDisk } from "./small-disk.ts";

/** A place for brokers to live and die in. */
export interface World extends BrokerPlaces {
  readonly socketPath: string;
  /** What jobs write into, by name. */
  readonly ledger: string;
  /** The disk of the managed site; undefined where none may be mounted. */
  readonly disk: SmallDisk | undefined;
  /** The sites that jobs name, the ones of which most are wanted more than once. */
  readonly sites: readonly string[];
  /** Jobs that something was done to, by id. */
  readonly harmed: Set<string>;
  /** How often what was done. */
  readonly tally: Map<string, number>;
  /** What was seen on the way that must not be. */
  readonly wrong: string[];
}

/** Makes one. @param slurmConf of a cluster that is up, as a site besides */
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

/** Removes it with all that is in it, unless it is kept for whoever looks what went wrong. */
export function removeWorld({ stateDirectory, disk }: World, isKept: boolean): void {
  if (isKept) return;
  disk?.remove();
  rmSync(join(stateDirectory, ".."), { recursive: true, force: true });
}

/** Counts something that was done. */
export function count({ tally }: World, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** How often brokers and wrappers were killed so far. */
export function killsIn({ tally }: World): number {
  return (tally.get("brokers killed") ?? 0) + (tally.get("wrappers killed") ?? 0);
}
