/** Scores from a site's past, and what is said of a start. */
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aJob,
  aNode,
  aPartition,
  aReservation,
  MINUTE_MS,
  NOW_MS,
} from "../../../test/cluster-scene.ts";
import { foreignSpec } from "../../../test/engine-scene.ts";
import { simulateStarts } from "../../predict/index.ts";
import { scheduleAtCluster, scheduleOfWaiting } from "./cluster-forecast.ts";
import { shapeOfCluster, stateOfCluster } from "./cluster-shape.ts";
import { forecastStart } from "./forecast-start.ts";
import { learnPast } from "./learn-past.ts";
import { shapeOfSite } from "./observed-queue.ts";
import { eventsOfPast, factsOf, ONLY_QUEUE, type PastJob, pastOfCluster } from "./past-jobs.ts";
import { jobAtCluster, partitionFor, type ThoughtOfJob, unfitAtCluster, unfitAtSite } from "./question.ts";
import { sayResponseTimes } from "./say-response-times.ts";
import { createSiteHistory, needIn, type SiteHistory, stateFor } from "./site-history.ts";

const spec = foreignSpec(4);
const shape = shapeOfSite(spec);

/** Jobs of the whole site one after the other; each uses its limit, or a part of it. */
function pastOf(count: number, part = 1): readonly PastJob[] {
  let freeAtMs = 0;
  return Array.from({ length: count }, (_, at): PastJob => {
    const eligibleAtMs = at * 8 * MINUTE_MS;
    const limitMs = (5 + ((at * 7) % 6)) * MINUTE_MS;
    const startedAtMs = Math.max(eligibleAtMs, freeAtMs);
    freeAtMs = startedAtMs + Math.ceil(limitMs * part);
    const times = { eligibleAtMs, startedAtMs, endedAtMs: freeAtMs };
    const who = { id: String(at), queue: ONLY_QUEUE, user: at % 2 === 0 ? "ann" : "ben" };
    return { ...who, procs: 4, memoryBytes: 0, limitMs, ...times };
  });
}

const asked = factsOf({
  id: "?",
  queue: ONLY_QUEUE,
  user: "ann",
  procs: 4,
  memoryBytes: 0,
  limitMs: 300_000,
});

function ask(site: SiteHistory, nowMs: number, deadlineMs: number | null = null) {
  const state = stateFor(site, ONLY_QUEUE, nowMs);
  if (state === undefined) throw new Error("the site has one room");
  const job = { need: needIn(state, asked), estimateMs: asked.wallTimeMs };
  const simulated = simulateStarts({
    snapshot: state,
    habits: site.predictor.habits,
    job,
    runs: 40,
    seed: 1,
  });
  return forecastStart(site, { facts: asked, nowMs, state, simulated, deadlineMs });
}

