import { describe, expect, it } from "vitest";
import { failed, scripted } from "../../../../test/scripted-slurm.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementStep } from "../../../model/index.ts";
import { changeShares, fetchShares } from "./change-shares.ts";

const CHANGE = ["sacctmgr", "-i", "modify", "account", "where", "name=cms", "set", "fairshare=200"];
const order = { what: "change account cms", words: CHANGE, isTakingBack: false };

function parts(answers: Parameters<typeof scripted>[0], ...granted: readonly EnforcementStep[]) {
  const { asked, run } = scripted(answers);
  return { asked, name: "west", run, spec: { enforcement: { ...ENFORCEMENT_DEFAULTS, granted } } };
}

describe("changing a cluster's own shares is granted by itself", () => {
  it.each([[[]], [["watch"]], [["hold", "priority", "requeue", "suspend"]]] as const)(
    "with %j nothing is run, and what to grant is said",
    async (granted) => {
      const cluster = parts({}, ...granted);
      await expect(changeShares(cluster, order)).rejects.toMatchObject({
        code: "compileNotGranted",
        remedy: expect.stringContaining("grant: [compile]"),
      });
      expect(cluster.asked).toEqual([]);
    },
  );

  it("what was changed under a grant that is gone may be taken back", async () => {
    const cluster = parts({});
    await changeShares(cluster, { ...order, isTakingBack: true });
    expect(cluster.asked).toEqual([CHANGE.join(" ")]);
  });
});

describe("a change is one command", () => {
  it("of sacctmgr, about accounts and QOS, and no other", async () => {
    const cluster = parts({}, "compile");
    await changeShares(cluster, order);
    expect(cluster.asked).toEqual([CHANGE.join(" ")]);
    for (const words of [
      ["scancel", "1"],
      ["sacctmgr", "-i", "delete", "cluster", "x"],
      ["sacctmgr", "-i", "dump"],
    ]) {
      await expect(changeShares(cluster, { ...order, words })).rejects.toThrow("what must hold");
    }
    expect(cluster.asked).toHaveLength(1);
  });

  it("that says what it complains of, and which right would change it", async () => {
    const words = "sacctmgr: error: Your user doesn't have privilege to perform this action";
    const refused = parts(
      { sacctmgr: failed(`${words}\n Error with request: Access/permission denied`) },
      "compile",
    );
    await expect(changeShares(refused, order)).rejects.toMatchObject({
      code: "siteMayNotCompile",
      remedy: expect.stringContaining("AdminLevel=Operator"),
    });
    const active = " Error with request: Job(s) active, cancel job(s) before remove";
    await expect(changeShares(parts({ sacctmgr: failed(active) }, "compile"), order)).rejects.toThrow(
      "Job(s) active",
    );
  });

  it("the accounting is looked at as it is, with names that no cluster has any more", async () => {
    const head = "Cluster|Account|User|Partition|Share|GrpTRES|QOS|Def QOS|ParentName";
    const { name, associations, accountNames, usedAccountNames, qos } = await fetchShares(
      parts({
        "scontrol show config": "ClusterName = tiny\n",
        "sacctmgr -P show assoc cluster=tiny": `${head}\ntiny|cms|||200|cpu=19|normal||root\n`,
        "sacctmgr -P show qos": "Name|GrpTRES|Preempt\nnormal||\n",
        "sacctmgr -nP show account": "cms\nold\n",
        "sacctmgr -nP show assoc": "cms\ncms\n",
      }),
    );
    expect(name).toBe("tiny");
    expect(associations[0]).toMatchObject({ account: "cms", shares: 200, group: { tres: { cpu: 19 } } });
    expect(accountNames).toEqual(["cms", "old"]);
    expect(usedAccountNames).toEqual(["cms"]);
    expect(qos.map((it) => it.name)).toEqual(["normal"]);
  });
});
