/**
 * Draws a workload from a model and writes it as SWF, with bounded memory.
 *
 * The workload is drawn twice from the same seed: first to compute its work and its span, then to write it
 * scaled to the requested load, so that nothing is stored. Jobs, gaps and requests have separate generators:
 * another load, or another rule of requests, leaves everything else as it was (rule SI-12).
 */
import { createRandom, drawFraction, drawInteger, type Random } from "../../base/index.ts";
import type { DrawRequest, RequestRule, WorkloadSummary, WorkloadTarget } from "../../model/index.ts";
import { LoadMeter, noLoad, scaleRefused } from "./load.ts";
import { lublinModel } from "./lublin.ts";
import { poissonModel } from "./poisson.ts";
import { swfRow } from "./swf-row.ts";
import type { DrawnJob, WorkloadModel } from "./workload-model.ts";
import { type WorkloadOut, writeWorkload } from "./workload-out.ts";

/** Jobs between two checks whether the file keeps up. */
const JOBS_AT_ONCE = 4096;
/** Halvings of an interval: a double has no more digits. */
const HALVINGS = 60;

/**
 * Draws and writes.
 *
 * @throws Fault `parameterUnknown`, `parameterOutOfRange`, `scaleImpossible`, `loadUnknown`, and as
 * `openSafeFile`
 */
export async function drawWorkload(
  request: DrawRequest,
  version: string,
  target: WorkloadTarget,
): Promise<WorkloadSummary> {
  const model = modelOf(request);
  const factors = factorsOf(request, model);
  return writeWorkload(target, async (out) => {
    writeHeader({ request, model, factors, version }, out);
    return writeJobs(request, model, factors, out);
  });
}

function modelOf({ model, set, procs, parameters }: DrawRequest): WorkloadModel {
  return model === "poisson" ? poissonModel(procs, parameters) : lublinModel(set, procs, parameters);
}

/** Factors that change a draw so that it reaches its load. */
interface Factors {
  /** Factor of the time between arrivals, on the model's clock. */
  readonly gaps: number;
  readonly runtimes: number;
  /** Resulting load, before submissions and runtimes are rounded to seconds. */
  readonly load: number | undefined;
}

interface Streams {
  readonly jobs: Random;
  readonly gaps: Random;
  readonly requests: Random;
}

function streamsOf(seed: number): Streams {
  const seeds = createRandom(seed);
  const next = (): Random => createRandom(drawInteger(seeds, -0x80000000, 0x7fffffff));
  return { jobs: next(), gaps: next(), requests: next() };
}

function factorsOf(request: DrawRequest, model: WorkloadModel): Factors {
  const { jobs, load, procs, scale, seed } = request;
  if (scale === "overlay" || scale === "duplicate") {
    throw scaleRefused(
      `--scale ${scale}: a model has no recorded jobs to copy`,
      "it adds copies of recorded jobs",
      "use --scale arrivals or runtimes, or --from TRACE",
    );
  }
  const { workProcSec, firstClockSec, lastClockSec } = measure(model, jobs, seed);
  const spanWith = (gaps: number): number =>
    model.secondsAt(gaps * lastClockSec) - model.secondsAt(gaps * firstClockSec);
  const ownSpanSec = spanWith(1);
  const ownLoad = ownSpanSec > 0 ? workProcSec / (procs * ownSpanSec) : undefined;
  if (load === undefined) return { gaps: 1, runtimes: 1, load: ownLoad };
  if (ownLoad === undefined) throw noLoad(model.title);
  if (scale === "runtimes") return { gaps: 1, runtimes: load / ownLoad, load };
  return { gaps: gapFactor(spanWith, workProcSec / (procs * load)), runtimes: 1, load };
}

function measure(model: WorkloadModel, jobs: number, seed: number) {
  const streams = streamsOf(seed);
  let workProcSec = 0;
  let clockSec = 0;
  let firstClockSec = 0;
  for (let i = 0; i < jobs; i++) {
    const job = model.drawJob(streams.jobs);
    workProcSec += job.procs * job.runtimeSec;
    clockSec += model.drawGap(streams.gaps);
    if (i === 0) firstClockSec = clockSec;
  }
  return { workProcSec, firstClockSec, lastClockSec: clockSec };
}

/** The factor with which the span is as long as wanted: by halving, since the clock is not even. */
function gapFactor(spanWith: (gaps: number) => number, wantedSec: number): number {
  let below = 0;
  let above = 1;
  while (spanWith(above) < wantedSec) above *= 2;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (below + above) / 2;
    if (spanWith(middle) < wantedSec) below = middle;
    else above = middle;
  }
  return above;
}

