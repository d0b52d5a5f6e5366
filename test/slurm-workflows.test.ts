/** A workflow on a real cluster: one pilot in a reservation runs many tasks, and Slurm sees one job. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const ID = "slurmworkflw";
const TASKS = 60;
const POLL = { timeout: 300 * SECOND, interval: SECOND };
const about = { timeout: 300 * SECOND };

describe.skipIf(!hasSlurm)(`a workflow on a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("K", 1, { KillWait: "2" });
    broker = await slurmBroker(cluster, { procs: 4 });
    await broker.troubled(false);
  });
  afterAll(() => broker?.stop());

  it("EN-211 many tasks are one job of Slurm, in the reservation of the plan", async () => {
    const startMs = Date.now() + 15 * SECOND;
    const endMs = startMs + 240 * SECOND;
    const program = { executable: "sh", arguments: ["-c", "echo $SLURM_JOB_RESERVATION"], environment: {} };
    const first = Array.from({ length: TASKS }, (_, at) => ({
      ...{ id: `t${at}`, procs: 1, runtimeMs: SECOND, parents: [] as number[], program },
    }));
    const last = { id: "last", procs: 2, runtimeMs: SECOND, parents: first.map((_, at) => at), program };
    const pilot = { job: `${ID}-p0`, reservation: `${ID}-r0`, site: "cluster", procs: 2, startMs, endMs };
    const step = 3 * SECOND;
    const places = [...first, last].map((_, task) => {
      const beginMs = startMs + Math.floor(task / 2) * step;
      return { task, pilot: 0, startMs: beginMs, endMs: beginMs + step };
    });
    const answer = await broker.brokerApi.ask({
      ...{ kind: "startWorkflow", workflow: ID, name: "many", owner: "u", consumer: "vo/user" },
      ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
      ...{ tasks: [...first, last], pilots: [pilot], places },
    });
    expect(answer).toMatchObject({ ok: true });
    const state = () => broker.brokerApi.query("workflows").find(({ id }) => id === ID)?.state;
    await expect.poll(state, POLL).not.toBe("RUNNING");
    const tasks = broker.brokerApi.query("workflowTasks", ID);
    expect({ state: state(), failed: tasks.filter(({ exitCode }) => exitCode !== 0) }).toEqual({
      state: "DONE",
      failed: [],
    });
    const { items } = await broker.brokerApi.jobs({});
    expect(items.map(({ id }) => id)).toEqual([`${ID}-p0`]);
    await expect
      .poll(async () => (await broker.brokerApi.reservation(`${ID}-r0`))?.state, POLL)
      .toBe("RELINQUISHED");
    const output = await broker.brokerApi.readFile(`${ID}-p0`, {
      ...{ name: `tasks/${TASKS}.1/stdout`, fromByte: 0, maxBytes: 1000 },
    });
    expect(new TextDecoder().decode(output?.bytes)).toMatch(/^stint-/);
  });
});
