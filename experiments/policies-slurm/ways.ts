/**
 * Three ways to share one cluster: our enforcer over a Slurm that knows no shares, Slurm's own shares by the
 * compiled policies, and nobody.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/broker/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementStep,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../src/model/index.ts";
import { shareTree } from "../../src/policy/index.ts";
import { openSlurmSite } from "../../src/sites/slurm/index.ts";
import { brokerOver } from "../broker-over.ts";
import { slurm } from "../truth/clusters.ts";
import { configure, type PlayCluster, until } from "./clusters.ts";
import { PROCS, playPolicies } from "./workload.ts";

/** By the names under which they are shown. */
export const WAYS = ["S-PEP", "Slurm's own shares", "nobody"] as const;
/** See {@link WAYS}. */
export type Way = (typeof WAYS)[number];

const MEMORY_BYTES = 2 ** 33;
const MOST_TIMES = 3;
/** First come first served. */
const NO_SHARES = { PriorityType: "priority/basic" };
const ACCOUNTS = ["vo0", "vo1"] as const;

function specOf({ slurmConf }: PlayCluster, granted: readonly EnforcementStep[]): SlurmSiteSpec {
  return {
    ...{ ...SLURM_DEFAULTS, type: "slurm", procs: PROCS, memoryBytes: MEMORY_BYTES, slurmConf },
    ...{ readOnly: true, pollsPerMinute: 60 },
    enforcement: {
      ...ENFORCEMENT_DEFAULTS,
      granted,
      // The source has no such bounds: it is compared without. A minute is scaled as everything else.
      ...{ minRunMs: 8000, maxSuspensions: 1_000_000, actionsPerHour: 1_000_000, suspendedPpm: 100_000_000 },
    },
  };
}

/** A cluster without shares, whose accounts are equal. */
export async function prepareWithoutShares(cluster: PlayCluster): Promise<void> {
  await configure(cluster, NO_SHARES);
  for (const account of ACCOUNTS) {
    await slurm(
      cluster.slurmConf,
      "sacctmgr",
      "-i",
      "add",
      "account",
      account,
      `cluster=${slurmName(cluster)}`,
    );
  }
  await admit(cluster);
}

/** A cluster that was told the policies: every change, and every line of its configuration. */
export async function prepareOwnShares(cluster: PlayCluster, folder: string): Promise<readonly string[]> {
  await configure(cluster, NO_SHARES);
  const directory = join(folder, "compile", cluster.name);
  mkdirSync(directory, { recursive: true });
  const spec = specOf(cluster, ["compile"]);
  const site = await openSlurmSite({ name: cluster.name, spec, directory, clock: systemClock });
  const compile = async () =>
    site.shares.language.compile({
      // Jobs of one class: what a preempting share asks of users, nobody does here.
      shares: shareTree(
        playPolicies(cluster.name, "entitlement").map((policy) => ({ ...policy, mode: "shared" })),
        cluster.name,
      ),
      snapshot: await site.shares.look(),
      capacity: { cpu: PROCS, gpu: 0, memory: MEMORY_BYTES },
      consumers: {},
    });
  const { changes, configuration } = await compile();
  for (const { entity, name, command } of changes) {
    await site.shares.change({ what: `change ${entity} ${name}`, words: command, isTakingBack: false });
  }
  // A cluster that knows no shares does not tell what its weights are: that shows when it goes by them.
  const settings = new Map<string, string>();
  for (
    let lines = configuration, time = 0;
    lines.length > 0;
    lines = (await compile()).configuration, time++
  ) {
    if (time === MOST_TIMES) throw new Error(`${cluster.name} does not take ${JSON.stringify(lines)}`);
    for (const { name, after } of lines) settings.set(name, after);
    await configure(cluster, Object.fromEntries(settings));
  }
  await admit(cluster);
  return [
    ...changes.map(({ command }) => command.join(" ")),
    ...[...settings].map(([name, value]) => `${name}=${value}`),
  ];
}

/** Starts an enforcer over these clusters; gives what ends it. */
export async function startEnforcer(
  clusters: readonly PlayCluster[],
  folder: string,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  const sites = clusters.map((cluster) => ({
    name: cluster.name,
    spec: specOf(cluster, ["hold", "suspend"]),
  }));
  const broker = await brokerOver(sites, folder, warn);
  const policies = clusters.flatMap(({ name }) => playPolicies(name, "cap"));
  const request = { policies, effectiveFromMs: null, onVersion: null, by: "experiment", note: "" };
  const applied = await broker.brokerApi.ask({ kind: "applyPolicies", ...request });
  if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
  return () => broker.stop();
}

/** Who submits here may submit for both. */
async function admit(cluster: PlayCluster): Promise<void> {
  const where = [`account=${ACCOUNTS.join(",")}`, `cluster=${slurmName(cluster)}`];
  await slurm(cluster.slurmConf, "sacctmgr", "-i", "add", "user", "root", ...where);
  await until("the accounts can be charged", async () => {
    const cache = await slurm(
      cluster.slurmConf,
      "scontrol",
      "show",
      "assoc_mgr",
      "flags=assoc",
      "users=root",
    );
    return ACCOUNTS.every((account) => cache.includes(`Account=${account} `));
  });
}

function slurmName({ name }: PlayCluster): string {
  return name.toLowerCase();
}
