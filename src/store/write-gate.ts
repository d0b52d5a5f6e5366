/**
 * Lets commits pass side by side, and holds them back while the views are being replaced.
 *
 * Order is kept: what waited goes first, in the order in which it came.
 */

/** The gate of one logbook. */
export interface WriteGate {
  /** Begins `write` now, or when the replacement under way has ended. */
  pass<Value>(write: () => Promise<Value>): Promise<Value>;
  /** Runs `work` when every write begun before has ended; those that come meanwhile wait. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** An open gate. Writes that passed are taken to end in the order in which they began. */
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