describe("forecasts from a site's past", () => {
  it("counts waits from the instant at which a job could start, without jobs that still wait", () => {
    const whole = {
      partition: "main,other",
      user: null,
      account: null,
      procs: 2,
      memoryBytes: null,
    } as const;
    const past = pastOfCluster(
      [
        { ...whole, siteJob: "1", limitMs: null, eligibleAtMs: 50, startedAtMs: 70, endedAtMs: 90 },
        { ...whole, siteJob: "2", limitMs: 9, eligibleAtMs: 70, startedAtMs: null, endedAtMs: 80 },
        { ...whole, siteJob: "3", limitMs: 9, eligibleAtMs: 70, startedAtMs: null, endedAtMs: null },
        { ...whole, siteJob: "4", limitMs: 9, eligibleAtMs: 75, startedAtMs: 75, endedAtMs: null },
      ],
      spec,
    );
    expect(past.map(({ id, queue, limitMs }) => [id, queue, limitMs])).toEqual([
      ["1", "main", spec.defaultWallTimeMs],
      ["2", "main", 9],
      ["4", "main", 9],
    ]);
    const told = eventsOfPast(past).map((it) => `${it.atMs} ${it.kind} ${"id" in it ? it.id : it.job.id}`);
    expect(told).toEqual([
      "50 submitted 1",
      "70 started 1",
      "70 submitted 2",
      "75 submitted 4",
      "75 started 4",
      "80 withdrawn 2",
      "90 ended 1",
    ]);
  });

  it("gives every method a record from past jobs alone; by schedule an exact one", () => {
    const past = pastOf(400);
    const site = learnPast("s", shape, past);
    const nowMs = past[399].startedAtMs ?? 0;
    const { forecast, otherMethods, noRecord, learnt } = ask(site, nowMs);
    expect(learnt).toEqual({ past: 400, live: 0 });
    expect(noRecord).toBeNull();
    expect(forecast).toMatchObject({ method: "schedule", hasBeenWrong: false });
    expect(forecast?.score.kept.map(({ kept }) => kept)).toEqual([1, 1, 1]);
    expect(forecast?.score.medianErrorMs).toBe(0);
    expect(otherMethods.map(({ method }) => method).sort()).toEqual(["history", "similarity", "simulation"]);
  });

  it("learns without simulating the queue when there is no time for that", () => {
    const site = learnPast("s", shape, pastOf(100), () => false);
    expect(
      ask(site, 0)
        .otherMethods.concat(ask(site, 0).forecast ?? [])
        .map(({ method }) => method),
    ).toEqual(["history"]);
  });

  it("EN-29 publishes response times: simulated, else by schedule and past waits, with records", () => {
    const past = pastOf(200);
    const site = learnPast("s", shape, past);
    const nowMs = past[199].startedAtMs ?? 0;
    const facts = { ...asked, procs: 1 };
    const state = stateFor(site, ONLY_QUEUE, nowMs);
    const simulated = { waitsMs: [0, 100, 200], seed: 1 };
    const said = sayResponseTimes(site, { facts, nowMs, state, simulated });
    expect(said).toMatchObject({
      atMs: nowMs,
      estimated: { waitMs: 100, method: "simulation" },
      worst: { waitMs: 200, method: "simulation", score: { kept: [{}, {}, { probability: 0.95 }] } },
    });
    const without = sayResponseTimes(site, { facts, nowMs, state });
    expect(without.estimated).toMatchObject({ method: "schedule", score: { medianErrorMs: 0 } });
    expect(without.worst).toMatchObject({ method: "history" });
    expect(without.worst?.waitMs).toBeGreaterThan(0);
    const nobody = createSiteHistory("new", shape);
    expect(sayResponseTimes(nobody, { facts, nowMs, state: undefined, simulated })).toEqual({
      ...{ atMs: nowMs, estimated: null, worst: null },
    });
    const empty = sayResponseTimes(nobody, { facts, nowMs, state: stateFor(nobody, ONLY_QUEUE, nowMs) });
    expect(empty.estimated).toEqual({ waitMs: 0, method: "schedule", score: null });
  });

  it("EN-29 gives starts with probabilities, assumptions, and the probability of meeting a deadline", () => {
    const past = pastOf(200);
    const site = learnPast("s", shape, past.slice(0, 199));
    const nowMs = past[198].startedAtMs ?? 0;
    const { forecast, probabilityByDeadline } = ask(site, nowMs, nowMs + 60 * MINUTE_MS);
    expect(forecast?.promises.map(({ probability }) => probability)).toEqual([0.5, 0.8, 0.95]);
    for (const { waitMs, startAtMs } of forecast?.promises ?? []) expect(startAtMs).toBe(nowMs + waitMs);
    expect(forecast?.assumptions).toEqual(["everyEstimateIsUsed", "nobodyElseComes"]);
    expect(probabilityByDeadline).toBe(0.95);
    expect(ask(site, nowMs, nowMs - 1).probabilityByDeadline).toBe(0);
  });

  it("EN-29 gives no figure without a record, only how many jobs are missing", () => {
    const answer = ask(learnPast("s", shape, pastOf(12)), 0);
    expect(answer).toMatchObject({ forecast: null, otherMethods: [], probabilityByDeadline: null });
    expect(answer.noRecord?.needed).toBe(20);
    expect(answer.noRecord?.settled).toBeLessThan(20);
    expect(ask(createSiteHistory("s", shape), 0).noRecord?.settled).toBe(0);
  });

  it("EN-29 a method that was repeatedly late predicts later, and is then right", () => {
    // Limits that nobody keeps to.
    const site = learnPast(
      "s",
      shape,
      [...pastOf(400)].map((job) => ({ ...job, limitMs: 1 })),
    );
    const all = ask(site, 0);
    const schedule = [...all.otherMethods, ...(all.forecast ? [all.forecast] : [])].find(
      ({ method }) => method === "schedule",
    );
    expect(schedule?.hasBeenWrong).toBe(false);
  });
});

