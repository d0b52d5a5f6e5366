import { describe, expect, it } from "vitest";
import { aCluster, aJob, aNode, aPartition } from "../../../test/cluster-scene.ts";
import { scene } from "../../../test/engine-scene.ts";
import { queueAdsOf } from "./queue-ads.ts";

const HOUR = 3_600_000;

describe("EN-188 ads of queues", () => {
  const play = scene({ far: 4 });
  const site = play.projection.sites.get("far") ?? expect.fail("no site");
  const machine = { architecture: "x86_64", osName: "Linux", osRelease: "6.1" };
  const nodes = [
    aNode("n1", {
      ...machine,
      osRelease: "6.2",
      scratchBytes: 2 ** 30,
      allocatedProcs: 3,
      states: ["MIXED"],
    }),
    aNode("n2", { ...machine, procs: 16, scratchBytes: 2 ** 31, gpus: { a100: 2 } }),
    aNode("n3", { states: ["DOWN"] }),
  ];
  const partitions = [
    aPartition("main", ["n1", "n2", "n3"], { maxTimeMs: 2 * HOUR, defaultTimeMs: HOUR }),
    aPartition("wide", ["n2"], { state: "DOWN", maxTimeMs: null }),
    aPartition("lean", ["n1"], { maxMemoryPerNodeBytes: 2 ** 30, maxProcsPerNode: 2 }),
    aPartition("secret", ["n1"], { isHidden: true }),
  ];
  const jobs = [
    aJob("1", { state: "running", partitions: ["main"] }),
    aJob("2", { state: "waiting", partitions: ["main", "wide"], count: 5 }),
  ];
  const ads = queueAdsOf(site, aCluster({ nodes, partitions, jobs, version: "22.05.8" }));

  it("each queue that is not hidden has one, of its nodes in service, its jobs and its limits", () => {
    expect(ads.map(({ queue }) => queue)).toEqual(["main", "wide", "lean"]);
    for (const line of [
      ...['GlueCEName = "main"', 'GlueCEInfoLRMSVersion = "22.05.8"', 'GlueCEStateStatus = "Production"'],
      ...["GlueCEInfoTotalCPUs = 20", "GlueCEStateFreeCPUs = 17", "GlueCEStateRunningJobs = 1"],
      ...["GlueCEStateWaitingJobs = 5", "GlueCEPolicyMaxWallClockTime = 120", "Gpus = 2"],
      ...["UnitPrice = 1", "GlueCEPolicyPriority = 1", "GlueCEPolicyAssignedJobSlots = 20"],
      ...['GlueHostArchitecturePlatformType = "x86_64"', 'GlueHostOperatingSystemName = "Linux"'],
      "GlueSubClusterTmpSize = 1024",
      ...["GlueHostArchitectureSMPSize = 4", "GlueHostMainMemoryRAMSize = 8192"],
    ]) {
      expect(ads[0]?.classad).toContain(`  ${line};\n`);
    }
    expect(ads[0]?.classad).not.toContain("ResponseTime");
    // Its nodes differ in it.
    expect(ads[0]?.classad).not.toContain("OperatingSystemRelease");
    expect(ads[1]?.classad).toContain('GlueHostOperatingSystemRelease = "6.1"');
    expect(ads[1]?.classad).toContain("Gpus = 2;");
    for (const line of ["Gpus = 0;", "NodeMemory = 1024;", "NodeProcs = 2;"]) {
      expect(ads[2]?.classad).toContain(`  ${line}\n`);
    }
    expect(ads[1]?.classad).toContain('GlueCEStateStatus = "Queueing";');
    expect(ads[1]?.classad).not.toContain("MaxWallClockTime");
    expect(ads[0]?.glue2).toMatchObject({ ComputingShare: { Name: "main", MaxWallTime: 7200 } });
  });

  it("those of a drained site are draining", () => {
    const drained = queueAdsOf({ ...site, isDraining: true }, aCluster({ nodes, partitions, jobs }));
    expect(drained.map(({ classad }) => /Status = "(\w+)"/.exec(classad)?.[1])).toEqual([
      "Draining",
      "Draining",
      "Draining",
    ]);
  });
});
