import { describe, expect, it } from "vitest";
import {
  add,
  clock,
  logbook,
  pass,
  start,
  submit,
  warnings,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { exited, running, scriptedSite } from "../../test/scripted-site.ts";
import { JOB_DEFAULTS, type SiteSpec } from "../model/index.ts";
import { projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite, Retention } from "./index.ts";

worldForEach();

const DAY = 24 * 3_600_000;
const HERE: SiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: DAY },
};

/** A broker with a site whose jobs end with a code; what is purged there is noted, unless it fails. */
async function scene(retention: Retention = {}, exitCode = 0) {
  const purged: string[] = [];
  const site = { answers: true };
  const openSite = async (): Promise<OpenSite> => {
    const scripted = scriptedSite(({ token }) => {
      clock.wakeAt(clock.nowMs() + 100, () => scripted.tell(running(token, clock.nowMs())));
      clock.wakeAt(clock.nowMs() + 500, () => scripted.tell(exited(token, clock.nowMs(), exitCode)));
    });
    scripted.purge = async (token) => {
      if (!site.answers) throw new Error("no answer");
      purged.push(token);
    };
    return { kind: "managed", site: scripted };
  };
  const broker = await start({ openSite, retention });
  await add(broker, "here", HERE);
  return { broker, purged, site };
}

async function isRebuiltAlike(broker: Broker): Promise<boolean> {
  await broker.stop();
  return (await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).length === 0;
}

describe("files and records of jobs that are over", () => {
  it("BR-260 BR-261 EN-263 on request: DONE, CLEARED, PURGED, each once, and what it was stays", async () => {
    const { broker, purged } = await scene({}, 3);
    const { brokerApi } = broker;
    await submit(broker, "1", "here");
    expect(await brokerApi.purgeJob("1", "u1")).toMatchObject({ refusal: { kind: "jobNotOver" } });
    await pass(2000);
    expect(await brokerApi.job("1")).toMatchObject({ state: "DONE", exitCode: 3 });
    expect(await Promise.all([1, 2].map(() => brokerApi.clearFiles("1", "u1")))).toMatchObject([
      { ok: true },
      { ok: true, value: [] },
    ]);
    expect(await brokerApi.job("1")).toMatchObject({ state: "CLEARED", result: "failed", exitCode: 3 });
    const after = { ...JOB_DEFAULTS, executable: "true", after: ["failed:1"] };
    const asked = await brokerApi.ask({
      ...{ kind: "submit", job: "2", description: after, consumer: "vo/user", owner: "u1" },
    });
    expect(asked.ok).toBe(true);
    await pass(2000);
    expect(await brokerApi.job("2")).toMatchObject({ state: "DONE" });
    await brokerApi.purgeJob("1", "u1");
    await brokerApi.clearFiles("1", "u1");
    const gone = await brokerApi.job("1");
    expect(gone).toMatchObject({ state: "PURGED", retired: { from: "DONE" }, exitCode: 3 });
    expect(purged).toEqual(["1/1"]);
    const { items } = await brokerApi.jobs({ states: ["PURGED"] });
    expect(items.map(({ id }) => id)).toEqual(["1"]);
    expect(await brokerApi.purgeJob("3", "u1")).toMatchObject({ refusal: { kind: "unknownJob" } });
    expect(await isRebuiltAlike(broker)).toBe(true);
  });

  it("BR-260 one that was cancelled keeps its state, and its report", async () => {
    const { broker } = await scene();
    await submit(broker, "1", "here");
    await broker.brokerApi.ask({ kind: "cancel", job: "1" });
    await broker.brokerApi.clearFiles("1", "u1");
    const cleared = await broker.brokerApi.job("1");
    expect(cleared).toMatchObject({ state: "CANCELLED", retired: { from: "CANCELLED" } });
    await broker.brokerApi.purgeJob("1", "u1");
    const [sums] = await broker.brokerApi.reportJobs({ by: [], time: "submitted" });
    expect(sums).toMatchObject({ jobs: 1, cancelled: 1 });
  });

  it("BR-262 BR-282 the retention leaves the states of sub-jobs until their DAG is over", async () => {
    const { broker, purged } = await scene({ filesMs: 10 * DAY });
    const description = { ...JOB_DEFAULTS, executable: "true" };
    const nodes = [
      { name: "p", description, parents: [], steps: { count: 2, maxParts: 1 } },
      { name: "post", description, parents: [0] },
    ];
    const { brokerApi } = broker;
    await brokerApi.ask({
      ...{ kind: "submitDag", dag: "d", plan: { userTags: {}, nodes }, consumer: "vo/user", owner: "u1" },
    });
    await brokerApi.ask({ kind: "actOnDag", dag: "d", verb: "hold", nodes: ["post"], by: "u1" });
    await submit(broker, "1", "here");
    await pass(12 * DAY);
    expect(await brokerApi.job("d-0")).toMatchObject({ state: "DONE" });
    expect(purged).toEqual(["1/1"]);
    await brokerApi.ask({ kind: "actOnDag", dag: "d", verb: "cancel", nodes: ["post"], by: "u1" });
    await pass(2 * DAY);
    expect(await brokerApi.job("d-0")).toMatchObject({ state: "CLEARED" });
  });

  it("BR-262 by the retention, when old enough; a site without an answer keeps its own", async () => {
    const { broker, purged, site } = await scene({ filesMs: 10 * DAY, recordsMs: 20 * DAY });
    const stateOf = async (id: string) => (await broker.brokerApi.job(id))?.state;
    for (const id of ["1", "2"]) await submit(broker, id, "here");
    await submit(broker, "3", "here");
    await broker.brokerApi.ask({ kind: "cancel", job: "3" });
    await pass(9 * DAY);
    expect([await stateOf("1"), purged]).toEqual(["DONE", []]);
    site.answers = false;
    await pass(2 * DAY);
    expect(await stateOf("1")).toBe("DONE");
    expect((await broker.brokerApi.job("3"))?.retired?.clearedAtMs).toBeDefined();
    expect(warnings).toContain("job 1 cannot be cleared or purged yet, and is tried again: no answer");
    site.answers = true;
    await pass(DAY);
    expect([await stateOf("1"), await stateOf("2"), await stateOf("3")]).toEqual([
      "CLEARED",
      "CLEARED",
      "CANCELLED",
    ]);
    await pass(9 * DAY);
    expect([await stateOf("1"), await stateOf("3")]).toEqual(["PURGED", "PURGED"]);
    expect(purged.sort()).toEqual(["1/1", "2/1"]);
    expect(await isRebuiltAlike(broker)).toBe(true);
  });
});
