/**
 * Looks at a site every so often of virtual time.
 *
 * The look at an instant sees the site after everything at that instant and before anything later; looks
 * end with the last thing that happens. Looking changes nothing: no instant is made of a look.
 */
import type { Actor, Machine } from "../../queue/index.ts";

/** Interval of sampling in ms, and the action at each sample. */
export interface Looks {
  readonly everyMs: number;
  readonly look: (machine: Machine, atMs: number) => void;
}

/** Looks at `everyMs`, 2 · `everyMs` … after instant 0. */
export function createSampler(machine: Machine, { everyMs, look }: Looks): Actor {
  let lookAtMs = everyMs;
  return {
    before(atMs) {
      for (; lookAtMs < atMs; lookAtMs += everyMs) look(machine, lookAtMs);
    },
  };
}
