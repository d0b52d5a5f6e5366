/** What was chosen once and is kept beside the clusters: shapes, ports, the database's password. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, writeOwned } from "./folders.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import type { ClusterShape } from "./shape.ts";

/** Of one cluster. `ports` are the controller's, then the nodes' in order. */
export interface KeptCluster {
  readonly shape: ClusterShape;
  readonly ports: readonly number[];
}

/** Of what all clusters of a state directory share. */
export interface KeptShared {
  readonly databasePort: number;
  readonly accountingPort: number;
  readonly password: string;
}

/** The cluster `name` as it was brought up last; nothing where it never was. */
export function readKeptCluster(dir: string, name: string): KeptCluster | undefined {
  return readJson<KeptCluster>(clusterLayout(dir, name).kept);
}

/** The names of the clusters that are there, running or not. */
export function keptClusters(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name !== "shared" && readJson(join(dir, name, "kept.json")));
  } catch {
    return [];
  }
}

/** What the clusters share, as it was chosen; nothing before the first is up. */
export function readKeptShared(dir: string): KeptShared | undefined {
  return readJson<KeptShared>(sharedLayout(dir).kept);
}

/** Every port that was given to a cluster in `dir`, whether it runs or not. */
export function keptPorts(dir: string): Set<number> {
  const shared = readKeptShared(dir);
  const ofClusters = keptClusters(dir).flatMap((name) => readKeptCluster(dir, name)?.ports ?? []);
  return new Set([...ofClusters, ...(shared ? [shared.databasePort, shared.accountingPort] : [])]);
}

/** Writes what is kept; readable by root alone, for the password. */
export function keep(path: string, value: KeptCluster | KeptShared): void {
  writeOwned(path, `${JSON.stringify(value, null, 2)}\n`, root, 0o600);
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
