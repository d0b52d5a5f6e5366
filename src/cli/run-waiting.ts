/**
 * Tells on stderr what one waits for. A job that starts at once starts without a word.
 */
import type { JobView } from "../api/client/index.ts";
import type { JobState } from "../model/index.ts";

/** How long a job may wait before that is told. */
const QUIET_MS = 2000;

/** Tells about one job, from its submission on. */
export interface WaitingTold {
  readonly changed: (job: JobView) => void;
  readonly end: () => void;
}

/** Begins to tell. */
export function tellWaiting(id: string, tell: (line: string) => void): WaitingTold {
  let state: JobState = "WAITING";
  let isTold = false;
  const say = (words: string): void => {
    isTold = true;
    tell(`stint: job ${id} ${words}\n`);
  };
  const timer = setTimeout(() => {
    if (state !== "WAITING" && state !== "SCHEDULED") return;
    say(`waits; stint why ${id} tells for what`);
  }, QUIET_MS);
  return {
    changed: (job) => {
      if (job.state === state) return;
      state = job.state;
      if (state === "HELD") say(`is held; stint release ${id} lets it start`);
      if (state === "SUSPENDED") say(`is suspended; stint resume ${id} lets it go on`);
      if (state === "RUNNING" && isTold) say(`runs at ${job.site}`);
    },
    end: () => clearTimeout(timer),
  };
}
