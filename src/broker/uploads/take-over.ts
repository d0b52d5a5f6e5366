/** One run for a name at a time: a later one ends the earlier one, as a client does that connects again. */

/** Runs for a name, once what runs for it has ended. */
export type TakeOver = <T>(name: string, run: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
}

/** Runs of names; the signal of an earlier run aborts when a later one is asked for. */
export function createTakeOver(): TakeOver {
  const runs = new Map<string, Running>();
  return async (name, run) => {
    for (let earlier = runs.get(name); earlier !== undefined; earlier = runs.get(name)) {
      earlier.stop.abort(new Error("another connection goes on with it"));
      await earlier.ended;
    }
    const stop = new AbortController();
    const result = run(stop.signal);
    const ended = result.catch(() => undefined).finally(() => runs.delete(name));
    runs.set(name, { stop, ended });
    return result;
  };
}
