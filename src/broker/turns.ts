/**
 * Taking turns: what was asked first goes first, though what it waits for may take longer.
 */

/** Turns by name. */
export interface Turns {
  /** Resolves when `ready` has settled and all earlier turns of this name have been given. */
  after(name: string, ready: Promise<unknown>): Promise<void>;
}

/** An empty queue of turns. */
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

/** A function that does deeds of one name one after the other: a site is opened once at a time. */
export function oneAtATime(): <T>(name: string, deed: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, deed: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(deed, deed);
    last.set(name, mine);
    const isOver = (): void => {
      if (last.get(name) === mine) last.delete(name);
    };
    mine.then(isOver, isOver);
    return mine;
  };
}
