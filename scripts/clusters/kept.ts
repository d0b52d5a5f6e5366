/** Choices that are made once and stored beside the clusters: shapes, ports, the database's password. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, writeOwned } from "./folders.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import type { ClusterShape } from "./shape.ts";

/** Choices for one cluster. `ports` are the controller's, then the nodes' in order. */
export interface KeptCluster {
  readonly shape: ClusterShape;
  readonly ports: readonly number[];
}

/** Choices that all clusters of a state directory share. */
export interface KeptShared {
  readonly databasePort: number;
  readonly accountingPort: number;
  readonly password: string;
}

/** The cluster `name` as it was last brought up; undefined if it never was. */
export function readKeptCluster(dir: string, name: string): KeptCluster | undefined {
  return readJson<KeptCluster>(clusterLayout(dir, name).kept);
}

/** Names of the existing clusters, running or not. */
export function keptClusters(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name !== "shared" && readJson(join(dir, name, "kept.json")));
  } catch {
    return [];
  }
}

/** Shared choices; undefined before the first cluster is up. */
export function readKeptShared(dir: string): KeptShared | undefined {
  return readJson<KeptShared>(sharedLayout(dir).kept);
}

/** Every port of a cluster in `dir`, running or not. */
export function keptPorts(dir: string): Set<number> {
  const shared = readKeptShared(dir);
  const ofClusters = keptClusters(dir).flatMap((name) => readKeptCluster(dir, name)?.ports ?? []);
  return new Set([...ofClusters, ...(shared ? [shared.databasePort, shared.accountingPort] : [])]);
}

/** Stores choices, readable by root alone because of the password. */
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
