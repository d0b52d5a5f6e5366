/**
 * Samples a site at fixed intervals of virtual time.
 *
 * A sample at an instant is taken after all events of that instant and before later ones; samples end with
 * the last event. Sampling changes nothing: a sample adds no instant to the simulation.
 */
import type { Actor, Machine } from "../../queue/index.ts";

/** Interval of sampling in ms, and the action at each sample. */
export interface Looks {
  readonly everyMs: number;
  readonly look: (machine: Machine, atMs: number) => void;
}

/** Samples at `everyMs`, 2 · `everyMs` … after instant 0. */
export function createSampler(machine: Machine, { everyMs, look }: Looks): Actor {
  let lookAtMs = everyMs;
  return {
    before(atMs) {
      for (; lookAtMs < atMs; lookAtMs += everyMs) look(machine, lookAtMs);
    },
  };
}
