import { describe, expect, it } from "vitest";
import { gresConf } from "./gres-conf.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import { type ShapeRequest, shapeOf } from "./shape.ts";
import { slurmConf } from "./slurm-conf.ts";
import { slurmdbdConf } from "./slurmdbd-conf.ts";

const dir = "/tmp/clusters";
const shared = sharedLayout(dir);

/** Settings of the file; all lines of a repeated key (nodes, partitions). */
function settings(request: ShapeRequest): Map<string, string[]> {
  const shape = shapeOf(request);
  const ports = Array.from({ length: 1 + shape.nodes }, (_, at) => 20_000 + at);
  const layout = clusterLayout(dir, shape.name);
  const text = slurmConf({ shape, layout, shared, ports, accountingPort: 19_999, host: "box" });
  const found = new Map<string, string[]>();
  for (const line of text.trimEnd().split("\n")) {
    const at = line.indexOf("=");
    const key = line.slice(0, at);
    found.set(key, [...(found.get(key) ?? []), line.slice(at + 1)]);
  }
  return found;
}

describe("slurm.conf", () => {
  it("gives every node a slurmd of its own on this host", () => {
    const size = "Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4096 State=UNKNOWN";
    expect(settings({ name: "A", nodes: "2" }).get("NodeName")).toEqual([
      `an1 NodeHostname=box NodeAddr=127.0.0.1 Port=20001 ${size}`,
      `an2 NodeHostname=box NodeAddr=127.0.0.1 Port=20002 ${size}`,
    ]);
    expect(settings({ name: "A" }).get("SlurmdSpoolDir")).toEqual(["/tmp/clusters/A/spool/%n"]);
  });

  it("uses the clusters' own authentication, for accounting too", () => {
    const plain = settings({ name: "A" });
    expect(plain.get("AuthInfo")).toEqual(["cred_expire=5,socket=/tmp/clusters/shared/munge/socket"]);
    expect(plain.get("AccountingStoragePass")).toEqual(["/tmp/clusters/shared/munge/socket"]);
  });

  it.each(["A", "B"])("has no empty value and no key twice (%s)", (name) => {
    for (const [key, values] of settings({ name })) {
      expect(values.every((value) => value !== "")).toBe(true);
      if (!/^(NodeName|PartitionName)$/.test(key)) expect(values, key).toHaveLength(1);
    }
  });

  it("makes B unlike A", () => {
    const [a, b] = [settings({ name: "A" }), settings({ name: "B" })];
    const key = (name: string) => [a.get(name)?.[0], b.get(name)?.[0]];
    expect(key("SelectTypeParameters")).toEqual(["CR_CPU", "CR_Core_Memory"]);
    expect(key("PrivateData")).toEqual([undefined, "jobs"]);
    expect(key("AccountingStorageEnforce")).toEqual([undefined, "associations,limits,qos"]);
    expect(key("MaxArraySize")).toEqual(["1001", "101"]);
    expect(key("PriorityType")).toEqual(["priority/multifactor", "priority/multifactor"]);
    expect(a.has("PriorityFlags")).toBe(false);
  });

  it.each([
    ["1", "bn1", "bn1"],
    ["2", "bn1,bn2", "bn2"],
    ["3", "bn1,bn2", "bn2,bn3"],
    ["4", "bn1,bn2,bn3", "bn3,bn4"],
    ["5", "bn1,bn2,bn3,bn4", "bn3,bn4,bn5"],
  ])("has two partitions that overlap, of %s nodes", (nodes, batch, gpu) => {
    const partitions = settings({ name: "B", nodes }).get("PartitionName") ?? [];
    expect(partitions.map((line) => line.split(" ").slice(0, 2))).toEqual([
      ["batch", `Nodes=${batch}`],
      ["gpu", `Nodes=${gpu}`],
    ]);
  });
});

describe("gres.conf", () => {
  it("names the GPUs of exactly the nodes that slurm.conf says have some", () => {
    const withGpus = (settings({ name: "B" }).get("NodeName") ?? []).filter((line) => line.includes("Gres="));
    expect(withGpus.map((line) => line.split(" ")[0])).toEqual(["bn3", "bn4"]);
    expect(
      gresConf(shapeOf({ name: "B" }))
        .trimEnd()
        .split("\n"),
    ).toEqual([
      "NodeName=bn3 Name=gpu Type=fake File=/dev/null",
      "NodeName=bn3 Name=gpu Type=fake File=/dev/zero",
      "NodeName=bn4 Name=gpu Type=fake File=/dev/null",
      "NodeName=bn4 Name=gpu Type=fake File=/dev/zero",
    ]);
    expect(gresConf(shapeOf({ name: "A" }))).not.toContain("gpu");
  });
});

describe("slurmdbd.conf", () => {
  it("names the private database with its password, and its own files", () => {
    const text = slurmdbdConf({ shared, port: 1, databasePort: 2, password: "secret", host: "box" });
    expect(text).toContain("\nDbdPort=1\n");
    expect(text).toContain("\nCommunicationParameters=NoInAddrAny\n");
    expect(text).toContain("\nStoragePort=2\n");
    expect(text).toContain("\nStoragePass=secret\n");
    expect(text).toContain("\nPidFile=/tmp/clusters/shared/slurmdbd/slurmdbd.pid\n");
  });
});
