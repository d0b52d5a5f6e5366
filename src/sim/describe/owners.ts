/**
 * Shares of owners (users, groups, queues) in the jobs and the work of a workload.
 */
import type { OwnerShares } from "../../model/index.ts";

const TOP = 10;

interface Tally {
  jobs: number;
  work: number;
}

/** Takes the owner of each job: a user, a group or a queue. */
export class Owners {
  readonly #tallies = new Map<number, Tally>();
  #jobs = 0;
  #unknown = 0;
  #work = 0;

  /** `id` is -1 where it is not known. */
  add(id: number, work: number): void {
    this.#jobs++;
    this.#work += work;
    if (id < 0) {
      this.#unknown++;
      return;
    }
    const tally = this.#tallies.get(id);
    if (tally === undefined) this.#tallies.set(id, { jobs: 1, work });
    else {
      tally.jobs++;
      tally.work += work;
    }
  }

  /** There must be a job. */
  shares(nameOf: (id: number) => string | null): OwnerShares {
    const byWork = [...this.#tallies].sort(([idA, a], [idB, b]) => b.work - a.work || idA - idB);
    return {
      count: this.#tallies.size,
      unknownShare: this.#unknown / this.#jobs,
      top: byWork.slice(0, TOP).map(([id, { jobs, work }]) => ({
        id,
        name: nameOf(id),
        jobs,
        workShare: work / this.#work,
      })),
    };
  }
}
