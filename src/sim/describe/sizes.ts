/**
 * Sizes of jobs: their distribution, and the share of each size class in jobs and work.
 */
import type { SizeClass, WorkloadDescription } from "../../model/index.ts";
import { SpreadOf } from "./spread-of.ts";

/** Takes the size of each job; whole processors from 1. */
export class Sizes {
  readonly #spread = new SpreadOf();
  readonly #classJobs: number[] = [];
  readonly #classWork: number[] = [];
  #jobs = 0;
  #work = 0;
  #serial = 0;
  #powersOfTwo = 0;

  add(procs: number, work: number): void {
    this.#spread.add(procs);
    this.#jobs++;
    this.#work += work;
    if (procs === 1) this.#serial++;
    const at = Math.ceil(Math.log2(procs));
    if (2 ** at === procs) this.#powersOfTwo++;
    while (this.#classJobs.length <= at) {
      this.#classJobs.push(0);
      this.#classWork.push(0);
    }
    this.#classJobs[at]++;
    this.#classWork[at] += work;
  }

  /** Undefined without jobs. */
  summary(): WorkloadDescription["sizes"] | undefined {
    const spread = this.#spread.spread();
    if (spread === null) return undefined;
    return {
      ...spread,
      serialShare: this.#serial / this.#jobs,
      powerOfTwoShare: this.#powersOfTwo / this.#jobs,
      classes: this.#classes(),
    };
  }

  #classes(): SizeClass[] {
    return this.#classJobs.map((jobs, at) => ({
      from: at === 0 ? 1 : 2 ** (at - 1) + 1,
      to: 2 ** at,
      jobShare: jobs / this.#jobs,
      workShare: this.#classWork[at] / this.#work,
    }));
  }
}
