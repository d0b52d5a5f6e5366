/** Simulations of what a site shows: who may have them, and that they are those of the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Identity, JobRecord, LiveQueue } from "../src/model/index.ts";
import type { Simulations } from "../src/runtime/index.ts";
import { openSimulations, whatIf } from "../src/sim/index.ts";
import { type Serving, serve } from "./api/serving.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const ann: Identity = { owner: "ann", consumer: "cms/ann", role: "user" };
const bob: Identity = { owner: "bob", consumer: "cms/bob", role: "user" };
const admin: Identity = { owner: "root", consumer: "local/root", role: "admin" };
const MIN_MS = 60_000;
const at = (min: number) => Date.UTC(2026, 10, 20) + min * MIN_MS;

const waiting = (siteJob: string, procs: number, limitMin: number, user: string) => ({
  ...{ siteJob, queue: "main", user, account: null, need: [procs, 0, 0] as const, pools: [0] },
  ...{ limitMs: limitMin * MIN_MS, expectedStartAtMs: null },
});
const queue: LiveQueue = {
  ...{ atMs: at(0), discipline: "fcfs", countsMemory: false, reserved: [] },
  pools: [{ name: "main", capacity: [8, 0, 0] }],
  running: [{ pool: 0, need: [6, 0, 0], startAtMs: at(-5), endAtMs: at(60) }],
  waiting: [waiting("17", 8, 60, "ann"), waiting("18", 2, 30, "bob")],
  leftOut: { forTheirOwn: 0, tooWide: 0, inReservations: 0 },
};
const variants = [{ name: "today" }, { name: "backfilling", discipline: "easy" as const }];

let caller = ann;

interface Scene extends Serving {
  readonly site: string;
  readonly simulations: Simulations;
}

async function serving(): Promise<Scene> {
  const simulations = await openSimulations({
    ...{ directory: join(folder, String(Math.random())), version: "1", nowMs: () => at(0), examples: [] },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => simulations.close());
  const served = await serve({ identify: () => caller, simulations, nowMs: () => at(0) });
  return { ...served, simulations, site: served.brokerApi.sites()[0]?.name ?? "" };
}

async function done({ client, simulations }: Scene, id: string) {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (simulations.find(id)?.endedAtMs !== null) resolve();
    };
    simulations.onChange(look);
    look();
  });
  const view = await client.call("getSimulation", { params: { id } });
  expect(view).toMatchObject({ state: "done", failure: null });
  return view;
}

describe("simulations of a live queue", () => {
  it("SI-98 begin with what runs, under the discipline of the cluster, as --from-live does", async () => {
    caller = ann;
    const served = await serving();
    const { client, brokerApi, site } = served;
    brokerApi.queuedThere = { queue, hidden: [], areJobsPrivate: false };
    const { lines } = await client.queueThere(site);
    const file = join(folder, "queue.workload.jsonl");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const body = { name: "now", workload: { queue: site }, variants };
    const { id } = await client.call("runSimulation", { body });
    const { results, workload } = await done(served, id);
    expect(workload).toMatchObject({ kind: "queue", site, isRecord: true, at: "2026-11-20T00:00:00.000Z" });
    const rules = { discipline: "fcfs", estimates: "requested", overrun: "extend", lenient: false } as const;
    const direct = await whatIf(
      { simulation: { trace: file, ...rules }, changes: ["discipline=easy"], live: "now" },
      "1",
    );
    const { earlier, later, netSec } = direct.change ?? {};
    expect(results?.[1]?.change).toMatchObject({ earlier, later, netSec });
    // Job 18 fits beside what runs; without backfilling it waits behind job 17.
    expect(earlier).toMatchObject({ jobs: 1, totalSec: 7200 });
    const schedule = await client.call("getSimulationSchedule", { params: { id }, query: { variant: 1 } });
    expect(schedule).toMatchObject({ jobs: 3, id: ["running 1", "18", "17"], startSec: [0, 0, 3600] });
  });

  it("are for those who may see the queue, also when they are shared", async () => {
    const served = await serving();
    const { client, brokerApi, site } = served;
    const body = { name: "now", workload: { queue: site }, variants, shared: true };
    caller = ann;
    brokerApi.queuedThere = { queue, hidden: [], areJobsPrivate: true };
    await expect(client.call("runSimulation", { body })).rejects.toMatchObject({ code: "notAllowed" });
    caller = admin;
    const { id } = await client.call("runSimulation", { body });
    await done(served, id);
    caller = ann;
    const unknown = { code: "unknownSimulation" };
    await expect(client.call("getSimulation", { params: { id } })).rejects.toMatchObject(unknown);
    const again = { ...body, workload: { again: id } };
    await expect(client.call("runSimulation", { body: again })).rejects.toMatchObject(unknown);
    expect(await client.call("listSimulations")).toEqual({ items: [] });
  });

  it("are refused where nothing waits", async () => {
    caller = ann;
    const { client, brokerApi, site } = await serving();
    brokerApi.queuedThere = { queue: { ...queue, waiting: [] }, hidden: [], areJobsPrivate: false };
    const body = { name: "now", workload: { queue: site }, variants };
    await expect(client.call("runSimulation", { body })).rejects.toMatchObject({ code: "queueEmpty" });
  });
});

describe("simulations of a site's past", () => {
  const ended = (startMin: number, ranMin: number): Partial<JobRecord> => ({
    ...({ state: "DONE", result: "ok", exitCode: 0, attempt: 1 } as const),
    ...{ submittedAtMs: at(-600), startedAtMs: at(startMin), startDecidedAtMs: at(startMin) },
    endedAtMs: at(startMin + ranMin),
  });
  const asked = (site: string) => ({
    ...{ name: "past", workload: { past: { site, since: new Date(at(-600)).toISOString() } } },
    variants,
  });

  it("replay what the caller may see of it, and compare with when it started", async () => {
    const served = await serving();
    const { client, brokerApi, site } = served;
    brokerApi.put(
      "aaaaaaaaaaaa",
      { ...ended(-500, 60), site, owner: "ann", consumer: "cms/ann" },
      { procs: 2 },
    );
    brokerApi.put(
      "bbbbbbbbbbbb",
      { ...ended(-400, 30), site, owner: "bob", consumer: "cms/bob" },
      { procs: 1 },
    );
    caller = admin;
    const { id } = await client.call("runSimulation", { body: asked(site) });
    const { results, workload } = await done(served, id);
    expect(workload).toMatchObject({ kind: "past", site, isRecord: true });
    expect(results?.[0]?.baseline).toMatchObject({ jobs: 2 });
    const schedule = await client.call("getSimulationSchedule", { params: { id } });
    expect(schedule.users.toSorted()).toEqual(["ann", "bob"]);
    const period = { site, time: "ended", sinceMs: at(-600), untilMs: at(0) };
    expect(brokerApi.queries.at(-1)).toEqual({ ...period, limit: 1000 });
    caller = bob;
    const own = await client.call("runSimulation", { body: asked(site) });
    expect(brokerApi.queries.at(-1)).toMatchObject({
      ...period,
      of: { owner: "bob", consumer: "cms/bob" },
    });
    const unknown = { code: "unknownSimulation" };
    await expect(client.call("getSimulation", { params: { id } })).rejects.toMatchObject(unknown);
    await done(served, own.id);
  });

  it("are refused where nothing ended", async () => {
    caller = ann;
    const { client, site } = await serving();
    await expect(client.call("runSimulation", { body: asked(site) })).rejects.toMatchObject({
      code: "noPastJobs",
    });
  });
});
