/**
 * Predicted starts beside Slurm's own: a real test cluster, some hundred jobs of three users, and every few
 * seconds what Slurm (`squeue --start`) and we expect of each job that waits, compared with what came.
 *
 * `npx tsx bench/slurm-starts.ts [jobs [percent]]` as root, where Slurm is installed; about a quarter of an
 * hour. It is no part of `npm run bench`. So much of what the cluster can run is submitted (95 %). Jobs ask
 * for one to six minutes and run for 3 to 25 s, as people's jobs use a part of their limits. What is learnt
 * is learnt on the way: the cluster is new and has no past.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createRandom, drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import {
  createSiteHistory,
  createSnapshotDiff,
  explainClusterJob,
  forecastStart,
  jobAtCluster,
  learn,
  lookAgain,
  needIn,
  roomOf,
  type SeenEvent,
  type SiteHistory,
  type StartForecast,
  scheduleAtCluster,
  shapeOfCluster,
  stateOfCluster,
} from "../src/engine/index.ts";
import { type ClusterSnapshot, SLURM_DEFAULTS, type SlurmSiteSpec } from "../src/model/index.ts";
import { simulateStarts } from "../src/predict/index.ts";
import type { ForeignSite } from "../src/runtime/index.ts";
import { openSlurmSite } from "../src/sites/slurm/index.ts";
import { reportMoments, reportPromises } from "./slurm-starts-report.ts";

const JOBS = Number(process.argv[2] ?? 330);
const SEED = 7;
const USERS = ["stint-alice", "stint-bob", "stint-carol"] as const;
const LOAD_PERCENT = Number(process.argv[3] ?? 95);
/** Mean gap between jobs, in ms, for a load of 95 %; many come in bursts. */
const GAP_MS = (2000 * 95) / LOAD_PERCENT;
const LOOK_EVERY_MS = 2000;
/** Predicts all waiting jobs at every n-th survey. */
const MOMENT_EVERY = 2;
const SIMULATED_A_MOMENT = 8;
const RUNS = 40;

const run = promisify(execFile);
const script = resolve(import.meta.dirname, "../scripts/clusters/slurm");

/** Expected starts of a waiting job at one moment, in Unix ms; undefined: no prediction. */
export interface Expected {
  readonly siteJob: string;
  readonly bySlurmMs: number | undefined;
  readonly byScheduleMs: number | undefined;
  readonly bySimulationMs: number | undefined;
}

/** Promised starts of a job when it was first seen. */
export interface Promised {
  readonly siteJob: string;
  readonly atMs: number;
  readonly chosen: StartForecast | null;
  readonly all: readonly StartForecast[];
}

/** All observations. */
interface Seen {
  readonly learnt: SiteHistory;
  readonly expected: Expected[];
  readonly promised: Promised[];
}

const folder = mkdtempSync("/tmp/stint-starts-");
const dir = join(folder, "clusters");
// The cluster runs jobs of other users.
chmodSync(folder, 0o755);
try {
  await run(script, ["up", "--name", "A", "--users", "--nodes", "8", "--dir", dir]);
  const status = JSON.parse((await run(script, ["status", "-o", "json", "--dir", dir])).stdout);
  const slurmConf: string = status.clusters[0].slurmConf;
  const spec: SlurmSiteSpec = {
    ...{ ...SLURM_DEFAULTS, type: "slurm", procs: 32, memoryBytes: 2 ** 35, slurmConf, pollsPerMinute: 600 },
  };
  const clock = { nowMs: () => Date.now() };
  const site = await openSlurmSite({ name: "cluster", spec, directory: join(folder, "site"), clock });
  const beganAtMs = Date.now();
  const seen = await watch(site, spec, () => submitAll(slurmConf, createRandom(SEED)));
  const truth = new Map(
    (await site.history(beganAtMs - 60_000)).flatMap(({ siteJob, startedAtMs, eligibleAtMs }) =>
      startedAtMs === null ? [] : [[siteJob, { startedAtMs, eligibleAtMs }] as const],
    ),
  );
  console.log(`${truth.size} jobs of ${USERS.length} users on 8 nodes of 4 processors\n`);
  reportMoments(seen.expected, truth);
  reportPromises(seen.promised, truth);
} finally {
  await run(script, ["down", "--all", "--purge", "--dir", dir]);
  rmSync(folder, { recursive: true, force: true });
}

/** Submits the jobs, in bursts, as their users; resolves when the last one is submitted. */
async function submitAll(slurmConf: string, random: Random): Promise<void> {
  const beganAtMs = Date.now();
  for (let job = 0; job < JOBS; ) {
    const dueMs = beganAtMs + GAP_MS * job;
    await delay(Math.max(0, dueMs - Date.now()));
    const user = USERS[drawInteger(random, 0, USERS.length - 1)];
    const burst = Math.min(JOBS - job, drawFraction(random) < 0.3 ? drawInteger(random, 4, 10) : 1);
    const procs = [1, 1, 2, 2, 4, 4, 8, 12][drawInteger(random, 0, 7)];
    const minutes = drawInteger(random, 1, 6);
    for (let at = 0; at < burst; at++, job++) {
      const seconds = drawInteger(random, 3, Math.min(25, 10 * minutes));
      await submit(slurmConf, user, { procs, minutes, seconds });
    }
  }
}

