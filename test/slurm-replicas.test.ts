/** Replicas of jobs in the queues of a real cluster and of this machine: each begins at one of them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 200 };

describe.skipIf(!hasSlurm)(`replicas of jobs${howToInstallSlurm}`, { timeout: 300 * SECOND }, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("X", 1, { KillWait: "2" });
    broker = await slurmBroker(cluster, { procs: 4 });
    await broker.troubled(false);
    const local = {
      procs: 1,
      memoryBytes: 2 ** 30,
      discipline: "fcfs",
      defaultWallTimeMs: 3600 * SECOND,
    } as const;
    await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: { type: "managed", ...local } });
  });
  afterAll(() => broker?.stop());

  const wallTimeMs = 60 * SECOND;
  const replicas = async (id: string) =>
    Object.fromEntries(((await broker.job(id)).replicas ?? []).map(({ site, state }) => [site, state]));
  const holders = () => broker.brokerApi.query("pilots").filter((it) => it.replicaOf !== undefined);

  it("EN-311 a job begins where it can first, and its other replica leaves the queue", async () => {
    const started = `echo $SLURM_JOB_ID >> ${broker.folder}/ran`;
    await broker.submit("busy", "exec sleep 600", { site: "here" });
    await broker.until("busy", "RUNNING");
    await broker.submit("a", `${started}; echo done`, { wallTimeMs, replicas: 2 });
    expect(await broker.until("a", "DONE")).toMatchObject({ site: "cluster", result: "ok" });
    expect(await broker.output("a")).toBe("done\n");
    expect(await replicas("a")).toEqual({ cluster: "GRANTED", here: "NOT_BEGUN" });

    // The whole cluster is down for new jobs: now this machine is first.
    const [partition] = (await cluster.slurm("sinfo", "-h", "-o", "%R")).out.trim().split("\n");
    await cluster.slurm("scontrol", "update", `PartitionName=${partition}`, "State=DOWN");
    await broker.submit("b", `${started}; echo done`, { wallTimeMs, replicas: 2 });
    await expect.poll(async () => Object.values(await cluster.queue()), POLL).toEqual(["PENDING"]);
    await broker.ask("cancel", "busy");
    expect(await broker.until("b", "DONE")).toMatchObject({ site: "here", result: "ok" });
    await expect.poll(() => cluster.queue(), POLL).toEqual({});
    expect(await replicas("b")).toEqual({ cluster: "NOT_BEGUN", here: "GRANTED" });
    await expect.poll(() => holders().map(({ state }) => state), POLL).toEqual(["ENDED", "ENDED"]);
  });
});
