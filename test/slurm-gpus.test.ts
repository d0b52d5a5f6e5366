/** GPUs at a real cluster: asked for, had, and seen in its queue. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";

const about = { timeout: 400_000 };

describe.skipIf(!hasSlurm)(`GPUs at a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: TestCluster;
  let broker: SlurmBroker | undefined;

  beforeAll(async () => {
    cluster = await clusterUp("B");
    // Two nodes of its partition for GPUs have two each.
    broker = await slurmBroker(cluster, { gpus: 4, partition: "gpu" });
  });
  afterAll(() => broker?.stop());

  it("a job runs with as many as it asks for; more than the site has are refused at once", async () => {
    const at = broker ?? expect.fail("the broker is up");
    await at.submit("two", "sleep 60", { gpus: 2, memoryBytes: 2 ** 20 });
    const { siteJob } = await at.until("two", "RUNNING");
    const words = ["squeue", "-h", `--jobs=${siteJob}`, "-O", "tres-alloc:"];
    const { out } = await runCommand(words, cluster.environment);
    expect(out).toContain("gres/gpu=2");
    await expect(at.submit("five", "true", { gpus: 5 })).rejects.toThrow("widerThanAnySite");
    await at.ask("cancel", "two");
    await at.until("two", "CANCELLED");
  });
});
