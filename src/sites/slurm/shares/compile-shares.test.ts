import { describe, expect, it } from "vitest";
import type {
  ClusterAssociation,
  ClusterLimits,
  ClusterQos,
  CompiledShares,
  Policy,
} from "../../../model/index.ts";
import { shareTree } from "../../../policy/index.ts";
import { compileShares } from "./compile-shares.ts";

const NO_LIMITS: ClusterLimits = { tres: {}, jobs: null, submittedJobs: null, wallMs: null };
const GOOD = {
  PriorityType: "priority/multifactor",
  PriorityWeightFairShare: "1000",
  AccountingStorageEnforce: "associations,limits,qos",
  PriorityDecayHalfLife: "00:42:00",
  PriorityUsageResetPeriod: "NONE",
  PriorityCalcPeriod: "00:05:00",
};

function account(name: string, shares: number | null, tres: Record<string, number> = {}): ClusterAssociation {
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
    ...{ rule: "entitlement", mode: "shared", carry: "repay" },
    ...more,
  };
}

interface There {
  readonly associations?: readonly ClusterAssociation[];
  readonly qos?: readonly ClusterQos[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly accountNames?: readonly string[];
  readonly consumers?: Readonly<Record<string, string>>;
}

function compiled(policies: readonly Policy[], there: There = {}) {
  const { associations = [], qos = [], settings = GOOD, consumers = { cmsh: "cms/higgs" }, ...names } = there;
  return compileShares({
    shares: shareTree(policies, "far"),
    snapshot: { name: "tiny", associations, qos, settings, ...names },
    capacity: { cpu: 32, gpu: 2, memory: 64 * 2 ** 30 },
    consumers,
  });
}
const commandsOf = ({ changes }: CompiledShares) => changes.map(({ command }) => command.join(" "));
const undosOf = ({ changes }: CompiledShares) => changes.map(({ undo }) => undo.join(" "));
const burst = (percent: number) => ({ burst: { bucketMs: 5000, sharePpm: percent * 10_000 } });

const below = { provider: "cms" };

describe("EN-82 policies as fair shares and group limits of Slurm", () => {
  it("an account that is not there is added, and taken back by deleting it", () => {
    const found = compiled([policy("cms", 20, burst(60))]);
    expect(found.remarks).toEqual([]);
    expect(commandsOf(found)).toEqual([
      "sacctmgr -i add account cms cluster=tiny parent=root fairshare=200 GrpTRES=cpu=19",
    ]);
    expect(undosOf(found)).toEqual(["sacctmgr -i delete account where name=cms cluster=tiny"]);
  });

  it("a name that is new to the accounting is to be forgotten, too", () => {
    const [isNew] = compiled([policy("cms", 20)], { accountNames: ["root"] }).changes;
    expect(isNew?.forget?.join(" ")).toBe("sacctmgr -i delete account where name=cms");
    const [isKnown] = compiled([policy("cms", 20)], { accountNames: ["root", "cms"] }).changes;
    expect(isKnown?.forget).toBeUndefined();
  });

  it("one that is there is changed in what differs, and gets back exactly what it had", () => {
    const policies = [policy("cms", 20, burst(50)), policy("atlas", 80)];
    const found = compiled(policies, { associations: [account("cms", 7), account("atlas", 800)] });
    const which = "sacctmgr -i modify account where name=cms cluster=tiny set";
    expect(commandsOf(found)).toEqual([`${which} fairshare=200 GrpTRES=cpu=16`]);
    expect(undosOf(found)).toEqual([`${which} fairshare=7 GrpTRES=cpu=-1`]);
    const asParent = compiled([policy("cms", 20)], { associations: [account("cms", null)] });
    expect(undosOf(asParent)).toEqual([`${which} fairshare=parent`]);
  });

  it("limits of several resources are one word", () => {
    const gpus: Policy = { ...policy("cms", 20, burst(50)), resource: "gpu" };
    const found = compiled([policy("cms", 20, burst(50)), gpus], { associations: [account("cms", 200)] });
    expect(commandsOf(found)[0]).toMatch(/set GrpTRES=cpu=16,gres\/gpu=1$/);
    expect(undosOf(found)[0]).toMatch(/set GrpTRES=cpu=-1,gres\/gpu=-1$/);
  });

  it("nothing is changed where the cluster has it already", () => {
    const associations = [account("cms", 200, { cpu: 16 })];
    expect(compiled([policy("cms", 20, burst(50))], { associations }).changes).toEqual([]);
  });

  it("groups are the accounts that the site names for them; others are told", () => {
    const policies = [policy("cms", 50), policy("cms/higgs", 40, below), policy("cms/top", 60, below)];
    const found = compiled(policies, { associations: [account("cms", 500)] });
    expect(commandsOf(found)).toEqual(["sacctmgr -i add account cmsh cluster=tiny parent=cms fairshare=400"]);
    expect(found.remarks).toEqual(["cms/top is no account there: name one for it in the site's consumers"]);
  });

  it("what Slurm has no word for is told", () => {
    const policies = [
      policy("cms", 20, { rule: "cap" }),
      policy("atlas", 20, { mode: "dedicated", carry: "forgive" }),
      { ...policy("atlas", 20), resource: "gpu" } as const,
    ];
    const { remarks } = compiled(policies);
    expect(remarks.join("\n")).toMatch(
      /cap of cms.*\nwhat is used beyond.*\n.*atlas.*dedicated\n.*epoch share of gpu of atlas/,
    );
  });

  it("a name that would need quotes is no account", () => {
    const { changes, remarks } = compiled([policy("a$(reboot)", 20)]);
    expect(changes).toEqual([]);
    expect(remarks[0]).toContain("is no account there");
  });
});

const NO_QOS: ClusterQos = {
  ...{ name: "stint_tiny_cms", priority: 0, flags: [], preempts: [], preemptMode: "cluster" },
  ...{ perJob: NO_LIMITS, perUser: NO_LIMITS, perAccount: NO_LIMITS, group: NO_LIMITS, minimumTres: {} },
};

describe("EN-82 QOS express what accounts cannot", () => {
  const two = { prod: "cms", ana: "cms" };

  it("several accounts of one consumer have one limit, and its share in equal parts", () => {
    const found = compiled([policy("cms", 20, burst(60))], {
      consumers: two,
      associations: [account("prod", 1), account("ana", 100)],
    });
    expect(commandsOf(found)).toEqual([
      "sacctmgr -i add qos stint_tiny_cms GrpTRES=cpu=19",
      ...["prod", "ana"].map(
        (name) =>
          `sacctmgr -i modify account where name=${name} cluster=tiny set ` +
          `${name === "prod" ? "fairshare=100 " : ""}qos+=stint_tiny_cms defaultqos=stint_tiny_cms`,
      ),
    ]);
    expect(undosOf(found)).toEqual([
      "sacctmgr -i delete qos where name=stint_tiny_cms",
      "sacctmgr -i modify account where name=prod cluster=tiny set " +
        "fairshare=1 qos-=stint_tiny_cms defaultqos=-1",
      "sacctmgr -i modify account where name=ana cluster=tiny set qos-=stint_tiny_cms defaultqos=-1",
    ]);
    expect(found.remarks).toEqual([
      "cms has several accounts there: its share is divided among them in equal parts",
    ]);
  });

  it("an account that inherits its list of QOS inherits it again afterwards", () => {
    const found = compiled([policy("cms", 20, burst(60))], {
      consumers: two,
      associations: [
        account("root", 1),
        { ...account("prod", 100), qos: [] },
        { ...account("ana", 100), qos: ["own"] },
      ],
    });
    expect(undosOf(found).slice(1)).toEqual([
      "sacctmgr -i modify account where name=prod cluster=tiny set qos= defaultqos=-1",
      "sacctmgr -i modify account where name=ana cluster=tiny set qos-=stint_tiny_cms defaultqos=-1",
    ]);
  });

  it("a preempting share is a class of jobs that pushes those aside that run on what is lent", () => {
    const found = compiled([policy("cms", 25, { mode: "preempting" }), policy("atlas", 75)]);
    expect(commandsOf(found)).toEqual([
      "sacctmgr -i add qos stint_tiny_lent PreemptMode=requeue",
      "sacctmgr -i add qos stint_tiny_cms GrpTRES=cpu=8 Preempt+=stint_tiny_lent",
      "sacctmgr -i add account cms cluster=tiny parent=root fairshare=250 " +
        "qos+=stint_tiny_cms,stint_tiny_lent defaultqos=stint_tiny_cms",
      "sacctmgr -i add account atlas cluster=tiny parent=root fairshare=750 qos+=stint_tiny_lent",
    ]);
    expect(found.remarks).toEqual([expect.stringContaining("sbatch --qos=stint_tiny_lent")]);
    expect(found.configuration.map(({ name, after }) => `${name}=${after}`)).toEqual([
      ...["PreemptType=preempt/qos", "PreemptMode=REQUEUE"],
    ]);
  });

  it("so have GPUs an epoch share there", () => {
    const gpus = { ...policy("cms", 50, { mode: "preempting" }), resource: "gpu" } as const;
    const found = compiled([policy("cms", 25, { mode: "preempting" }), gpus]);
    expect(commandsOf(found)[1]).toContain("GrpTRES=cpu=8,gres/gpu=1");
    expect(found.remarks.join("\n")).not.toContain("gpu");
  });

  it("a QOS that is there is changed in what differs", () => {
    const there = { ...NO_QOS, group: { ...NO_LIMITS, tres: { cpu: 7 } } };
    const found = compiled([policy("cms", 20, burst(60))], { consumers: two, qos: [there] });
    expect(commandsOf(found)[0]).toBe("sacctmgr -i modify qos where name=stint_tiny_cms set GrpTRES=cpu=19");
    expect(undosOf(found)[0]).toBe("sacctmgr -i modify qos where name=stint_tiny_cms set GrpTRES=cpu=7");
  });
});

describe("EN-82 lines of the configuration that policies need are reported", () => {
  const lines = (policies: readonly Policy[], settings: Readonly<Record<string, string>>) =>
    compiled(policies, { settings }).configuration.map(({ name, after }) => `${name}=${after}`);
  const over = (epoch: Policy["epoch"]["window"]) =>
    policy("cms", 20, { epoch: { window: epoch, sharePpm: 200_000 } });

  it("is nothing where it is so", () => expect(lines([policy("cms", 20)], GOOD)).toEqual([]));

  it("priorities by shares, which outweigh the rest, and limits that are kept", () => {
    const settings = { ...GOOD, PriorityType: "priority/basic", AccountingStorageEnforce: "none" };
    expect(lines([policy("cms", 20)], { ...settings, PriorityWeightAge: "1000" })).toEqual([
      "PriorityType=priority/multifactor",
      "PriorityWeightFairshare=10000",
      "AccountingStorageEnforce=associations,limits",
    ]);
    expect(lines([policy("cms", 20)], { ...GOOD, PriorityWeightQOS: "30000" })).toEqual([
      "PriorityWeightFairshare=300000",
    ]);
  });

  it("use fades so that a steady one weighs as much as over the window", () => {
    expect(lines([over({ kind: "sliding", lengthMs: 7 * 86_400_000 })], GOOD)).toEqual([
      "PriorityDecayHalfLife=4-20:27:00",
    ]);
    expect(lines([over({ kind: "sliding", lengthMs: 600_000 })], GOOD)).toEqual([
      ...["PriorityDecayHalfLife=00:07:00", "PriorityCalcPeriod=00:01:00"],
    ]);
  });

  it("is forgotten with the calendar, where Slurm knows its unit", () => {
    expect(lines([over({ kind: "fixed", unit: "week", offsetMs: 0 })], GOOD)).toEqual([
      ...["PriorityDecayHalfLife=00:00:00", "PriorityUsageResetPeriod=WEEKLY"],
    ]);
    const { remarks } = compiled([over({ kind: "fixed", unit: "hour", offsetMs: 0 }), policy("atlas", 30)]);
    expect(remarks.slice(0, 2)).toEqual([
      "there is one time there over which use counts: the longest epoch is taken",
      "use cannot be forgotten every hour there: it fades over an hour",
    ]);
  });

  it("groups need the fair tree, and GPUs are counted", () => {
    const policies = [
      policy("cms", 50),
      policy("cms/higgs", 40, below),
      { ...policy("cms", 20), resource: "gpu" },
    ];
    const settings = { ...GOOD, PriorityFlags: "NO_FAIR_TREE,MAX_TRES", AccountingStorageTRES: "cpu,mem" };
    expect(lines(policies as readonly Policy[], settings)).toEqual([
      ...["PriorityFlags=MAX_TRES", "AccountingStorageTRES=cpu,mem,gres/gpu"],
    ]);
  });
});
