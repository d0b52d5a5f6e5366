/** Leaving a cluster behind ssh: what was Stint's there goes, and nothing else. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SlurmSiteSpec } from "../src/model/index.ts";
import { leaveSlurmSite, openSlurmSite, testSlurmSite } from "../src/sites/slurm/index.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import { hasSshd, type PrivateSshd, privateSshd } from "./private-sshd.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";

const USER = "stint-alice";
const why = hasSshd ? howToInstallSlurm : " (skipped: no sshd; as root: apt-get install openssh-server)";

describe.skipIf(!hasSlurm || !hasSshd)(`leaving a cluster${why}`, { retry: 1, timeout: 400_000 }, () => {
  const path = process.env.PATH;
  let folder: string;
  let cluster: TestCluster;
  let sshd: PrivateSshd;
  let spec: SlurmSiteSpec;

  beforeAll(async () => {
    cluster = await clusterUp("A");
    folder = mkdtempSync("/tmp/stint-leave-");
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "jobs"));
    execFileSync("chown", [`${USER}:`, join(folder, "jobs")]);
    sshd = await privateSshd(folder, USER);
    process.env.PATH = `${sshd.bin}:${path}`;
    const submitDirectory = join(folder, "jobs");
    spec = { ...slurmSpec(cluster, submitDirectory), sshHost: "login", account: "physics" };
  });
  afterAll(() => {
    sshd?.stop();
    process.env.PATH = path;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it("SU-17 tried out, used and left: no job, no file, no connection stays", async () => {
    const directory = join(folder, "site");
    const clock = { nowMs: () => Date.now() };
    const site = await openSlurmSite({ name: "far", spec, directory, clock });
    const checks = await testSlurmSite("far", spec, directory);
    expect(checks.filter(({ isNeeded, works }) => isNeeded && works === false)).toEqual([]);
    expect(checks[0].why).toContain("through ssh to login");
    const order = {
      ...{ token: "a/1", command: ["true"], environment: {}, limitMs: 60_000, inputFiles: [] },
      ...{ stdOutput: "out", stdError: "err", procs: 1, memoryBytes: 0, reservation: null, name: "n" },
    };
    await site.submit(order);
    const stray = await site.submit({ ...order, token: "b/1" });
    const others = join(folder, "jobs", "somebody-elses");
    writeFileSync(others, "");
    await site.close();
    const { removed, left } = await leaveSlurmSite(spec, directory, true);
    expect([removed.length, left]).toEqual([2, []]);
    expect(removed[0]).toContain(stray);
    expect(readdirSync(join(folder, "jobs"))).toEqual(["somebody-elses"]);
    const { out } = await runCommand(["squeue", "-h", "-u", USER, "-o", "%k"], cluster.environment);
    expect(out).not.toContain("stint:");
    expect(readdirSync(directory).toSorted()).toEqual(["attempts", "inputs", "mark", "reservations"]);
  });
});
