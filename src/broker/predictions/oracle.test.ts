/** What the thread of predictions does, in this thread. */
import { describe, expect, it } from "vitest";
import { aCluster, aJob, aNode, MINUTE_MS, NOW_MS } from "../../../test/cluster-scene.ts";
import { foreignSpec } from "../../../test/engine-scene.ts";
import {
  factsOf,
  jobAtCluster,
  ONLY_QUEUE,
  type PastJob,
  shapeOfCluster,
  shapeOfSite,
} from "../../engine/index.ts";
import type { JobEvent } from "../../predict/index.ts";
import { createOracle, type Oracle } from "./oracle.ts";
import type { Asked, AskedWhen, Tasks } from "./protocol.ts";

const shape = shapeOfSite(foreignSpec(4));
const facts = factsOf({
  id: "?",
  queue: ONLY_QUEUE,
  user: "u",
  procs: 1,
  memoryBytes: 0,
  limitMs: MINUTE_MS,
});
const state = { nowMs: NOW_MS, capacity: [4, 0], discipline: "easy", jobs: [], reservations: [] } as const;

function past(count: number, queue = ONLY_QUEUE): readonly PastJob[] {
  return Array.from({ length: count }, (_, at): PastJob => {
    const eligibleAtMs = NOW_MS - (count - at) * MINUTE_MS;
    const times = { eligibleAtMs, startedAtMs: eligibleAtMs + (at % 7), endedAtMs: eligibleAtMs + 30_000 };
    return { id: String(at), queue, user: "u", procs: 1, memoryBytes: 0, limitMs: MINUTE_MS, ...times };
  });
}

function ask<Kind extends keyof Tasks>(oracle: Oracle, kind: Kind, asks: Tasks[Kind]["asks"]) {
  return oracle.carryOut({ id: 1, kind, asks } as Asked) as Promise<Tasks[Kind]["answer"]>;
}
const when = (oracle: Oracle, more: Partial<AskedWhen> = {}) => {
  const asked = { site: "s", facts, nowMs: NOW_MS, state, deadlineMs: null, cluster: null, answerMs: 5 };
  return ask(oracle, "when", { ...asked, ...more });
};