interface Headed {
  readonly request: DrawRequest;
  readonly model: WorkloadModel;
  readonly factors: Factors;
  readonly version: string;
}

function writeHeader({ request, model, factors, version }: Headed, { swf }: WorkloadOut): void {
  const { jobs, procs, seed, requests } = request;
  const parameters = Object.entries(model.parameters).map(([name, value]) => `${name}=${value}`);
  const half = Math.ceil(parameters.length / 2);
  swf.entry("Version", "2.2");
  swf.entry("Computer", "none: a synthetic workload");
  swf.entry("Conversion", `drawn by Stint ${version}`);
  for (const label of ["MaxJobs", "MaxRecords"]) swf.entry(label, jobs);
  swf.entry("UnixStartTime", 0);
  swf.entry("TimeZoneString", "UTC");
  for (const label of ["MaxNodes", "MaxProcs"]) swf.entry(label, procs);
  swf.entry("Note", `model: ${model.title}`);
  swf.entry("Note", `parameters: ${parameters.slice(0, half).join(" ")}`);
  if (half < parameters.length) swf.entry("Note", `parameters: ${parameters.slice(half).join(" ")}`);
  swf.entry("Note", `seed ${seed}; requested times: ${requests ?? "the model's own"}`);
  swf.entry(
    "Note",
    `load ${factors.load === undefined ? "unknown" : Number(factors.load.toPrecision(6))} ` +
      "(work over processors and the time of submissions); times between arrivals scaled by " +
      `${factors.gaps}, runtimes by ${factors.runtimes}`,
  );
}

async function writeJobs(
  request: DrawRequest,
  model: WorkloadModel,
  factors: Factors,
  out: WorkloadOut,
): Promise<WorkloadSummary> {
  const streams = streamsOf(request.seed);
  const meter = new LoadMeter();
  let clockSec = 0;
  for (let i = 1; i <= request.jobs; i++) {
    const job = scaled(model.drawJob(streams.jobs), { request, factors, random: streams.requests });
    clockSec += model.drawGap(streams.gaps);
    const submitSec = Math.round(model.secondsAt(factors.gaps * clockSec));
    out.swf.row(swfRow(job, i, submitSec));
    meter.add(job.procs, job.runtimeSec, submitSec);
    if (i % JOBS_AT_ONCE === 0) await out.drained();
  }
  const { procs } = request;
  return { jobs: meter.jobs, procs, load: meter.loadOn(procs) ?? 0, spanSec: meter.spanSec };
}

interface Scaling {
  readonly request: DrawRequest;
  readonly factors: Factors;
  readonly random: Random;
}

function scaled(job: DrawnJob, { request, factors, random }: Scaling): DrawnJob {
  const runtimeSec = Math.max(1, Math.round(job.runtimeSec * factors.runtimes));
  const requestSec =
    request.requests === undefined
      ? Math.max(runtimeSec, Math.round(job.requestSec * factors.runtimes))
      : drawRequest(request.requests, runtimeSec, random);
  return { ...job, runtimeSec, requestSec };
}

// What users ask for, given what their jobs will take.
//
// `uniform`: between the runtime and three times it, the usual "f-model" with f = 2 [MF01]. `popular`: the
// same, then rounded up to a value that people like to ask for; Tsafrir, Etsion & Feitelson [TEF05] found
// that some twenty round values make up nine tenths of all estimates. Limits: their model also fits how
// often each value is used, how a user repeats one, and how many ask for the longest; none of that is here,
// and nobody underestimates.

/** Most by which a request exceeds the runtime, as a multiple of the runtime, before rounding. */
const MOST_OVER = 2;

const MINUTE_SEC = 60;
const HOUR_SEC = 3600;
const DAY_SEC = 86_400;

/** Popular requested times, in seconds; longer ones are requested in whole days. */
const POPULAR_SEC: readonly number[] = [
  ...[5, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_SEC),
  ...[1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 24, 36, 48].map((hours) => hours * HOUR_SEC),
];

/** Whole seconds asked for a job that runs `runtimeSec`; never less than that. */
function drawRequest(rule: RequestRule, runtimeSec: number, random: Random): number {
  if (rule === "exact") return runtimeSec;
  const thoughtSec = Math.ceil(runtimeSec * (1 + MOST_OVER * drawFraction(random)));
  if (rule === "uniform") return thoughtSec;
  return POPULAR_SEC.find((popular) => popular >= thoughtSec) ?? Math.ceil(thoughtSec / DAY_SEC) * DAY_SEC;
}