async function submit(
  slurmConf: string,
  user: string,
  { procs, minutes, seconds }: { readonly procs: number; readonly minutes: number; readonly seconds: number },
): Promise<void> {
  const become = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups", "--reset-env", "env"];
  const words = ["-n", String(procs), "-t", String(minutes), "-o", "/dev/null", "--wrap", `sleep ${seconds}`];
  const [program = "", ...rest] = [...become, `SLURM_CONF=${slurmConf}`, "sbatch", "-D", "/tmp", ...words];
  await run(program, rest);
}

/** Surveys the site until all jobs have ended; submission begins after a survey of the empty cluster. */
async function watch(site: ForeignSite, spec: SlurmSiteSpec, begin: () => Promise<void>): Promise<Seen> {
  const first = await lookAt(site);
  const learnt = createSiteHistory("cluster", shapeOfCluster(first));
  const seen: Seen = { learnt, expected: [], promised: [] };
  const sightings = createSnapshotDiff();
  lookAgain(sightings, await site.survey(), spec);
  let isComing = true;
  const coming = begin().finally(() => {
    isComing = false;
  });
  for (let look = 0; ; look++) {
    const survey = await site.survey();
    const events = lookAgain(sightings, survey, spec);
    const snapshot = await lookAt(site);
    takeIn(seen, events, snapshot);
    if (look % MOMENT_EVERY === 0) expectAll(seen, snapshot);
    if (!isComing && survey.jobs.length === 0) {
      await coming;
      return seen;
    }
    await delay(LOOK_EVERY_MS);
  }
}

async function lookAt(site: ForeignSite): Promise<ClusterSnapshot> {
  if (site.snapshot === undefined) throw new Error("a cluster shows itself whole");
  return site.snapshot();
}

/** Promises each new job a start, as `stint when` would have a moment before, then learns from it. */
function takeIn({ learnt, promised }: Seen, events: readonly SeenEvent[], snapshot: ClusterSnapshot): void {
  for (const seen of events) {
    const { event } = seen;
    if (event.kind === "submitted" && !seen.isLate) {
      const siteJob = event.job.id.split("@")[0] ?? "";
      const jobs = snapshot.jobs.filter((job) => job.submittedAtMs <= event.atMs && job.siteJob !== siteJob);
      promised.push(promise(learnt, event.job, { ...snapshot, jobs }));
    }
    learn(learnt, seen, { from: "live", isPlayed: true, runs: promised.length % 3 === 0 ? 20 : 0 });
  }
}

function promise(
  learnt: SiteHistory,
  facts: Parameters<typeof forecastStart>[1]["facts"],
  snapshot: ClusterSnapshot,
): Promised {
  const { shape } = learnt;
  const room = roomOf(shape, facts.queue);
  const state = room && stateOfCluster(snapshot, room, shape);
  const need = { procs: facts.procs, memoryBytes: facts.alsoNeeds?.[0] ?? 0, gpus: 0, queue: null };
  const job = jobAtCluster(snapshot, facts.queue, { ...need, limitMs: facts.wallTimeMs });
  const simulated =
    state &&
    simulateStarts({
      ...{ snapshot: state, habits: learnt.predictor.habits, runs: RUNS, seed: SEED },
      job: { need: needIn(state, facts), estimateMs: facts.wallTimeMs },
    });
  const { atMs: nowMs } = snapshot;
  const scheduled = scheduleAtCluster(snapshot, job);
  const { forecast, otherMethods } = forecastStart(learnt, {
    ...{ facts, nowMs, state, scheduled, simulated, deadlineMs: null },
  });
  const all = [...otherMethods, ...(forecast === null ? [] : [forecast])];
  return { siteJob: facts.id.split("@")[0] ?? "", atMs: nowMs, chosen: forecast, all };
}

/** Records the expected starts of all waiting jobs by Slurm and by Stint. */
function expectAll({ learnt, expected }: Seen, snapshot: ClusterSnapshot): void {
  const waiting = snapshot.jobs.filter(({ state }) => state === "waiting");
  waiting.forEach(({ siteJob, expectedStartAtMs }, at) => {
    const prediction = explainClusterJob(snapshot, siteJob)?.prediction;
    const isDrawn = at % Math.ceil(waiting.length / SIMULATED_A_MOMENT) === 0;
    expected.push({
      siteJob,
      bySlurmMs: expectedStartAtMs ?? undefined,
      byScheduleMs: prediction?.startAtMs ?? undefined,
      bySimulationMs: isDrawn ? simulatedStart(learnt, snapshot, siteJob) : undefined,
    });
  });
}

/** Median start in simulated futures, behind the jobs that are before it. */
function simulatedStart(learnt: SiteHistory, snapshot: ClusterSnapshot, siteJob: string): number | undefined {
  const own = snapshot.jobs.find((job) => job.siteJob === siteJob);
  const room = roomOf(learnt.shape, own?.partitions[0] ?? "");
  if (own === undefined || room === undefined) return undefined;
  const isBefore = (job: ClusterSnapshot["jobs"][number]): boolean =>
    job.state !== "waiting" || (job.priority ?? 0) > (own.priority ?? 0);
  const jobs = snapshot.jobs.filter((job) => job !== own && isBefore(job));
  const state = stateOfCluster({ ...snapshot, jobs }, room, learnt.shape);
  const { waitsMs } = simulateStarts({
    ...{ snapshot: state, habits: learnt.predictor.habits, runs: RUNS, seed: SEED },
    job: { need: [own.procs].concat(state.capacity.slice(1).fill(0)), estimateMs: own.limitMs ?? 60_000 },
  });
  const medianMs = waitsMs[waitsMs.length >> 1];
  return Number.isFinite(medianMs) ? snapshot.atMs + medianMs : undefined;
}
