import { describe, expect, it } from "vitest";
import type { ClusterAssociation, ClusterLimits, Policy } from "../../model/index.ts";
import { shareTree } from "../../policy/index.ts";
import { compileShares } from "./compile-shares.ts";

const NO_LIMITS: ClusterLimits = { tres: {}, jobs: null, submittedJobs: null, wallMs: null };
const GOOD = {
  PriorityType: "priority/multifactor",
  PriorityWeightFairShare: "1000",
  AccountingStorageEnforce: "associations,limits,qos",
};

function account(name: string, shares: number, tres: Record<string, number> = {}): ClusterAssociation {
  return {
    ...{ account: name, parent: "root", user: null, partition: null, shares },
    ...{ perJob: NO_LIMITS, group: { ...NO_LIMITS, tres } },
    ...{ maxJobs: null, maxSubmittedJobs: null, qos: [], defaultQos: null },
  };
}

function policy(consumer: string, percent: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "cpu", provider: "far", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 3_600_000 }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 5000, sharePpm: 1_000_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
    ...more,
  };
}

function compiled(policies: readonly Policy[], associations: readonly ClusterAssociation[], settings = GOOD) {
  return compileShares({
    shares: shareTree(policies, "far"),
    snapshot: { name: "tiny", associations, settings },
    capacity: { cpu: 32, gpu: 2, memory: 64 * 2 ** 30 },
    consumers: { cmsh: "cms/higgs" },
  });
}
const burst = (percent: number) => ({ burst: { bucketMs: 5000, sharePpm: percent * 10_000 } });

describe("policies in the words of Slurm", () => {
  it("EN-72 an account that is not there is added, and taken back by deleting it", () => {
    const { changes, remarks } = compiled([policy("cms", 20, burst(60))], []);
    expect(remarks).toEqual([]);
    expect(changes.map(({ command }) => command.join(" "))).toEqual([
      "sacctmgr -i add account cms cluster=tiny parent=root fairshare=200 GrpTRES=cpu=19",
    ]);
    expect(changes[0]?.undo.join(" ")).toBe("sacctmgr -i delete account where name=cms cluster=tiny");
  });

  it("EN-72 one that is there is changed in what differs, and gets back exactly what it had", () => {
    const policies = [policy("cms", 20, burst(50)), policy("atlas", 80)];
    const { changes } = compiled(policies, [account("cms", 7), account("atlas", 800)]);
    expect(changes).toHaveLength(1);
    const [change] = changes;
    const which = "sacctmgr -i modify account where name=cms cluster=tiny set";
    expect(change?.command.join(" ")).toBe(`${which} fairshare=200 GrpTRES=cpu=16`);
    expect(change?.undo.join(" ")).toBe(`${which} fairshare=7 GrpTRES=cpu=-1`);
  });

  it("EN-72 nothing is changed where the cluster has it already", () => {
    const policies = [policy("cms", 20, burst(50))];
    expect(compiled(policies, [account("cms", 200, { cpu: 16 })]).changes).toEqual([]);
  });

  it("EN-72 groups are the accounts that the site names for them; others are told", () => {
    const below = { provider: "cms" };
    const policies = [policy("cms", 50), policy("cms/higgs", 40, below), policy("cms/top", 60, below)];
    const { changes, remarks } = compiled(policies, [account("cms", 500)]);
    expect(changes.map(({ command }) => command.join(" "))).toEqual([
      "sacctmgr -i add account cmsh cluster=tiny parent=cms fairshare=400",
    ]);
    expect(remarks).toEqual(["cms/top is no account there: name one for it in the site's consumers"]);
  });

  it("EN-72 what Slurm has no word for is told", () => {
    const policies = [policy("cms", 20, { rule: "cap" }), policy("atlas", 20, { mode: "dedicated" })];
    const { remarks } = compiled(policies, [], { ...GOOD, PriorityWeightFairShare: "0" });
    expect(remarks.join("\n")).toMatch(/weigh nothing.*\n.*cap of cms.*\n.*atlas.*dedicated/);
  });

  it("EN-72 a name that would need quotes is no account", () => {
    const { changes, remarks } = compiled([policy("a$(reboot)", 20)], []);
    expect(changes).toEqual([]);
    expect(remarks[0]).toContain("is no account there");
  });
});
