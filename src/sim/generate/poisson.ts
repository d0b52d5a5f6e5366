/**
 * A small synthetic workload that looks like a real one: Poisson arrivals and plain distributions.
 *
 * Sizes mostly powers of two; runtimes from two exponentials (many short, some long); requests that are
 * round and mostly too long, as users' are. Not a model of any machine; for that there is `lublin.ts`.
 */
import { createRandom, drawExponential, drawFraction, drawInteger, type Random } from "../../base/index.ts";
import { swfWriter } from "../../formats/index.ts";
import { mustLie, withChanges } from "./parameters.ts";
import { swfRow } from "./swf-row.ts";
import type { DrawnJob, WorkloadModel } from "./workload-model.ts";

/** Parameters of the Poisson model; times in seconds. */
interface PoissonParameters {
  readonly shortShare: number;
  readonly shortMean: number;
  readonly longMean: number;
  readonly longest: number;
  readonly powerOfTwoShare: number;
  readonly users: number;
  /** Mean time between arrivals, where no load is asked for. */
  readonly gapMean: number;
}

const PARAMETERS: PoissonParameters = {
  shortShare: 0.7,
  shortMean: 900,
  longMean: 14_400,
  longest: 64_800,
  powerOfTwoShare: 0.8,
  users: 24,
  gapMean: 600,
};
/** Common requests; longer jobs request the last one. */
const ROUND_REQUESTS_SEC = [900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 64_800];

/**
 * The model for a machine of `procs`.
 *
 * @throws Fault `parameterUnknown`, `parameterOutOfRange`
 */
export function poissonModel(procs: number, changes: Readonly<Record<string, number>>): WorkloadModel {
  const parameters = withChanges({ ...PARAMETERS }, changes);
  mustLie("shortShare", parameters.shortShare, [0, 1]);
  mustLie("powerOfTwoShare", parameters.powerOfTwoShare, [0, 1]);
  mustLie("users", parameters.users, [1, 1_000_000]);
  for (const name of ["shortMean", "longMean", "longest", "gapMean"] as const) {
    mustLie(name, parameters[name], [1, 1e9]);
  }
  return {
    title: "Poisson arrivals, plain distributions",
    parameters,
    drawJob: (random) => drawJob(random, procs, parameters),
    drawGap: (random) => drawExponential(random, parameters.gapMean),
    secondsAt: (clockSec) => clockSec,
  };
}

function drawJob(random: Random, machineProcs: number, parameters: PoissonParameters): DrawnJob {
  const { shortShare, shortMean, longMean, longest, powerOfTwoShare, users } = parameters;
  const largestPower = Math.max(0, Math.floor(Math.log2(machineProcs / 2)));
  const power = drawInteger(random, 0, largestPower);
  const exact = 2 ** power;
  const procs = drawFraction(random) < powerOfTwoShare ? exact : drawInteger(random, 1, exact);
  const mean = drawFraction(random) < shortShare ? shortMean : longMean;
  const runtimeSec = Math.min(Math.floor(longest), 1 + Math.floor(drawExponential(random, mean)));
  const caution = 1 + 3 * drawFraction(random);
  const round = ROUND_REQUESTS_SEC.find((request) => request >= runtimeSec * caution) ?? longest;
  const requestSec = Math.max(runtimeSec, Math.ceil(round));
  return { procs, runtimeSec, requestSec, user: drawInteger(random, 1, Math.floor(users)) };
}

/** Seed and size of a draw for the demo. */
export interface PoissonDraw {
  readonly seed: number;
  readonly jobs: number;
  readonly procs: number;
  /** Offered work over capacity, in expectation of the arrivals, for instance 0.85. */
  readonly load: number;
}

/** The draw that is shipped as `examples/poisson.swf` and replayed by the demo. */
export const SHIPPED_DRAW: PoissonDraw = { seed: 2008, jobs: 3000, procs: 128, load: 0.9 };

/** The workload as SWF text; one generator draws the jobs, then the gaps. */
export function poissonWorkload(draw: PoissonDraw): string {
  const random = createRandom(draw.seed);
  const jobs = Array.from({ length: draw.jobs }, () => drawJob(random, draw.procs, PARAMETERS));
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
    writer.row(swfRow(job, i + 1, Math.round(submitSec)));
    submitSec += drawExponential(random, meanGapSec);
  });
  writer.flush();
  return text;
}
