import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import type { SimulationGiven, SimulationResultView, SimulationView } from "../src/contract/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const poisson = resolve(import.meta.dirname, "../examples/poisson.swf");
const pools = resolve(import.meta.dirname, "../examples/two-pools.workload.jsonl");
const today = { name: "today", discipline: "fcfs" } as const;
const changed = { name: "changed", discipline: "conservative", estimates: "exact" } as const;

let state: string;
let broker: LiveBroker;
let owner: StintClient;
const opened: StintClient[] = [];

beforeAll(async () => {
  state = temporaryFolder();
  await start();
});

/** Each test has the broker as a new one: a start takes longer than most of what is simulated here. */
afterEach(async () => {
  const { items } = await owner.call("listSimulations");
  for (const { id } of items) await owner.call("deleteSimulation", { params: { id } });
});

afterAll(async () => {
  for (const client of opened) client.close();
  await broker.end("SIGTERM");
});

async function start(): Promise<void> {
  broker = await startLiveBroker(state);
  owner = client(readFileSync(join(state, "admin.token"), "utf8").trim());
}

function client(token: string): StintClient {
  const made = createClient({ url: broker.url, token });
  opened.push(made);
  return made;
}

async function user(consumer: string): Promise<StintClient> {
  return client((await owner.createToken({ role: "user", consumer })).token);
}

/** Server-sent events of a simulation until its stream ends. */
async function watched(id: string, token?: string): Promise<readonly SimulationView[]> {
  const secret = token ?? readFileSync(join(state, "admin.token"), "utf8").trim();
  const response = await fetch(`${broker.url}/api/v1/simulations/${id}/watch`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data) as SimulationView);
}

async function begun(id: string): Promise<void> {
  while ((await owner.call("getSimulation", { params: { id } })).state !== "running") await setTimeout(20);
}

async function run(body: SimulationGiven): Promise<SimulationResultView> {
  const { id } = await owner.call("runSimulation", { body });
  const seen = await watched(id);
  expect(seen.at(-1)).toMatchObject({ state: "done", progress: 1, failure: null });
  return await owner.call("getSimulation", { params: { id } });
}

const clockFields = { trace: "", simulationMs: 0, readMs: 0 };

function simulated(words: readonly string[]): Record<string, unknown> {
  const { out, err } = stint(["sim", ...words, "-o", "json"]);
  expect(err).toBe("");
  return { ...(JSON.parse(out) as Record<string, unknown>), ...clockFields };
}

