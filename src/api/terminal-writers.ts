/**
 * Current writers of terminals. A terminal has one writer at a time, who remains the writer while its input
 * or requests continue. Writers are not stored: after a restart of the broker the first to write is the
 * writer.
 */

/** Time after which a writer who sends nothing has left. */
const LEFT_AFTER_MS = 15_000;

interface Writer {
  readonly name: string;
  readonly untilMs: number;
}

/** Writers and readers of all terminals of a broker. */
export class TerminalWriters {
  readonly #writers = new Map<string, Writer>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True where the caller writes from now on: nobody else does, or the caller takes over. */
  admit(job: string, name: string, takes: boolean): boolean {
    const now = this.#nowMs();
    for (const [one, { untilMs }] of this.#writers) if (untilMs <= now) this.#writers.delete(one);
    const writer = this.#writers.get(job);
    if (writer !== undefined && writer.name !== name && !takes) return false;
    this.#writers.set(job, { name, untilMs: now + LEFT_AFTER_MS });
    return true;
  }

  /** Lets others write at once. */
  leave(job: string, name: string): void {
    if (this.#writers.get(job)?.name === name) this.#writers.delete(job);
  }

  /** Runs after whatever else is being written to the terminal. */
  inTurn<Value>(job: string, write: () => Promise<Value>): Promise<Value> {
    const before = this.#turns.get(job) ?? Promise.resolve();
    const turn = before.then(write);
    const settled = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(job, settled);
    void settled.then(() => {
      if (this.#turns.get(job) === settled) this.#turns.delete(job);
    });
    return turn;
  }

  /** Tells the readers of a terminal that something was typed. */
  typed(job: string): void {
    for (const wake of this.#waiting.get(job) ?? []) wake();
  }

  /** Waits so long, or until something is typed; then true. */
  rest(job: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const waiting = this.#waiting.get(job) ?? new Set();
    this.#waiting.set(job, waiting);
    return new Promise((resolve) => {
      const end = (isTyped: boolean) => () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(job);
        resolve(isTyped);
      };
      const wake = end(true);
      const abort = end(false);
      const timer = setTimeout(abort, ms);
      waiting.add(wake);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    });
  }
}
