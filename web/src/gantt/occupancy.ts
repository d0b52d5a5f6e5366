import type { GanttBar } from "./bar.ts";

/** Processors in use from an instant on. */
export interface UseStep {
  readonly at: number;
  readonly all: number;
  readonly mine: number;
}

/** Processors in use over time, of all bars and of mine; what is only offered uses none. */
export function occupancyOf(bars: readonly GanttBar[]): readonly UseStep[] {
  const changes = bars
    .filter(({ kind, rows }) => kind !== "offer" && rows.length > 0)
    .flatMap(({ from, until, procs, isMine }) => [
      { at: from, all: procs, mine: isMine ? procs : 0 },
      { at: until, all: -procs, mine: isMine ? -procs : 0 },
    ])
    .sort((a, b) => a.at - b.at);
  const steps: UseStep[] = [];
  let all = 0;
  let mine = 0;
  for (const change of changes) {
    all += change.all;
    mine += change.mine;
    if (steps.at(-1)?.at === change.at) steps.pop();
    steps.push({ at: change.at, all, mine });
  }
  return steps;
}
