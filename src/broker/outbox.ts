/**
 * Effects on one site: in order per job, so many at once for different jobs (rule BR-5).
 */

/** Takes effects; they begin as soon as earlier ones of the same job are through and there is room. */
export interface Outbox {
  /** Each lane has room of its own. */
  send(job: string, effect: () => Promise<void>, lane?: number): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** An outbox with so much room in each of its lanes; it hands what goes wrong to `onFailure`. */
export function createOutbox(
  atOnce: readonly [number, ...number[]],
  onFailure: (job: string, error: unknown) => void,
): Outbox {
  const last = new Map<string, Promise<void>>();
  const rooms = atOnce.map(createRoom);
  return {
    send(job, effect, lane = 0) {
      const before = last.get(job) ?? Promise.resolve();
      const done = before
        .then(() => rooms[lane].within(effect))
        .catch((error: unknown) => onFailure(job, error))
        .finally(() => {
          if (last.get(job) === done) last.delete(job);
        });
      last.set(job, done);
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

/** Lets so many in at once; the others wait in order. */
function createRoom(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async within(deed: () => Promise<void>): Promise<void> {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        await deed();
      } finally {
        leave();
      }
    },
  };
}
