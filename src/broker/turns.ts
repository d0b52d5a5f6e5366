/**
 * Taking turns: what was asked first goes first, though what it waits for may take longer.
 */

/** Turns by name. */
export interface Turns {
  /** Resolves when `ready` has settled and all earlier turns of this name have been given. */
  after(name: string, ready: Promise<unknown>): Promise<void>;
}

/** Nobody waits yet. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    after(name, ready) {
      const turn = Promise.allSettled([last.get(name), ready]).then(() => {
        if (last.get(name) === turn) last.delete(name);
      });
      last.set(name, turn);
      return turn;
    },
  };
}
