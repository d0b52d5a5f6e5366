import { describe, expect, it } from "vitest";
import { evaluateAttribute, valueText } from "../classad/index.ts";
import { glue2Of } from "./glue2.ts";
import { type SiteFacts, siteAdOf } from "./site-ad.ts";

const MB = 1024 * 1024;
const facts: SiteFacts = {
  ...{ site: "elm", queue: "long", system: "slurm", systemVersion: "22.05.8", hostName: "elm.example" },
  ...{ status: "Production", procs: 64, freeProcs: 10, gpus: 4, runningJobs: 7, waitingJobs: 3 },
  ...{ responseMs: 90_001, worstResponseMs: 7_200_000, defaultWallTimeMs: 3_600_000 },
  ...{ maxWallTimeMs: 86_400_000, preempts: false, nodeProcs: 16, nodeMemoryBytes: 64_000 * MB },
  accessRules: ["VO:cms", "VOMS:/atlas/higgs"],
  views: [{ vo: "cms", freeProcs: 2, runningJobs: 1, waitingJobs: 0, accessRule: "VO:cms" }],
  applications: ["gromacs", "gnu/12"],
  stores: [{ name: "disk", bytes: 2048 * MB, freeBytes: 1024 * MB }],
};
const bare: SiteFacts = { site: "oak", system: "stint", status: "Closed", procs: 4, stores: [] };
const shown = (of: SiteFacts, name: string) => valueText(evaluateAttribute(name, { self: siteAdOf(of) }));

describe("the ad of a site", () => {
  it.each([
    ["GlueCEUniqueID", '"elm.example/jobmanager-slurm-long"'],
    ["GlueCEName", '"long"'],
    ["GlueCEInfoLRMSType", '"slurm"'],
    ["GlueCEInfoLRMSVersion", '"22.05.8"'],
    ["GlueCEInfoHostName", '"elm.example"'],
    ["GlueCEInfoJobManager", '"slurm"'],
    ["GlueCEInfoTotalCPUs", "64"],
    ["GlueCEInfoDefaultSE", '"disk"'],
    ["GlueCEStateStatus", '"Production"'],
    ["GlueCEStateRunningJobs", "7"],
    ["GlueCEStateWaitingJobs", "3"],
    ["GlueCEStateTotalJobs", "10"],
    ["GlueCEStateFreeCPUs", "10"],
    ["GlueCEStateFreeJobSlots", "10"],
    ["GlueCEStateEstimatedResponseTime", "91"],
    ["GlueCEStateWorstResponseTime", "7200"],
    ["GlueCEPolicyMaxWallClockTime", "1440"],
    ["GlueCEPolicyPreemption", "false"],
    ["GlueCEAccessControlBaseRule", '{ "VO:cms", "VOMS:/atlas/higgs" }'],
    ["GlueHostArchitectureSMPSize", "16"],
    ["GlueHostMainMemoryRAMSize", "64000"],
    ["GlueHostApplicationSoftwareRunTimeEnvironment", '{ "gromacs", "gnu/12" }'],
    ["GlueCESEBindGroupSEUniqueID", '{ "disk" }'],
    ["Stores[0].GlueSEUniqueID", '"disk"'],
    ["NodeProcs", "16"],
    ["NodeMemory", "64000"],
    ["Gpus", "4"],
  ])("MT-4 %s is %s", (name, text) => {
    if (name.startsWith("Stores")) expect(shown(facts, "Stores")).toContain(`GlueSEUniqueID = ${text}`);
    else expect(shown(facts, name)).toBe(text);
  });

  it("MT-4 what is not known is undefined; what people give replaces what follows from facts", () => {
    expect(shown(bare, "GlueCEInfoLRMSVersion")).toBe("undefined");
    expect(shown(bare, "GlueCEStateTotalJobs")).toBe("undefined");
    expect(siteAdOf(bare).attributes.has("gluehostmainmemoryramsize")).toBe(false);
    const self = siteAdOf(bare, { GlueHostBenchmarkSI00: "1000", gluecename: '"a" + 1', Odd: "1 +" });
    expect(valueText(evaluateAttribute("GlueHostBenchmarkSI00", { self }))).toBe("1000");
    expect(valueText(evaluateAttribute("GlueCEName", { self }))).toBe("error");
    expect(self.attributes.has("odd")).toBe(false);
  });

  it("MT-4 in GLUE 2 times are in seconds, and unknown values are absent", () => {
    const stamp = { createdAt: "2026-11-20T12:00:00Z", validitySec: 300 };
    expect(glue2Of(facts, stamp)).toMatchObject({
      ComputingShare: { ServingState: "production", MaxWallTime: 86_400, FreeSlots: 10, Validity: 300 },
      ComputingManager: { ProductName: "slurm", ProductVersion: "22.05.8", TotalSlots: 64 },
      ExecutionEnvironment: { LogicalCPUs: 16, MainMemorySize: 64_000 },
      StorageShare: [{ TotalSize: 2, FreeSize: 1 }],
    });
    expect(JSON.stringify(glue2Of(bare, stamp))).not.toContain("MaxWallTime");
  });
});
