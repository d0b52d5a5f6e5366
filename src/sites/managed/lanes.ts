/**
 * One thing at a time for each attempt, many attempts at once.
 *
 * Whoever asks first is served first, so reports of an attempt are told in their order and a launch is
 * through before the cancellation that follows it.
 */
/** Queues by name. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `deed` when everything asked for in this lane before is through, well or not. */
  run<Value>(name: string, deed: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const run = before.then(deed, deed);
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

  /** Resolves when every lane is empty. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
