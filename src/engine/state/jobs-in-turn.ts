/**
 * Jobs round-robin over their organisations: one of each, then the next of each. So a job of one organisation
 * is reached at once, however many jobs another has queued before it.
 */

/** Ids of jobs; iteration is round-robin over the organisations, the one served longest ago first. */
export class JobsInTurn implements Iterable<string> {
  /** In the order in which the organisations are served. */
  readonly #byVo = new Map<string, Set<string>>();
  readonly #voOf = new Map<string, string>();

  get size(): number {
    return this.#voOf.size;
  }

  has(id: string): boolean {
    return this.#voOf.has(id);
  }

  /** Adds a job as the last one of its organisation; one that is there stays at its place. */
  add(id: string, vo: string): void {
    if (this.#voOf.has(id)) return;
    this.#voOf.set(id, vo);
    const jobs = this.#byVo.get(vo);
    if (jobs === undefined) this.#byVo.set(vo, new Set([id]));
    else jobs.add(id);
  }

  /** Removes a job, which counts as a turn of its organisation. @returns true if it was there */
  delete(id: string): boolean {
    const vo = this.#voOf.get(id);
    const jobs = vo === undefined ? undefined : this.#byVo.get(vo);
    if (vo === undefined || jobs === undefined) return false;
    this.#voOf.delete(id);
    jobs.delete(id);
    this.#byVo.delete(vo);
    if (jobs.size > 0) this.#byVo.set(vo, jobs);
    return true;
  }

  clear(): void {
    this.#byVo.clear();
    this.#voOf.clear();
  }

  *[Symbol.iterator](): Generator<string> {
    let queues = [...this.#byVo.values()].map((jobs) => jobs.values());
    while (queues.length > 0) {
      const left: typeof queues = [];
      for (const queue of queues) {
        const { done, value } = queue.next();
        if (done === true) continue;
        yield value;
        left.push(queue);
      }
      queues = left;
    }
  }
}
