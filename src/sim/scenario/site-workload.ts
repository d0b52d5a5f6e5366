/**
 * The jobs of one site in one replicate: drawn or read, placed in time, held whole.
 *
 * What is drawn goes through SWF text as `stint sim generate` writes it, so that the same workload can be
 * written out and simulated by other tools. Memory: the jobs, since what is cut at the end of a workload is
 * known only at its end.
 */
import { createHash } from "node:crypto";
import { Fault } from "../../base/index.ts";
import { readSwf, type SwfReader, traceBytes } from "../../formats/index.ts";
import type {
  LinesWorkload,
  ScenarioSite,
  ScenarioWorkload,
  SkippedJobs,
  WorkloadRequest,
} from "../../model/index.ts";
import { generateWorkload } from "../generate/generate-workload.ts";
import { jobOf, type TraceJob, type TraceRules, type UnplacedJob } from "../trace-job.ts";
import type { TraceFacts } from "../trace-workload.ts";
import { inScenarioWords } from "./scenario-words.ts";

/** A workload in SWF, recorded or generated. */
export type TraceSource = Exclude<ScenarioWorkload, LinesWorkload>;

/** The jobs in order of submission, from instant 0, and what is known of them. */
export interface SiteWorkload {
  readonly jobs: readonly TraceJob[];
  readonly sha256: string;
  readonly facts: TraceFacts;
}

/** Options of making a workload. */
export interface WorkloadMaking {
  readonly seed: number;
  readonly version: string;
  /** True where the 18 fields of each job are retained, for SWF. */
  readonly keepsRows: boolean;
  /** Asked every few thousand jobs; throws to stop. */
  readonly checkStop: () => void;
}

/**
 * Makes the workload.
 *
 * @throws Fault as the generator and the readers do, and `noJobLeft`
 */
export async function siteWorkload(
  site: ScenarioSite,
  workload: TraceSource,
  making: WorkloadMaking,
): Promise<SiteWorkload> {
  const { bytes, sha256 } = await swfBytes(site, workload, making);
  const { name } = site;
  const file = workload.kind === "recorded" ? workload.trace : `the workload of ${name}`;
  const reader = readSwf(bytes, {
    file,
    lenient: workload.kind === "recorded" && workload.lenient,
  });
  const { jobs, skipped } = await readJobs(reader, rulesOf(site, making), making.checkStop);
  if (jobs.length === 0) throw nothingLeft(file, skipped);
  const { originMs, unsorted } = placed(jobs);
  const { header, malformed, malformedMessages } = reader;
  const facts: TraceFacts = {
    header,
    procs: totalProcs(site),
    procsFrom: "option",
    skipped: { ...skipped, malformed },
    unsorted,
    originUnixMs: (header.unixStartTime ?? 0) * 1000 + originMs,
    malformedMessages,
  };
  return { jobs, sha256: sha256(), facts };
}

/** The processors of all pools. */
export function totalProcs({ pools }: ScenarioSite): number {
  return pools.reduce((sum, { procs }) => sum + procs, 0);
}

/** The most that one job can have. */
function widestProcs({ pools }: ScenarioSite): number {
  return Math.max(...pools.map(({ procs }) => procs));
}

function rulesOf(site: ScenarioSite, { keepsRows }: WorkloadMaking): TraceRules {
  const { estimates, overrun } = site;
  return { procs: widestProcs(site), estimates, overrun, keepsRows };
}

interface Swf {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** When all of it was read. */
  readonly sha256: () => string;
}

async function swfBytes(
  site: ScenarioSite,
  workload: TraceSource,
  { seed, version, checkStop }: WorkloadMaking,
): Promise<Swf> {
  if (workload.kind === "recorded" && workload.load === undefined) {
    const bytes = traceBytes(workload.trace);
    return { bytes, sha256: () => bytes.sha256() };
  }
  const pieces: Uint8Array[] = [];
  const hash = createHash("sha256");
  const take = async (text: string): Promise<void> => {
    checkStop();
    const piece = Buffer.from(text);
    hash.update(piece);
    pieces.push(piece);
  };
  await generateWorkload(requestFor(site, workload, seed), version, take).catch((error: unknown) => {
    throw error instanceof Fault ? ofTheSite(error, site.name) : error;
  });
  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* pieces;
  }
  return { bytes: bytes(), sha256: () => hash.digest("hex") };
}

/** The generator speaks of the options of its command; in a scenario they are words of the workload. */
function ofTheSite({ kind, code, what, why, remedy }: Fault, site: string): Fault {
  return new Fault({
    kind,
    code,
    what: `${site}: ${inScenarioWords(what)}`,
    why: inScenarioWords(why),
    remedy,
  });
}

/** Sizes are for the widest pool; the load, which generators take as one of it, is of the whole site. */
function requestFor(site: ScenarioSite, workload: TraceSource, seed: number): WorkloadRequest {
  const procs = widestProcs(site);
  const load = workload.load === undefined ? undefined : (workload.load * totalProcs(site)) / procs;
  const { scale } = workload;
  if (workload.kind === "recorded") {
    const { trace, lenient } = workload;
    return { kind: "rescale", from: trace, load: load ?? 1, scale, seed, procs, lenient };
  }
  const { model, set, jobs, requests, parameters } = workload;
  return {
    kind: "draw",
    ...{ model, set, jobs, procs, seed, scale, parameters },
    ...(load === undefined ? {} : { load }),
    ...(requests === undefined ? {} : { requests }),
  };
}

type Skipped = Omit<SkippedJobs, "malformed">;

async function readJobs(
  reader: SwfReader,
  rules: TraceRules,
  checkStop: () => void,
): Promise<{ readonly jobs: UnplacedJob[]; readonly skipped: Skipped }> {
  const jobs: UnplacedJob[] = [];
  const skipped = { noProcs: 0, noRuntime: 0, widerThanMachine: 0 };
  for await (const batch of reader) {
    checkStop();
    for (let at = 0; at < batch.count; at++) {
      const job = jobOf(batch, at, rules);
      if (typeof job === "string") skipped[job]++;
      else jobs.push(job);
    }
  }
  return { jobs, skipped };
}

/** Sorts by submission (equal times stay in order), numbers, and counts time from the first one. */
function placed(jobs: UnplacedJob[]): { readonly originMs: number; readonly unsorted: number } {
  let unsorted = 0;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { submitMs } of jobs) {
    if (submitMs < latestMs) unsorted++;
    else latestMs = submitMs;
  }
  jobs.sort((a, b) => a.submitMs - b.submitMs);
  const originMs = jobs[0].submitMs;
  jobs.forEach((job, order) => {
    job.order = order;
    job.submitMs -= originMs;
  });
  return { originMs, unsorted };
}

function nothingLeft(file: string, { noProcs, noRuntime, widerThanMachine }: Skipped): Fault {
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${file}: no job is left to simulate`,
    why:
      `skipped: ${noProcs} without processors, ${noRuntime} without a runtime, ` +
      `${widerThanMachine} wider than the widest pool`,
    remedy: "check that this is the trace you mean, and that the site is as large as its machine",
  });
}
