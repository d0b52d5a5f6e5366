/** A terminal at a node of a real cluster. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

describe.skipIf(!hasSlurm)(`a terminal at a real cluster${howToInstallSlurm}`, { timeout: 400_000 }, () => {
  it("has a size, takes what is typed, and ends as its program does", async () => {
    const cluster = await clusterUp("A");
    const folder = mkdtempSync("/tmp/stint-i-");
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "jobs"));
    mkdirSync(join(folder, "state"), { mode: 0o700 });
    const site = {
      ...{ name: "cluster", type: "slurm", readOnly: false, slurmConf: cluster.environment.SLURM_CONF },
      ...{ submitDirectory: join(folder, "jobs"), pollsPerMinute: 120 },
    };
    writeFileSync(join(folder, "stint.yaml"), JSON.stringify({ sites: [site] }));
    const broker = await startLiveBroker(join(folder, "state"), [
      ...["--no-tcp", "--config", join(folder, "stint.yaml")],
    ]);
    try {
      const keys = 'stty size; read line; echo "<$line>"; exit 5\\nhello\\n';
      const run = `printf '%b' '${keys}' | ${process.execPath} ${stintFile} run -i --site cluster -- sh`;
      const { code, out } = await runCommand(["sh", "-c", run], broker.environment);
      expect(out).toContain("24 80");
      expect(out).toContain("<hello>");
      expect(code).toBe(5);
    } finally {
      await broker.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
