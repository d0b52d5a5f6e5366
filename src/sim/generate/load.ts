/**
 * The load of a workload on a machine (rule SI-11).
 *
 * Load = Σ (processors × runtime) over the jobs ÷ (processors of the machine × time from the first to the
 * last submission). Runtimes are the recorded ones; what a job waited or asked for plays no part. It is
 * what is offered, and can pass 1; the utilisation of a simulation counts until the last end instead.
 */
import { ExactSum, Fault } from "../../base/index.ts";

/** Takes the jobs of a workload one by one, in any order; seconds. */
export class LoadMeter {
  readonly #work = new ExactSum();
  #jobs = 0;
  #firstSec = Number.POSITIVE_INFINITY;
  #lastSec = Number.NEGATIVE_INFINITY;

  /** `procs` × `runtimeSec` is rounded to whole processor-seconds. */
  add(procs: number, runtimeSec: number, submitSec: number): void {
    this.#jobs++;
    this.#work.add(Math.round(procs * runtimeSec));
    if (submitSec < this.#firstSec) this.#firstSec = submitSec;
    if (submitSec > this.#lastSec) this.#lastSec = submitSec;
  }

  get jobs(): number {
    return this.#jobs;
  }

  /** Submission of the first job, in seconds; NaN before there is one. */
  get firstSec(): number {
    return this.#firstSec;
  }

  get lastSec(): number {
    return this.#lastSec;
  }

  /** First to last submission; 0 without jobs. */
  get spanSec(): number {
    return this.#jobs === 0 ? 0 : this.#lastSec - this.#firstSec;
  }

  get workProcSec(): number {
    return this.#work.dividedBy(1);
  }

  /** Load on a machine of `procs` processors; undefined where all jobs were submitted at one instant. */
  loadOn(procs: number): number | undefined {
    return this.spanSec > 0 ? this.workProcSec / (procs * this.spanSec) : undefined;
  }
}

/** Fault of a workload that has no load: it has no jobs, or all of them are submitted at one instant. */
export function noLoad(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "loadUnknown",
    what: `${name}: it has no load`,
    why: "load is work divided by the time from the first to the last submission, which is zero here",
    remedy: "take a workload with more jobs",
  });
}

/** Fault of a scale that cannot be applied. */
export function scaleRefused(what: string, why: string, remedy: string): Fault {
  return new Fault({ kind: "badInput", code: "scaleImpossible", what, why, remedy });
}
