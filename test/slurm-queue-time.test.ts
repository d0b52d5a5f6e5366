/** Queue times at a real cluster: a job that has not begun in time is held, cancelled and matched again. */
import { existsSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;

describe.skipIf(!hasSlurm)(`queue times at a cluster${howToInstallSlurm}`, { timeout: 900 * SECOND }, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("O", 1);
    // A full cluster, which no other test may wait for.
    broker = await slurmBroker(cluster, { procs: 4 });
    await broker.troubled(false);
  });
  afterAll(() => broker?.stop());

  it("EN-320 a job leaves the queue when its time is over, and one that began in time stays", async () => {
    const end = `${broker.folder}/end`;
    const queueTimeMs = 5 * SECOND;
    const line = `while [ ! -e ${end} ]; do sleep 0.2; done`;
    const size = { procs: 4, wallTimeMs: 600 * SECOND, queueTimeMs };
    await broker.submit("first", line, size);
    await broker.until("first", "RUNNING");
    await broker.submit("second", "echo ran", size);
    await broker.submit("third", "echo ran", { ...size, shallowRetryCount: -1 });
    expect(await broker.until("third", "ABORTED")).toMatchObject({
      ...{ abortReason: { kind: "waitedTooLong" }, startedAtMs: null },
    });
    await expect.poll(async () => (await broker.job("second")).attempt).toBeGreaterThan(1);
    writeFileSync(end, "");
    expect(await broker.until("first", "DONE")).toMatchObject({ attempt: 1, result: "ok" });
    // It may leave once more while the end of the first is noticed.
    expect(await broker.until("second", "DONE", "ABORTED")).toMatchObject({ retried: { at: ["cluster"] } });
    expect(existsSync(end)).toBe(true);
    expect(broker.warnings.filter((text) => text.includes("did not"))).toEqual([]);
  });
});
