/**
 * `stint when` and `stint why` from a fresh look at a cluster: at most 200 ms of processor time each.
 *
 * What is counted is what happens between the look and the answer: the copy to the thread, the schedule of
 * the whole machine and simulated futures in what is left of 100 ms; for "why" all changes that are tried,
 * and of a very long queue the causes alone.
 * Exit code 1 beyond that.
 */
import { createOracle } from "../src/broker/predictions/oracle.ts";
import { blockersOf, explainClusterJob, factsOf, jobAtCluster, shapeOfCluster } from "../src/engine/index.ts";
import { aCluster, aJob, aNode, aPartition, MINUTE_MS, NOW_MS } from "../test/cluster-scene.ts";

const BUDGET_MS = 200;
const NODES = 128;
/** One job more than a start is computed for. */
const MOST_WAITING = 10_000;
const ROUNDS = 9;
const ANSWER_MS = 100;

/** A full cluster with this many jobs waiting. */
function crowded(waiting: number) {
  const names = Array.from({ length: NODES }, (_, at) => `n${at}`);
  const running = names.map((name, at) =>
    aJob(`r${at}`, {
      ...{ state: "running", procs: 4, nodes: [name] },
      expectedEndAtMs: NOW_MS + ((at % 50) + 1) * MINUTE_MS,
    }),
  );
  const queued = Array.from({ length: waiting }, (_, at) => {
    const procs = 1 + ((at * 7) % 32);
    const limitMs = (1 + ((at * 13) % 240)) * MINUTE_MS;
    const priorityParts = { age: at % 7, fairshare: 90_000 - at, jobSize: procs, partition: 1000, qos: 0 };
    const place = { priority: 100_000 - at, priorityParts };
    return aJob(String(at), { procs, nodeCount: Math.ceil(procs / 4), limitMs, ...place });
  });
  return aCluster({
    nodes: names.map((name) => aNode(name, { allocatedProcs: 4, states: ["ALLOCATED"] })),
    partitions: [aPartition("main", names)],
    jobs: [...running, ...queued],
  });
}

async function bench(waiting: number): Promise<void> {
  const snapshot = crowded(waiting);
  const oracle = createOracle();
  const shape = shapeOfCluster(snapshot);
  await oracle.carryOut({ id: 0, kind: "past", asks: { site: "s", shape, jobs: [], isWhole: true } });
  const need = { procs: 8, memoryBytes: 0, limitMs: 120 * MINUTE_MS };
  const facts = factsOf({ id: "?", queue: "main", user: "u", ...need });
  const job = jobAtCluster(snapshot, "main", { ...need, gpus: 0, queue: null });
  const question = { site: "s", facts, nowMs: NOW_MS, state: undefined, deadlineMs: null };
  await report(`when, ${waiting} jobs waiting`, () => {
    const asks = structuredClone({ ...question, cluster: { snapshot, job }, answerMs: ANSWER_MS });
    return oracle.carryOut({ id: 1, kind: "when", asks });
  });
  await report(`why, ${waiting} jobs waiting`, async () => {
    explainClusterJob(structuredClone(snapshot), String(waiting - 1));
  });
}

async function report(name: string, answer: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beganAtMs = processorMs();
    await answer();
    times.push(processorMs() - beganAtMs);
  }
  const [, , , , medianMs = 0] = times.sort((a, b) => a - b);
  const verdict = medianMs <= BUDGET_MS ? "within" : "OVER";
  console.log(`${name}: ${medianMs.toFixed(0)} ms of processor time  ${verdict} ${BUDGET_MS}`);
  if (medianMs > BUDGET_MS) process.exitCode = 1;
}

/** Processor time of this process, which other load affects less than wall time. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

for (const waiting of [100, 300, 1000, 3000]) await bench(waiting);
const long = crowded(MOST_WAITING);
await report(`why without a predicted start, ${MOST_WAITING} jobs waiting`, async () => {
  blockersOf(structuredClone(long), String(MOST_WAITING - 1));
});
