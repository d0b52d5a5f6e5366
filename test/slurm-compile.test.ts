/**
 * Policies compiled to the shares of a real cluster, made there and taken back, through the whole broker.
 *
 * The cluster has an accounting of its own: others' is restarted when a cluster beside it begins afresh.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENFORCEMENT_DEFAULTS, POLICY_DEFAULTS, type Policy } from "../src/model/index.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import {
  clusterStatus,
  hasSlurm,
  howToInstallSlurm,
  runCommand,
  slurmScript,
  type TestCluster,
} from "./slurm-clusters.ts";

const about = { retry: 1, timeout: 300_000 };

describe.skipIf(!hasSlurm)(`shares of a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: TestCluster;
  let broker: SlurmBroker;
  const folder = mkdtempSync("/tmp/stint-c-");
  const clusters = join(folder, "c");

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    await slurmScript(["up", "--name", "B", "--users", "--dir", clusters]);
    const [there] = await clusterStatus(clusters, "B");
    if (there === undefined) throw new Error("cluster B was brought up and is not there");
    const { slurmName, slurmConf: SLURM_CONF } = there;
    cluster = { name: "B", slurmName, environment: { SLURM_CONF } };
    const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["compile"] as const };
    const consumers = { physics: "science", biology: "science" };
    broker = await slurmBroker(cluster, { procs: 16, enforcement, consumers });
    await broker.troubled(false);
  });
  afterAll(async () => {
    await broker?.stop();
    await slurmScript(["down", "--all", "--purge", "--dir", clusters]);
    rmSync(folder, { recursive: true, force: true });
  });

  const policy = (consumer: string, percent: number, more: Partial<Policy> = {}): Policy => ({
    ...POLICY_DEFAULTS,
    ...{ provider: "cluster", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 86_400_000 }, sharePpm: percent * 10_000 },
    ...more,
  });
  const half = { burst: { bucketMs: 5000, sharePpm: 500_000 } };
  const apply = (...policies: readonly Policy[]) =>
    broker.brokerApi.ask({
      kind: "applyPolicies",
      ...{ policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
    });
  const slurm = async (...command: string[]): Promise<string> => {
    const { code, out, err } = await runCommand(command, cluster.environment);
    if (code !== 0) throw new Error(`${command.join(" ")}: ${out}${err}`);
    return out;
  };
  /** Everything that the accounting says. */
  const accounting = async (): Promise<string> => {
    const file = join(folder, "dump.cfg");
    await slurm("sacctmgr", "dump", `cluster=${cluster.slurmName}`, `file=${file}`);
    const shown = ["assoc", "qos", "account"].map((what) => slurm("sacctmgr", "-nP", "show", what));
    const own = (await Promise.all(shown)).join("\n").split("\n").sort();
    return [readFileSync(file, "utf8"), ...own].join("\n");
  };
  const order = async (verb: "apply" | "takeBack", isForced = false) => {
    const answer = await broker.brokerApi.changeShares({ site: "cluster", by: "admin", verb, isForced });
    if (answer === "notACluster" || !answer.ok) throw new Error(JSON.stringify(answer));
    return answer.value.map(({ change, result, why }) => [change.name, why ?? result].join(" "));
  };

  it("are made, kept by Slurm, and taken back exactly", async () => {
    const before = await accounting();
    await apply(
      policy("science", 20, half),
      policy("cms", 30, { ...half, mode: "preempting" }),
      { ...policy("cms", 50, { mode: "preempting" }), resource: "gpu" },
      policy("atlas", 50),
    );
    const names = ["stint_b_lent", "stint_b_science", "stint_b_cms", "physics", "biology", "cms", "atlas"];
    expect(await order("apply")).toEqual(names.map((name) => `${name} made`));
    expect(await order("apply")).toEqual([]);
    const told = await slurm(
      "sacctmgr",
      "-nP",
      "show",
      "assoc",
      "account=cms",
      "format=share,grptres,defaultqos",
    );
    expect(told.trim()).toBe("300|cpu=8|stint_b_cms");
    const cms = await slurm("sacctmgr", "-nP", "show", "qos", "stint_b_cms", "format=grptres,preempt");
    expect(cms.trim()).toBe("cpu=4,gres/gpu=2|stint_b_lent");
    expect(await order("takeBack")).toEqual(names.reverse().map((name) => `${name} takenBack`));
    expect(await accounting()).toBe(before);
  });

  it("what Slurm refuses ends it, in its words; what was made is taken back", async () => {
    const before = await accounting();
    await apply(policy("cms", 20, half), policy("atlas", 80));
    await order("apply");
    // Somebody works in it by now.
    await slurm(
      "sacctmgr",
      "-i",
      "add",
      "user",
      "stint-alice",
      "account=cms",
      `cluster=${cluster.slurmName}`,
    );
    expect(await order("takeBack")).toEqual(["atlas takenBack", "cms stint-alice is in account cms"]);
    await slurm(
      "sacctmgr",
      "-i",
      "delete",
      "user",
      "stint-alice",
      "account=cms",
      `cluster=${cluster.slurmName}`,
    );
    expect(await order("takeBack")).toEqual(["cms takenBack"]);
    expect(await accounting()).toBe(before);
  });
});
