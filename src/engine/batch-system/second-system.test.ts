/**
 * A batch system that is not Slurm, explained by the same code: a simulated cluster with one queue, FCFS or
 * conservative, that says in words of its own why somebody waits. What is said of starts is what happens.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCluster, aJob, aNode, aPartition } from "../../../test/cluster-scene.ts";
import { draws } from "../../../test/draws.ts";
import { foreignSpec } from "../../../test/engine-scene.ts";
import { steppableClock } from "../../../test/steppable-clock.ts";
import type { ClusterJob, ClusterSnapshot, Discipline } from "../../model/index.ts";
import type { ForeignSite } from "../../runtime/index.ts";
import { IMITATED_RUNTIME, openSimulatedSite } from "../../sites/simulated/index.ts";
import type { SurveyedJob } from "../survey.ts";
import { explainClusterJob } from "./explain-cluster-job.ts";

const PROCS = 8;
const BEGIN_MS = 1_000_000;
const SECOND = 1000;
const { numRuns: RUNS } = draws(60);

const jobs = fc.array(
  fc.record({ procs: fc.integer({ min: 1, max: PROCS }), seconds: fc.integer({ min: 5, max: 60 }) }),
  { minLength: 1, maxLength: 12 },
);
const disciplines = fc.constantFrom<Discipline>("fcfs", "conservative");

/** What a look at such a cluster shows. */
function snapshotOf(shown: readonly SurveyedJob[], nowMs: number, discipline: Discipline): ClusterSnapshot {
  const busy = shown.reduce((sum, { state, procs }) => sum + (state === "running" ? procs : 0), 0);
  return aCluster({
    ...{ atMs: nowMs, system: "simulated", name: "toy" },
    partitions: [aPartition("all", ["box"])],
    nodes: [aNode("box", { partitions: ["all"], procs: PROCS, memoryBytes: 2 ** 40, allocatedProcs: busy })],
    jobs: shown.map((job, at) => clusterJob(job, at)),
    scheduling: {
      ...{ countsMemory: false, givesWholeMemory: false, countsCores: false, wholeNodesOnly: false },
      ...{ enforcesLimits: false, discipline },
    },
  });
}

function clusterJob({ siteJob, state, procs, limitMs, submittedAtMs, startedAtMs }: SurveyedJob, at: number) {
  const isRunning = state === "running";
  const waits = { isOwn: false, heldBy: null, isNever: false, limit: null };
  const job: ClusterJob = {
    ...aJob(siteJob),
    ...{ partitions: ["all"], state: isRunning ? "running" : "waiting", procs, tasks: procs, limitMs },
    ...{ nodes: isRunning ? ["box"] : [], submittedAtMs, eligibleAtMs: submittedAtMs, startedAtMs },
    expectedEndAtMs: isRunning ? (startedAtMs ?? 0) + (limitMs ?? 0) : null,
    priority: 1000 - at,
    reason: isRunning ? null : "in line",
    waitsFor: isRunning ? null : { ...waits, kinds: ["priority", "busy"] },
  };
  return job;
}

describe("another batch system", () => {
  it("is explained by the same code: each start that it is told is the start that it gets", async () => {
    await fc.assert(
      fc.asyncProperty(jobs, disciplines, async (drawn, discipline) => {
        const directory = mkdtempSync(join(tmpdir(), "stint-second-"));
        const clock = steppableClock(BEGIN_MS);
        const spec = { ...foreignSpec(PROCS), jobs: "imitate", discipline } as const;
        const site = await openSimulatedSite({ name: "toy", spec, directory, clock });
        try {
          for (const [at, { procs, seconds }] of drawn.entries())
            await submit(site, `j${at}/1`, procs, seconds);
          clock.moveTo(BEGIN_MS + SECOND);
          const told = toldStarts((await site.survey()).jobs, clock.nowMs(), discipline);
          expect(await startsOf(site, clock.moveTo, told.size)).toEqual(told);
        } finally {
          await site.close();
          rmSync(directory, { recursive: true });
        }
      }),
      { numRuns: RUNS },
    );
  });
});

async function submit(site: ForeignSite, token: string, procs: number, seconds: number): Promise<void> {
  const streams = { stdOutput: "stdout", stdError: "stderr", inputFiles: [] };
  const environment = { [IMITATED_RUNTIME]: `${seconds}s` };
  const size = { name: "n", procs, memoryBytes: 0, reservation: null, limitMs: seconds * SECOND };
  const siteJob = await site.submit({ token, command: ["true"], environment, ...streams, ...size });
  await site.act("release", { token, siteJob });
}

/** By the job's id there; of those that wait. */
function toldStarts(shown: readonly SurveyedJob[], nowMs: number, discipline: Discipline) {
  const snapshot = snapshotOf(shown, nowMs, discipline);
  const told = new Map<string, number | null>();
  for (const { siteJob, state } of shown) {
    if (state === "running") continue;
    const answer = explainClusterJob(snapshot, siteJob);
    expect(answer?.system).toMatchObject({ reason: "in line" });
    expect(answer?.system.agreement).toBe("same");
    told.set(siteJob, answer?.prediction?.startAtMs ?? null);
  }
  return told;
}

async function startsOf(site: ForeignSite, moveTo: (atMs: number) => void, count: number) {
  const starts = new Map<string, number | null>();
  for (let nowMs = BEGIN_MS; starts.size < count; nowMs += SECOND) {
    moveTo(nowMs);
    for (const { siteJob, startedAtMs } of (await site.survey()).jobs) {
      if (startedAtMs !== null && startedAtMs > BEGIN_MS + SECOND) starts.set(siteJob, startedAtMs);
    }
  }
  return starts;
}
