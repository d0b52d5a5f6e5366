/** Pilots on a real cluster: jobs of Stint share few jobs of Slurm's, and outlive the end of one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: SECOND };
const about = { timeout: 300 * SECOND };

describe.skipIf(!hasSlurm)(`pilots on a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("Q", 1, { KillWait: "2" });
    const pilots = { max: 1, procs: 2, wallTimeMs: 600 * SECOND, idleMs: 0, consumer: "pilots" };
    broker = await slurmBroker(cluster, { procs: 4, pilots });
    await broker.troubled(false);
  });
  afterAll(() => broker?.stop());

  const pilots = () => broker.brokerApi.query("pilots");
  const wallTimeMs = 60 * SECOND;

  it("EN-301 EN-303 jobs share a pilot, and those of a killed one run again", async () => {
    const line = "echo $SLURM_JOB_ID $$; sleep 2; echo done";
    for (let at = 0; at < 6; at++) await broker.submit(`p${at}`, line, { wallTimeMs });
    for (let at = 0; at < 6; at++)
      expect(await broker.until(`p${at}`, "DONE")).toMatchObject({ result: "ok" });
    const outputs = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => broker.output(`p${at}`)));
    expect(new Set(outputs.map((text) => text.split(" ")[0])).size).toBe(1);
    await expect.poll(() => pilots().map(({ state }) => state), POLL).toEqual(["ENDED"]);
    expect(pilots()).toMatchObject([{ taken: 6, drained: "idle" }]);

    await broker.submit("long", `echo $$ >> ${broker.folder}/ran; exec sleep 600`, {
      wallTimeMs: 300 * SECOND,
    });
    const { pilot = "" } = await broker.until("long", "RUNNING");
    const { siteJob } = await broker.job(pilot);
    await cluster.slurm("scancel", siteJob ?? "");
    await expect.poll(async () => (await broker.job("long")).attempt, POLL).toBe(2);
    const again = await broker.until("long", "RUNNING");
    expect(again).toMatchObject({ retried: { deep: 1 } });
    expect(again.pilot).not.toBe(pilot);
    await broker.ask("cancel", "long");
    expect(await broker.until("long", "CANCELLED")).toMatchObject({ state: "CANCELLED" });
    await expect.poll(() => pilots().every(({ state }) => state === "ENDED"), POLL).toBe(true);
  });
});
