/**
 * A small synthetic workload that looks like a real one: the trace of the demo.
 *
 * Poisson arrivals; sizes mostly powers of two; runtimes from two exponentials (many short, some long);
 * requests that are round and mostly too long, as users' are. One seed, one workload (rule SI-10).
 * Not a model of any machine; for that there is Lublin & Feitelson's.
 */
import { createRandom, drawExponential, drawFraction, drawInteger, type Random } from "../base/index.ts";
import { swfField, swfFieldCount, swfWriter } from "../formats/index.ts";

/** What is drawn. */
export interface PoissonDraw {
  readonly seed: number;
  readonly jobs: number;
  readonly procs: number;
  /** Offered work over capacity, for instance 0.85. */
  readonly load: number;
}

/** The draw that is shipped as `examples/poisson.swf` and replayed by the demo. */
export const SHIPPED_DRAW: PoissonDraw = { seed: 2008, jobs: 3000, procs: 128, load: 0.9 };

interface DrawnJob {
  readonly procs: number;
  readonly runtimeSec: number;
  readonly requestSec: number;
  readonly user: number;
}

const SHORT_SHARE = 0.7;
const SHORT_MEAN_SEC = 900;
const LONG_MEAN_SEC = 14_400;
const LONGEST_SEC = 64_800;
const POWER_OF_TWO_SHARE = 0.8;
const USERS = 24;
/** People ask for these; whoever needs longer takes the last one. */
const ROUND_REQUESTS_SEC = [900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 64_800];

/** The workload as SWF text. */
export function poissonWorkload(draw: PoissonDraw): string {
  const random = createRandom(draw.seed);
  const jobs = Array.from({ length: draw.jobs }, () => drawJob(random, draw.procs));
  const work = jobs.reduce((sum, job) => sum + job.procs * job.runtimeSec, 0);
  const meanGapSec = work / (draw.procs * draw.load * draw.jobs);
  let text = "";
  const writer = swfWriter((piece) => {
    text += piece;
  });
  writer.entry("Version", "2.2");
  writer.entry("Computer", "none: a synthetic workload");
  writer.entry("MaxJobs", draw.jobs);
  writer.entry("MaxProcs", draw.procs);
  writer.entry("UnixStartTime", 0);
  writer.entry("Note", `Poisson arrivals drawn by Stint, seed ${draw.seed}, offered load ${draw.load}`);
  let submitSec = 0;
  jobs.forEach((job, i) => {
    writer.row(rowOf(job, i + 1, Math.round(submitSec)));
    submitSec += drawExponential(random, meanGapSec);
  });
  writer.flush();
  return text;
}

function drawJob(random: Random, machineProcs: number): DrawnJob {
  const largestPower = Math.floor(Math.log2(machineProcs / 2));
  const power = drawInteger(random, 0, largestPower);
  const exact = 2 ** power;
  const procs = drawFraction(random) < POWER_OF_TWO_SHARE ? exact : drawInteger(random, 1, exact);
  const mean = drawFraction(random) < SHORT_SHARE ? SHORT_MEAN_SEC : LONG_MEAN_SEC;
  const runtimeSec = Math.min(LONGEST_SEC, 1 + Math.floor(drawExponential(random, mean)));
  const caution = 1 + 3 * drawFraction(random);
  const requestSec = ROUND_REQUESTS_SEC.find((request) => request >= runtimeSec * caution) ?? LONGEST_SEC;
  return { procs, runtimeSec, requestSec, user: drawInteger(random, 1, USERS) };
}

function rowOf(job: DrawnJob, id: number, submitSec: number): Float64Array {
  const row = new Float64Array(swfFieldCount).fill(-1);
  row[swfField.jobNumber] = id;
  row[swfField.submit] = submitSec;
  row[swfField.runtime] = job.runtimeSec;
  row[swfField.allocatedProcs] = job.procs;
  row[swfField.requestedProcs] = job.procs;
  row[swfField.requestedTime] = job.requestSec;
  row[swfField.status] = 1;
  row[swfField.user] = job.user;
  return row;
}