describe("the predictor", () => {
  it("BR-16 learns a past and predicts by every method that has a record", async () => {
    const oracle = createOracle();
    await ask(oracle, "past", { site: "s", shape, jobs: past(300), isWhole: true });
    const { forecast, otherMethods, learnt } = await when(oracle);
    expect(learnt).toEqual({ past: 300, live: 0 });
    expect([forecast?.method, ...otherMethods.map(({ method }) => method)].sort()).toEqual([
      "history",
      "schedule",
      "similarity",
      "simulation",
    ]);
  });

  it("BR-16 does not simulate a queue of which it knows only our jobs", async () => {
    const oracle = createOracle();
    await ask(oracle, "past", { site: "s", shape, jobs: past(300), isWhole: false });
    const { forecast, otherMethods } = await when(oracle);
    expect([forecast?.method, ...otherMethods.map(({ method }) => method)]).toEqual(["history"]);
  });

  it("BR-63 gives response times: simulated once something was learned, else by schedule", async () => {
    const oracle = createOracle();
    const asked = { site: "s", facts, nowMs: NOW_MS, state, deadlineMs: null, cluster: null, answerMs: 5 };
    expect(await ask(oracle, "respond", asked)).toEqual({
      atMs: NOW_MS,
      estimated: { waitMs: 0, method: "schedule", score: null },
      worst: null,
    });
    await ask(oracle, "past", { site: "s", shape, jobs: past(300), isWhole: true });
    const { estimated, worst } = await ask(oracle, "respond", asked);
    expect([estimated?.method, worst?.method]).toEqual(["simulation", "simulation"]);
    expect(worst?.score?.kept.at(-1)).toMatchObject({ probability: 0.95 });
  });

  it("BR-16 learns from events; of unknown sites nothing is known", async () => {
    const oracle = createOracle();
    const submitted = { kind: "submitted", atMs: NOW_MS, job: { ...facts, id: "1" } } as const;
    const started = { kind: "started", atMs: NOW_MS + 1, id: "1" } as const;
    const events = [submitted, started].map((event) => ({ event, isLate: false }));
    await ask(oracle, "events", { site: "s", events });
    expect((await when(oracle)).learnt).toEqual({ past: 0, live: 0 });
    await ask(oracle, "past", { site: "s", shape, jobs: [], isWhole: true });
    await ask(oracle, "events", { site: "s", events });
    expect(await when(oracle)).toMatchObject({ forecast: null, learnt: { past: 0, live: 1 } });
  });

  it("BR-16 keeps what was promised to a job when it came, until it starts", async () => {
    const oracle = createOracle();
    await ask(oracle, "past", { site: "s", shape, jobs: past(300), isWhole: true });
    const tell = (event: JobEvent) =>
      ask(oracle, "events", { site: "s", events: [{ event, isLate: false }] });
    await tell({ kind: "submitted", atMs: NOW_MS, job: { ...facts, id: "new" } });
    const promised = () => ask(oracle, "promised", { site: "s", ids: ["unknown", "new"] });
    const [none, starts] = await promised();
    expect(none).toEqual([]);
    expect(starts.at(-1)?.probability).toBe(0.95);
    for (const { startAtMs } of starts) expect(startAtMs).toBeGreaterThanOrEqual(NOW_MS);
    await tell({ kind: "submitted", atMs: NOW_MS + 1, job: { ...facts, id: "later" } });
    expect(await promised()).toEqual([[], starts]);
    await tell({ kind: "started", atMs: NOW_MS + 2, id: "new" });
    expect(await promised()).toEqual([[], []]);
    expect(await ask(oracle, "promised", { site: "other", ids: ["new"] })).toEqual([[]]);
  });

  it("BR-17 answers for other sites while a long past is learned, in order per site", async () => {
    const oracle = createOracle();
    const order: string[] = [];
    const long = ask(oracle, "past", { site: "s", shape, jobs: past(3000), isWhole: true }).then(() =>
      order.push("past"),
    );
    const then = ask(oracle, "events", { site: "s", events: [] }).then(() => order.push("events"));
    const other = when(oracle, { site: "other" }).then(() => order.push("other"));
    await Promise.all([long, then, other]);
    expect(order).toEqual(["other", "past", "events"]);
  });

  it("BR-17 forgets a site whose task fails, and goes on with the others", async () => {
    const oracle = createOracle();
    await ask(oracle, "past", { site: "s", shape, jobs: past(60), isWhole: true });
    await ask(oracle, "past", { site: "t", shape, jobs: past(60), isWhole: true });
    await expect(ask(oracle, "events", { site: "s", events: undefined as never })).rejects.toThrow();
    expect((await when(oracle)).learnt.past).toBe(0);
    expect((await when(oracle, { site: "t" })).learnt.past).toBe(60);
  });

  it("BR-16 a cluster's schedule is its own, and new jobs get new predictions", async () => {
    const oracle = createOracle();
    const busy = aJob("1", { state: "running", procs: 16, nodes: ["n1", "n2", "n3", "n4"], nodeCount: 4 });
    const nodes = busy.nodes.map((name) => aNode(name, { allocatedProcs: 4, states: ["ALLOCATED"] }));
    const cluster = aCluster({
      nodes,
      jobs: [busy, aJob("2", { submittedAtMs: NOW_MS, eligibleAtMs: NOW_MS })],
    });
    const job = jobAtCluster(cluster, "main", {
      procs: 1,
      memoryBytes: 0,
      gpus: 0,
      limitMs: MINUTE_MS,
      queue: null,
    });
    await ask(oracle, "past", {
      site: "s",
      shape: shapeOfCluster(cluster),
      jobs: past(300, "main"),
      isWhole: true,
    });
    const id = "2@0";
    const submitted = { kind: "submitted", atMs: NOW_MS, job: { ...facts, id, queue: "main" } } as const;
    await ask(oracle, "events", { site: "s", events: [{ event: submitted, isLate: false }] });
    await ask(oracle, "look", { site: "s", snapshot: cluster, jobs: [{ siteJob: "2", id }] });
    const asked = {
      facts: { ...facts, queue: "main" },
      state: undefined,
      cluster: { snapshot: cluster, job },
    };
    // Nobody waited in its past: of promises to one who waits there is no record.
    const { forecast, noRecord } = await when(oracle, asked);
    expect(forecast).toBeNull();
    expect(noRecord?.scheduled?.waitMs).toBe(29 * MINUTE_MS);
    expect(noRecord?.scheduled?.assumptions).toContain("comesLast");
  });

  it("BR-63 explains a job in a long queue", async () => {
    const jobs = Array.from({ length: 400 }, (_, at) => aJob(String(at), { priority: 1000 - at, procs: 4 }));
    const answer = await ask(createOracle(), "explain", { snapshot: aCluster({ jobs }), siteJob: "399" });
    expect(answer?.prediction?.startAtMs).toBeGreaterThan(NOW_MS);
  });
});
