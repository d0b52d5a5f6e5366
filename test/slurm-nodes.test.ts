/**
 * A node of a real cluster of Slurm on which every job is lost: it is set aside, its site is not, and later
 * jobs exclude the node.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 300 };

describe.skipIf(!hasSlurm)(
  `a faulty node of a cluster${howToInstallSlurm}`,
  { timeout: 300 * SECOND },
  () => {
    let cluster: TestCluster;
    let folder: string;
    let broker: LiveBroker;
    let client: StintClient;

    beforeAll(async () => {
      cluster = await clusterUp("A");
      folder = mkdtempSync("/tmp/stint-nodes-");
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, "jobs"));
      mkdirSync(join(folder, "state"), { mode: 0o700 });
      const { SLURM_CONF } = cluster.environment;
      const site = ["name: cluster", "type: slurm", "readOnly: false", `slurmConf: ${SLURM_CONF}`];
      const more = [`submitDirectory: ${join(folder, "jobs")}`, "pollsPerMinute: 120"];
      const lines = [...site, ...more].map((line, at) => `${at === 0 ? "  - " : "    "}${line}`);
      writeFileSync(join(folder, "stint.yaml"), `sites:\n${lines.join("\n")}\n`);
      broker = await startLiveBroker(join(folder, "state"), [
        "--no-tcp",
        ...["--config", join(folder, "stint.yaml")],
      ]);
      client = createClient({ socketPath: join(folder, "state", "stint.sock") });
    }, 120 * SECOND);
    afterAll(async () => {
      client?.close();
      if (broker?.isUp()) await broker.end("SIGKILL");
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const stint = async (...words: readonly string[]): Promise<string> => {
      const { out } = await runCommand([process.execPath, stintFile, ...words], broker.environment);
      return out.trim();
    };

    it("SU-55 EN-195 is set aside, and later jobs exclude it", async () => {
      const { out } = await runCommand(["sinfo", "-h", "-N", "-o", "%N"], cluster.environment);
      const [bad = ""] = out.trim().split("\n");
      // The wrapper of the job is its parent: without it nobody reports an end.
      const program = `[ "$SLURMD_NODENAME" = ${bad} ] && kill -9 $PPID; echo $SLURMD_NODENAME`;
      const submit = (name: string) => stint("submit", "--", "sh", "-c", program, name);
      const health = async () => (await client.site("cluster")).nodeHealth ?? [];
      for (let i = 0; (await health()).length === 0 && i < 40; i++) await submit(`job${i}`);
      await expect.poll(health, POLL).toMatchObject([{ node: bad, state: "setAside" }]);
      expect((await client.site("cluster")).health).toBeUndefined();
      const id = await submit("after");
      await expect.poll(async () => (await client.job(id)).siteJob, POLL).toEqual(expect.any(String));
      const { siteJob } = await client.job(id);
      const shown = await runCommand(["scontrol", "show", "job", String(siteJob)], cluster.environment);
      expect(shown.out).toContain(`ExcNodeList=${bad}`);
      await expect.poll(async () => (await client.job(id)).state, POLL).toBe("DONE");
      expect(await stint("site", "list")).toContain(`cluster: node ${bad} set aside since`);
      // No other nodes are left for a job on all of them: Slurm would refuse it without this one.
      const nodes = new Set(out.trim().split("\n")).size;
      const wide = join(folder, "wide.yaml");
      writeFileSync(wide, `executable: "true"\nprocs: ${nodes}\nhostNumber: ${nodes}\n`);
      const all = await stint("submit", wide);
      await expect.poll(async () => (await client.job(all)).siteJob, POLL).toEqual(expect.any(String));
      const asked = String((await client.job(all)).siteJob);
      const whole = await runCommand(["scontrol", "show", "job", asked], cluster.environment);
      expect(whole.out).toMatch(/ExcNodeList=(\(null\)|\s)/);
      await stint("cancel", all);
    });
  },
);