describe("clusters", () => {
  const request: ThoughtOfJob = { procs: 4, memoryBytes: 0, gpus: 0, limitMs: 30 * MINUTE_MS, queue: null };
  const whole = { ...request, limitMs: 30 * MINUTE_MS };

  it("partitions that share nodes form one pool of their nodes in service, with its reservations", () => {
    const cluster = aCluster({
      partitions: [
        aPartition("main", ["n1", "n2"]),
        aPartition("wide", ["n2", "n3"]),
        aPartition("own", ["n4"]),
      ],
      nodes: [aNode("n1"), aNode("n2", { states: ["DOWN"] }), aNode("n3"), aNode("n4")],
      reservations: [aReservation("r", ["n3", "n4"])],
      jobs: [aJob("1", { state: "running" }), aJob("2", { partitions: ["own"] })],
    });
    const { rooms } = shapeOfCluster(cluster);
    expect(rooms.map(({ queues, capacity }) => [queues, capacity[0]])).toEqual([
      [["wide", "main"], 8],
      [["own"], 4],
    ]);
    const state = stateOfCluster(cluster, rooms[0], shapeOfCluster(cluster));
    expect(state.jobs).toHaveLength(1);
    expect(state.reservations).toMatchObject([
      { startMs: NOW_MS + 30 * MINUTE_MS, durationMs: 60 * MINUTE_MS },
    ]);
  });

  it("waiting jobs are in order of priority, an array as its tasks", () => {
    const jobs = [
      aJob("1", { priority: 5, procs: 1 }),
      aJob("2", { priority: 9, procs: 2, count: 2 }),
      aJob("3", { state: "held", priority: 99 }),
    ];
    const cluster = aCluster({ jobs });
    const of = shapeOfCluster(cluster);
    const { jobs: shown } = stateOfCluster(cluster, of.rooms[0], of);
    expect(shown.map(({ need }) => need[0])).toEqual([2, 2, 1]);
  });

  it("the schedule follows the cluster's own machine; a hypothetical job comes last", () => {
    const busy = ["n1", "n2", "n3", "n4"].map((name, at) =>
      aJob(String(at), { state: "running", procs: 4, nodes: [name] }),
    );
    const nodes = ["n1", "n2", "n3", "n4"].map((name) =>
      aNode(name, { allocatedProcs: 4, states: ["ALLOCATED"] }),
    );
    const ahead = aJob("9", { procs: 16, nodeCount: 4, limitMs: 60 * MINUTE_MS });
    const cluster = aCluster({ nodes, jobs: [...busy, ahead] });
    const job = jobAtCluster(cluster, "main", whole);
    expect(scheduleAtCluster(cluster, job)?.promises[0].waitMs).toBe(89 * MINUTE_MS);
    // It has waited for ten minutes, which belong to its wait.
    expect(scheduleOfWaiting(cluster, "9")?.promises[0].waitMs).toBe(39 * MINUTE_MS);
    expect(scheduleOfWaiting(cluster, "1")).toBeUndefined();
  });

  it("a site that would never start a job says why, as data", () => {
    expect(unfitAtSite(spec, request)).toBeNull();
    expect(unfitAtSite(spec, { ...request, procs: 5 })).toMatchObject({ kind: "siteTooSmall", procs: 4 });
    expect(unfitAtSite(spec, { ...request, gpus: 1 })).toEqual({ kind: "gpusNotOffered", gpus: 1 });
    const cluster = aCluster();
    const unfit = (more: Partial<typeof whole>, partition = "main") =>
      unfitAtCluster(cluster, jobAtCluster(cluster, partition, { ...whole, ...more }));
    expect(unfit({ procs: 16 })).toBeNull();
    expect(unfit({ procs: 17 })).toMatchObject({ kind: "blocked", blockers: [{ kind: "neverFits" }] });
    expect(unfit({}, "none")).toMatchObject({ blockers: [{ kind: "partitionUnknown" }] });
    expect(partitionFor(cluster, spec, null)).toBe("main");
    expect(partitionFor(cluster, spec, "own")).toBe("own");
  });
});
