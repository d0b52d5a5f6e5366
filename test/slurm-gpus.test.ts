/** GPUs at a real cluster: asked for, had, and seen in its queue. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";

const SECOND = 1000;
const MIB = 2 ** 20;
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

  it("EN-211 a pilot has the memory and GPUs of its tasks in a reservation of processors", async () => {
    const at = broker ?? expect.fail("the broker is up");
    const id = "slurmgpuflow";
    const startMs = Date.now() + 15 * SECOND;
    const pilot = {
      ...{ job: `${id}-p0`, reservation: `${id}-r0`, site: "cluster", procs: 2, startMs },
      ...{ endMs: startMs + 180 * SECOND, memoryBytes: 256 * MIB, gpus: 1 },
    };
    const program = {
      ...{ executable: "sh", environment: {} },
      arguments: ["-c", "echo gpu=$CUDA_VISIBLE_DEVICES; sleep 1; scontrol -o show job $SLURM_JOB_ID"],
    };
    const needs = [{ gpus: 1, memoryBytes: 200 * MIB }, { gpus: 1 }, { memoryBytes: 56 * MIB }];
    const answer = await at.brokerApi.ask({
      ...{ kind: "startWorkflow", workflow: id, name: "gpus", owner: "u", consumer: "vo/user" },
      ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null, pilots: [pilot] },
      tasks: needs.map((need, task) => ({
        ...{ id: `t${task}`, procs: 1, runtimeMs: SECOND, parents: [], program, ...need },
      })),
      places: needs.map((_, task) => {
        const beginMs = startMs + 40 * task * SECOND;
        return { task, pilot: 0, startMs: beginMs, endMs: beginMs + 40 * SECOND };
      }),
    });
    expect(answer).toMatchObject({ ok: true });
    const state = () => at.brokerApi.query("workflows").find((one) => one.id === id)?.state;
    await expect.poll(state, { timeout: 300 * SECOND, interval: SECOND }).toBe("DONE");
    const texts = await Promise.all(
      needs.map(async (_, task) => {
        const of = { name: `tasks/${task}.1/stdout`, fromByte: 0, maxBytes: 10_000 };
        return new TextDecoder().decode((await at.brokerApi.readFile(pilot.job, of))?.bytes);
      }),
    );
    expect(texts[0]).toMatch(/TRES=cpu=2,mem=256M,node=1,.*gres\/gpu=1/);
    expect(texts[0]).toContain("Reservation=stint-");
    expect(texts.map((text) => /^gpu=\d*$/m.exec(text)?.[0])).toEqual(["gpu=0", "gpu=0", "gpu="]);
    const [first, second] = at.brokerApi.query("workflowTasks", id);
    expect(second?.startedAtMs ?? 0).toBeGreaterThanOrEqual(first?.endedAtMs ?? 0);
  });
});
