/**
 * Lets commits run in parallel, and delays them while the views are replaced.
 *
 * Delayed commits keep their order and come before later ones.
 */

/** The gate of one logbook. */
export interface WriteGate {
  /** Runs `write` now, or after the replacement in progress. */
  pass<Value>(write: () => Promise<Value>): Promise<Value>;
  /** Runs `work` when all earlier writes have ended; later ones wait. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** An open gate. Writes are expected to end in the order in which they began. */
export function createWriteGate(): WriteGate {
  let last: Promise<unknown> = Promise.resolve();
  let isTaken = false;
  const waiting: (() => void)[] = [];

  function enqueue<Value>(begin: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => waiting.push(() => begin().then(resolve, reject)));
  }
  function release(): void {
    isTaken = false;
    while (!isTaken && waiting.length > 0) waiting.shift()?.();
  }
  function pass<Value>(write: () => Promise<Value>): Promise<Value> {
    if (isTaken) return enqueue(() => pass(write));
    const written = write();
    last = written;
    return written;
  }
  async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    if (isTaken) return enqueue(() => alone(work));
    isTaken = true;
    try {
      await last.catch(() => undefined);
      return await work();
    } finally {
      release();
    }
  }
  return { pass, alone };
}
