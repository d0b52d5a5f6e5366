/**
 * Around a run of the tests: where its test clusters of Slurm lie, and their end.
 *
 * Nothing is started here; the first test that asks for a cluster brings it up (slurm-clusters.ts). With
 * STINT_KEEP_CLUSTERS=DIR the clusters of that directory are used, and left running for the next time.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  /** What a run hands to its tests. */
  export interface ProvidedContext {
    /** The state directory of its test clusters. */
    readonly slurmClusters: string;
  }
}

/** Short, because sockets lie below it; with the process, so that two runs never meet. */
const PREFIX = "stint-test-clusters-";
const script = resolve(import.meta.dirname, "../scripts/clusters/slurm");

/** vitest calls this once, before the first test, and what it returns after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.STINT_KEEP_CLUSTERS;
  if (kept) {
    project.provide("slurmClusters", resolve(kept));
    return async () => undefined;
  }
  for (const dir of abandoned()) await purge(dir);
  const dir = join("/tmp", `${PREFIX}${process.pid}`);
  project.provide("slurmClusters", dir);
  return () => purge(dir);
}

/** Of runs that were killed before they could clean up. */
function abandoned(): string[] {
  return readdirSync("/tmp")
    .filter((name) => name.startsWith(PREFIX) && !existsSync(`/proc/${name.slice(PREFIX.length)}`))
    .map((name) => join("/tmp", name));
}

/** Takes a minute on a busy machine; meanwhile vitest ends its workers. */
async function purge(dir: string): Promise<void> {
  if (existsSync(dir)) await promisify(execFile)(script, ["down", "--all", "--purge", "--dir", dir]);
}
