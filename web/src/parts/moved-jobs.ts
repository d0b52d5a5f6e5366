import type { SimulationSchedule } from "../app/client.ts";

/** A job of two schedules, in seconds from the beginning. */
export interface MovedJob {
  readonly id: string;
  readonly user: string;
  readonly procs: number;
  readonly submitSec: number;
  readonly beforeSec: number;
  readonly nowSec: number;
}

/** The jobs of both schedules whose starts differ, those that gain most first. */
export function movedJobs(before: SimulationSchedule, now: SimulationSchedule): readonly MovedJob[] {
  const startOf = new Map(before.id.map((id, at) => [id, before.startSec[at]]));
  return now.id
    .flatMap((id, at): MovedJob[] => {
      const beforeSec = startOf.get(id);
      const nowSec = now.startSec[at];
      if (beforeSec === undefined || nowSec === undefined || beforeSec === nowSec) return [];
      const user = now.users[now.user[at] ?? 0] ?? "";
      return [
        { id, user, procs: now.procsOf[at] ?? 0, submitSec: now.submitSec[at] ?? 0, beforeSec, nowSec },
      ];
    })
    .sort((one, other) => one.nowSec - one.beforeSec - (other.nowSec - other.beforeSec));
}
