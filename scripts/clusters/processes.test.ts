import { describe, expect, it } from "vitest";
import { MARK, type ProcessFacts, roleInCluster, roleInShared, withDescendants } from "./processes.ts";

const dir = "/tmp/clusters";
const conf = { SLURM_CONF: `${dir}/A/etc/slurm.conf` };

function processOf(program: string, environment: Readonly<Record<string, string>>): ProcessFacts {
  return { pid: 10, parent: 1, program, words: [program, "-N", "an1"], environment };
}

describe("which processes are a test cluster's", () => {
  it.each([
    ["the controller", "slurmctld", conf, "slurmctld"],
    ["its helper", "slurmscriptd", conf, "slurmscriptd"],
    ["a node's daemon", "slurmd", conf, "slurmd:an1"],
    ["a job's keeper", "slurmstepd", conf, "job"],
    ["a job's program", "sleep", { ...conf, SLURMD_NODENAME: "an1" }, "job"],
    ["not somebody's shell that looks at the cluster", "bash", conf, undefined],
    ["not another cluster's", "slurmd", { SLURM_CONF: `${dir}/B/etc/slurm.conf` }, undefined],
    ["not the machine's own Slurm", "slurmd", {}, undefined],
  ])("%s", (_, program, environment, role) => {
    expect(roleInCluster(processOf(program, environment), dir, "A")).toBe(role);
  });

  it("the shared daemons of its directory, and nobody else's", () => {
    expect(roleInShared(processOf("munged", { [MARK]: dir }), dir)).toBe("munged");
    expect(roleInShared(processOf("munged", {}), dir)).toBeUndefined();
    expect(roleInShared(processOf("mariadbd", { [MARK]: `${dir}2` }), dir)).toBeUndefined();
  });

  it("what a job started belongs to it, however far down; what a daemon started does not", () => {
    const all = [
      { ...processOf("slurmd", {}), pid: 2 },
      { ...processOf("sh", {}), pid: 3, parent: 2 },
      { ...processOf("sleep", {}), pid: 6, parent: 5 },
      { ...processOf("env", {}), pid: 5, parent: 4 },
    ];
    const ours = [
      { pid: 2, daemon: "slurmd:an1" },
      { pid: 4, daemon: "job" },
    ];
    expect(withDescendants(ours, all).map(({ pid }) => pid)).toEqual([2, 4, 5, 6]);
  });
});
