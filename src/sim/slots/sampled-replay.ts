/**
 * A replay that is looked at every so often of virtual time.
 *
 * The look at an instant sees the site after everything at that instant and before anything later; looks
 * end with the last thing that happens. Equivalent to the replay without them: looking changes nothing.
 */
import type { Machine, Replay, ReplayJob } from "../../queue/index.ts";

/** How often, and what is done then. */
export interface Looks {
  readonly everyMs: number;
  readonly look: (machine: Machine, atMs: number) => void;
}

/** The replay with looks at `everyMs`, 2 · `everyMs` … after instant 0; nothing was offered to it yet. */
export function lookInto<Job extends ReplayJob>(replay: Replay<Job>, { everyMs, look }: Looks): Replay<Job> {
  const { machine } = replay;
  let lookAtMs = everyMs;
  const steps: Replay<Job>["steps"] = {
    ...replay.steps,
    happen: (atMs) => {
      for (; lookAtMs < atMs; lookAtMs += everyMs) look(machine, lookAtMs);
      replay.steps.happen(atMs);
    },
  };
  const playUntil = (untilMs: number): void => {
    for (let atMs = steps.nextInstantMs(); atMs < untilMs; atMs = steps.nextInstantMs()) {
      steps.happen(atMs);
      steps.settle(atMs);
    }
  };
  return {
    ...replay,
    steps,
    offer: (job) => {
      playUntil(job.submitMs);
      steps.expect(job);
    },
    finish: () => playUntil(Number.POSITIVE_INFINITY),
  };
}
