/**
 * One operation at a time per attempt, many attempts in parallel.
 *
 * Operations run in the order in which they were requested: reports of an attempt keep their order, and a
 * launch ends before the cancellation that follows it.
 */
/** One queue of operations per name. */
export class OperationQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `deed` after all earlier operations of this name, whether or not they failed. */
  run<Value>(name: string, operation: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const run = before.then(operation, operation);
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(name, settled);
    void settled.then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    });
    return run;
  }

  /** Resolves when all queues are empty. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
