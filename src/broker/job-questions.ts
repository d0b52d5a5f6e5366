/** Questions about jobs, and about what was recorded of them. */
import { explain, query } from "../engine/index.ts";
import { type Explanation, isFinal, type JobRecord, runStateOf, type StreamFigures } from "../model/index.ts";
import type { BrokerApi, Round } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { idsBeginning, listJobs } from "./job-lists.ts";
import { readLog } from "./log-questions.ts";
import { prospectsOf } from "./prospects.ts";
import { reportJobs } from "./reports/report-jobs.ts";

/** Jobs, over or not, why they wait, and where they could start. */
export function jobQuestions(world: ApiWorld) {
  const { round, logbook, find } = world;
  return {
    job: find,
    idsBeginning: (prefix, limit, among) => idsBeginning(logbook, prefix, limit, among),
    jobs: (query) => listJobs(logbook, query),
    reportJobs: (query) => reportJobs(logbook, query, round.nowMs()),
    events: (search) => readLog(logbook, search),
    archives: () => logbook.archives(),
    explain: async (id) => {
      const job = await find(id);
      return job === undefined ? undefined : explanationOf(world, job);
    },
    assess: (question) => prospectsOf(world, question),
  } satisfies Partial<BrokerApi>;
}

async function explanationOf(
  { plans, round, streams }: Pick<ApiWorld, "plans" | "round" | "streams">,
  job: JobRecord,
): Promise<Explanation> {
  const atMs = await plans.ready(job.site);
  // The job may have changed while the plan was awaited.
  const now = round.projection.jobs.get(job.id) ?? job;
  if (!isFinal(now.state)) {
    const explained = explain(round.projection, now, atMs);
    const problem = streams.problem(now.id);
    const hindered = problem === undefined ? [] : [{ kind: "streamHindered" as const, ...problem }];
    // A stream that cannot be started does not wait for the storage of others.
    const known = explained.causes.filter((it) => !(problem !== undefined && isAboutToStart(it)));
    const stalled = now.startedAtMs === null ? [] : stallOf(streams.figures(now.id), atMs);
    return { ...explained, causes: [...known, ...hindered, ...stalled] };
  }
  return {
    job: job.id,
    state: job.state,
    causes: [{ kind: "over" }, ...faultOf(round, now)],
    predictedStartAtMs: null,
    method: null,
    helpfulChanges: [],
  };
}

function isAboutToStart(cause: Explanation["causes"][number]): boolean {
  return cause.kind === "streamWaits" && cause.isAdmitted === true;
}

/** Reasons for which a stream gets no data, or cannot send its results; empty without trouble. */
function stallOf(figures: StreamFigures | undefined, nowMs: number): Explanation["causes"] {
  if (figures === undefined || figures.trouble === null) return [];
  const { trouble: why, stall } = figures;
  if (stall === undefined) return [{ kind: "streamStalled", why }];
  const { nextAtMs = 0, ...since } = stall;
  return [{ kind: "streamStalled", why, ...since, ...(nextAtMs > nowMs ? { nextAtMs } : {}) }];
}

/** Causes of a failure that lie in the job itself, or in its stream; empty if none does. */
function faultOf(round: Round, job: JobRecord): Explanation["causes"] {
  const state = runStateOf(job);
  const hasFailed = state === "ABORTED" || (state === "DONE" && job.exitCode !== 0);
  const failure = round.projection.books.streams.get(job.id)?.last?.failure;
  if (failure !== undefined) return [{ kind: "streamFailed", why: failure }];
  return hasFailed ? query(round.projection, { name: "ownFault", question: job }, round.nowMs()) : [];
}
