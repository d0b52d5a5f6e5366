/** A workflow on a real cluster: one pilot in a reservation runs many tasks, and Slurm sees one job. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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

  it("EN-215 files reach the pilot and pass from task to task; the result is brought", async () => {
    const id = "slurmflfiles";
    const startMs = Date.now() + 15 * SECOND;
    const endMs = startMs + 180 * SECOND;
    writeFileSync(join(broker.folder, "seed"), "seed\n");
    const shell = (line: string) => ({ executable: "sh", arguments: ["-c", line], environment: {} });
    const task = (of: string, parents: number[], line: string) => ({
      ...{ id: of, procs: 1, runtimeMs: SECOND, parents, program: shell(line) },
    });
    const unknown = { bytes: null, checksum: null };
    const pilot = { job: `${id}-p0`, reservation: `${id}-r0`, site: "cluster", procs: 1, startMs, endMs };
    const places = [0, 1].map((at) => ({
      ...{ task: at, pilot: 0, startMs: startMs + 60 * at * SECOND },
      endMs: startMs + 60 * (at + 1) * SECOND,
    }));
    const answer = await broker.brokerApi.ask({
      ...{ kind: "startWorkflow", workflow: id, name: "files", owner: "u", consumer: "vo/user" },
      ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
      tasks: [
        { ...task("a", [], "cat seed > x; echo a >> x"), reads: [0], writes: [1] },
        { ...task("b", [0], "cat x > y; echo b >> y"), reads: [1], writes: [2] },
      ],
      files: [
        { name: "seed", writer: null, isResult: false, ...unknown },
        { name: "x", writer: 0, isResult: false, ...unknown },
        { name: "y", writer: 1, isResult: true, ...unknown },
      ],
      ...{ sources: [`${broker.folder}/./seed`], pilots: [pilot], places },
    });
    expect(answer).toMatchObject({ ok: true });
    const state = () => broker.brokerApi.query("workflows").find((one) => one.id === id)?.state;
    await expect.poll(state, POLL).toBe("DONE");
    const brought = broker.brokerApi.readWorkflowFile(id, "y");
    expect(brought && (await text(brought))).toBe("seed\na\nb\n");
    const copies = () => broker.brokerApi.query("workflowFiles", id).map((file) => file.copies.length);
    await expect.poll(copies, POLL).toEqual([0, 0, 0]);
    // What it held is free for the next.
    await expect
      .poll(async () => (await broker.brokerApi.reservation(`${id}-r0`))?.state, POLL)
      .toBe("RELINQUISHED");
  });

  it("EN-211 priorities, a category and the final task hold in a pilot, even if a task fails", async () => {
    const id = "slurmdagrule";
    const startMs = Date.now() + 15 * SECOND;
    const endMs = startMs + 180 * SECOND;
    const task = (of: string, parents: number[], line: string, rules: object = {}) => ({
      ...{ id: of, procs: 1, runtimeMs: 5 * SECOND, parents, ...rules },
      program: { executable: "sh", arguments: ["-c", line], environment: {} },
    });
    const io = (priority: number) => ({ category: "io", priority });
    const tasks = [
      task("first", [], "true"),
      task("low", [0], "sleep 2", io(-5)),
      task("middle", [0], "sleep 2", io(0)),
      task("high", [0], "sleep 2", io(10)),
      task("bad", [0], "exit 3"),
      task("after bad", [4], "true"),
      task("last", [], "true", { isFinal: true }),
    ];
    const pilot = { job: `${id}-p0`, reservation: `${id}-r0`, site: "cluster", procs: 2, startMs, endMs };
    const places = tasks.map((_, at) => ({
      ...{ task: at, pilot: 0, startMs: startMs + 20 * at * SECOND },
      endMs: startMs + 20 * (at + 1) * SECOND,
    }));
    const answer = await broker.brokerApi.ask({
      ...{ kind: "startWorkflow", workflow: id, name: "rules", owner: "u", consumer: "vo/user" },
      ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
      ...{ limits: { maxRunningOf: { io: 1 } }, tasks, pilots: [pilot], places },
    });
    expect(answer).toMatchObject({ ok: true });
    const state = () => broker.brokerApi.query("workflows").find((one) => one.id === id)?.state;
    await expect.poll(state, POLL).not.toBe("RUNNING");
    const ran = broker.brokerApi.query("workflowTasks", id);
    expect(state(), JSON.stringify(ran)).toBe("DONE");
    expect(ran.map((one) => one.state)).toEqual([
      ...["DONE", "DONE", "DONE", "DONE", "FAILED", "WAITING", "DONE"],
    ]);
    const [, low, middle, high, , , last] = ran.map((one) => [one.startedAtMs ?? 0, one.endedAtMs ?? 0]);
    const inTurn = [high, middle, low, last].flat();
    expect(inTurn).toEqual(inTurn.toSorted((one, other) => one - other));
  });
});
