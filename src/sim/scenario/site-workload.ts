/**
 * The jobs of one site in one replicate: drawn or read, placed in time, held whole.
 *
 * What is drawn goes through SWF text as `stint sim generate` writes it, so that the same workload can be
 * written out and simulated by other tools. Memory: the jobs, since what is cut at the end of a workload is
 * known only at its end.
 */
import { createHash } from "node:crypto";
import { Fault } from "../../base/index.ts";
import { type SwfHeader, traceBytes } from "../../formats/index.ts";
import type {
  LinesWorkload,
  ScenarioSite,
  ScenarioWorkload,
  SkippedJobs,
  WorkloadRequest,
} from "../../model/index.ts";
import { generateWorkload } from "../generate/generate-workload.ts";
import { openTrace, siteOfProcs } from "../workload/trace.ts";
import type { Workload, WorkloadJob } from "../workload/workload.ts";
import { inScenarioWords } from "./scenario-words.ts";

/** A workload in SWF, recorded or generated. */
export type TraceSource = Exclude<ScenarioWorkload, LinesWorkload>;

/** A trace that is held. */
export interface SiteWorkload {
  readonly workload: Workload;
  readonly header: SwfHeader;
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
  source: TraceSource,
  making: WorkloadMaking,
): Promise<SiteWorkload> {
  const { bytes, sha256 } = await swfBytes(site, source, making);
  const { estimates, overrun, pools, name } = site;
  const file = source.kind === "recorded" ? source.trace : `the workload of ${name}`;
  const trace = openTrace({
    ...{ bytes, file, isHeld: true, lenient: source.kind === "recorded" && source.lenient },
    rules: { estimates, overrun, keepsRows: making.keepsRows },
    widestProcs: () => widestProcs(site),
  });
  const jobs: WorkloadJob[] = [];
  for await (const batch of trace.batches()) {
    making.checkStop();
    for (let row = 0; row < batch.count; row++) jobs.push(batch.jobAt(row));
  }
  const { header, skipped, unsorted, malformedMessages } = trace.facts();
  if (jobs.length === 0) throw nothingLeft(file, skipped);
  const workload: Workload = {
    ...{ isTrace: true, jobs, site: siteOfProcs(pools, "option"), events: [], reservations: [] },
    ...{ originMs: 0, cancelledEarly: 0, period: undefined, skipped, unsorted, malformedMessages },
    fitNowhere: { unknownPool: 0, procs: skipped.widerThanMachine, memory: 0, gpus: 0, together: 0 },
    sha256: sha256(),
  };
  return { workload, header };
}

/** The processors of all pools. */
function totalProcs({ pools }: ScenarioSite): number {
  return pools.reduce((sum, { procs }) => sum + procs, 0);
}

/** The most that one job can have. */
function widestProcs({ pools }: ScenarioSite): number {
  return Math.max(...pools.map(({ procs }) => procs));
}

interface Swf {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Checksum of the bytes; to be called once all of them are read. */
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

/** Fault of the generator with its command-line options replaced by the words of a scenario. */
function ofTheSite({ kind, code, what, why, remedy }: Fault, site: string): Fault {
  return new Fault({
    kind,
    code,
    what: `${site}: ${inScenarioWords(what)}`,
    why: inScenarioWords(why),
    remedy,
  });
}

/**
 * Request for a site's workload. Job sizes are for the widest pool; the load of the whole site is converted
 * to that pool, to which generators refer it.
 */
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

function nothingLeft(file: string, { noProcs, noRuntime, widerThanMachine }: SkippedJobs): Fault {
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
