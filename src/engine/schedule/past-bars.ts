/** Bars of the times that jobs have run. */
import type { JobRecord, PastRun } from "../../model/index.ts";
import type { Bar } from "./bar.ts";

/** A bar for each time that these jobs ran before now; none of jobs that never ran. */
export function pastBars(jobs: readonly JobRecord[]): readonly Bar[] {
  return jobs.flatMap((job): readonly Bar[] => {
    const { id, owner, consumer, site, description } = job;
    return pastRuns(job).map(
      ({ fromMs, toMs }): Bar => ({
        ...{ key: `${id}@${fromMs}`, kind: "past", procs: description.procs, startMs: fromMs, endMs: toMs },
        ...{ inside: null, nodes: [], whose: { owner, consumer, site }, facts: { job } },
      }),
    );
  });
}

/** Instant since which a running job runs: its start, or its last resumption. */
export function runsSince({ startedAtMs, startDecidedAtMs, earlierRuns = [] }: JobRecord): number | null {
  return earlierRuns.length === 0 ? startedAtMs : startDecidedAtMs;
}

function pastRuns(job: JobRecord): readonly PastRun[] {
  const { endedAtMs, earlierRuns = [] } = job;
  const fromMs = runsSince(job);
  // One that was suspended when it ended did not run again.
  const isLast = earlierRuns.at(-1)?.fromMs === fromMs;
  if (endedAtMs === null || fromMs === null || isLast) return earlierRuns;
  return [...earlierRuns, { fromMs, toMs: endedAtMs }];
}
