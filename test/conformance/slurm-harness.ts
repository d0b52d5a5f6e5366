/**
 * A real cluster of Slurm for the conformance suite: behaviours are lines of shell, gates are files.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../src/model/index.ts";
import type { ForeignSite } from "../../src/runtime/index.ts";
import { openSlurmSite } from "../../src/sites/slurm/index.ts";
import { runCommand, type TestCluster } from "../slurm-clusters.ts";
import { shellOf } from "./local-harness.ts";
import type { ForeignSiteHarness } from "./site-harness.ts";

const GRACE_MS = 1000;
const LOOK_EVERY_MS = 50;

/** How a site at that cluster is configured. */
export function slurmSpec(cluster: TestCluster, submitDirectory: string): SlurmSiteSpec {
  return {
    ...SLURM_DEFAULTS,
    type: "slurm",
    procs: 16,
    memoryBytes: 16 * 2 ** 30,
    readOnly: false,
    slurmConf: cluster.environment.SLURM_CONF,
    submitDirectory,
    pollsPerMinute: 600,
  };
}

/** A site in a new directory; leaves no job of its own in the cluster's queue. */
export async function slurmHarness(cluster: TestCluster): Promise<ForeignSiteHarness> {
  const scratch = mkdtempSync(join(tmpdir(), "stint-slurm-"));
  const fileOf = (what: string, token: string): string => join(scratch, `${what}-${token.replace("/", "_")}`);
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ENFORCEMENT_STEPS };
  const spec = { ...slurmSpec(cluster, join(scratch, "jobs")), enforcement };
  const directory = join(scratch, "site");
  mkdirSync(join(scratch, "jobs"));
  const opened: ForeignSite[] = [];
  return {
    graceMs: GRACE_MS,
    shortLimitMs: 2000,
    deadlineMs: 60_000,
    lateMs: 5000,
    showsRunningBeforeLaunch: true,
    command: (token, behaviour) => shellOf(behaviour, fileOf("tally", token), fileOf("gate", token)),
    async letGo(token) {
      writeFileSync(fileOf("gate", token), "");
    },
    async begun(token) {
      const tally = fileOf("tally", token);
      return existsSync(tally) ? readFileSync(tally, "utf8").length : 0;
    },
    pause: () => delay(LOOK_EVERY_MS),
    nowMs: () => Date.now(),
    stepMs: 4000,
    async open() {
      const clock = { nowMs: () => Date.now() };
      const site = await openSlurmSite({ name: "cluster", spec, directory, clock, graceMs: GRACE_MS });
      opened.push(site);
      return site;
    },
    async dispose() {
      await emptyQueue(cluster, join(directory, "mark"));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Cancels what is left of this site's jobs, waits until they have gone, and deletes its reservations. */
async function emptyQueue({ environment }: TestCluster, markFile: string): Promise<void> {
  if (!existsSync(markFile)) return;
  const mark = readFileSync(markFile, "utf8");
  const head = `stint:${mark}:`;
  const ours = async (): Promise<string[]> => {
    const { out } = await runCommand(["squeue", "-a", "-h", "-o", "%A %k"], environment);
    return out.split("\n").flatMap((line) => {
      const [id, comment = ""] = line.split(" ");
      return comment.startsWith(head) ? [id] : [];
    });
  };
  const left = await ours();
  if (left.length > 0) await runCommand(["scancel", ...left], environment);
  while ((await ours()).length > 0) await delay(LOOK_EVERY_MS);
  const { out } = await runCommand(["scontrol", "-a", "-o", "show", "reservation"], environment);
  for (const [, name] of out.matchAll(/^ReservationName=(\S+)/gm)) {
    if (!name.startsWith(`stint-${mark}-`)) continue;
    await runCommand(["scontrol", "delete", `ReservationName=${name}`], environment);
  }
}
