/**
 * How well requested times foretell runtimes.
 *
 * Accuracy is runtime over requested time, as in Mu'alem & Feitelson [MF01]; above 1 a job ran longer
 * than was asked for.
 */
import type { WorkloadEstimates } from "../../model/index.ts";
import { SpreadOf } from "./spread-of.ts";

const TENTHS = 10;
const TOP = 10;

/** Takes the jobs that have a requested time. */
export class Estimates {
  readonly #accuracy = new SpreadOf();
  readonly #tenths = new Array<number>(TENTHS).fill(0);
  readonly #requests = new Map<number, number>();
  #jobs = 0;
  #under = 0;
  #exact = 0;

  /** Both in seconds, above 0. */
  add(runtimeSec: number, requestedSec: number): void {
    this.#jobs++;
    const accuracy = runtimeSec / requestedSec;
    this.#accuracy.add(accuracy);
    if (runtimeSec === requestedSec) this.#exact++;
    if (runtimeSec > requestedSec) this.#under++;
    else this.#tenths[Math.ceil(accuracy * TENTHS) - 1]++;
    this.#requests.set(requestedSec, (this.#requests.get(requestedSec) ?? 0) + 1);
  }

  summary(): WorkloadEstimates {
    const share = (count: number): number => (this.#jobs === 0 ? 0 : count / this.#jobs);
    const byUse = [...this.#requests].sort(([a, jobsA], [b, jobsB]) => jobsB - jobsA || a - b);
    return {
      jobs: this.#jobs,
      accuracy: this.#accuracy.spread(),
      byTenth: this.#tenths.map(share),
      underestimatedShare: share(this.#under),
      exactShare: share(this.#exact),
      values: this.#requests.size,
      popular: byUse.slice(0, TOP).map(([requestedSec, jobs]) => ({ requestedSec, jobShare: share(jobs) })),
    };
  }
}