describe("simulations in a broker", () => {
  it("SI-98 of an uploaded trace have the results of stint sim", async () => {
    const base64 = gzipSync(readFileSync(poisson)).toString("base64");
    const wide = { name: "wide", discipline: "easy", procs: 256, priority: "size" } as const;
    const { results, version } = await run({
      name: "three rules",
      workload: { upload: { file: "poisson.swf.gz", base64 } },
      variants: [today, changed, wide],
    });
    const direct = [
      simulated([poisson, "--discipline", "fcfs"]),
      simulated([poisson, "--discipline", "conservative", "--estimates", "exact"]),
      simulated([poisson, "--discipline", "easy", "--procs", "256", "--priority", "size"]),
    ];
    const reports = results?.map(({ report }) => ({ ...report, ...clockFields, traceSha256: "" }));
    expect(reports).toEqual(direct.map((report) => ({ ...report, traceSha256: "" })));
    expect(results?.[0]?.report?.trace).toBe("poisson.swf.gz");
    expect(version).toBe(direct[0]?.version);
    const { summary, waitQuantilesSec = [], change } = results?.[1] ?? {};
    expect(waitQuantilesSec).toHaveLength(101);
    expect(waitQuantilesSec[50]).toBe(summary?.waitMedianSec);
    expect(waitQuantilesSec[95]).toBe(summary?.waitP95Sec);
    const difference = ((summary?.waitMeanSec ?? 0) - (results?.[0]?.summary.waitMeanSec ?? 0)) * 3000;
    expect(change?.netSec).toBeCloseTo(difference, 3);
    const users = change?.groups.filter(({ by }) => by === "user") ?? [];
    expect(users.reduce((sum, { netSec }) => sum + netSec, 0)).toBeCloseTo(difference, 3);
  });

  it("of an example have the schedule and the rows of stint sim --jobs-out", async () => {
    const { id } = await run({
      name: "rows",
      workload: { example: "poisson" },
      variants: [today, changed],
    });
    const file = join(state, "direct.csv");
    stint(["sim", poisson, "--discipline", "conservative", "--estimates", "exact", "--jobs-out", file]);
    const direct = readFileSync(file, "utf8").trim().split("\n").slice(1);
    const times = direct.map((line) => line.split(",").slice(0, 5).join(","));
    const secret = readFileSync(join(state, "admin.token"), "utf8").trim();
    const exported = await fetch(`${broker.url}/api/v1/simulations/${id}/jobs.csv`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(exported.headers.get("content-type")).toContain("text/csv");
    const rows = (await exported.text()).trim().split("\n");
    expect(rows[0]).toBe("variant,job_id,user,group,queue,procs,submit,start,end,wait");
    const ours = rows.filter((row) => row.startsWith("changed,")).map((row) => row.split(","));
    expect(ours.map((row) => [row[1], row[6], row[7], row[8], row[5]].join(","))).toEqual(times);
    const schedule = await owner.call("getSimulationSchedule", { params: { id }, query: { variant: 1 } });
    expect(schedule).toMatchObject({ variant: 1, procs: 128, jobs: 3000 });
    const bars = schedule.id.map((job, at) =>
      [job, schedule.submitSec[at], schedule.startSec[at], schedule.endSec[at], schedule.procsOf[at]].join(
        ",",
      ),
    );
    expect(bars.toSorted()).toEqual(times.toSorted());
  });

  it("of a record have the comparison of stint sim --what-if", async () => {
    const recorded = join(state, "recorded.swf");
    stint(["sim", poisson, "--discipline", "fcfs", "--jobs-out", recorded]);
    const { results } = await run({
      name: "a record",
      workload: { upload: { file: "recorded.swf", text: readFileSync(recorded, "utf8") }, isRecord: true },
      variants: [today, { name: "conservative", discipline: "conservative" }],
    });
    const direct = simulated([recorded, "--discipline", "fcfs", "--what-if", "discipline=conservative"]);
    expect(results?.[0]?.baseline).toEqual(direct.baseline);
    const change = direct.change as Record<string, unknown>;
    const { earlier, later, netSec, meanSec, incomparable, groups, isWithinError } = change;
    expect(results?.[1]?.change).toMatchObject({
      earlier,
      later,
      netSec,
      meanSec,
      incomparable,
      isWithinError,
    });
    expect(results?.[1]?.change?.groups).toEqual(groups);
  });

  it("of pools can have other pools", async () => {
    const { results } = await run({
      name: "more nodes",
      workload: { upload: { file: "pools.jsonl", text: readFileSync(pools, "utf8") } },
      variants: [today, { ...today, name: "four nodes", pools: [{ name: "gpu", nodes: 4 }] }],
    });
    expect(results?.map(({ procs }) => procs)).toEqual([192, 256]);
    expect(results?.[0]?.report).toMatchObject({ ...simulated([pools, "--discipline", "fcfs"]), ...times() });
    expect(results?.[1]?.change?.earlier.jobs).toBeGreaterThan(0);
  });

  it("of the workload of an earlier one are of that file", async () => {
    const first = await run({ name: "first", workload: { example: "two-pools" }, variants: [today] });
    const again = await run({ name: "again", workload: { again: first.id }, variants: [today, changed] });
    expect(again.workload).toEqual(first.workload);
    const { report } = first.results?.[0] ?? {};
    expect(again.results?.[0]?.report?.traceSha256).toBe(report?.traceSha256);
    const ann = await user("cms/higgs/ann");
    const body = { name: "not hers", workload: { again: first.id }, variants: [today] };
    await expect(ann.call("runSimulation", { body })).rejects.toMatchObject({ code: "unknownSimulation" });
  });

  it("that cannot be simulated say why, without a path of the broker", async () => {
    const { id } = await owner.call("runSimulation", {
      body: {
        name: "broken",
        workload: { upload: { file: "broken.swf", text: "; MaxProcs: 8\n1 2 three\n" } },
        variants: [today],
      },
    });
    const last = (await watched(id)).at(-1);
    expect(last).toMatchObject({ state: "failed", failure: { code: "swfFieldCount" } });
    expect(last?.failure?.what).toContain("broken.swf");
    expect(JSON.stringify(last)).not.toContain(state);
    await expect(owner.call("getSimulationSchedule", { params: { id } })).rejects.toMatchObject({
      code: "simulationNotDone",
    });
  });

  it("AP-9 under one key are one; another body under it is a conflict", async () => {
    const body = { name: "once", workload: { example: "poisson" }, variants: [today] };
    const key = { idempotencyKey: "k1" };
    const first = await owner.call("runSimulation", { body }, key);
    const second = await owner.call("runSimulation", { body }, key);
    expect(second.id).toBe(first.id);
    expect(await owner.call("listSimulations")).toMatchObject({ items: [{ id: first.id }] });
    const other = owner.call("runSimulation", { body: { ...body, name: "twice" } }, key);
    await expect(other).rejects.toMatchObject({ code: "idempotencyKeyReused" });
  });

  it("AP-18 are for their owner and who may see them, and by their address for all if shared", async () => {
    const [ann, bob] = [await user("cms/higgs/ann"), await user("cms/higgs/bob")];
    const body = { name: "mine", workload: { example: "two-pools" }, variants: [today] };
    const { id } = await ann.call("runSimulation", { body });
    const params = { id };
    expect(await ann.call("getSimulation", { params })).toMatchObject({ name: "mine", mine: true });
    await expect(bob.call("getSimulation", { params })).rejects.toMatchObject({ code: "unknownSimulation" });
    expect(await owner.call("getSimulation", { params })).toMatchObject({ owner: "cms/higgs/ann" });
    const renamed = await ann.call("changeSimulation", { params, body: { name: "ours", shared: true } });
    expect(renamed).toMatchObject({ name: "ours", shared: true });
    expect(await bob.call("getSimulation", { params })).toMatchObject({ name: "ours", mine: false });
    expect(await bob.call("listSimulations")).toEqual({ items: [] });
    await expect(bob.call("deleteSimulation", { params })).rejects.toMatchObject({ code: "notAllowed" });
    await ann.call("deleteSimulation", { params });
    await expect(ann.call("getSimulation", { params })).rejects.toMatchObject({ code: "unknownSimulation" });
  });

  it("SI-99 survive a restart; one that was cut off says so, and one that waited runs", async () => {
    const done = await run({ name: "done", workload: { example: "poisson" }, variants: [today] });
    const long = { name: "long", workload: longWorkload(), variants: variantsOf(8) };
    const cut = await owner.call("runSimulation", { body: long });
    await begun(cut.id);
    const short = { name: "short", workload: { example: "two-pools" }, variants: [today] };
    const waiting = await Promise.all([1, 2, 3].map(() => owner.call("runSimulation", { body: short })));
    await expect(owner.call("runSimulation", { body: short })).rejects.toMatchObject({
      code: "tooManySimulations",
    });
    await broker.end("SIGKILL");
    const damaged = join(state, "simulations", "damaged");
    mkdirSync(damaged);
    writeFileSync(join(damaged, "simulation.json"), "{");
    const left = join(state, "simulations", "left");
    mkdirSync(left);
    await start();
    expect([existsSync(damaged), existsSync(left)]).toEqual([true, false]);
    const again = await owner.call("getSimulation", { params: { id: done.id } });
    expect(again.results).toEqual(done.results);
    const told = await owner.call("getSimulation", { params: { id: cut.id } });
    expect(told).toMatchObject({
      state: "failed",
      failure: { code: "simulationInterrupted" },
      results: null,
    });
    for (const { id } of waiting) expect((await watched(id)).at(-1)?.state).toBe("done");
    rmSync(damaged, { recursive: true });
  });

  it("SI-99 are in a backup, and in the broker that is restored from it", async () => {
    const done = await run({ name: "kept", workload: { example: "two-pools" }, variants: [today] });
    const params = { id: done.id };
    const schedule = await owner.call("getSimulationSchedule", { params });
    const backup = join(temporaryFolder(), "kept.tar.gz");
    expect(stint(["backup", backup], state, broker.environment)).toMatchObject({ code: 0 });
    await broker.end("SIGTERM");
    state = join(temporaryFolder(), "restored");
    expect(stint(["restore", backup, "--state-dir", state])).toMatchObject({ code: 0 });
    await start();
    expect(await owner.call("getSimulation", { params })).toEqual(done);
    expect(await owner.call("getSimulationSchedule", { params })).toEqual(schedule);
    expect(await owner.call("listSimulations")).toMatchObject({ items: [{ id: done.id, name: "kept" }] });
  });

  it("that are deleted while they run end at once, and the next begins", async () => {
    const body = { name: "long", workload: longWorkload(), variants: variantsOf(8) };
    const params = { id: (await owner.call("runSimulation", { body })).id };
    await begun(params.id);
    await owner.call("deleteSimulation", { params });
    expect(await owner.call("listSimulations")).toEqual({ items: [] });
    await run({ name: "next", workload: { example: "two-pools" }, variants: [today] });
  });

  it("AP-4 are refused with the place where they are wrong", async () => {
    const wrong = [
      [{ workload: {} }, "/workload"],
      [{ workload: { example: "poisson", queue: "local" } }, "/workload"],
      [{ workload: { upload: { file: "x" } } }, "/workload/upload"],
      [{ workload: { upload: { file: "x", base64: "no base64!" } } }, "/workload/upload/base64"],
      [{ variants: [today, today] }, "/variants/1/name"],
      [{ variants: [{ ...today, priorityRules: "weights: {}" }] }, "/variants/0/priorityRules"],
      [{ variants: [{ name: "x", discipline: "exec:sh" }] }, "/variants/0/discipline"],
    ] as const;
    const secret = readFileSync(join(state, "admin.token"), "utf8").trim();
    for (const [part, pointer] of wrong) {
      const body = { name: "x", workload: { example: "poisson" }, variants: [today], ...part };
      const response = await fetch(`${broker.url}/api/v1/simulations`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(await response.json(), pointer).toMatchObject({ type: "urn:stint:invalidRequest", pointer });
    }
  });

  it("know no workload that the broker does not have", async () => {
    const body = { name: "x", workload: { example: "../../etc/passwd" }, variants: [today] };
    await expect(owner.call("runSimulation", { body })).rejects.toMatchObject({ code: "unknownWorkload" });
    const queue = { name: "x", workload: { queue: "local" }, variants: [today] };
    await expect(owner.call("runSimulation", { body: queue })).rejects.toMatchObject({
      code: "siteShowsNoJobs",
    });
    expect((await owner.call("listSimulationWorkloads")).items).toMatchObject([
      { name: "poisson", bytes: readFileSync(poisson).length },
      { name: "two-pools", bytes: readFileSync(pools).length },
    ]);
  });
});

function times() {
  return { trace: "pools.jsonl", simulationMs: expect.any(Number), readMs: expect.any(Number) };
}

/** A trace that takes seconds a variant. */
function longWorkload() {
  const file = join(state, "long.swf.gz");
  stint(["sim", "generate", "--model", "lublin", "--jobs", "20000", "--load", "0.95", "-o", file]);
  const packed = readFileSync(file);
  expect(gunzipSync(packed).length).toBeGreaterThan(0);
  return { upload: { file: "long.swf.gz", base64: packed.toString("base64") } };
}

function variantsOf(count: number) {
  return Array.from({ length: count }, (_, at) => ({ ...changed, name: `variant ${at}` }));
}
