/**
 * Effects on a site: in order per job, beside each other for different jobs (rule BR-5).
 */

/** Takes effects; they begin at once unless an earlier one of the same job is under way. */
export interface Outbox {
  send(job: string, effect: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** An outbox that hands what goes wrong to `onFailure`. */
export function createOutbox(onFailure: (job: string, error: unknown) => void): Outbox {
  const last = new Map<string, Promise<void>>();
  return {
    send(job, effect) {
      const before = last.get(job) ?? Promise.resolve();
      const done = before
        .then(effect)
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
