/**
 * Which partition of a real cluster a job goes to: by its size, its requirements and its preferred queues.
 *
 * The cluster is this test's own: a default partition of little time and memory, and a larger one.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { hasSlurm, howToInstallSlurm, runCommand } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";
import { type Ran, stintFile } from "./stint.ts";

const SECOND = 1000;
const PARTITIONS = [
  "small Nodes=pn1 Default=YES MaxTime=10 MaxMemPerNode=512",
  "large Nodes=pn2 MaxTime=120",
];

describe.skipIf(!hasSlurm)(
  `partitions of a real cluster${howToInstallSlurm}`,
  { timeout: 300 * SECOND },
  () => {
    let cluster: OwnCluster;
    let folder: string;
    let broker: LiveBroker | undefined;

    beforeAll(async () => {
      const [small, large] = PARTITIONS;
      cluster = await ownCluster("P", 2, { PartitionName: `${small} State=UP` }, [
        `PartitionName=${large} State=UP`,
      ]);
      folder = mkdtempSync("/tmp/stint-p-");
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, "jobs"));
      mkdirSync(join(folder, "state"), { mode: 0o700 });
      const { SLURM_CONF } = cluster.environment;
      const site = ["name: far", "type: slurm", "readOnly: false", `slurmConf: ${SLURM_CONF}`];
      const more = [`submitDirectory: ${join(folder, "jobs")}`, "pollsPerMinute: 120", "wallTime: 5m"];
      const lines = [...site, ...more].map((line, at) => `${at === 0 ? "  - " : "    "}${line}`);
      writeFileSync(join(folder, "stint.yaml"), `sites:\n${lines.join("\n")}\n`);
      const words = ["--no-tcp", "--config", join(folder, "stint.yaml")];
      broker = await startLiveBroker(join(folder, "state"), words);
    }, 300 * SECOND);
    afterAll(async () => {
      if (broker?.isUp()) await broker.end("SIGKILL");
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const stint = (...words: readonly string[]): Promise<Ran> =>
      runCommand([process.execPath, stintFile, ...words], { ...broker?.environment, NO_COLOR: "1" });
    const written = (name: string, ...lines: readonly string[]): string => {
      const file = join(folder, name);
      writeFileSync(file, `${lines.join("\n")}\n`);
      return file;
    };
    const shown = async (id: string) => JSON.parse((await stint("status", id, "-o", "json")).out);
    const submitted = async (...words: readonly string[]): Promise<string> => {
      const { out, err } = await stint("submit", ...words);
      expect(err).toBe("");
      return out.trim();
    };
    /** The partition in which Slurm has the job, as `squeue` shows it. */
    const partitionOf = async (id: string): Promise<string> => {
      await expect.poll(async () => (await shown(id)).siteJob ?? "", { timeout: 100 * SECOND }).not.toBe("");
      const { siteJob } = await shown(id);
      const { out } = await runCommand(
        ["squeue", "-h", "-t", "all", "-j", siteJob, "-o", "%P"],
        cluster.environment,
      );
      return out.trim();
    };

    it("a job goes to the partition that its size, requirements and preferences need", async () => {
      // The partitions are known with the first survey.
      const seen = async () => JSON.parse((await stint("site", "show", "far", "-o", "json")).out).at;
      await expect.poll(seen).not.toBeNull();
      const long = await submitted("-t", "1h", "--", "sleep", "300");
      const wide = await submitted("--mem", "1G", "--", "true");
      const required = await submitted("--requirements", "other.NodeMemory >= 1024", "--", "true");
      const plain = await submitted("--", "true");
      const script = (partitions: string) => ["#!/bin/sh", `#SBATCH -p ${partitions}`, "true"];
      const first = await submitted(written("first.sh", ...script("large,small")));
      const other = await submitted(written("other.sh", ...script("gone,small")));
      const found = await Promise.all([long, wide, required, plain, first, other].map(partitionOf));
      expect(found).toEqual(["large", "large", "large", "small", "large", "small"]);
      expect(await shown(long)).toMatchObject({ site: "far", queue: "large" });
      expect((await stint("status", long)).out).toMatch(/queue +large/);
      expect((await stint("why", long)).out).toContain("in the queue large");
      await stint("cancel", long);
    });

    it("what is asked before submission is about the same partition", async () => {
      const file = written("long.yaml", "executable: /bin/true", "preferredQueues: [large]", "wallTime: 5m");
      expect((await stint("match", file)).out).toContain("far, queue large");
      const { items } = JSON.parse((await stint("when", file, "-o", "json")).out);
      expect(items).toMatchObject([{ site: "far", partition: "large" }]);
      const bySize = JSON.parse((await stint("when", "-t", "1h", "-o", "json")).out);
      expect(bySize.items).toMatchObject([{ site: "far", partition: "large" }]);
    });

    it("a size that fits no partition is refused, with the limits of each", async () => {
      const { code, err } = await stint("submit", "-t", "3h", "--", "true");
      expect(code).not.toBe(0);
      expect(err).toContain("far (small: a time limit of at most 10m; large: a time limit of at most 2h)");
    });
  },
);
