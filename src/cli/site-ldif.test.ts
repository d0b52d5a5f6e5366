import { describe, expect, it } from "vitest";
import { ldifText } from "./site-ldif.ts";

const AD = `[
  GlueCEUniqueID = "far/jobmanager-slurm-long";
  GlueCEStateFreeCPUs = 4;
  GlueCEPolicyPreemption = false;
  GlueCEAccessControlBaseRule = { "VO:cms", "VOMS:/atlas/higgs" };
  GlueHostOperatingSystemName = "Debian é";
  GlueHostApplicationSoftwareRunTimeEnvironment = { "${"x".repeat(80)}" };
  GlueCESEBindGroupSEUniqueID = { "disk" };
  NodeMemory = 1024;
  Stores = { [ GlueSEUniqueID = "disk"; GlueSESizeTotal = 200 ] };
]`;

describe("stint site show -o ldif", () => {
  it("has an entry for the computing element, its hosts, its stores, and what binds them", () => {
    expect(ldifText([AD], "far").split("\n\n")).toEqual([
      [
        "dn: GlueCEUniqueID=far/jobmanager-slurm-long,Mds-Vo-name=far,o=grid",
        ...["objectClass: GlueCE", "GlueCEUniqueID: far/jobmanager-slurm-long", "GlueCEStateFreeCPUs: 4"],
        ...["GlueCEPolicyPreemption: FALSE", "GlueCEAccessControlBaseRule: VO:cms"],
        "GlueCEAccessControlBaseRule: VOMS:/atlas/higgs",
        ...["GlueSchemaVersionMajor: 1", "GlueSchemaVersionMinor: 3"],
      ].join("\n"),
      [
        // A line has 76 characters, and the dn goes on in a second one.
        "dn: GlueSubClusterUniqueID=far/jobmanager-slurm-long,Mds-Vo-name=far,o=grid",
        ...["objectClass: GlueSubCluster", "GlueSubClusterUniqueID: far/jobmanager-slurm-long"],
        "GlueHostOperatingSystemName:: RGViaWFuIMOp",
        `GlueHostApplicationSoftwareRunTimeEnvironment: ${"x".repeat(29)}`,
        ` ${"x".repeat(51)}`,
        ...["GlueSchemaVersionMajor: 1", "GlueSchemaVersionMinor: 3"],
      ].join("\n"),
      [
        "dn: GlueCESEBindGroupCEUniqueID=far/jobmanager-slurm-long,Mds-Vo-name=far,o=",
        " grid",
        ...["objectClass: GlueCESEBindGroup", "GlueCESEBindGroupCEUniqueID: far/jobmanager-slurm-long"],
        ...["GlueCESEBindGroupSEUniqueID: disk", "GlueSchemaVersionMajor: 1", "GlueSchemaVersionMinor: 3"],
      ].join("\n"),
      [
        ...["dn: GlueSEUniqueID=disk,Mds-Vo-name=far,o=grid", "objectClass: GlueSE", "GlueSEUniqueID: disk"],
        ...["GlueSESizeTotal: 200", "GlueSchemaVersionMajor: 1", "GlueSchemaVersionMinor: 3", ""],
      ].join("\n"),
    ]);
  });

  it("names with characters of distinguished names are escaped in them", () => {
    expect(ldifText(['[ GlueCEUniqueID = "a,b=c" ]'], "far")).toMatch(/^dn: GlueCEUniqueID=a\\,b\\=c,Mds-Vo/);
  });

  it("a store that the site and its queues have in common is entered once", () => {
    const text = ldifText([AD, AD.replace("slurm-long", "slurm-short")], "far");
    const names = text.split("\n\n").map((entry) => entry.split("\nobjectClass")[0]);
    expect(names).toHaveLength(7);
    expect(new Set(names).size).toBe(7);
  });
});
